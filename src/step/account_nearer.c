/* Whether a step's motion deepens contacts (Section 7: particles "do not penetrate further during
 * the time step"): pairs in contact at its start that are nearer at its end. */
#include "base/blocks.h"
#include "step/simulation_parts.h"

/* A larger approach, over the smaller radius, is more than rounding of positions. */
static const double NOTICEABLE = 1e-9;

struct nearer_context {
    const struct simulation *simulation;
    double dt; /* s */
};

/* The distance that a pair loses in the step, over its smaller radius. */
static double approach_of(const struct nearer_context *c, struct pair pair)
{
    const struct particles *p = &c->simulation->particles;
    const struct vec3 *mean = c->simulation->motion.mean;
    double a = p->radius[pair.i], b = p->radius[pair.j];
    struct vec3 before = vec3_sub(p->position[pair.j], p->position[pair.i]);
    struct vec3 after = vec3_axpy(before, c->dt, vec3_sub(mean[pair.j], mean[pair.i]));
    return (vec3_norm(before) - vec3_norm(after)) / (a < b ? a : b);
}

static double largest_approach(size_t begin, size_t end, const void *context)
{
    const struct nearer_context *c = context;
    double largest = 0.0;
    for (size_t k = begin; k < end; k++)
        largest = fmax(largest, approach_of(c, c->simulation->touching.pair[k]));
    return largest;
}

enum { NEARER, NEARER_MERGED, N_NEARER };

static void count_nearer(size_t begin, size_t end, const void *context, double *sum)
{
    const struct nearer_context *c = context;
    const uint32_t *leader = c->simulation->groups.leader;
    for (size_t k = begin; k < end; k++) {
        struct pair pair = c->simulation->touching.pair[k];
        if (approach_of(c, pair) <= NOTICEABLE)
            continue;
        sum[NEARER] += 1.0;
        sum[NEARER_MERGED] += leader[pair.i] == leader[pair.j];
    }
}

void account_nearer(const struct simulation *s, double dt, struct ledger_row *row)
{
    const struct nearer_context context = {s, dt};
    double count[N_NEARER];
    row->nearer_depth = s->touching.n ? blocks_max(s->touching.n, largest_approach, &context) : 0.0;
    if (row->nearer_depth <= NOTICEABLE)
        return;
    blocks_sums(s->touching.n, N_NEARER, count_nearer, &context, count);
    row->nearer = count[NEARER];
    row->nearer_merged = count[NEARER_MERGED];
}
