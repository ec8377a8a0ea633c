#include "sample/relaxation.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "particles/random.h"
#include "sample/blue_noise.h"
#include "sample/interior.h"
#include "sample/relax_terms.h"
#include "sample/sample_lattice.h"

#include <stdlib.h>

/* CES 37: the farthest particle moves by at most eta x 0.4 spacings. The paper also scales shorter
 * displacements up to that, and so would never come to rest; its authors' program does not. */
static const double farthest_step = 0.25 * 0.4;
static const double at_rest = 1e-3; /* farthest displacement at the end, in spacings */
enum { MOST_ITERATIONS = 100 };
static const double cohesion = 4.0, adhesion = 0.2; /* beta and gamma of the paper's figures */

struct relaxation {
    const struct body *body;
    struct interior interior;
    double spacing; /* m */
    size_t n;
    struct vec3 *position;     /* m (n) */
    struct resident *resident; /* (n) */
    struct vec3 *displacement; /* m (n) */
    double *density;           /* over that at rest (n) */
    double *pressure;          /* m^5 (n) */
    struct blue_noise blue_noise;
    struct near_lists near;
};

static void relaxation_free(struct relaxation *r)
{
    free(r->resident);
    free(r->displacement);
    free(r->density);
    free(r->pressure);
    blue_noise_free(&r->blue_noise);
    near_lists_free(&r->near);
}

static enum status reserve(struct relaxation *r, size_t n, struct error *error)
{
    if (array_create(&r->position, n, sizeof *r->position, "the points of a body", error) ||
        array_create(&r->resident, n, sizeof *r->resident, "the points of a body", error) ||
        array_create(&r->displacement, n, sizeof *r->displacement, "displacements", error) ||
        array_create(&r->density, n, sizeof *r->density, "densities", error) ||
        array_create(&r->pressure, n, sizeof *r->pressure, "pressures", error))
        return STATUS_FAILED;
    return r->body->sampling.method == SAMPLING_BLUE_NOISE
               ? blue_noise_create(&r->blue_noise, n, error)
               : STATUS_OK;
}

static struct vec3 jitter(const struct relaxation *r, uint64_t seed, size_t number, size_t i)
{
    static const enum random_purpose purpose[3] = {RANDOM_JITTER_X, RANDOM_JITTER_Y,
                                                   RANDOM_JITTER_Z};
    double d[3], reach = r->body->jitter * r->spacing;
    for (int a = 0; a < 3; a++)
        d[a] = reach * (2.0 * random_uniform(seed, number, i, purpose[a]) - 1.0);
    return vec3(d[0], d[1], d[2]);
}

/* Moves points too near to the surface inward, and leaves out those that do not fit. Jitter is a
 * step like any other: it does not lead out of the solid. */
static void settle(struct relaxation *r, uint64_t seed, size_t number)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n; i++) {
        struct resident resident = {0};
        struct vec3 p = r->position[i];
        if (!interior_admit(&r->interior, &p, &resident))
            continue;
        if (r->body->jitter > 0.0)
            interior_move(&r->interior, &p, &resident, jitter(r, seed, number, i));
        r->position[kept] = p;
        r->resident[kept++] = resident;
    }
    r->n = kept;
}

static enum status check_layers(const struct relaxation *r, struct error *error)
{
    const struct origin *at = &r->body->shape.origin;
    const double wanted = 2.0 * r->body->radius;
    double deepest = 0.0;
    size_t where = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->resident[i].depth > deepest) {
            deepest = r->resident[i].depth;
            where = i;
        }
    if (r->n > 0 && deepest < wanted)
        deepest = interior_deepest(&r->interior, r->position[where]);
    if (deepest >= (1.0 - 1e-3) * wanted)
        return STATUS_OK;
    if (r->n == 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%d:%d: body '%s' is nowhere as thick as one particle, %g m; smaller "
                         "particles or a thicker shape would be right",
                         at->file, at->line, at->column, r->body->name, wanted);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: body '%s' is at most %.3g m thick, less than two layers of "
                     "particles, %g m; particles of a radius of at most %.3g m would be right",
                     at->file, at->line, at->column, r->body->name, 2.0 * deepest, 2.0 * wanted,
                     0.5 * deepest);
}

static enum status begin(struct relaxation *r, struct solid *solid, uint64_t seed, size_t number,
                         double *thinnest, struct error *error)
{
    struct body denser = *r->body;
    struct lattice_cells cells;
    denser.radius *= r->body->sampling.start;
    enum status status = lattice_cells_create(&cells, solid, &denser, error);
    if (status)
        return status;
    status = reserve(r, cells.n_inside, error);
    if (!status) {
        r->n = cells.n_inside;
        lattice_cells_positions(&cells, r->position);
        *thinnest = lattice_cells_thinnest(&cells, solid);
        settle(r, seed, number);
        status = check_layers(r, error);
    }
    lattice_cells_free(&cells);
    return status;
}

/* CES 31 */
static void displace(struct relaxation *r)
{
    relax_densities(&r->near, r->position, r->spacing, r->density);
    relax_pressures(&r->near, r->position, r->spacing, r->density, r->pressure);
    relax_displace(&r->near, r->position, r->spacing, cohesion, r->pressure, r->displacement);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < r->n; i++)
        if (r->resident[i].depth < r->interior.reach)
            r->displacement[i] = vec3_add(
                r->displacement[i],
                relax_adhere(r->spacing, adhesion, r->resident[i].depth, r->resident[i].outward));
}

static double longest_of(size_t first, size_t end, const void *context)
{
    const struct relaxation *r = context;
    double most = 0.0;
    for (size_t i = first; i < end; i++)
        most = fmax(most, vec3_norm(r->displacement[i]));
    return most;
}

static void move(struct relaxation *r, double scale)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < r->n; i++)
        interior_move(&r->interior, &r->position[i], &r->resident[i],
                      vec3_scale(scale, r->displacement[i]));
}

static enum status iterate(struct relaxation *r, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        status = near_lists_find(&r->near, r->n, r->position, RELAX_SUPPORT * r->spacing, error);
        if (status)
            break;
        if (r->body->sampling.method == SAMPLING_BLUE_NOISE)
            blue_noise_displace(&r->blue_noise, &r->near, r->position, r->spacing, r->displacement);
        else
            displace(r);
        double longest = blocks_max(r->n, longest_of, r);
        if (longest < at_rest * r->spacing)
            break;
        move(r, fmin(1.0, farthest_step * r->spacing / longest));
    }
    return status;
}

enum status relaxation_sample(const struct body *body, struct solid *solid, uint64_t seed,
                              size_t number, struct vec3 **position, size_t *n, double *thinnest,
                              struct error *error)
{
    const double spacing = 2.0 * body->radius;
    struct relaxation r = {.body = body,
                           .interior = {solid, body->radius, RELAX_SUPPORT * spacing},
                           .spacing = spacing};
    enum status status = begin(&r, solid, seed, number, thinnest, error);
    if (!status)
        status = iterate(&r, error);
    *position = r.position;
    *n = r.n;
    relaxation_free(&r);
    return status;
}
