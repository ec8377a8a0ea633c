/* The forces between fluid particles, gathered eight neighbors at a time. */
#include "base/lanes8.h"
#include "sph/sph_kernel.h"
#include "systems/sph/sph_parts.h"

/* The smallest distance in denominators, in places: particles at the same place do not push each
 * other. */
static const double COINCIDENT = 0x1p-2;

/* Constants that all pairs share: accelerations of a particle, with all lengths in places. These
 * are powers of two of a support, so that the bits are those of lengths in supports, without a
 * product for each coordinate. */
struct pair_constants {
    lanes8 pressure;  /* of (g_i + g_j) (1 - q)^3, g = p / rho^2 in units of k / rho0^2 */
    lanes8 viscosity; /* of the rate v_ij . x_ij, 1/s; Monaghan 2005, Eq. 8.8 in 3D */
};

static struct pair_constants constants_of(const struct sph *sph)
{
    const struct fluid *f = &sph->fluid;
    double h = sph->support, rest = sph->rest_density;
    double slope = f->mass * sph_spiky_factor(h) * h;
    return (struct pair_constants){
        .pressure =
            lanes8_all((float)(sph->density_scale * 20.0 / h * f->stiffness / (rest * rest)) /
                       (float)(SPH_PLACES * SPH_PLACES * SPH_PLACES)),
        .viscosity = lanes8_all((float)(10.0 * f->viscosity / rest * slope)),
    };
}

/* A slot in all lanes, or eight slots in one lane each. */
struct eight {
    lanes8_uint x, y, z;
    lanes8 pressure, vx, vy, vz;
};

static inline struct eight spread(const struct sph_slot *slot)
{
    return (struct eight){lanes8_all_uint(slot->x), lanes8_all_uint(slot->y),
                          lanes8_all_uint(slot->z), lanes8_all(slot->pressure),
                          lanes8_all(slot->vx),     lanes8_all(slot->vy),
                          lanes8_all(slot->vz)};
}

static inline struct eight collect(const struct sph_slot *slot, const uint32_t *candidate,
                                   const uint16_t *entry)
{
    lanes8 row[LANES8] = {lanes8_load_bytes(slot + candidate[entry[0]]),
                          lanes8_load_bytes(slot + candidate[entry[1]]),
                          lanes8_load_bytes(slot + candidate[entry[2]]),
                          lanes8_load_bytes(slot + candidate[entry[3]]),
                          lanes8_load_bytes(slot + candidate[entry[4]]),
                          lanes8_load_bytes(slot + candidate[entry[5]]),
                          lanes8_load_bytes(slot + candidate[entry[6]]),
                          lanes8_load_bytes(slot + candidate[entry[7]])};
    lanes8_transpose(row);
    return (struct eight){(lanes8_uint)row[0],
                          (lanes8_uint)row[1],
                          (lanes8_uint)row[2],
                          row[3],
                          row[4],
                          row[5],
                          row[6]};
}

/* What pairs of a slot i with some of its neighbors j have before their distance is known, eight in
 * each element. The pairs are taken in two passes, because one whole pass has more instructions in
 * flight, and more numbers at hand, than a processor holds: it would wait for each root. */
enum { SOME_EIGHTS = 8 };

struct pairs {
    lanes8 x[SOME_EIGHTS], y[SOME_EIGHTS], z[SOME_EIGHTS]; /* vectors x_j - x_i, in places: a
                                                              processor subtracts what it reads */
    lanes8 pressure[SOME_EIGHTS];                          /* g_i + g_j times its constant */
    lanes8 rate[SOME_EIGHTS];                              /* v_ij . x_ij times its constant */
};

/* Not inline: gcc would keep in memory what both passes need. */
__attribute__((noinline)) static void relate(const struct pair_constants *c,
                                             const struct sph_slot *slot,
                                             const struct sph_listed *listed, size_t begin,
                                             size_t n, struct pairs *pairs)
{
    const struct eight i = spread(&slot[listed->slot]);
    const uint32_t *candidate = listed->candidate;
    const uint16_t *entry = listed->entry + begin * LANES8;
    for (size_t k = 0; k < n; k++, entry += LANES8) {
        const struct eight j = collect(slot, candidate, entry);
        lanes8 x = lanes8_difference(j.x, i.x);
        lanes8 y = lanes8_difference(j.y, i.y);
        lanes8 z = lanes8_difference(j.z, i.z);
        lanes8 rate = (j.vx - i.vx) * x + (j.vy - i.vy) * y + (j.vz - i.vz) * z;
        pairs->x[k] = x;
        pairs->y[k] = y;
        pairs->z[k] = z;
        pairs->pressure[k] = c->pressure * (i.pressure + j.pressure);
        pairs->rate[k] = c->viscosity * rate;
    }
}

struct pair_sums {
    lanes x[2], y[2], z[2]; /* all forces times the places of a support, with the other sign */
    lanes8 vx, vy, vz;      /* viscous forces alone, likewise, with their own sign */
};

/* The forces of eight neighbors j on the particle i, over its mass:
 *   pressure   -m (p_i/rho_i^2 + p_j/rho_j^2) grad W,  W the scaled kernel of the density
 *   viscosity  10 nu m/rho0 (v_ij . x_ij)/(d^2 + 0.01 h^2) grad W, which is along -e
 * The term of the particle itself vanishes with x_i - x_j. Each product is the same seen from j,
 * but for the sign of x_i - x_j. */
static inline void add_eight(const struct pairs *pairs, size_t k, struct pair_sums *sum)
{
    const lanes8 one = lanes8_all((float)SPH_PLACES);
    const lanes8 softening = lanes8_all(0.01f * (float)(SPH_PLACES * SPH_PLACES));
    const lanes8 smallest = lanes8_all((float)(COINCIDENT * COINCIDENT));
    lanes8 x = pairs->x[k], y = pairs->y[k], z = pairs->z[k];
    lanes8 q2 = lanes8_max(x * x + y * y + z * z, smallest), q = lanes8_sqrt(q2);
    lanes8 g = lanes8_max(one - q, lanes8_all(0.0f)), g2 = g * g;
    lanes8 brake = pairs->rate[k] * g2 / (q * (q2 + softening));
    lanes8 push = pairs->pressure[k] * (g2 * g) - brake;
    lanes8_add_to(sum->x, push * x);
    lanes8_add_to(sum->y, push * y);
    lanes8_add_to(sum->z, push * z);
    sum->vx += brake * x;
    sum->vy += brake * y;
    sum->vz += brake * z;
}

/* The sums over the neighbors of a slot from the eights `begin` on, and those before. */
__attribute__((noinline, cold)) static struct pair_sums
sum_others(const struct pair_constants *constants, const struct sph_slot *slot,
           const struct sph_listed *listed, size_t begin, struct pair_sums before)
{
    const size_t eights = listed->n / LANES8;
    struct pairs pairs;
    for (; begin < eights; begin += SOME_EIGHTS) {
        size_t n = eights - begin < SOME_EIGHTS ? eights - begin : SOME_EIGHTS;
        relate(constants, slot, listed, begin, n, &pairs);
        for (size_t k = 0; k < n; k++)
            add_eight(&pairs, k, &before);
    }
    return before;
}

/* The sums over the neighbors of a slot. Most have no more than one pass takes, and their sums
 * never leave the processor. */
static inline struct pair_sums sum_pairs(const struct pair_constants *constants,
                                         const struct sph_slot *slot,
                                         const struct sph_listed *listed)
{
    const size_t eights = listed->n / LANES8, n = eights < SOME_EIGHTS ? eights : SOME_EIGHTS;
    struct pairs pairs;
    relate(constants, slot, listed, 0, n, &pairs);
    struct pair_sums sum = {0};
    for (size_t k = 0; k < n; k++)
        add_eight(&pairs, k, &sum);
    return eights == n ? sum : sum_others(constants, slot, listed, n, sum);
}

static void account_force(struct sph_block *block, struct vec3 force)
{
    double f2 = vec3_norm2(force);
    if (!(f2 <= block->force2_max) && !isnan(block->force2_max))
        block->force2_max = f2;
}

struct forces {
    struct sph_pass pass; /* must be first */
    struct sph *sph;
    struct pair_constants constants;
};

/* Finds the forces on a slot: those of its neighbors, of walls and of solids. */
static void forces_of_slot(const struct sph_pass *pass, const struct sph_listed *listed)
{
    const struct forces *forces = (const struct forces *)pass;
    struct sph *sph = forces->sph;
    const struct pair_sums sum = sum_pairs(&forces->constants, sph->slot, listed);
    const double m = sph->fluid.mass / SPH_PLACES;
    uint32_t i = sph->neighbors.grid.point[listed->slot];
    const struct vec3 pairs =
        lanes_sums(sum.x[0] + sum.x[1], sum.y[0] + sum.y[1], sum.z[0] + sum.z[1]);
    const struct vec3 viscous =
        lanes_sums(lanes8_fold(sum.vx), lanes8_fold(sum.vy), lanes8_fold(sum.vz));
    struct vec3 outside = listed->near ? listed->near->force : vec3(0.0, 0.0, 0.0);
    if (listed->near_solid)
        outside = vec3_add(outside, listed->near_solid->force);
    sph->force[i] = vec3_axpy(outside, -m, pairs);
    account_force(&sph->block[listed->slot / SPH_BLOCK], sph->force[i]);
    sph->drag[i] =
        (struct sph_drag){(float)(m * viscous.x), (float)(m * viscous.y), (float)(m * viscous.z)};
}

void sph_find_forces(struct sph *sph)
{
    const struct forces forces = {{forces_of_slot}, sph, constants_of(sph)};
    for (size_t b = 0; b < sph_blocks(sph); b++)
        sph->block[b].force2_max = 0.0;
    sph_neighbors_pass(&sph->neighbors, &forces.pass);
}
