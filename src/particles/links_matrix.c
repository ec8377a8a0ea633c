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

static size_t entries_at(const struct links *links, const struct sym3 *mobility, uint32_t end)
{
    if (!moves(mobility, end))
        return 0;
    return links->rows_each * (links->link_start[end + 1] - links->link_start[end]) - 1;
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

/* Adds the entries of a row that come from one end of its link, where it meets the rows of all
 * links there. */
static void fill_at(struct sparse_rows *rows, const struct links *links,
                    const struct sym3 *mobility, uint32_t row, uint32_t end, size_t *entry)
{
    if (!moves(mobility, end))
        return;
    size_t each = links->rows_each;
    const struct vec3 impulse = links_direction_at(links, row, end);
    for (size_t k = each * links->link_start[end]; k < each * links->link_start[end + 1]; k++) {
        uint32_t other = (uint32_t)(each * links->link_of[k / each] + k % each);
        double value =
            vec3_dot(sym3_mul(mobility[end], impulse), links_direction_at(links, other, end));
        if (other == row) {
            rows->diagonal[row] += value;
            continue;
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
        fill_at(rows, links, mobility, row, links->end_i[c], &entries);
        fill_at(rows, links, mobility, row, links->end_j[c], &entries);
    }
    rows->start[rows->n] = entries;
    return STATUS_OK;
}

enum status links_matrix_take_diagonal(struct links_matrix *m, const struct links *links,
                                       const struct contact_side *side, struct error *error)
{
    struct sparse_rows *rows = &m->rows;
    const size_t each = links->rows_each;
    rows->n = each * links->n;
    if (reserve(m, rows->n, 0, error))
        return STATUS_FAILED;
    for (size_t row = 0; row < rows->n; row++) {
        rows->start[row] = 0;
        rows->diagonal[row] = contact_yields(side + 2 * (row / each), row % each);
    }
    rows->start[rows->n] = 0;
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
