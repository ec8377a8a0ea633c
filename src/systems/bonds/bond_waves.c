/* The speed of elastic waves in a body, from its bonds. */
#include "base/memory.h"
#include "systems/bonds/bond_network_parts.h"

#include <stdlib.h>
#include <string.h>

/* The bonds of one particle: their directions, and k L / m of each, m^2/s^2. */
struct star {
    uint32_t center;
    size_t n, capacity;
    struct vec3 *direction;
    double *square;
};

/* Chooses in each body the first particle with the most bonds, which lies deep inside if the body
 * has an inside. Only free particles are considered, because fixed ones carry no waves. */
static void choose_centers(const struct bond_network *net, const struct particles *p,
                           size_t n_bodies, struct star *star)
{
    for (size_t b = 0; b < n_bodies; b++)
        star[b].center = UINT32_MAX;
    for (size_t i = 0; i < net->system.n; i++) {
        struct star *s = &star[p->body[i]];
        if (!p->state[i] && net->n_at[i] > 0 &&
            (s->center == UINT32_MAX || net->n_at[i] > net->n_at[s->center])) {
            s->center = (uint32_t)i;
            s->capacity = net->n_at[i];
        }
    }
}

static enum status create_stars(size_t n_bodies, struct star *star, struct error *error)
{
    for (size_t b = 0; b < n_bodies; b++)
        if (array_create(&star[b].direction, star[b].capacity, sizeof(struct vec3), "bonds",
                         error) ||
            array_create(&star[b].square, star[b].capacity, sizeof(double), "bonds", error))
            return STATUS_FAILED;
    return STATUS_OK;
}

static void add_bond(const struct bond_network *net, size_t e, struct vec3 along, double mass,
                     struct star *star)
{
    double length = net->rest_length[e];
    star->direction[star->n] = vec3_scale(1.0 / length, along);
    star->square[star->n++] = bond_stiffness(net, e) * length / mass;
}

static void fill_stars(const struct bond_network *net, const struct particles *p,
                       const struct vec3 *rest, struct star *star)
{
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            uint32_t j = net->neighbor[e];
            struct star *s = &star[p->body[i]];
            struct vec3 along = vec3_sub(rest[j], rest[i]);
            if (p->body[i] == p->body[j] && (s->center == i || s->center == j))
                add_bond(net, e, along, p->mass[s->center], s);
        }
}

/* A long plane longitudinal wave along n, in a lattice in which every particle has these bonds, has
 * c^2 = sum over bonds of k L (e . n)^4 / (2 m), where e is the direction and L the length of a
 * bond. Returns the largest c of all n along bonds. */
static double fastest(const struct star *s)
{
    double largest = 0.0;
    for (size_t a = 0; a < s->n; a++) {
        double sum = 0.0;
        for (size_t b = 0; b < s->n; b++) {
            double cosine = vec3_dot(s->direction[a], s->direction[b]);
            sum += 0.5 * s->square[b] * cosine * cosine * cosine * cosine;
        }
        largest = fmax(largest, sum);
    }
    return sqrt(largest);
}

enum status bond_network_wave_speeds(const struct system *system, const struct particles *p,
                                     const struct vec3 *rest, size_t n_bodies, double *speed,
                                     struct error *error)
{
    const struct bond_network *net = (const struct bond_network *)system;
    struct star *star;
    if (array_create(&star, n_bodies, sizeof *star, "bodies", error))
        return STATUS_FAILED;
    choose_centers(net, p, n_bodies, star);
    enum status status = create_stars(n_bodies, star, error);
    if (!status)
        fill_stars(net, p, rest, star);
    for (size_t b = 0; b < n_bodies; b++) {
        if (star[b].n > 0)
            speed[b] = fastest(&star[b]);
        free(star[b].direction);
        free(star[b].square);
    }
    free(star);
    return status;
}
