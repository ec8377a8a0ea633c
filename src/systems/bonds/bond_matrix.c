/* The matrix of the implicit step, M + P^T B P (bond_turn.c), to which bond_stiff adds. B has for
 * every bond the block g g^T + t I, in single precision. The rounded B is used everywhere: in the
 * operator, on the right side, and in the ledger. Rounding therefore costs neither momentum nor
 * energy; it only makes the linearization less exact by 6e-8, and the error of linearizing itself
 * is about the square of the strain in a step. All sums are in double precision. */
#include "systems/bonds/bond_implicit.h"

typedef float eight_floats __attribute__((vector_size(32), may_alias));

/* Factors of k/L and of tau k/L in the blocks: dt^2 kappa^2 and dt kappa. */
struct block_scale {
    struct bond_implicit *step;
    double stiffness, damping;
};

static inline void store_block(struct bond_implicit *step, size_t e, lanes block)
{
    *(four_floats *)&step->block[e] = __builtin_convertvector(block, four_floats);
}

static inline lanes damping_of_four(const struct bond_implicit *step, size_t e)
{
    const struct bond_kind *kinds = step->net.kinds;
    const uint8_t *kind = step->net.kind + e;
    return (lanes){kinds[kind[0]].damping, kinds[kind[1]].damping, kinds[kind[2]].damping,
                   kinds[kind[3]].damping};
}

/* Replaces four vectors, of which each lane of d has one, by the rotation times them. */
static inline void rotate(const struct mat3 *r, lanes d[3])
{
    const lanes x = d[0], y = d[1], z = d[2];
    for (int k = 0; k < 3; k++)
        d[k] = r->a[k][0] * x + r->a[k][1] * y + r->a[k][2] * z;
}

/* The rotation by which the step turns the bonds of particle i; NULL: none. */
static const struct mat3 *rotation_of(const struct bond_implicit *step, size_t i)
{
    const struct rigid_piece *piece = step->follows ? bond_piece_of(step, i) : NULL;
    return piece && piece->hold != RIGID_HELD ? &piece->rotation : NULL;
}

/* Builds the blocks of the n bonds from e on (at most four). Across a compressed bond the stiffness
 * k/L (1 - L/l) would be negative and could make the matrix indefinite; there it is replaced by 0.
 */
static inline void build_blocks(const struct block_scale *scale, const struct mat3 *turn,
                                lanes here, size_t e, size_t n)
{
    struct bond_implicit *step = scale->step;
    const lanes *x = step->net.evaluation.position;
    const uint32_t *neighbor = step->net.neighbor + e;
    const lanes none = lanes_all(0.0);
    lanes d[4] = {x[neighbor[0]] - here, x[neighbor[1]] - here, x[neighbor[2]] - here,
                  x[neighbor[3]] - here};
    lanes_transpose(d);
    if (turn)
        rotate(turn, d);
    lanes length = lanes_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    lanes rest = lanes_load(step->net.rest_length + e),
          rate = bond_stiffness_of_four(&step->net, e) / rest;
    lanes across = lanes_max(rate * (length - rest) / length, none);
    lanes t = scale->stiffness * across;
    lanes along = scale->stiffness * rate + scale->damping * rate * damping_of_four(step, e) - t;
    lanes g = lanes_sqrt(along) / length;
    lanes block[4] = {g * d[0], g * d[1], g * d[2], t};
    const lanes_bits whole = bond_whole_of_four(&step->net, e, n);
    for (int k = 0; k < 4; k++)
        block[k] = lanes_select(whole, block[k], none);
    lanes_transpose(block);
    for (size_t k = 0; k < n; k++)
        store_block(step, e + k, block[k]);
}

static inline eight_floats whole_block(const struct bond_block *b)
{
    return (eight_floats){
        b->gx * b->gx + b->t, b->gx * b->gy,        b->gx * b->gz, b->gy * b->gy + b->t,
        b->gy * b->gz,        b->gz * b->gz + b->t, 0.0F,          0.0F};
}

static bool build_tile(struct bond_tile *tile, void *context)
{
    const struct block_scale *scale = context;
    const struct bond_implicit *step = scale->step;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++) {
        const lanes here = step->net.evaluation.position[i];
        const struct mat3 *turn = rotation_of(step, i);
        size_t begin = step->net.start[i], end = step->net.start[i + 1], e = begin;
        for (; e < end; e += 4)
            build_blocks(scale, turn, here, e, bond_count_of_four(e, end));
        eight_floats sum = {0.0F};
        for (e = begin; e < end; e++) {
            eight_floats block = whole_block(&step->block[e]);
            sum += block;
            *(eight_floats *)bond_tile_other(tile, e) += block;
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

/* g . (x_i - x_j) of two bonds, in the first two lanes. */
static inline lanes along_two(const struct row_bond *a, const struct row_bond *b)
{
    lanes p = a->block * a->difference, q = b->block * b->difference;
    lanes even = LANES_PICK(p, q, 0, 4, 2, 6), odd = LANES_PICK(p, q, 1, 5, 3, 7);
    return even + odd + LANES_PICK(even, even, 2, 3, 0, 1);
}

/* Adds the pull of a bond at its larger end and to `sum`. The fourth lane means nothing. */
static inline lanes pull_bond(lanes *room, const struct row_bond *bond, double along, lanes sum)
{
    lanes pull = along * bond->block + bond->block[3] * bond->difference;
    room[bond->other] -= pull;
    return sum + pull;
}

/* The bonds [e, end) of a row, an even number of them. Two share the sums across lanes, and the
 * processor begins with the next two before it ends these. */
static inline lanes pull_pairs(const struct bond_implicit *step, struct bond_tile *tile, lanes xi,
                               size_t e, size_t end, lanes sum)
{
    struct row_bond a = read_bond(step, tile, xi, e), b = read_bond(step, tile, xi, e + 1);
    lanes along = along_two(&a, &b);
    for (e += 2; e < end; e += 2) {
        struct row_bond c = read_bond(step, tile, xi, e), d = read_bond(step, tile, xi, e + 1);
        lanes next = along_two(&c, &d);
        sum = pull_bond(tile->room, &a, along[0], sum);
        sum = pull_bond(tile->room, &b, along[1], sum);
        a = c;
        b = d;
        along = next;
    }
    sum = pull_bond(tile->room, &a, along[0], sum);
    return pull_bond(tile->room, &b, along[1], sum);
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
        sum = pull_bond(tile->room, &bond, product[0] + product[1] + product[2], sum);
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
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; tile->filled && i < tile->end; i++)
            y[i] = bond_pull_at(tile, i);
    }
    if (!frontier)
        bond_turn_relieve(step, y);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < step->net.tiles.n; k++) {
        const struct bond_tile *tile = &step->net.tiles.tile[k];
        for (size_t i = tile->begin; tile->filled && i < tile->end; i++)
            y[i] = fixed[i] ? vec3(0.0, 0.0, 0.0) : vec3_axpy(y[i], step->inertia[i], x[i]);
    }
    bond_stiff_apply(step, x, y);
    bond_groups_gather(step, y);
}
