/* Passes over the lists of neighbors, gathered eight at a time (sph_neighbors.h). Kernels are
 * computed anew: that costs less than reading them from memory. */
#include "base/blocks.h"
#include "base/lanes8.h"
#include "sph/pressure_parts.h"

struct eight_places {
    lanes8_uint x, y, z;
    lanes8 p;
};

struct eight_speeds {
    lanes8 x, y, z, inverse_mass;
};

static inline struct eight_places spread_place(const struct pressure_place *place)
{
    return (struct eight_places){lanes8_all_uint(place->x), lanes8_all_uint(place->y),
                                 lanes8_all_uint(place->z), lanes8_all(place->p)};
}

/* Rows of 16 bytes of eight neighbors. */
static inline void collect(const char *array, const uint32_t *candidate, const uint16_t *entry,
                           lanes8 row[4])
{
    for (int k = 0; k < 4; k++)
        row[k] = lanes8_load_halves(array + 16 * (size_t)candidate[entry[k]],
                                    array + 16 * (size_t)candidate[entry[k + 4]]);
    lanes8_transpose_halves(row);
}

static inline struct eight_places collect_places(const struct pressure_place *place,
                                                 const struct sph_listed *listed, size_t k)
{
    lanes8 row[4];
    collect((const char *)place, listed->candidate, listed->entry + k, row);
    return (struct eight_places){(lanes8_uint)row[0], (lanes8_uint)row[1], (lanes8_uint)row[2],
                                 row[3]};
}

static inline struct eight_speeds collect_speeds(const struct pressure_speed *speed,
                                                 const struct sph_listed *listed, size_t k)
{
    lanes8 row[4];
    collect((const char *)speed, listed->candidate, listed->entry + k, row);
    return (struct eight_speeds){row[0], row[1], row[2], row[3]};
}

/* Vectors from eight slots j to i, in supports, and (1 - q)^3 of their lengths q. */
struct spokes {
    lanes8 x, y, z, q2, slope;
};

static inline struct spokes spokes(const struct eight_places *i, const struct eight_places *j)
{
    const lanes8 unit = lanes8_all((float)(1.0 / SPH_PLACES));
    lanes8 x = lanes8_difference(i->x, j->x) * unit;
    lanes8 y = lanes8_difference(i->y, j->y) * unit;
    lanes8 z = lanes8_difference(i->z, j->z) * unit;
    lanes8 q2 = x * x + y * y + z * z;
    lanes8 g = lanes8_max(lanes8_all(1.0f) - lanes8_sqrt(q2), lanes8_all(0.0f));
    return (struct spokes){x, y, z, q2, g * g * g};
}

struct pass {
    struct sph_pass pass; /* must be first */
    struct pressure *pressure;
    const struct pressure_moved *moved;
};

static inline const struct pass *pass_of(const struct sph_pass *pass)
{
    return (const struct pass *)pass;
}

static void go(struct pressure *pressure,
               void (*visit)(const struct sph_pass *pass, const struct sph_listed *listed),
               const struct pressure_moved *moved)
{
    const struct pass pass = {{visit}, pressure, moved};
    sph_neighbors_pass(&pressure->neighbors, &pass.pass);
}

/* ---- the diagonal ---- */

/* A_ii = V slope^2 (|sum_j (1 - q)^3 x/h|^2 / m_i + sum_j |(1 - q)^3 x/h|^2 / m_j), walls in the
 * first sum only. */
static void find_diagonal(const struct sph_pass *pass, const struct sph_listed *listed)
{
    struct pressure *pressure = pass_of(pass)->pressure;
    const struct eight_places own = spread_place(&pressure->place[listed->slot]);
    lanes8 x = {0}, y = {0}, z = {0}, others = {0};
    for (size_t k = 0; k < listed->n; k += NEIGHBOR_LANES) {
        const struct eight_places place = collect_places(pressure->place, listed, k);
        const struct eight_speeds speed = collect_speeds(pressure->speed, listed, k);
        const struct spokes s = spokes(&own, &place);
        x += s.slope * s.x;
        y += s.slope * s.y;
        z += s.slope * s.z;
        others += s.slope * s.slope * s.q2 * speed.inverse_mass;
    }
    struct vec3 sum = vec3(lanes8_sum(x), lanes8_sum(y), lanes8_sum(z));
    if (listed->near)
        sum = vec3_add(sum, listed->near->force);
    double own_part = (double)pressure->speed[listed->slot].inverse_mass * vec3_norm2(sum);
    pressure->image[listed->slot] = (float)(pressure->volume * pressure->slope * pressure->slope *
                                            (own_part + lanes8_sum(others)));
}

static double largest_of(size_t begin, size_t end, const void *context)
{
    const float *value = context;
    double largest = 0.0;
    for (size_t s = begin; s < end; s++)
        largest = (double)value[s] > largest ? (double)value[s] : largest;
    return largest;
}

void pressure_find_diagonal(struct pressure *pressure)
{
    size_t n = pressure->neighbors.grid.n + pressure->walls.n;
    go(pressure, find_diagonal, NULL);
    pressure_walls_diagonal(pressure);
    double least = PRESSURE_LEAST * blocks_max(n, largest_of, pressure->image);
#pragma omp parallel for schedule(static) if (n > ONE_THREAD)
    for (size_t s = 0; s < n; s++) {
        double diagonal = (double)pressure->image[s];
        pressure->inverse_diagonal[s] = diagonal > least ? (float)(1.0 / diagonal) : 0.0f;
    }
}

/* ---- impulses of p ---- */

static void push(const struct sph_pass *pass, const struct sph_listed *listed)
{
    struct pressure *pressure = pass_of(pass)->pressure;
    struct pressure_speed *speed = &pressure->speed[listed->slot];
    const struct eight_places own = spread_place(&pressure->place[listed->slot]);
    lanes8 x = {0}, y = {0}, z = {0};
    for (size_t k = 0; k < listed->n; k += NEIGHBOR_LANES) {
        const struct eight_places other = collect_places(pressure->place, listed, k);
        const struct spokes s = spokes(&own, &other);
        lanes8 force = (own.p + other.p) * s.slope;
        x += force * s.x;
        y += force * s.y;
        z += force * s.z;
    }
    struct vec3 sum = vec3(lanes8_sum(x), lanes8_sum(y), lanes8_sum(z));
    if (listed->near)
        sum = vec3_axpy(sum, (double)pressure->place[listed->slot].p, listed->near->force);
    double per_mass = -pressure->volume * pressure->slope * (double)speed->inverse_mass;
    speed->x = (float)(per_mass * sum.x);
    speed->y = (float)(per_mass * sum.y);
    speed->z = (float)(per_mass * sum.z);
}

void pressure_push(struct pressure *pressure)
{
    go(pressure, push, NULL);
    pressure_walls_push(pressure);
}

void pressure_give(struct pressure *pressure, const struct pressure_moved *moved, size_t slot,
                   struct vec3 impulse)
{
    size_t own_index = pressure->neighbors.grid.point[slot];
    size_t i = pressure->first + own_index;
    uint32_t member = pressure->n_joined > 0 ? pressure->member_of[slot] : PRESSURE_NOBODY;
    if (member != PRESSURE_NOBODY)
        pressure->member_push[member] = vec3_add(pressure->member_push[member], impulse);
    else if (pressure->speed[slot].inverse_mass > 0.0f)
        moved->velocity[i] = vec3_axpy(moved->velocity[i], 1.0 / moved->groups->mass[i], impulse);
    if (moved->impulse)
        moved->impulse[own_index] = vec3_add(moved->impulse[own_index], impulse);
}

static void push_exactly(const struct sph_pass *pass, const struct sph_listed *listed)
{
    struct pressure *pressure = pass_of(pass)->pressure;
    const struct pressure_moved *moved = pass_of(pass)->moved;
    const struct eight_places own = spread_place(&pressure->place[listed->slot]);
    lanes x[2] = {{0.0}, {0.0}}, y[2] = {{0.0}, {0.0}}, z[2] = {{0.0}, {0.0}};
    for (size_t k = 0; k < listed->n; k += NEIGHBOR_LANES) {
        const struct eight_places other = collect_places(pressure->place, listed, k);
        const struct spokes s = spokes(&own, &other);
        lanes8 force = (own.p + other.p) * s.slope;
        lanes8_add_to(x, force * s.x);
        lanes8_add_to(y, force * s.y);
        lanes8_add_to(z, force * s.z);
    }
    struct vec3 sum = vec3(lanes_sum(x[0] + x[1]), lanes_sum(y[0] + y[1]), lanes_sum(z[0] + z[1]));
    if (listed->near)
        sum = vec3_axpy(sum, (double)pressure->place[listed->slot].p, listed->near->force);
    sum = vec3_scale(pressure->volume * pressure->slope, sum);
    pressure_give(pressure, moved, listed->slot, sum);
}

void pressure_push_exactly(struct pressure *pressure, const struct pressure_moved *moved)
{
    for (size_t k = 0; k < pressure->n_members; k++)
        pressure->member_push[k] = vec3(0.0, 0.0, 0.0);
    go(pressure, push_exactly, moved);
    pressure_walls_push_exactly(pressure, moved);
}

/* ---- rates ---- */

static void find_rate(const struct sph_pass *pass, const struct sph_listed *listed)
{
    struct pressure *pressure = pass_of(pass)->pressure;
    const struct pressure_speed *speed = &pressure->speed[listed->slot];
    const struct eight_places own = spread_place(&pressure->place[listed->slot]);
    const lanes8 vx = lanes8_all(speed->x), vy = lanes8_all(speed->y), vz = lanes8_all(speed->z);
    lanes8 sum = {0};
    for (size_t k = 0; k < listed->n; k += NEIGHBOR_LANES) {
        const struct eight_places place = collect_places(pressure->place, listed, k);
        const struct eight_speeds other = collect_speeds(pressure->speed, listed, k);
        const struct spokes s = spokes(&own, &place);
        sum += s.slope * ((vx - other.x) * s.x + (vy - other.y) * s.y + (vz - other.z) * s.z);
    }
    double rate = lanes8_sum(sum);
    if (listed->near)
        rate += vec3_dot(vec3((double)speed->x, (double)speed->y, (double)speed->z),
                         listed->near->force);
    pressure->image[listed->slot] = (float)(-pressure->slope * rate);
}

void pressure_rate(struct pressure *pressure)
{
    go(pressure, find_rate, NULL);
    pressure_walls_rate(pressure);
}
