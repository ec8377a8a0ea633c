/* Splitting gives the impulses p of merging back, along the normals of the moved positions, where
 * they change no angular momentum: v' = v + theta M^-1 J^T p. This adds the energy
 * a theta^2 + b theta with a = p^T W p / 2 and b = p^T J v. Each component has its own theta, the
 * one that adds alpha times the energy that merging stored there. If nothing happened in between,
 * J v = 0 and theta = sqrt(alpha), which is Newton's law of restitution. */
#include "sliding/sliding_parts.h"

/* The coefficients of the energy that splitting adds to one component, J. */
struct returned {
    double a, b;
};

/* The non-negative root of a theta^2 + b theta = energy, in a form without cancellation for either
 * sign of b. */
static double theta_of(const struct returned *r, double energy)
{
    double root = sqrt(r->b * r->b + 4.0 * r->a * energy);
    if (!(r->a > 0.0) || !(energy > 0.0))
        return 0.0;
    return r->b > 0.0 ? 2.0 * energy / (r->b + root) : (root - r->b) / (2.0 * r->a);
}

/* a and b of one component, where kick = M^-1 J^T p. */
static struct returned find_returned(const struct sliding *s, size_t component)
{
    const struct links *links = &s->links;
    struct returned r = {0.0, 0.0};
    for (size_t k = links->start[component]; k < links->start[component + 1]; k++) {
        uint32_t row = s->normal_row[k];
        r.a += 0.5 * s->merge[row] * links_speed(links, row, s->kick);
        r.b += s->merge[row] * links_speed(links, row, s->velocity);
    }
    return r;
}

void sliding_split(struct sliding *s, const struct step_view *view, double alpha)
{
    const struct links *links = &s->links;
    const struct particles *p = view->particles;
    sliding_kick(s, s->merge, s->kick);
    double before = sliding_kinetic(links, p, s->velocity);
    for (size_t k = 0; k < links->n_components; k++) {
        struct returned r = find_returned(s, k);
        double theta = theta_of(&r, alpha * s->stored[k]);
        for (size_t m = links->start[k]; m < links->start[k + 1]; m++)
            s->merge[s->normal_row[m]] *= theta;
    }
    double supplied = sliding_add_support(s, s->merge, &s->report);
    sliding_kick(s, s->merge, s->kick);
    for (size_t e = 0; e < links->n_ends + links->rigid.n; e++)
        s->velocity[e] = vec3_add(s->velocity[e], s->kick[e]);
    sliding_scatter(links, s->velocity, view->velocity);
    s->report.returned = sliding_kinetic(links, p, s->velocity) - before - supplied;
}
