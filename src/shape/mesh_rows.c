#include "shape/mesh_rows.h"

#include "base/memory.h"

#include <stdlib.h>

/* Whether the ray from (y, z) towards +y crosses the projected edge; half-open in z. */
static bool edge_crossed(const struct vec3 *vertex, uint32_t from, uint32_t to, double y, double z)
{
    const struct vec3 *a = &vertex[from < to ? from : to], *b = &vertex[from < to ? to : from];
    if ((a->z > z) == (b->z > z))
        return false;
    return a->y + (z - a->z) / (b->z - a->z) * (b->y - a->y) > y;
}

static double min3(double a, double b, double c)
{
    return fmin(a, fmin(b, c));
}

static double max3(double a, double b, double c)
{
    return fmax(a, fmax(b, c));
}

bool triangle_crossed(const struct vec3 *vertex, const uint32_t face[3], double y, double z,
                      double *x)
{
    bool crossed = edge_crossed(vertex, face[0], face[1], y, z) ^
                   edge_crossed(vertex, face[1], face[2], y, z) ^
                   edge_crossed(vertex, face[2], face[0], y, z);
    if (!crossed)
        return false;
    struct vec3 a = vertex[face[0]], b = vertex[face[1]], c = vertex[face[2]];
    struct vec3 n = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double low = min3(a.x, b.x, c.x), high = max3(a.x, b.x, c.x);
    *x = a.x - (n.y * (y - a.y) + n.z * (z - a.z)) / n.x;
    if (!isfinite(*x)) /* seen from the edge, the triangle is a line */
        *x = (low + high) / 2;
    *x = fmin(fmax(*x, low), high);
    return true;
}

/* Rows that a triangle may cross along one axis: [first, end). */
static void row_range(double low, double high, size_t n, size_t *first, size_t *end)
{
    double a = fmax(ceil(low), 0), b = fmin(floor(high) + 1, (double)n);
    *first = a < b ? (size_t)a : 0;
    *end = a < b ? (size_t)b : 0;
}

/* Counts the crossings of one triangle with each row, and stores them if rows->crossing exists. */
static void cross_rows(struct mesh_rows *rows, const struct vec3 *vertex, const uint32_t face[3],
                       size_t *count)
{
    const struct vec3 *a = &vertex[face[0]], *b = &vertex[face[1]], *c = &vertex[face[2]];
    size_t j0, j1, k0, k1;
    row_range(min3(a->y, b->y, c->y), max3(a->y, b->y, c->y), rows->n[1], &j0, &j1);
    row_range(min3(a->z, b->z, c->z), max3(a->z, b->z, c->z), rows->n[2], &k0, &k1);
    for (size_t k = k0; k < k1; k++) {
        for (size_t j = j0; j < j1; j++) {
            double x;
            if (!triangle_crossed(vertex, face, (double)j, (double)k, &x))
                continue;
            size_t row = j + rows->n[1] * k;
            if (rows->crossing)
                rows->crossing[rows->start[row] + count[row]] = x;
            count[row]++;
        }
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

enum status mesh_rows_create(struct mesh_rows *rows, const size_t n[3], const struct vec3 *vertex,
                             size_t n_faces, const uint32_t (*face)[3], struct error *error)
{
    *rows = (struct mesh_rows){.n = {n[0], n[1], n[2]}};
    size_t n_rows = n[1] * n[2], *count = NULL;
    enum status status = array_create(&rows->start, n_rows + 1, sizeof(size_t), "mesh rows", error);
    if (!status)
        status = array_create(&count, n_rows, sizeof(size_t), "mesh rows", error);
    for (size_t f = 0; f < n_faces && !status; f++)
        cross_rows(rows, vertex, face[f], count);
    for (size_t r = 0; r < n_rows && !status; r++) {
        rows->start[r + 1] = rows->start[r] + count[r];
        count[r] = 0;
    }
    if (!status)
        status = array_create(&rows->crossing, rows->start[n_rows], sizeof *rows->crossing,
                              "crossings of a mesh", error);
    for (size_t f = 0; f < n_faces && !status; f++)
        cross_rows(rows, vertex, face[f], count);
    for (size_t r = 0; r < n_rows && !status; r++)
        qsort(rows->crossing + rows->start[r], count[r], sizeof(double), compare_doubles);
    free(count);
    if (status)
        mesh_rows_free(rows);
    return status;
}

void mesh_rows_free(struct mesh_rows *rows)
{
    free(rows->start);
    free(rows->crossing);
    *rows = (struct mesh_rows){0};
}

void mesh_rows_signs(const struct mesh_rows *rows, size_t j, size_t k, double *value)
{
    size_t row = j + rows->n[1] * k, next = rows->start[row], end = rows->start[row + 1];
    bool inside = false;
    for (size_t i = 0; i < rows->n[0]; i++) {
        while (next < end && rows->crossing[next] <= (double)i) {
            inside = !inside;
            next++;
        }
        value[i] = inside ? -HUGE_VAL : HUGE_VAL;
    }
}
