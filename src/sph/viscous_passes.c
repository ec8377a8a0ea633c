/* The sums over neighbors, eight at a time. */
#include "base/lanes8.h"
#include "sph/sph_kernel.h"
#include "sph/viscous_parts.h"

/* A slot in all lanes, or eight slots in one lane each. */
struct eight {
    lanes8_uint x, y, z;
    lanes8 fluidity, vx, vy, vz, solid;
};

static inline struct eight spread(const struct viscous_slot *slot)
{
    return (struct eight){lanes8_all_uint(slot->x), lanes8_all_uint(slot->y),
                          lanes8_all_uint(slot->z), lanes8_all(slot->fluidity),
                          lanes8_all(slot->vx),     lanes8_all(slot->vy),
                          lanes8_all(slot->vz),     lanes8_all(slot->solid)};
}

static inline struct eight collect(const struct viscous_slot *slot, const uint32_t *candidate,
                                   const uint16_t *entry)
{
    lanes8 row[LANES8];
    for (int k = 0; k < LANES8; k++)
        row[k] = lanes8_load_bytes(slot + candidate[entry[k]]);
    lanes8_transpose(row);
    return (struct eight){(lanes8_uint)row[0],
                          (lanes8_uint)row[1],
                          (lanes8_uint)row[2],
                          row[3],
                          row[4],
                          row[5],
                          row[6],
                          row[7]};
}

/* Eight pairs: vectors from j to i in supports, and c of the forces -c (v_ij . x_ij) x_ij, N s/m.
 */
struct eight_pairs {
    lanes8 x, y, z, c;
};

/* Of two fluids the harmonic mean; of a solid, which has no fluidity, and a fluid that of the
 * latter at solids; of two solids 0. */
static inline lanes8 mean_viscosity(const struct eight *i, const struct eight *j)
{
    const lanes8 zero = lanes8_all(0.0f), two = lanes8_all(2.0f);
    lanes8_int flow = (i->fluidity > zero) & (j->fluidity > zero);
    return (lanes8)(((lanes8_int)(two / (i->fluidity + j->fluidity)) & flow) |
                    ((lanes8_int)(i->solid + j->solid) & ~flow));
}

static inline struct eight_pairs pairs_of(lanes8 factor, const struct eight *i,
                                          const struct eight *j)
{
    const lanes8 unit = lanes8_all((float)(1.0 / SPH_PLACES));
    const lanes8 one = lanes8_all(1.0f), half = lanes8_all(0.5f), zero = lanes8_all(0.0f);
    lanes8 x = lanes8_difference(i->x, j->x) * unit;
    lanes8 y = lanes8_difference(i->y, j->y) * unit;
    lanes8 z = lanes8_difference(i->z, j->z) * unit;
    lanes8 q = lanes8_sqrt(x * x + y * y + z * z), g = lanes8_max(one - q, zero);
    lanes8 c = factor * mean_viscosity(i, j) * (g * g * (one - half * q));
    return (struct eight_pairs){x, y, z, c};
}

/* Subtracts a b, which is exact in doubles. */
static inline void subtract_product(lanes sum[2], const lanes a[2], lanes8 b)
{
    lanes wide[2];
    lanes8_widen(b, wide);
    sum[0] -= a[0] * wide[0];
    sum[1] -= a[1] * wide[1];
}

struct force_sums {
    lanes x[2], y[2], z[2];
};

/* The sums of c x x^T, for the preconditioner, which needs no more than single precision. */
struct block_sums {
    lanes8 xx, xy, xz, yy, yz, zz;
};

static inline void add_forces(const struct eight_pairs *p, const struct eight *i,
                              const struct eight *j, struct force_sums *sum)
{
    lanes push[2];
    lanes8 rate = (i->vx - j->vx) * p->x + (i->vy - j->vy) * p->y + (i->vz - j->vz) * p->z;
    lanes8_widen(p->c * rate, push);
    subtract_product(sum->x, push, p->x);
    subtract_product(sum->y, push, p->y);
    subtract_product(sum->z, push, p->z);
}

static inline void add_blocks(const struct eight_pairs *p, struct block_sums *sum)
{
    lanes8 cx = p->c * p->x, cy = p->c * p->y, cz = p->c * p->z;
    sum->xx += cx * p->x;
    sum->xy += cx * p->y;
    sum->xz += cx * p->z;
    sum->yy += cy * p->y;
    sum->yz += cy * p->z;
    sum->zz += cz * p->z;
}

static struct sym3 block_of(const struct block_sums *sum)
{
    return (struct sym3){lanes8_sum(sum->xx), lanes8_sum(sum->xy), lanes8_sum(sum->xz),
                         lanes8_sum(sum->yy), lanes8_sum(sum->yz), lanes8_sum(sum->zz)};
}

static struct vec3 velocity_of(const struct viscous_slot *slot)
{
    return vec3((double)slot->vx, (double)slot->vy, (double)slot->vz);
}

struct pass {
    struct sph_pass pass; /* must be first */
    const struct viscous *viscous;
    const struct sph_neighbors *neighbors;
    lanes8 factor;
    double *force;
    struct sym3 *diagonal;
};

static void add_wall(const struct pass *pass, const struct sph_listed *listed, struct vec3 *force)
{
    size_t s = listed->slot, t = 0;
    while (s >= pass->neighbors->part[t].end)
        t++;
    const struct viscous_part *part = &pass->viscous->part[t];
    if (part->n == 0)
        return;
    struct sym3 block = part->block[listed->near - pass->neighbors->part[t].walls.near];
    *force = vec3_sub(*force, sym3_mul(block, velocity_of(&pass->viscous->slot[s])));
    if (pass->diagonal)
        pass->diagonal[s] = sym3_add(pass->diagonal[s], block);
}

static void visit(const struct sph_pass *base, const struct sph_listed *listed)
{
    const struct pass *pass = (const struct pass *)base;
    const struct viscous_slot *slot = pass->viscous->slot;
    const size_t s = listed->slot;
    const struct eight own = spread(&slot[s]);
    struct force_sums sum = {0};
    struct block_sums blocks = {0};
    for (size_t k = 0; k < listed->n; k += NEIGHBOR_LANES) {
        const struct eight other = collect(slot, listed->candidate, listed->entry + k);
        const struct eight_pairs pairs = pairs_of(pass->factor, &own, &other);
        add_forces(&pairs, &own, &other, &sum);
        if (pass->diagonal)
            add_blocks(&pairs, &blocks);
    }
    struct vec3 force = vec3(lanes_sum(sum.x[0] + sum.x[1]), lanes_sum(sum.y[0] + sum.y[1]),
                             lanes_sum(sum.z[0] + sum.z[1]));
    if (pass->diagonal)
        pass->diagonal[s] = block_of(&blocks);
    if (listed->near)
        add_wall(pass, listed, &force);
    pass->force[3 * s] = force.x;
    pass->force[3 * s + 1] = force.y;
    pass->force[3 * s + 2] = force.z;
}

/* V_i V_j w is the kernel's weight times `factor` where x_ij is in supports. */
static double factor_of(double h)
{
    double volume = 0.125 * h * h * h;
    return volume * volume * sph_viscous_factor(h) * h * h;
}

void viscous_forces(struct viscous *viscous, const struct viscous_problem *problem, double *force,
                    struct sym3 *diagonal)
{
    const struct pass pass = {.pass = {visit},
                              .viscous = viscous,
                              .neighbors = problem->neighbors,
                              .factor = lanes8_all((float)factor_of(problem->support)),
                              .force = force,
                              .diagonal = diagonal};
    sph_neighbors_pass(problem->neighbors, &pass.pass);
}

struct vec3 viscous_wall_force(const struct viscous *viscous, const struct sph_neighbors *neighbors)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t t = 0; t < neighbors->n_parts; t++)
        for (size_t k = 0; k < viscous->part[t].n; k++) {
            size_t s = neighbors->part[t].walls.near[k].slot;
            sum =
                vec3_sub(sum, sym3_mul(viscous->part[t].block[k], velocity_of(&viscous->slot[s])));
        }
    return sum;
}
