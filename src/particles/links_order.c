/* The order in which the equations of links are eliminated: nested dissection. The links of a
 * component are cut in halves where they extend farthest; those of one half that share a particle
 * with the other are the separator and come last; each half is cut likewise. Contacts of bodies lie
 * on surfaces, so that separators are lines, and n links fill about n log n entries. */
#include "particles/links.h"

#include <math.h>
#include <stddef.h>

enum { UNCUT = 16 /* links: below, a full matrix is no loss */, LEFT = 1, RIGHT = 2 };

static double coordinate(struct vec3 x, int axis)
{
    return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

static struct vec3 place_of(const struct links *links, const struct particles *p, uint32_t c)
{
    return p->position[links->link[c].i];
}

static int longest_axis(const struct links *links, const struct particles *p,
                        const uint32_t *member, size_t n)
{
    int longest = 0;
    double extent[3];
    for (int axis = 0; axis < 3; axis++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (size_t k = 0; k < n; k++) {
            double x = coordinate(place_of(links, p, member[k]), axis);
            low = fmin(low, x);
            high = fmax(high, x);
        }
        extent[axis] = high - low;
        if (extent[axis] > extent[longest])
            longest = axis;
    }
    return longest;
}

static bool is_before(const struct link_place *a, const struct link_place *b)
{
    return a->x != b->x ? a->x < b->x : a->link < b->link;
}

/* Moves places so that those that belong before place[half] are there (Hoare, "Algorithm 65: find",
 * Communications of the ACM 4, 1961). */
static void halve(struct link_place *place, ptrdiff_t n, ptrdiff_t half)
{
    for (ptrdiff_t low = 0, high = n - 1; low < high;) {
        const struct link_place middle = place[half];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (is_before(&place[i], &middle))
                i++;
            while (is_before(&middle, &place[j]))
                j--;
            if (i > j)
                break;
            struct link_place moved = place[i];
            place[i++] = place[j];
            place[j--] = moved;
        }
        low = j < half ? i : low;
        high = half < i ? j : high;
    }
}

static bool meets_right_at(const struct links *links, const struct particles *p, uint32_t end)
{
    if (end == LINK_WALL || p->state[links->particle[end]] != PARTICLE_FREE)
        return false;
    for (size_t k = links->link_start[end]; k < links->link_start[end + 1]; k++)
        if (links->root[links->link_of[k]] == RIGHT)
            return true;
    return false;
}

static bool meets_right(const struct links *links, const struct particles *p, uint32_t c)
{
    return meets_right_at(links, p, links->end_i[c]) || meets_right_at(links, p, links->end_j[c]);
}

/* Puts the left half without the separator first, then the right one, then the separator; returns
 * how many are in the left part. */
static size_t cut(struct links *links, const struct particles *p, uint32_t *member, size_t n)
{
    struct link_place *place = links->place;
    int axis = longest_axis(links, p, member, n);
    for (size_t k = 0; k < n; k++)
        place[k] = (struct link_place){coordinate(place_of(links, p, member[k]), axis), member[k]};
    halve(place, (ptrdiff_t)n, (ptrdiff_t)(n / 2));
    for (size_t k = 0; k < n; k++)
        links->root[place[k].link] = k < n / 2 ? LEFT : RIGHT;
    size_t left = 0, separator = n;
    for (size_t k = n / 2; k-- > 0;)
        if (meets_right(links, p, place[k].link))
            member[--separator] = place[k].link;
    for (size_t k = 0; k < n / 2; k++)
        if (!meets_right(links, p, place[k].link))
            member[left++] = place[k].link;
    for (size_t k = n / 2; k < n; k++)
        member[left + k - n / 2] = place[k].link;
    for (size_t k = 0; k < n; k++)
        links->root[member[k]] = 0;
    return left;
}

void links_order(struct links *links, const struct particles *p, uint32_t *member, size_t n)
{
    if (n <= UNCUT)
        return;
    size_t left = cut(links, p, member, n);
    if (left == 0) /* every link on the left meets the right half */
        return;
    links_order(links, p, member, left);
    links_order(links, p, member + left, n - n / 2);
}
