/* The matrix of the implicit step, M + P^T B P (bond_turn.c), to which bond_stiff adds. B has for
 * every bond the block g g^T + t I, in single precision. The rounded B is used everywhere: in the
 * operator, on the right side, and in the ledger. Rounding therefore costs neither momentum nor
 * energy; it only makes the linearization less exact by 6e-8, and the error of linearizing itself
 * is about the square of the strain in a step. All sums are in double precision. */
#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_strip.h"

typedef float eight_floats __attribute__((vector_size(32), may_alias));

/* Factors of k/L and of tau k/L in the blocks: dt^2 kappa^2 and dt kappa. */
struct block_scale {
    struct bond_implicit *step;
    double stiffness, damping;
};

static inline lanes damping_of_four(const struct bond_network *net, size_t e, bool alike)
{
    const struct bond_kind *kinds = net->kinds;
    const uint8_t *kind = net->kind + e;
    return alike ? lanes_all(kinds[kind[0]].damping)
                 : (lanes){kinds[kind[0]].damping, kinds[kind[1]].damping, kinds[kind[2]].damping,
                           kinds[kind[3]].damping};
}

/* The rotation by which the step turns the bonds of particle i; NULL: none. */
static const struct mat3 *rotation_of(const struct bond_implicit *step, size_t i)
{
    const struct rigid_piece *piece = step->follows ? bond_piece_of(step, i) : NULL;
    return piece && piece->hold != RIGID_HELD ? &piece->rotation : NULL;
}

/* The bonds of a strip on the way to their blocks g g^T + t I, where g = sqrt(along) / length times
 * the vector. */
struct strip_blocks {
    lanes along[BOND_FOURS], across[BOND_FOURS]; /* stiffness, kg; the latter is t */
};

/* Across a compressed bond the stiffness k/L (1 - L/l) would be negative and could make the matrix
 * indefinite; there it is replaced by 0. */
static inline void stiffen(const struct block_scale *scale, const struct bond_strip *strip,
                           struct strip_blocks *blocks)
{
    const struct bond_network *net = &scale->step->net;
    const lanes none = lanes_all(0.0);
    for (size_t f = 0, e = strip->begin; f < bond_fours(strip); f++, e += 4) {
        const bool alike = bond_alike_of_four(net, e, bond_count_of(strip, f));
        lanes length = strip->length[f], rest = lanes_load(net->rest_length + e);
        lanes damping = damping_of_four(net, e, alike);
        lanes rate = bond_stiffness_of_four(net, e, alike) / rest;
        lanes across = lanes_max(rate * (length - rest) / length, none);
        lanes t = scale->stiffness * across;
        blocks->across[f] = t;
        blocks->along[f] = scale->stiffness * rate + scale->damping * rate * damping - t;
    }
}

/* Eight floats from two rows of four. */
static inline eight_floats join(four_floats low, four_floats high)
{
    return (eight_floats){low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
}

/* Stores the n blocks of a four, of which each lane of b has one, from e on; and adds the matrices
 * that they stand for to `sum` and to the larger ends of the bonds. */
static inline eight_floats store_blocks(struct bond_implicit *step, struct bond_tile *tile,
                                        const lanes block[4], size_t e, size_t n, eight_floats sum)
{
    /* floats may alias anything, and the compiler would read these again after each store */
    lanes *room = tile->room;
    struct bond_block *to = step->block + e;
    const uint32_t *other = tile->other + e;
    four_floats b[4], first[4], last[4];
    for (int k = 0; k < 4; k++)
        b[k] = floats_of_lanes(block[k]);
    const four_floats x = b[0], y = b[1], z = b[2], t = b[3], none = {0.0F};
    first[0] = x * x + t;
    first[1] = x * y;
    first[2] = x * z;
    first[3] = y * y + t;
    last[0] = y * z;
    last[1] = z * z + t;
    last[2] = last[3] = none;
    floats_transpose(b);
    floats_transpose(first);
    floats_transpose(last);
    for (size_t k = 0; k < n; k++) {
        const eight_floats whole = join(first[k], last[k]);
        *(four_floats *)&to[k] = b[k];
        sum += whole;
        *(eight_floats *)&room[other[k]] += whole;
    }
    return sum;
}

/* Builds and stores the blocks of a strip; adds them up as store_blocks does. */
static inline eight_floats build_blocks(const struct block_scale *scale, struct bond_tile *tile,
                                        const struct bond_strip *strip, eight_floats sum)
{
    struct strip_blocks blocks;
    const lanes none = lanes_all(0.0);
    stiffen(scale, strip, &blocks);
    for (size_t f = 0; f < bond_fours(strip); f++)
        blocks.along[f] = lanes_sqrt(blocks.along[f]);
    for (size_t f = 0, e = strip->begin; f < bond_fours(strip); f++, e += 4) {
        const size_t n = bond_count_of(strip, f);
        const lanes g = blocks.along[f] / strip->length[f];
        lanes block[4] = {g * strip->x[f], g * strip->y[f], g * strip->z[f], blocks.across[f]};
        if (!bond_alike_of_four(&scale->step->net, e, n)) {
            const lanes_bits whole = bond_whole_of_four(&scale->step->net, e, n);
            for (int k = 0; k < 4; k++)
                block[k] = lanes_select(whole, block[k], none);
        }
        sum = store_blocks(scale->step, tile, block, e, n, sum);
    }
    return sum;
}

static bool build_tile(struct bond_tile *tile, void *context)
{
    const struct block_scale *scale = context;
    const struct bond_network *net = &scale->step->net;
    struct bond_strip strip;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++) {
        const struct mat3 *turn = rotation_of(scale->step, i);
        const size_t end = net->start[i + 1];
        eight_floats sum = {0.0F};
        for (size_t e = net->start[i]; e < end; e += strip.n) {
            bond_strip_measure(net, net->evaluation.position[i], e, end, turn, &strip);
            sum = build_blocks(scale, tile, &strip, sum);
        }
        *(eight_floats *)bond_tile_at(tile, i) += sum;
    }
    return true;
}

void bond_matrix_build(struct bond_implicit *step, double dt)
{
    const double kappa = step->integrator.kappa;
    struct block_scale scale = {step, dt * dt * kappa * kappa, dt * kappa};
    bond_tiles_run(&step->net.tiles, build_tile, bond_combine_floats, &scale);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; i < tile->end; i++) {
            lanes room = bond_tile_sum(tile, i);
            eight_floats sum = *(const eight_floats *)&room;
            step->diagonal[i] = (struct sym3f){sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]};
        }
    }
}

struct pull_context {
    const struct bond_implicit *step;
    const struct vec3 *x;
    const struct frontier *frontier; /* NULL: everywhere */
    size_t farthest;
};

/* A bond of a row: its block and x_i - x_j. */
struct row_bond {
    uint32_t other;
    lanes block, difference;
};

static inline struct row_bond read_bond(const struct bond_implicit *step,
                                        const struct bond_tile *tile, lanes xi, size_t e)
{
    const uint32_t other = tile->other[e];
    return (struct row_bond){other, lanes_of_floats((const four_floats *)&step->block[e]),
                             xi - tile->copy[other]};
}

/* g . (x_i - x_j) of two bonds: of a in lanes 0 and 2, of b in lanes 1 and 3. The differences have
 * a zero in the fourth lane. */
static inline lanes along_two(const struct row_bond *a, const struct row_bond *b)
{
    lanes p = a->block * a->difference, q = b->block * b->difference;
    lanes sum = LANES_PICK(p, q, 0, 4, 2, 6) + LANES_PICK(p, q, 1, 5, 3, 7);
    return sum + lanes_swap_halves(sum);
}

/* Adds the pull of a bond at its larger end and to `sum`. The fourth lane means nothing. */
static inline lanes pull_bond(lanes *room, const struct row_bond *bond, lanes along, lanes sum)
{
    lanes pull = along * bond->block + lanes_all(bond->block[3]) * bond->difference;
    room[bond->other] -= pull;
    return sum + pull;
}

static inline void fetch_ahead(const struct bond_implicit *step, const struct bond_tile *tile,
                               size_t e)
{
    bond_fetch(step->block, sizeof *step->block, e);
    bond_fetch(tile->other, sizeof *tile->other, e);
}

/* The bonds [e, end) of a row, an even number of them. Two share the sums across lanes, and the
 * processor begins with the next two before it ends these. */
static inline lanes pull_pairs(const struct bond_implicit *step, struct bond_tile *tile, lanes xi,
                               size_t e, size_t end, lanes sum)
{
    struct row_bond a = read_bond(step, tile, xi, e), b = read_bond(step, tile, xi, e + 1);
    lanes along = along_two(&a, &b);
    for (e += 2; e < end; e += 2) {
        fetch_ahead(step, tile, e);
        struct row_bond c = read_bond(step, tile, xi, e), d = read_bond(step, tile, xi, e + 1);
        lanes next = along_two(&c, &d);
        sum = pull_bond(tile->room, &a, LANES_PICK(along, along, 0, 0, 2, 2), sum);
        sum = pull_bond(tile->room, &b, LANES_PICK(along, along, 1, 1, 3, 3), sum);
        a = c;
        b = d;
        along = next;
    }
    sum = pull_bond(tile->room, &a, LANES_PICK(along, along, 0, 0, 2, 2), sum);
    return pull_bond(tile->room, &b, LANES_PICK(along, along, 1, 1, 3, 3), sum);
}

/* Adds B_ij (x_i - x_j) for the bonds stored with i, in their order. Much of the time of a step is
 * spent here. */
static inline void pull_row(const struct bond_implicit *step, struct bond_tile *tile, size_t i)
{
    const lanes xi = tile->copy[i - tile->begin];
    lanes sum = lanes_all(0.0);
    size_t e = step->net.start[i];
    const size_t end = step->net.start[i + 1];
    if ((end - e) % 2) {
        struct row_bond bond = read_bond(step, tile, xi, e++);
        lanes product = bond.block * bond.difference;
        sum = pull_bond(tile->room, &bond, lanes_all(product[0] + product[1] + product[2]), sum);
    }
    if (e < end)
        sum = pull_pairs(step, tile, xi, e, end, sum);
    *bond_tile_at(tile, i) += sum;
}

static bool pull_tile(struct bond_tile *tile, void *context)
{
    const struct pull_context *c = context;
    struct frontier_range rows = frontier_next(c->frontier, c->farthest, tile->begin, tile->end);
    if (rows.begin == rows.end)
        return false;
    bond_tile_clear(tile, 0.0);
    bond_tile_copy(tile, c->x);
    for (; rows.begin < rows.end;
         rows = frontier_next(c->frontier, c->farthest, rows.end, tile->end))
        for (size_t i = rows.begin; i < rows.end; i++)
            pull_row(c->step, tile, i);
    return true;
}

void bond_matrix_pull(struct bond_implicit *step, const struct frontier *frontier, size_t farthest,
                      const struct vec3 *x)
{
    struct pull_context context = {step, x, frontier, farthest};
    bond_tiles_run(&step->net.tiles, pull_tile, bond_combine_sums, &context);
}

void bond_matrix_apply(void *network, const struct frontier *frontier, size_t farthest,
                       const struct vec3 *x, struct vec3 *y)
{
    struct bond_implicit *step = network;
    const uint8_t *fixed = step->groups->fixed + step->net.system.first;
    bond_matrix_pull(step, frontier, farthest, frontier ? x : bond_turn_hide(step, x));
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; tile->filled && i < tile->end; i++)
            y[i] = bond_pull_at(tile, i);
    }
    if (!frontier)
        bond_turn_relieve(step, y);
#pragma omp parallel for schedule(static) if (step->net.system.n > MANY_PARTICLES)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; tile->filled && i < tile->end; i++)
            y[i] = fixed[i] ? vec3(0.0, 0.0, 0.0) : vec3_axpy(y[i], step->inertia[i], x[i]);
    }
    bond_stiff_apply(step, x, y);
    bond_groups_gather(step, y);
}
