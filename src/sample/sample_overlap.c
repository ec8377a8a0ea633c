#include "sample/sample_overlap.h"

#include "base/box_tree.h"
#include "base/memory.h"
#include "config/contact_method.h"
#include "particles/cell_grid.h"
#include "sample/sample_hole.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const double rounding = 1e-9; /* of the sum of the radii */

/* Bounding box of all spheres of a body. */
struct bounds {
    double low[3], high[3];
};

struct overlap {
    double depth; /* m; 0: none */
    size_t p, q;  /* particles, p < q */
};

static void bounds_of_bodies(struct bounds *bounds, size_t n_bodies, const struct particles *p)
{
    for (size_t b = 0; b < n_bodies; b++)
        for (int a = 0; a < 3; a++)
            bounds[b].low[a] = HUGE_VAL, bounds[b].high[a] = -HUGE_VAL;
    for (size_t i = 0; i < p->n; i++) {
        const double x[3] = {p->position[i].x, p->position[i].y, p->position[i].z};
        struct bounds *own = &bounds[p->body[i]];
        for (int a = 0; a < 3; a++) {
            own->low[a] = fmin(own->low[a], x[a] - p->radius[i]);
            own->high[a] = fmax(own->high[a], x[a] + p->radius[i]);
        }
    }
}

/* Finds the particles whose spheres are near another body. */
static enum status near_others(const struct bounds *bounds, size_t n_bodies,
                               const struct particles *p, uint32_t *found, size_t *n,
                               struct error *error)
{
    struct box_tree bodies;
    enum status status = box_tree_create(&bodies, n_bodies, 3, error);
    for (size_t b = 0; b < n_bodies && !status; b++)
        box_tree_put(&bodies, b, bounds[b].low, bounds[b].high);
    if (!status)
        box_tree_build(&bodies);
    for (size_t i = 0; i < p->n && !status; i++) {
        const struct vec3 x = p->position[i];
        const double r = p->radius[i];
        const double low[3] = {x.x - r, x.y - r, x.z - r}, high[3] = {x.x + r, x.y + r, x.z + r};
        if (box_tree_meets(&bodies, low, high, p->body[i]))
            found[(*n)++] = (uint32_t)i;
    }
    box_tree_free(&bodies);
    return status;
}

/* The farthest that jitter takes a particle from its place in a lattice: along the diagonal of a
 * cube, m. */
static double strays(const struct scene *scene, const struct particles *p, size_t i)
{
    return sqrt(3.0) * scene->body[p->body[i]].jitter * 2.0 * p->radius[i];
}

/* How much nearer two particles may be than in touch, m. Fluids that one group of constraints keeps
 * apart are no contacts: what jitter brings together is hardly denser. Lattices in one place are.
 */
static double allowed(const struct scene *scene, const struct particles *p, size_t i, size_t j)
{
    const bool share_density = contact_has(scene->contact.method, METHOD_POSITIONS) &&
                               scene_body_flows(scene, p->body[i]) &&
                               scene_body_flows(scene, p->body[j]);
    return rounding * (p->radius[i] + p->radius[j]) +
           (share_density ? strays(scene, p, i) + strays(scene, p, j) : 0.0);
}

static void overlap_update(struct overlap *worst, const struct scene *scene,
                           const struct particles *p, const bool *added, size_t i, size_t j)
{
    bool still = p->state[i] == PARTICLE_FIXED && p->state[j] == PARTICLE_FIXED;
    if (j <= i || p->body[i] == p->body[j] || still)
        return;
    if (added && !added[p->body[i]] && !added[p->body[j]])
        return;
    if (p->state[i] == PARTICLE_GONE || p->state[j] == PARTICLE_GONE)
        return;
    double contact = p->radius[i] + p->radius[j];
    double depth = contact - vec3_norm(vec3_sub(p->position[i], p->position[j]));
    if (depth > allowed(scene, p, i, j) && depth > worst->depth)
        *worst = (struct overlap){depth, i, j};
}

static enum status deepest(struct overlap *worst, const struct scene *scene,
                           const struct particles *p, const bool *added, size_t n,
                           const uint32_t *candidate, struct error *error)
{
    double largest = 0;
    for (size_t c = 0; c < n; c++)
        largest = fmax(largest, p->radius[candidate[c]]);
    struct cell_grid grid = {0};
    uint32_t *found = NULL;
    enum status status = array_create(&found, cell_grid_room(n), sizeof *found, "neighbors", error);
    if (!status)
        status = cell_grid_build(&grid, n, candidate, p->position, 2 * largest, error);
    for (size_t c = 0; c < n && !status; c++) {
        size_t i = candidate[c];
        size_t count = cell_grid_within(&grid, p->position[i], p->radius[i] + largest, found);
        for (size_t f = 0; f < count; f++)
            overlap_update(worst, scene, p, added, i, found[f]);
    }
    cell_grid_free(&grid);
    free(found);
    return status;
}

/* x or a little more, with three digits. */
static double rounded_up(double x)
{
    double digit = pow(10.0, floor(log10(x)) - 2.0);
    return digit * ceil(1.001 * x / digit);
}

/* The shortest move along an axis after which the boxes are apart. */
static void advise_to_move(const char *body, const struct bounds *s, const struct bounds *m,
                           size_t room, char *advice)
{
    double shortest = HUGE_VAL;
    int axis = 0, sign = 1;
    for (int a = 0; a < 3; a++) {
        double up = s->high[a] - m->low[a], down = m->high[a] - s->low[a];
        if (fmin(up, down) < shortest) {
            shortest = fmin(up, down);
            axis = a;
            sign = up <= down ? 1 : -1;
        }
    }
    snprintf(advice, room, "moving '%s' by %.3g m along %c%c", body, rounded_up(shortest),
             sign > 0 ? '+' : '-', "xyz"[axis]);
}

static bool lies_within(const struct bounds *inner, const struct bounds *outer)
{
    for (int a = 0; a < 3; a++)
        if (inner->low[a] < outer->low[a] || inner->high[a] > outer->high[a])
            return false;
    return true;
}

/* What a body takes beyond its shape, with half of the gap to its neighbors. */
static double reach_of(const struct body *body)
{
    return (1.0 + 2.0 * body->jitter) * body->radius;
}

/* Writes advice, and in *at where the hole is or ought to be, if one body is in another. */
static enum status advise_on_hole(const struct scene *scene, const struct particles *p,
                                  const struct bounds *bounds, const size_t pair[2], size_t room,
                                  char *advice, const struct origin **at, struct error *error)
{
    for (int k = 0; k < 2; k++) {
        size_t outer = pair[k], inner = pair[1 - k];
        const struct body *around = &scene->body[outer], *within = &scene->body[inner];
        struct hole hole;
        if (sample_hole(scene, p, outer, inner, &hole, error))
            return STATUS_FAILED;
        if (!hole.shape &&
            !(scene_body_flows(scene, outer) && lies_within(&bounds[inner], &bounds[outer])))
            continue;
        *at = hole.shape ? &hole.shape->origin : &around->shape.origin;
        if (hole.shape && hole.wider > 0.0)
            snprintf(advice, room, "a hole in '%s' whose surface is %.3g m farther out",
                     around->name, rounded_up(hole.wider));
        else
            snprintf(advice, room,
                     "a hole in '%s', cut by a difference whose second shape reaches %.3g m beyond "
                     "that of '%s' on all sides,",
                     around->name, rounded_up(reach_of(around) + reach_of(within)), within->name);
        return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status complain(const struct scene *scene, const struct particles *p,
                            const struct bounds *bounds, const bool *added,
                            const struct overlap *worst, struct error *error)
{
    const uint32_t first = p->body[worst->p], second = p->body[worst->q];
    const bool swap = added && !added[second]; /* what stands there already is not to be moved */
    const size_t pair[2] = {swap ? second : first, swap ? first : second};
    const struct body *still = &scene->body[pair[0]], *moved = &scene->body[pair[1]];
    const struct origin *at = &moved->origin;
    char advice[400] = "";
    if (advise_on_hole(scene, p, bounds, pair, sizeof advice, advice, &at, error))
        return STATUS_FAILED;
    if (advice[0] == '\0')
        advise_to_move(moved->name, &bounds[pair[0]], &bounds[pair[1]], sizeof advice, advice);
    return error_set(error, STATUS_INVALID,
                     "%s:%d:%d: bodies '%s' and '%s' overlap at the start, by up to %.3g m between "
                     "two particles; %s would separate them",
                     at->file, at->line, at->column, still->name, moved->name, worst->depth,
                     advice);
}

enum status sample_check_overlap(const struct scene *scene, const struct particles *p,
                                 const bool *added, struct error *error)
{
    struct bounds *bounds = NULL;
    uint32_t *candidate = NULL;
    struct overlap worst = {0};
    size_t n = 0;
    enum status status =
        array_create(&bounds, scene->n_bodies, sizeof *bounds, "bounds of bodies", error);
    if (!status)
        status = array_create(&candidate, p->n, sizeof *candidate, "particles near others", error);
    if (!status) {
        bounds_of_bodies(bounds, scene->n_bodies, p);
        status = near_others(bounds, scene->n_bodies, p, candidate, &n, error);
    }
    if (!status && n > 0)
        status = deepest(&worst, scene, p, added, n, candidate, error);
    if (!status && worst.depth > 0)
        status = complain(scene, p, bounds, added, &worst, error);
    free(candidate);
    free(bounds);
    return status;
}
