#include "contact/split.h"

double merged_weight(const double mass[2], const bool fixed[2])
{
    if (fixed[0])
        return 1.0;
    if (fixed[1])
        return 0.0;
    return mass[0] / (mass[0] + mass[1]);
}

/* m1 m2 / m12, which is the other mass when one is infinite. */
static double reduced_mass(const double mass[2], const bool fixed[2])
{
    if (fixed[0])
        return mass[1];
    if (fixed[1])
        return mass[0];
    return mass[0] * mass[1] / (mass[0] + mass[1]);
}

double merged_energy(const double mass[2], const bool fixed[2], struct vec3 v1, struct vec3 v2)
{
    return 0.5 * reduced_mass(mass, fixed) * vec3_norm2(vec3_sub(v1, v2));
}

/* MS 10 is a sphere of radius s around v'12; MS 12 with eps = 0 a line through v1 along n. With
 * w the part of v'12 - v1 across the line, the line meets the sphere where the offset from its
 * center is -w -+ sqrt(s^2 - |w|^2) n; the minus sign is the smaller root of MS 13. Without a real
 * root the nearest point of the sphere has the offset -s w/|w| (MS 15-16), and so has the
 * solution where real roots are ignored. A w of which 12 digits have gone is rounding and has no
 * direction. Writing the solution as an offset from the center keeps MS 8 and 9 to rounding,
 * which mu and v1 + mu n do not.
 *
 * The equations solve for one of the two velocities and get the other from momentum. If both are
 * free, either will do, and the first one is solved for as in the paper. A fixed one has no
 * velocity to solve for, so that the other one is solved for (this is the limit m -> infinity of
 * the formulas, and a particle that bounces off a fixed one keeps its sliding velocity). */
bool split_bond(const struct virtual_bond *bond, struct vec3 merged, double energy,
                enum use_of_roots roots, struct vec3 out[2])
{
    int solved = bond->fixed[0] ? 1 : 0;
    int other = 1 - solved;
    struct vec3 n = vec3_scale(solved == 0 ? 1.0 : -1.0, bond->normal);
    double mass_ratio = bond->fixed[other] ? 0.0 : bond->mass[solved] / bond->mass[other];

    /* MS 11 and 20: s^2 = 2 E / (m12 m1 / m2) = 2 E / (m1 (1 + m1/m2)) */
    double s2 = 2.0 * energy / (bond->mass[solved] * (1.0 + mass_ratio));
    struct vec3 d = vec3_sub(merged, bond->velocity[solved]);
    struct vec3 w = vec3_axpy(d, -vec3_dot(d, n), n);
    double w2 = vec3_norm2(w);
    double speed2 = vec3_norm2(merged) + vec3_norm2(bond->velocity[solved]);
    bool rounding = w2 <= 1e-24 * speed2;
    bool real = w2 <= s2 && (roots == ROOTS_TAKEN || rounding);
    struct vec3 offset =
        real ? vec3_axpy(vec3_scale(-1.0, w), -sqrt(s2 - w2), n) : vec3_scale(-sqrt(s2 / w2), w);
    out[solved] = vec3_add(merged, offset);
    out[other] = vec3_axpy(merged, -mass_ratio, offset);
    return real;
}
