/* Forces, energies and strains of all bonds in one pass, four bonds at once, and their damping. A
 * particle's row holds the bonds stored with it; both ends of a bond get exactly opposite forces.
 */
#include "base/blocks.h"
#include "base/memory.h"
#include "systems/bonds/bond_strip.h"

#include <stdlib.h>

enum status bond_evaluation_create(struct bond_evaluation *evaluation, size_t n,
                                   struct error *error)
{
    if (lanes_create(&evaluation->position, &evaluation->memory, n, "positions of bonds", error) ||
        array_create(&evaluation->force, n, sizeof *evaluation->force, "bond forces", error) ||
        array_create(&evaluation->energy, n, sizeof *evaluation->energy, "bond energies", error) ||
        array_create(&evaluation->largest_strain, n, sizeof *evaluation->largest_strain,
                     "bond strains", error))
        return STATUS_FAILED;
    return STATUS_OK;
}

void bond_evaluation_free(struct bond_evaluation *evaluation)
{
    free(evaluation->memory);
    free(evaluation->force);
    free(evaluation->energy);
    free(evaluation->largest_strain);
    *evaluation = (struct bond_evaluation){0};
}

/* Sums over the bonds of one row so far, in four lanes. */
struct row {
    lanes force[3]; /* N */
    lanes energy;   /* sum of k s^2 L, J */
    lanes most;     /* largest strain */
};

/* Finds the forces of the n bonds of the f-th four over their lengths, N/m, and adds up energies
 * and strains. Broken bonds count for nothing. */
static inline void stretch_four(const struct bond_network *net, const struct bond_strip *strip,
                                size_t f, size_t n, lanes pull[BOND_FOURS], struct row *row)
{
    const size_t e = strip->begin + 4 * f;
    const bool alike = bond_alike_of_four(net, e, n);
    lanes length = strip->length[f], rest = lanes_load(net->rest_length + e);
    lanes extension = length - rest;
    lanes over_length = extension / (rest * length); /* strain over length */
    lanes strain = over_length * length, most = strain;
    lanes stiffness = bond_stiffness_of_four(net, e, alike);
    lanes energy = stiffness * strain * extension;
    pull[f] = stiffness * over_length;
    if (!alike) {
        const lanes_bits whole = bond_whole_of_four(net, e, n);
        pull[f] = lanes_select(whole, pull[f], lanes_all(0.0));
        energy = lanes_select(whole, energy, lanes_all(0.0));
        most = lanes_select(whole, most, lanes_all(-(double)INFINITY));
    }
    row->energy += energy;
    row->most = lanes_max(most, row->most);
}

/* Adds their forces to the row, and the opposite forces to their other ends. */
static inline void push_four(struct bond_tile *tile, const struct bond_strip *strip, size_t f,
                             size_t n, lanes pull, struct row *row)
{
    lanes force[4] = {pull * strip->x[f], pull * strip->y[f], pull * strip->z[f], lanes_all(0.0)};
    for (int k = 0; k < 3; k++)
        row->force[k] += force[k];
    lanes_transpose(force);
    for (size_t k = 0; k < n; k++)
        *bond_tile_other(tile, strip->begin + 4 * f + k) -= force[k];
}

static inline void add_strip(const struct bond_network *net, struct bond_tile *tile,
                             const struct bond_strip *strip, struct row *row)
{
    const size_t fours = strip->n / 4, left = strip->n % 4;
    lanes pull[BOND_FOURS];
    for (size_t f = 0; f < fours; f++)
        stretch_four(net, strip, f, 4, pull, row);
    if (left)
        stretch_four(net, strip, fours, left, pull, row);
    for (size_t f = 0; f < fours; f++)
        push_four(tile, strip, f, 4, pull[f], row);
    if (left)
        push_four(tile, strip, fours, left, pull[fours], row);
}

static double largest(lanes a)
{
    return fmax(fmax(a[0], a[1]), fmax(a[2], a[3]));
}

static bool evaluate_tile(struct bond_tile *tile, void *context)
{
    struct bond_network *net = context;
    struct bond_evaluation *to = &net->evaluation;
    struct bond_strip strip;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++) {
        struct row row = {.most = lanes_all(-(double)INFINITY)};
        const size_t end = net->start[i + 1];
        for (size_t e = net->start[i]; e < end; e += strip.n) {
            bond_strip_measure(net, to->position[i], e, end, NULL, &strip);
            add_strip(net, tile, &strip, &row);
        }
        *bond_tile_at(tile, i) +=
            (lanes){lanes_sum(row.force[0]), lanes_sum(row.force[1]), lanes_sum(row.force[2]), 0.0};
        to->energy[i] = 0.5 * lanes_sum(row.energy);
        to->largest_strain[i] = largest(row.most);
    }
    return true;
}

/* Copies the sums of the tiles to `out`. */
static void take_vectors(const struct bond_network *net, struct vec3 *out)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < net->tiles.n; k++) {
        const struct bond_tile *tile = &net->tiles.tile[k];
        for (size_t i = tile->begin; i < tile->end; i++) {
            lanes sum = bond_tile_sum(tile, i);
            out[i] = vec3(sum[0], sum[1], sum[2]);
        }
    }
}

void bond_evaluate(struct bond_network *net)
{
    bond_tiles_run(&net->tiles, evaluate_tile, bond_combine_sums, net);
    take_vectors(net, net->evaluation.force);
    net->evaluation.valid = true;
    net->evaluation.changes = net->system.changes;
}

struct comparison {
    const lanes *kept;
    const struct vec3 *now;
};

static double differing_in_block(size_t begin, size_t end, const void *context)
{
    const struct comparison *c = context;
    size_t differing = 0;
    for (size_t i = begin; i < end; i++)
        differing += c->kept[i][0] != c->now[i].x || c->kept[i][1] != c->now[i].y ||
                     c->kept[i][2] != c->now[i].z;
    return (double)differing;
}

void bond_evaluate_at(struct bond_network *net, const struct vec3 *x)
{
    struct bond_evaluation *evaluation = &net->evaluation;
    const struct comparison context = {evaluation->position, x};
    if (evaluation->valid && evaluation->changes == net->system.changes &&
        blocks_sum(net->system.n, differing_in_block, &context) == 0.0)
        return;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < net->system.n; i++)
        evaluation->position[i] = (lanes){x[i].x, x[i].y, x[i].z, 0.0};
    bond_evaluate(net);
}

static double energy_of_block(size_t begin, size_t end, const void *context)
{
    const double *energy = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += energy[i];
    return sum;
}

double bond_network_elastic_energy(struct system *system, const struct particles *p)
{
    struct bond_network *net = (struct bond_network *)system;
    if (net->rigid)
        return 0.0;
    bond_evaluate_at(net, p->position + system->first);
    return blocks_sum(system->n, energy_of_block, net->evaluation.energy);
}

struct damping_context {
    const struct bond_network *net;
    const struct vec3 *velocity;
};

/* k tau / L times the rate of the length, along the bond. */
static inline lanes damping_force_of(const struct damping_context *c, size_t i, size_t e)
{
    const struct bond_network *net = c->net;
    const lanes *x = net->evaluation.position;
    size_t j = net->neighbor[e];
    const struct bond_kind *kind = &net->kinds[net->kind[e]];
    lanes d = x[j] - x[i];
    struct vec3 along = vec3(d[0], d[1], d[2]);
    struct vec3 rate = vec3_sub(c->velocity[j], c->velocity[i]);
    double coefficient = bond_stiffness(net, e) * kind->damping / net->rest_length[e];
    return coefficient * vec3_dot(rate, along) / vec3_norm2(along) * d;
}

static bool damping_tile(struct bond_tile *tile, void *context)
{
    const struct damping_context *c = context;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++) {
        lanes sum = lanes_all(0.0);
        for (size_t e = c->net->start[i]; e < c->net->start[i + 1]; e++) {
            if (!c->net->kind[e])
                continue;
            lanes damping_force = damping_force_of(c, i, e);
            sum += damping_force;
            *bond_tile_other(tile, e) -= damping_force;
        }
        *bond_tile_at(tile, i) += sum;
    }
    return true;
}

void bond_damping_forces(struct bond_network *net, const struct vec3 *velocity,
                         struct vec3 *damping_force)
{
    struct damping_context context = {net, velocity};
    bond_tiles_run(&net->tiles, damping_tile, bond_combine_sums, &context);
    take_vectors(net, damping_force);
}
