/* The corrections of kernel gradients, CES 8, and particles that do not see all directions. */
#include "base/memory.h"
#include "base/symmetric_eigen.h"
#include "systems/corotated/rest_parts.h"

struct sym3 rest_moment(const struct rest *rest, size_t i)
{
    struct sym3 m = {0};
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct vec3 to = vec3_sub(rest->position[rest->neighbor[e]], rest->position[i]);
        sym3_add_outer(&m, rest->gradient[e], to);
    }
    return m;
}

/* In closed form (Smith, "Eigenvalues of a symmetric 3 x 3 matrix", Communications of the ACM 4,
 * 1961). */
double rest_evenness_of(struct sym3 m)
{
    double mean = (m.xx + m.yy + m.zz) / 3.0;
    double x = m.xx - mean, y = m.yy - mean, z = m.zz - mean;
    double off = m.xy * m.xy + m.xz * m.xz + m.yz * m.yz;
    double p = sqrt((x * x + y * y + z * z + 2.0 * off) / 6.0);
    if (!(mean > 0.0))
        return 0.0;
    if (p <= 1e-12 * mean)
        return 1.0;
    double det = x * (y * z - m.yz * m.yz) - m.xy * (m.xy * z - m.yz * m.xz) +
                 m.xz * (m.xy * m.yz - y * m.xz);
    double r = fmax(-1.0, fmin(1.0, 0.5 * det / (p * p * p)));
    double angle = acos(r) / 3.0, third = acos(-0.5);
    return (mean + 2.0 * p * cos(angle + third)) / (mean + 2.0 * p * cos(angle));
}

static enum status degenerate(const struct rest *rest, size_t i, struct error *error)
{
    const struct vec3 at = rest->position[i];
    return error_set(
        error, STATUS_INVALID,
        "the %zu neighbors of particle %zu of the body, at (%g, %g, %g) m, lie (almost) "
        "in a plane, so that they do not determine how it deforms: a corotated body "
        "needs at least two layers of particles everywhere (or flat_neighborhoods: blind)",
        rest->start[i + 1] - rest->start[i], i, at.x, at.y, at.z);
}

/* Neighbors that lie within a tenth of their extent from a plane, measured by their second moments,
 * are almost in it: a hundredth is the square of that. The corner of a lattice has 0.25. */
static const double flat = 0.01;

static void add_direction(struct sym3 *m, double x, double y, double z, double weight)
{
    m->xx += weight * x * x;
    m->xy += weight * x * y;
    m->xz += weight * x * z;
    m->yy += weight * y * y;
    m->yz += weight * y * z;
    m->zz += weight * z * z;
}

/* The inverse in the directions that the neighbors determine, and 0 in the others. Finds the
 * projection onto these directions, and returns their number. */
static double invert_in_sight(struct sym3 *inverse, struct sym3 *sight)
{
    const struct sym3 m = *inverse;
    double a[9] = {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz}, value[3], vector[9];
    double seen = 0.0;
    *inverse = *sight = (struct sym3){0};
    symmetric_eigen(3, a, value, vector);
    double largest = fmax(value[0], fmax(value[1], value[2]));
    for (int k = 0; k < 3; k++) {
        double x = vector[k], y = vector[3 + k], z = vector[6 + k];
        if (!(value[k] >= flat * largest) || !(largest > 0.0))
            continue;
        add_direction(inverse, x, y, z, 1.0 / value[k]);
        add_direction(sight, x, y, z, 1.0);
        seen += 1.0;
    }
    return seen;
}

static bool is_blind(const struct rest *rest, size_t i)
{
    return !(rest_evenness_of(rest->correction[i]) >= flat);
}

/* Lists the blind particles, of which rest->correction still has the matrices of CES 8. */
static enum status list_blind(struct rest *rest, struct error *error)
{
    for (size_t i = 0; i < rest->n; i++)
        rest->n_blind += is_blind(rest, i);
    if (array_create(&rest->blind, rest->n_blind, sizeof *rest->blind, "rest shapes", error))
        return STATUS_FAILED;
    for (size_t i = 0, k = 0; i < rest->n; i++)
        if (is_blind(rest, i))
            rest->blind[k++].particle = (uint32_t)i;
    return STATUS_OK;
}

/* Measures energies from 1, as if all particles saw everything. */
static void pretend_sight(struct rest *rest)
{
    for (size_t k = 0; k < rest->n_blind; k++)
        rest->directions[rest->blind[k].particle] = 3.0;
    rest->n_blind = 0;
}

enum status rest_find_corrections(struct rest *rest, enum rest_flat allowed, struct error *error)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < rest->n; i++)
        rest->correction[i] = rest_moment(rest, i);
    if (list_blind(rest, error))
        return STATUS_FAILED;
    if (rest->n_blind > 0 && allowed == REST_FLAT_REFUSED)
        return degenerate(rest, rest->blind[0].particle, error);
    for (size_t i = 0, k = 0; i < rest->n; i++) {
        rest->directions[i] = 3.0;
        if (k == rest->n_blind || rest->blind[k].particle != i) {
            rest->correction[i] = sym3_inverse(rest->correction[i]);
            continue;
        }
        rest->directions[i] = invert_in_sight(&rest->correction[i], &rest->blind[k++].sight);
    }
    if (allowed == REST_FLAT_STRAINED)
        pretend_sight(rest);
    return STATUS_OK;
}
