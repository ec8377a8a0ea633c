/* The room beside a body, as its particles see it. A fluid at rest around the body makes the number
 * density even, so its particles add what the gradient lacks. With S the sum of V W over the body,
 * S_0 that of the lattice, and a body of any number density whose flat surface is half a spacing
 * beyond the particle, the fluid adds
 *
 *     S_0 q / (1 + q),   q = (P |grad S|) / (P' S)
 *
 * where P and P' are what a plane of the lattice adds to S and to its gradient, one spacing away.
 * At edges and corners it is less than a fluid would add, and deeper within the body more; for a
 * sheet of one layer it is 0. */
#include "base/memory.h"
#include "sph/pressure_parts.h"
#include "sph/sph_kernel.h"

#include <math.h>
#include <stdlib.h>

/* P/P', in m. */
static double sum_over_slope(double h, double spacing)
{
    int reach = (int)(h / spacing);
    double sum = 0.0, slope = 0.0;
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++) {
            double d = spacing * sqrt((double)(i * i + j * j + 1));
            sum += sph_wendland(h, d);
            slope += sph_wendland_slope(h, d) * spacing;
        }
    return sum / slope;
}

/* What is missing beside particles that add up to `sum`, with this gradient. */
static double missing(double sum, double gradient, double per_gradient, double lattice)
{
    double q = per_gradient * gradient / sum;
    return lattice * q / (1.0 + q);
}

enum status pressure_find_room(struct pressure *pressure, float *room, struct error *error)
{
    const double spacing = 2.0 * pressure->settings.radius;
    const double per_gradient = sum_over_slope(pressure->support, spacing);
    const double own = pressure->scale, others = 1.0 - pressure->own; /* on the lattice */
    struct vec3 *impulse;
    if (array_create(&impulse, pressure->n, sizeof *impulse, "the room around bodies", error))
        return STATUS_FAILED;
    for (size_t s = 0; s < pressure->neighbors.grid.n; s++)
        pressure->place[s].p = 0.5f; /* f = V grad c */
    pressure_push_exactly(pressure, &(struct pressure_moved){.impulse = impulse});
    for (size_t s = 0; s < pressure->neighbors.grid.n; s++) {
        uint32_t i = pressure->neighbors.grid.point[s];
        double c = (double)pressure->compression[s] + (double)pressure->limit[i];
        double gradient = vec3_norm(impulse[i]) / pressure->volume;
        room[i] = (float)missing(c - pressure->own + own, gradient, per_gradient, own + others);
    }
    free(impulse);
    return STATUS_OK;
}
