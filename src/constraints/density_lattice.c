/* The lattice of a fluid at rest, and how fast an iteration goes.
 *
 * UPP takes D = sum of w |grad C|^2 of a particle in the lattice, as if each constraint acted
 * alone. Where a fluid cannot give way and is compressed everywhere, all of them act, and an
 * iteration multiplies what is left of a mode of wave vector k by 1 - Lambda(k),
 *
 *     Lambda(k) = |sum over neighbors grad W(r) sin(k.r)|^2 / sum over neighbors |grad W(r)|^2
 *
 * whose largest value Lambda is above 2: 2.6 for Wendland's function at a support of two spacings.
 * The iteration diverges, and with few of them water at rest boils. So D is multiplied by 0.55
 * Lambda, with which no mode grows and the fastest is left at -0.8 of itself. */
#include "constraints/density_parts.h"
#include "sph/sph_kernel.h"

/* The neighbors (i, j, k) within the support. */
enum { REACH = 4, MOST_NEIGHBORS = (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1) };
struct neighbors {
    size_t n;
    struct vec3 step[MOST_NEIGHBORS];     /* in spacings */
    struct vec3 gradient[MOST_NEIGHBORS]; /* of the kernel, 1/supports */
};

static void list_neighbors(struct neighbors *near, struct density_lattice *lattice, double spacing)
{
    const int reach = REACH;
    near->n = 0;
    *lattice = (struct density_lattice){.kernel = 1.0};
    for (int i = -reach; i <= reach; i++)
        for (int j = -reach; j <= reach; j++)
            for (int k = -reach; k <= reach; k++) {
                const struct vec3 step = vec3(i, j, k), x = vec3_scale(spacing, step);
                const double q = vec3_norm(x), w = sph_wendland(1.0, q);
                if (q == 0.0 || !(w > 0.0))
                    continue;
                near->step[near->n] = step;
                near->gradient[near->n] = vec3_scale(-sph_wendland_slope(1.0, q), x);
                lattice->kernel += w;
                lattice->spread += w * q * q / 3.0;
                lattice->moment += sph_wendland_slope(1.0, q) * q * q / 3.0;
                lattice->gradients += vec3_norm2(near->gradient[near->n++]);
            }
    lattice->spread /= 2.0 * lattice->kernel;
    lattice->moment /= lattice->kernel;
}

static double factor_of_mode(const struct neighbors *near, struct vec3 wave)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < near->n; k++)
        sum = vec3_axpy(sum, sin(vec3_dot(wave, near->step[k])), near->gradient[k]);
    return vec3_norm2(sum);
}

/* One octant of wave vectors, and of it the part with x >= y >= z, tell all by symmetry. */
static double largest_factor(const struct neighbors *near)
{
    enum { STEPS = 16 };
    const double step = SPH_PI / STEPS;
    double largest = 0.0;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k <= j; k++)
                largest = fmax(largest, factor_of_mode(near, vec3(step * i, step * j, step * k)));
    return largest;
}

struct density_lattice density_lattice(double spacing)
{
    struct neighbors near;
    struct density_lattice lattice;
    list_neighbors(&near, &lattice, spacing);
    lattice.largest = largest_factor(&near) / lattice.gradients;
    return lattice;
}
