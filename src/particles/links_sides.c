/* What links move (base/contact_side.h). */
#include "particles/links.h"

#include <math.h>

struct vec3 links_lever(const struct links *links, size_t c, uint32_t end)
{
    const bool at_j = links->end_i[c] != end;
    const double reach = links_reach(links, c, at_j);
    return vec3_axpy(links->rigid.arm[end], at_j ? -reach : reach, links->link[c].normal);
}

/* The product of L^T and v, where L L^T = s has no negative eigenvalue. A body all of whose
 * particles lie on a line does not yield about it. */
static struct vec3 times_root(struct sym3 s, struct vec3 v)
{
    const double whole = s.xx + s.yy + s.zz, none = 1e-15 * whole;
    const double a = s.xx > none ? sqrt(s.xx) : 0.0, b = a > 0.0 ? s.xy / a : 0.0,
                 c = a > 0.0 ? s.xz / a : 0.0;
    const double dd = s.yy - b * b, d = dd > none ? sqrt(dd) : 0.0;
    const double e = d > 0.0 ? (s.yz - b * c) / d : 0.0, ff = s.zz - c * c - e * e;
    const double f = ff > none ? sqrt(ff) : 0.0;
    return vec3(a * v.x + b * v.y + c * v.z, d * v.y + e * v.z, f * v.z);
}

static void set_row(double *along, struct vec3 direction, struct vec3 turn)
{
    const double row[] = {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        along[k] = row[k];
}

static struct contact_side side_at(const struct links *links, const struct sym3 *mobility, size_t c,
                                   uint32_t end)
{
    struct contact_side side = {SIDE_STANDS, 0, {{0.0}}};
    if (end == LINK_WALL || !(mobility[end].xx > 0.0))
        return side;
    const uint32_t k = link_body_at(&links->rigid, end);
    const bool turns = k != LINK_NO_BODY;
    side.moved = turns ? links->rigid.body[k].begin : end;
    side.width = turns ? SIDE_OF_BODY : SIDE_OF_PARTICLE;
    for (size_t d = 0; d < links->rows_each; d++) {
        const struct vec3 direction =
            links_direction_at(links, links_normal_row(links, c) + d, end);
        struct vec3 turn = vec3(0.0, 0.0, 0.0);
        if (turns)
            turn = times_root(links->rigid.body[k].body->yields,
                              vec3_cross(links_lever(links, c, end), direction));
        set_row(side.along[d],
                turns ? vec3_scale(1.0 / sqrt(links->rigid.body[k].body->mass), direction)
                      : times_root(mobility[end], direction),
                turn);
    }
    return side;
}

void links_find_sides(const struct links *links, const struct sym3 *mobility,
                      struct contact_side *side)
{
    for (size_t c = 0; c < links->n; c++) {
        side[2 * c] = side_at(links, mobility, c, links->end_i[c]);
        side[2 * c + 1] = side_at(links, mobility, c, links->end_j[c]);
    }
}
