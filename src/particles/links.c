#include "particles/links.h"

#include "base/disjoint_sets.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void links_free(struct links *links)
{
    free(links->link);
    free(links->particle);
    free(links->end_i);
    free(links->end_j);
    free(links->link_start);
    free(links->link_of);
    free(links->start);
    free(links->member);
    free(links->component);
    free(links->row);
    free(links->end_of);
    free(links->root);
    free(links->place);
    link_pieces_free(&links->turning);
    link_bodies_release(&links->rigid);
    *links = (struct links){0};
}

void links_clear(struct links *links)
{
    for (size_t e = 0; e < links->n_ends; e++)
        links->end_of[links->particle[e]] = 0;
    links->n = links->n_ends = links->n_components = links->turning.n = 0;
    links->rigid.n = 0;
}

enum { MOST_ROWS_EACH = 3 };

/* Arrays over links all have the same room, arrays over ends twice as much. */
enum status links_reserve(struct links *links, size_t n, struct error *error)
{
    size_t from = links->capacity, to = array_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (array_grow(&links->link, from, to, sizeof *links->link, "links", error) ||
        array_grow(&links->end_i, from, to, sizeof *links->end_i, "links", error) ||
        array_grow(&links->end_j, from, to, sizeof *links->end_j, "links", error) ||
        array_grow(&links->member, from, to, sizeof *links->member, "links", error) ||
        array_grow(&links->row, MOST_ROWS_EACH * from, MOST_ROWS_EACH * to, sizeof *links->row,
                   "links", error) ||
        array_grow(&links->component, from, to, sizeof *links->component, "links", error) ||
        array_grow(&links->root, from, to, sizeof *links->root, "links", error) ||
        array_grow(&links->place, from, to, sizeof *links->place, "links", error) ||
        array_grow(&links->start, from, to + 1, sizeof *links->start, "links", error) ||
        array_grow(&links->particle, 2 * from, 2 * to, sizeof *links->particle, "links", error) ||
        array_grow(&links->link_of, 2 * from, 2 * to, sizeof *links->link_of, "links", error) ||
        array_grow(&links->link_start, 2 * from, 2 * to + 1, sizeof *links->link_start, "links",
                   error) ||
        (links->rigid.all && link_bodies_reserve(&links->rigid, 2 * to, error)))
        return STATUS_FAILED;
    links->capacity = to;
    return STATUS_OK;
}

enum status links_create(struct links *links, size_t n_particles, struct error *error)
{
    *links = (struct links){.n_particles = n_particles, .rows_each = 1};
    if (array_create(&links->end_of, n_particles, sizeof *links->end_of, "links", error))
        return STATUS_FAILED;
    return links_reserve(links, 1, error); /* no array is NULL, even without links */
}

/* ---- ends ---- */

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

static void add_end(struct links *links, uint32_t particle)
{
    if (particle == LINK_WALL || links->end_of[particle])
        return;
    links->particle[links->n_ends++] = particle;
    links->end_of[particle] = 1; /* a mark, until all ends are known */
}

static void find_ends(struct links *links)
{
    links->n_ends = 0;
    for (size_t c = 0; c < links->n; c++) {
        add_end(links, links->link[c].i);
        add_end(links, links->link[c].j);
    }
    qsort(links->particle, links->n_ends, sizeof *links->particle, by_number);
    for (size_t e = 0; e < links->n_ends; e++)
        links->end_of[links->particle[e]] = (uint32_t)e + 1;
    for (size_t c = 0; c < links->n; c++) {
        links->end_i[c] = links->end_of[links->link[c].i] - 1;
        links->end_j[c] =
            links->link[c].j == LINK_WALL ? LINK_WALL : links->end_of[links->link[c].j] - 1;
    }
}

static void list_links_of_ends(struct links *links)
{
    size_t *start = links->link_start;
    memset(start, 0, (links->n_ends + 1) * sizeof *start);
    for (size_t c = 0; c < links->n; c++) {
        start[links->end_i[c] + 1]++;
        if (links->end_j[c] != LINK_WALL)
            start[links->end_j[c] + 1]++;
    }
    for (size_t e = 0; e < links->n_ends; e++)
        start[e + 1] += start[e];
    for (size_t c = 0; c < links->n; c++) {
        links->link_of[start[links->end_i[c]]++] = (uint32_t)c;
        if (links->end_j[c] != LINK_WALL)
            links->link_of[start[links->end_j[c]]++] = (uint32_t)c;
    }
    for (size_t e = links->n_ends; e > 0; e--)
        start[e] = start[e - 1];
    start[0] = 0;
}

/* ---- components ---- */

static void join_at(struct links *links, size_t end, size_t behind)
{
    for (size_t k = links->link_start[end] + 1; k < links->link_start[behind]; k++)
        disjoint_join(links->root, links->link_of[k - 1], links->link_of[k]);
}

/* Numbers the components by their first links, and lists the links of each in ascending order. */
static void list_components(struct links *links)
{
    size_t *start = links->start;
    links->n_components = 0;
    for (uint32_t c = 0; c < links->n; c++) {
        uint32_t root = disjoint_root(links->root, c);
        if (root == c) {
            links->component[c] = (uint32_t)links->n_components++;
            start[links->component[c] + 1] = 0;
        }
        links->component[c] = links->component[root];
        start[links->component[c] + 1]++;
    }
    start[0] = 0;
    for (size_t k = 0; k < links->n_components; k++)
        start[k + 1] += start[k];
    for (uint32_t c = 0; c < links->n; c++)
        links->member[start[links->component[c]]++] = c;
    for (size_t k = links->n_components; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

/* A direction across a unit vector (Duff et al., "Building an orthonormal basis, revisited",
 * Journal of Computer Graphics Techniques 6, 2017). */
static struct vec3 across(struct vec3 n)
{
    double sign = n.z < 0.0 ? -1.0 : 1.0, a = -1.0 / (sign + n.z);
    return vec3(1.0 + sign * n.x * n.x * a, sign * n.x * n.y * a, -sign * n.x);
}

void link_turn(struct link *link, struct vec3 normal)
{
    link->normal = normal;
    link->across = across(normal);
}

static void list_rows(struct links *links)
{
    size_t each = links->rows_each;
    for (size_t c = 0; c < links->n; c++)
        link_turn(&links->link[c], links->link[c].normal);
    for (size_t m = 0; m < links->n; m++)
        for (size_t k = 0; k < each; k++)
            links->row[each * m + k] = (uint32_t)(each * links->member[m] + k);
}

void links_connect(struct links *links, const struct particles *p)
{
    find_ends(links);
    link_bodies_find(&links->rigid, links->n_ends, links->particle, p->state);
    list_links_of_ends(links);
    for (uint32_t c = 0; c < links->n; c++)
        links->root[c] = c;
    for (size_t e = 0; e < links->n_ends; e++)
        if (p->state[links->particle[e]] == PARTICLE_FREE)
            join_at(links, e, e + 1);
    for (size_t k = 0; k < links->rigid.n; k++)
        join_at(links, links->rigid.body[k].begin, links->rigid.body[k].end);
    list_components(links);
    for (uint32_t c = 0; c < links->n; c++)
        links->root[c] = 0;
    for (size_t k = 0; k < links->n_components; k++)
        links_order(links, p, links->member + links->start[k],
                    links->start[k + 1] - links->start[k]);
    list_rows(links);
}
