#include "particles/rigid_sums.h"

/* The square of the width of a piece over that of its length, below which it is a line, which has
 * no spin about itself. */
static const double THIN = 1e-10;

struct vec3 rigid_origin_of(const struct rigid_pieces *pieces, const struct rigid_piece *piece,
                            const struct vec3 *x)
{
    bool about = piece->hold == RIGID_POINT || piece->hold == RIGID_AXIS;
    return x[about ? piece->pivot : pieces->member[piece->begin]];
}

void rigid_add(double *sum, struct vec3 v)
{
    sum[0] += v.x;
    sum[1] += v.y;
    sum[2] += v.z;
}

struct vec3 rigid_sum_at(const double *sum)
{
    return vec3(sum[0], sum[1], sum[2]);
}

void rigid_add_mass(double *sum, double m, struct vec3 r)
{
    sum[RIGID_MASS] += m;
    rigid_add(sum + RIGID_WAY, vec3_scale(m, r));
    sum[RIGID_SPREAD] += m * r.x * r.x;
    sum[RIGID_SPREAD + 1] += m * r.x * r.y;
    sum[RIGID_SPREAD + 2] += m * r.x * r.z;
    sum[RIGID_SPREAD + 3] += m * r.y * r.y;
    sum[RIGID_SPREAD + 4] += m * r.y * r.z;
    sum[RIGID_SPREAD + 5] += m * r.z * r.z;
}

void rigid_move_origin(double *sum, struct vec3 way)
{
    const struct vec3 spread = rigid_sum_at(sum + RIGID_WAY),
                      arm = vec3_axpy(spread, -0.5 * sum[RIGID_MASS], way);
    const double to[3] = {way.x, way.y, way.z}, by[3] = {arm.x, arm.y, arm.z};
    for (int a = 0, k = RIGID_SPREAD; a < 3; a++)
        for (int b = a; b < 3; b++)
            sum[k++] -= to[a] * by[b] + to[b] * by[a];
    const struct vec3 torque = vec3_cross(way, rigid_sum_at(sum + RIGID_MOMENTUM));
    rigid_add(sum + RIGID_TORQUE, vec3_scale(-1.0, torque));
    rigid_add(sum + RIGID_WAY, vec3_scale(-sum[RIGID_MASS], way));
}

struct mat3 rigid_spread(const double *sum)
{
    const double *j = sum + RIGID_SPREAD;
    return (struct mat3){{{j[0], j[1], j[2]}, {j[1], j[3], j[4]}, {j[2], j[4], j[5]}}};
}

double rigid_trace(const struct mat3 *m)
{
    return m->a[0][0] + m->a[1][1] + m->a[2][2];
}

/* Whether all mass lies on a line. */
static bool is_line(const struct mat3 *spread)
{
    const double whole = rigid_trace(spread);
    return whole * whole - mat3_dot(spread, spread) <= THIN * whole * whole;
}

static struct vec3 row(const struct mat3 *m, int r)
{
    return vec3(m->a[r][0], m->a[r][1], m->a[r][2]);
}

/* The w with m w = b, by Cramer's rule; m must not be singular. */
static struct vec3 solve(const struct mat3 *m, struct vec3 b)
{
    const struct vec3 p = row(m, 0), q = row(m, 1), r = row(m, 2);
    const struct vec3 qr = vec3_cross(q, r), rp = vec3_cross(r, p), pq = vec3_cross(p, q);
    struct vec3 w = vec3_axpy(vec3_axpy(vec3_scale(b.x, qr), b.y, rp), b.z, pq);
    return vec3_scale(1.0 / vec3_dot(p, qr), w);
}

/* (tr(R J) 1 - R J) w = moment. A line along u has no moment along u, and there R J w is 0. */
struct vec3 rigid_rate_of(const struct rigid_piece *piece, const struct mat3 *rotation,
                          const struct mat3 *spread, struct vec3 moment)
{
    const struct mat3 turned = mat3_mul(rotation, spread);
    const double whole = rigid_trace(&turned);
    bool line = piece->hold != RIGID_AXIS && is_line(spread);
    struct mat3 inertia = mat3_scale(line ? 0.0 : -1.0, &turned);
    for (int c = 0; c < 3; c++)
        inertia.a[c][c] += whole;
    if (piece->hold != RIGID_AXIS)
        return solve(&inertia, moment);
    const double about = vec3_dot(piece->axis, mat3_mul_vec3(&inertia, piece->axis));
    const double rate = about > THIN * whole ? vec3_dot(piece->axis, moment) / about : 0.0;
    return vec3_scale(rate, piece->axis);
}
