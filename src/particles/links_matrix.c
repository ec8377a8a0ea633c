#include "base/memory.h"
#include "particles/links.h"

#include <stdlib.h>

void links_matrix_free(struct links_matrix *matrix)
{
    free(matrix->rows.start);
    free(matrix->rows.column);
    free(matrix->rows.value);
    free(matrix->rows.diagonal);
    *matrix = (struct links_matrix){0};
}

static bool moves(const struct sym3 *mobility, uint32_t end)
{
    return end != LINK_WALL && mobility[end].xx > 0.0;
}

/* The ends that an impulse on this one moves: those of its rigid body, or itself. */
static struct link_body moved_with(const struct links *links, uint32_t end)
{
    const uint32_t k = link_body_at(&links->rigid, end);
    return k == LINK_NO_BODY ? (struct link_body){NULL, end, end + 1} : links->rigid.body[k];
}

static size_t entries_at(const struct links *links, const struct sym3 *mobility, uint32_t end)
{
    if (!moves(mobility, end))
        return 0;
    const struct link_body with = moved_with(links, end);
    return links->rows_each * (links->link_start[with.end] - links->link_start[with.begin]) - 1;
}

/* Arrays over rows share one capacity, arrays over entries another. */
static enum status reserve(struct links_matrix *m, size_t n, size_t entries, struct error *error)
{
    struct sparse_rows *rows = &m->rows;
    size_t from = m->row_capacity, to = array_room(from, n + 1);
    if (n + 1 > from &&
        (array_grow(&rows->start, from, to, sizeof *rows->start, "links", error) ||
         array_grow(&rows->diagonal, from, to, sizeof *rows->diagonal, "links", error)))
        return STATUS_FAILED;
    m->row_capacity = n + 1 > from ? to : from;
    from = m->capacity;
    to = array_room(from, entries);
    if (entries > from &&
        (array_grow(&rows->column, from, to, sizeof *rows->column, "links", error) ||
         array_grow(&rows->value, from, to, sizeof *rows->value, "links", error)))
        return STATUS_FAILED;
    m->capacity = entries > from ? to : from;
    return STATUS_OK;
}

struct vec3 links_lever(const struct links *links, size_t c, uint32_t end)
{
    const bool at_j = links->end_i[c] != end;
    const double reach = links_reach(links, c, at_j);
    return vec3_axpy(links->rigid.arm[end], at_j ? -reach : reach, links->link[c].normal);
}

/* The end of a link that moves with these; LINK_WALL: none. */
static uint32_t end_among(const struct links *links, size_t c, const struct link_body *with)
{
    const uint32_t i = links->end_i[c], j = links->end_j[c];
    if (i >= with->begin && i < with->end)
        return i;
    return j != LINK_WALL && j >= with->begin && j < with->end ? j : LINK_WALL;
}

/* What an impulse of a row at an end changes of the speed of another row, at an end that moves with
 * it. */
static double value_at(const struct links *links, const struct sym3 *mobility, uint32_t row,
                       uint32_t end, const struct link_body *with, uint32_t other)
{
    const uint32_t there = end_among(links, links_of_row(links, other), with);
    const struct vec3 impulse = links_direction_at(links, row, end);
    const struct vec3 along = links_direction_at(links, other, there);
    if (!with->body)
        return vec3_dot(sym3_mul(mobility[end], impulse), along);
    const struct vec3 lever = links_lever(links, links_of_row(links, row), end);
    const struct rigid_motion motion =
        rigid_response(with->body, impulse, vec3_cross(lever, impulse));
    return vec3_dot(rigid_velocity(motion, links_lever(links, links_of_row(links, other), there)),
                    along);
}

/* Adds the entries of a row that come from one end of its link, where it meets the rows of all
 * links of the ends that move with that one. Where these also meet at the other end, `joint`, one
 * entry has both parts. */
static void fill_at(struct sparse_rows *rows, const struct links *links,
                    const struct sym3 *mobility, uint32_t row, uint32_t end, uint32_t joint,
                    bool again, size_t *entry)
{
    if (!moves(mobility, end))
        return;
    const struct link_body with = moved_with(links, end);
    const bool both = joint != LINK_WALL && moves(mobility, joint);
    const struct link_body beside = both ? moved_with(links, joint) : with;
    size_t each = links->rows_each;
    for (size_t k = each * links->link_start[with.begin]; k < each * links->link_start[with.end];
         k++) {
        uint32_t other = (uint32_t)(each * links->link_of[k / each] + k % each);
        double value = value_at(links, mobility, row, end, &with, other);
        if (other == row) {
            rows->diagonal[row] += value;
            continue;
        }
        if (both && links->rigid.n > 0 &&
            end_among(links, links_of_row(links, other), &beside) != LINK_WALL) {
            if (again)
                continue;
            value += value_at(links, mobility, row, joint, &beside, other);
        }
        rows->column[*entry] = other;
        rows->value[(*entry)++] = value;
    }
}

enum status links_matrix_build(struct links_matrix *m, const struct links *links,
                               const struct sym3 *mobility, struct error *error)
{
    struct sparse_rows *rows = &m->rows;
    size_t entries = 0;
    for (size_t c = 0; c < links->n; c++)
        entries += entries_at(links, mobility, links->end_i[c]) +
                   entries_at(links, mobility, links->end_j[c]);
    rows->n = links->rows_each * links->n;
    if (reserve(m, rows->n, links->rows_each * entries, error))
        return STATUS_FAILED;
    entries = 0;
    for (uint32_t row = 0; row < rows->n; row++) {
        size_t c = links_of_row(links, row);
        rows->start[row] = entries;
        rows->diagonal[row] = 0.0;
        fill_at(rows, links, mobility, row, links->end_i[c], links->end_j[c], false, &entries);
        fill_at(rows, links, mobility, row, links->end_j[c], links->end_i[c], true, &entries);
    }
    rows->start[rows->n] = entries;
    return STATUS_OK;
}

enum status links_matrix_take_normals(struct links_matrix *normals,
                                      const struct links_matrix *matrix, size_t rows_each,
                                      struct error *error)
{
    const struct sparse_rows *from = &matrix->rows;
    struct sparse_rows *to = &normals->rows;
    size_t entries = 0;
    to->n = from->n;
    if (reserve(normals, from->n, from->start[from->n], error))
        return STATUS_FAILED;
    for (size_t row = 0; row < from->n; row++) {
        to->start[row] = entries;
        to->diagonal[row] = from->diagonal[row];
        for (size_t e = from->start[row]; row % rows_each == 0 && e < from->start[row + 1]; e++) {
            to->column[entries] = from->column[e];
            to->value[entries] = from->value[e];
            entries += from->column[e] % rows_each == 0;
        }
    }
    to->start[from->n] = entries;
    return STATUS_OK;
}

void links_matrix_keep(struct links_matrix *m, const uint8_t *kept)
{
    struct sparse_rows *rows = &m->rows;
    size_t entry = 0, begin = 0;
    for (size_t c = 0; c < rows->n; c++) {
        size_t end = rows->start[c + 1];
        rows->start[c] = entry;
        for (size_t e = begin; e < end; e++) {
            if (!kept[c] != !kept[rows->column[e]])
                continue;
            rows->column[entry] = rows->column[e];
            rows->value[entry++] = rows->value[e];
        }
        begin = end;
    }
    rows->start[rows->n] = entry;
}
