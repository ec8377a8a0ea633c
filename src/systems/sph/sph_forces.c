/* The forces between fluid particles, gathered four neighbors at a time. */
#include "base/lanes.h"
#include "systems/sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

/* The smallest distance in denominators, in supports: particles at the same place do not push each
 * other. */
static const double COINCIDENT = 1e-12;

/* Constants that all pairs share. */
struct pair_constants {
    lanes support, support2; /* h, h^2 */
    lanes pressure;          /* m density_scale 20 / h^2 */
    lanes inverse_support;   /* 1 / h */
    lanes viscosity;         /* 10 nu m^2 / rho0 45 / (pi h^6); Monaghan 2005, Eq. 8.8 in 3D */
    lanes softening;         /* 0.01 h^2 */
    lanes cohesion;          /* of (h^2 - d^2)^3 */
    lanes repulsion, inverse_range;
    lanes smallest; /* squared distance */
};

static struct pair_constants constants_of(const struct sph *sph)
{
    double h = sph->support, m = sph->fluid.mass;
    double slope = m * m * sph_spiky_factor(h);
    double cohesion = sph->fluid.cohesion * m * m * sph_poly6_factor(h);
    return (struct pair_constants){
        .support = lanes_all(h),
        .support2 = lanes_all(h * h),
        .pressure = lanes_all(m * sph->density_scale * 20.0 / (h * h)),
        .inverse_support = lanes_all(1.0 / h),
        .viscosity = lanes_all(10.0 * sph->fluid.viscosity / sph->rest_density * slope),
        .softening = lanes_all(0.01 * h * h),
        .cohesion = lanes_all(cohesion),
        .repulsion = lanes_all(sph->fluid.repulsion),
        .inverse_range = lanes_all(1.0 / (2.0 * sph->fluid.radius)),
        .smallest = lanes_all(COINCIDENT * COINCIDENT * h * h),
    };
}

struct pair_forces {
    lanes px, py, pz; /* conservative: pressure, cohesion, repulsion */
    lanes vx, vy, vz; /* viscous */
};

static inline lanes load_near(const struct sph_slot *slot)
{
    return lanes_load(&slot->x);
}

static inline lanes load_far(const struct sph_slot *slot)
{
    return lanes_load(&slot->vx);
}

/* The forces of four neighbors j on the particle in slot s:
 *   pressure   -m^2 (p_i/rho_i^2 + p_j/rho_j^2) grad W,  W the scaled kernel of the density
 *   viscosity  10 nu m^2/rho0 (v_ij . x_ij)/(d^2 + 0.01 h^2) grad W, which is along -e
 *   cohesion   -kappa m^2 W e d
 *   repulsion  k (1 - d / (2 r)) e
 * The term of the particle itself vanishes with x_i - x_j. */
static inline void add_four(const struct pair_constants *c, const struct sph_slot *slot,
                            const lanes near[4], const lanes far[4], const uint32_t *j,
                            struct pair_forces *f)
{
    lanes a[4] = {load_near(slot + j[0]), load_near(slot + j[1]), load_near(slot + j[2]),
                  load_near(slot + j[3])};
    lanes b[4] = {load_far(slot + j[0]), load_far(slot + j[1]), load_far(slot + j[2]),
                  load_far(slot + j[3])};
    lanes_transpose(a);
    lanes_transpose(b);
    lanes zero = lanes_all(0.0);
    lanes dx = near[0] - a[0], dy = near[1] - a[1], dz = near[2] - a[2];
    lanes d2 = lanes_max(dx * dx + dy * dy + dz * dz, c->smallest);
    lanes d = lanes_sqrt(d2);
    lanes gap = lanes_max(c->support - d, zero);
    lanes soft = d2 + c->softening;
    /* one division for 1/d and 1/soft */
    lanes inverse = lanes_all(1.0) / (d * soft);
    lanes slope = gap * gap * inverse;
    lanes g = gap * c->inverse_support;
    lanes inside = lanes_max(c->support2 - d2, zero);
    lanes near_by = lanes_max(lanes_all(1.0) - d * c->inverse_range, zero);
    lanes push = c->pressure * (near[3] + a[3]) * (g * g * g) -
                 c->cohesion * (inside * inside * inside) + c->repulsion * near_by * inverse * soft;
    lanes rate = (far[0] - b[0]) * dx + (far[1] - b[1]) * dy + (far[2] - b[2]) * dz;
    lanes viscous = c->viscosity * rate * slope;
    f->px += push * dx;
    f->py += push * dy;
    f->pz += push * dz;
    f->vx -= viscous * dx;
    f->vy -= viscous * dy;
    f->vz -= viscous * dz;
}

static void forces_of_part(struct sph *sph, const struct sph_part *part,
                           const struct pair_constants *constants)
{
    const struct sph_slot *slot = sph->slot;
    const uint32_t *j = part->list.slot;
    for (size_t s = part->begin; s < part->end; s++) {
        const struct sph_slot own = slot[s];
        const lanes near[4] = {lanes_all(own.x), lanes_all(own.y), lanes_all(own.z),
                               lanes_all(own.pressure)};
        const lanes far[4] = {lanes_all(own.vx), lanes_all(own.vy), lanes_all(own.vz)};
        struct pair_forces f = {0};
        for (const uint32_t *end = j + sph_neighbors_entries(&sph->neighbors, s); j < end;
             j += NEIGHBOR_LANES)
            add_four(constants, slot, near, far, j, &f);
        uint32_t i = sph->neighbors.grid.point[s];
        sph->pressure_force[i] = vec3(lanes_sum(f.px), lanes_sum(f.py), lanes_sum(f.pz));
        sph->viscous_force[i] = vec3(lanes_sum(f.vx), lanes_sum(f.vy), lanes_sum(f.vz));
    }
}

void sph_find_forces(struct sph *sph)
{
    const struct pair_constants constants = constants_of(sph);
    size_t parts = sph->neighbors.n_parts;
#pragma omp parallel for schedule(static, 1) num_threads((int)parts) if (sph->system.n > ONE_THREAD)
    for (size_t t = 0; t < parts; t++)
        forces_of_part(sph, &sph->neighbors.part[t], &constants);
    if (sph->walls)
        sph_add_wall_forces(sph);
}
