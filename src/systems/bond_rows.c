/* Rows of bonds for the explicit step, four bonds at once. Each particle gathers alone; both ends
 * of a bond compute it from the same numbers and get exactly opposite forces. */
#include "systems/bond_verlet.h"

/* Sums over the bonds of one particle so far, in four lanes. */
struct row {
    lanes x, y, z;        /* the particle */
    lanes fx, fy, fz;     /* force, N */
    lanes energy;         /* sum of k s^2 L, J */
    lanes most, opposite; /* largest strain, largest of minus the strain */
};

/* Relative positions, by coordinate. */
static inline void relative(const struct row *row, const lanes *x, const uint32_t *neighbor,
                            lanes d[4])
{
    for (int k = 0; k < 4; k++)
        d[k] = x[neighbor[k]];
    lanes_transpose(d);
    d[0] -= row->x;
    d[1] -= row->y;
    d[2] -= row->z;
}

static inline lanes stiffness_of(const struct bond_network *net, size_t e)
{
    const struct bond_kind *kinds = net->kinds;
    const uint8_t *kind = net->kind + e;
    return (lanes){kinds[kind[0]].stiffness, kinds[kind[1]].stiffness, kinds[kind[2]].stiffness,
                   kinds[kind[3]].stiffness};
}

static inline bool all_whole(const uint8_t *whole)
{
    static const uint8_t ones[4] = {1, 1, 1, 1};
    return memcmp(whole, ones, sizeof ones) == 0;
}

static inline lanes keep(lanes_bits mask, lanes a, lanes otherwise)
{
    return (lanes)(((lanes_bits)a & mask) | ((lanes_bits)otherwise & ~mask));
}

/* Adds the four bonds from e on. */
static inline void add_four(const struct bond_network *net, const lanes *x, size_t e,
                            struct row *row)
{
    lanes d[4];
    relative(row, x, net->neighbor + e, d);
    lanes length = lanes_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    lanes rest = lanes_load(net->rest_length + e), stiffness = stiffness_of(net, e);
    lanes extension = length - rest;
    lanes over_length = extension / (rest * length); /* strain over length */
    lanes strain = over_length * length;
    lanes high = strain, low = -strain;
    if (!all_whole(net->whole + e)) {
        const uint8_t *whole = net->whole + e;
        const lanes_bits mask = {-whole[0], -whole[1], -whole[2], -whole[3]};
        const lanes none = lanes_all(0.0), never = lanes_all(-(double)INFINITY);
        over_length = keep(mask, over_length, none);
        strain = keep(mask, strain, none);
        high = keep(mask, high, never);
        low = keep(mask, low, never);
    }
    lanes pull = stiffness * over_length;
    row->fx += pull * d[0];
    row->fy += pull * d[1];
    row->fz += pull * d[2];
    row->energy += stiffness * strain * extension;
    row->most = lanes_max(high, row->most);
    row->opposite = lanes_max(low, row->opposite);
}

/* Adds one bond, in lane 0. */
static inline void add_one(const struct bond_network *net, const lanes *x, size_t e,
                           struct row *row)
{
    if (!net->whole[e])
        return;
    lanes other = x[net->neighbor[e]];
    struct vec3 d = vec3(other[0] - row->x[0], other[1] - row->y[0], other[2] - row->z[0]);
    double length = vec3_norm(d), rest = net->rest_length[e];
    double stiffness = net->kinds[net->kind[e]].stiffness;
    double extension = length - rest, over_length = extension / (rest * length);
    double strain = over_length * length, pull = stiffness * over_length;
    row->fx[0] += pull * d.x;
    row->fy[0] += pull * d.y;
    row->fz[0] += pull * d.z;
    row->energy[0] += stiffness * strain * extension;
    row->most[0] = strain > row->most[0] ? strain : row->most[0];
    row->opposite[0] = -strain > row->opposite[0] ? -strain : row->opposite[0];
}

static double largest(lanes a)
{
    return fmax(fmax(a[0], a[1]), fmax(a[2], a[3]));
}

static inline struct row begin_row(lanes here)
{
    const lanes none = lanes_all(0.0), never = lanes_all(-(double)INFINITY);
    return (struct row){.x = lanes_all(here[0]),
                        .y = lanes_all(here[1]),
                        .z = lanes_all(here[2]),
                        .fx = none,
                        .fy = none,
                        .fz = none,
                        .energy = none,
                        .most = never,
                        .opposite = never};
}

void bond_rows_evaluate(struct bond_network *net)
{
    struct bond_verlet *verlet = net->verlet;
    const lanes *x = verlet->position;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct row row = begin_row(x[i]);
        size_t e = net->start[i], end = net->start[i + 1];
        for (; e + 4 <= end; e += 4)
            add_four(net, x, e, &row);
        for (; e < end; e++)
            add_one(net, x, e, &row);
        verlet->force[i] = vec3(lanes_sum(row.fx), lanes_sum(row.fy), lanes_sum(row.fz));
        verlet->energy[i] = 0.25 * lanes_sum(row.energy);
        net->stretch[i] = largest(row.most);
        net->compression[i] = -largest(row.opposite);
    }
}

/* k tau / L times the rate of the length, along the bond. */
static struct vec3 drag_of(const struct bond_network *net, const lanes *x, const lanes *v, size_t i,
                           size_t e)
{
    const struct bond_kind *kind = &net->kinds[net->kind[e]];
    lanes dx = x[net->neighbor[e]] - x[i], dv = v[net->neighbor[e]] - v[i];
    struct vec3 d = vec3(dx[0], dx[1], dx[2]), rate = vec3(dv[0], dv[1], dv[2]);
    double coefficient = kind->stiffness * kind->damping / net->rest_length[e];
    return vec3_scale(coefficient * vec3_dot(rate, d) / vec3_norm2(d), d);
}

void bond_rows_damp(const struct bond_network *net, struct vec3 *drag)
{
    const lanes *x = net->verlet->position, *v = net->verlet->velocity;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++)
            if (net->whole[e])
                sum = vec3_add(sum, drag_of(net, x, v, i, e));
        drag[i] = sum;
    }
}
