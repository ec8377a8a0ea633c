#include "shape/mesh_file.h"

#include "base/memory.h"
#include "base/regular_file.h"
#include "config/mesh_digest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const uint32_t none = UINT32_MAX;

enum status triangles_add_vertex(struct triangles *t, struct vec3 v, struct error *error)
{
    if (t->n_vertices == none)
        return error_set(error, STATUS_INVALID,
                         "more than 4294967295 vertices; a coarser mesh would be right");
    enum status status = array_reserve(&t->vertex, &t->vertex_capacity, t->n_vertices + 1,
                                       sizeof *t->vertex, "mesh vertices", error);
    if (!status)
        t->vertex[t->n_vertices++] = v;
    return status;
}

enum status triangles_add_polygon(struct triangles *t, size_t n, const uint32_t *corner,
                                  struct error *error)
{
    enum status status = array_reserve(&t->face, &t->face_capacity, t->n_faces + n - 2,
                                       sizeof *t->face, "mesh faces", error);
    for (size_t i = 1; i + 1 < n && !status; i++, t->n_faces++) {
        t->face[t->n_faces][0] = corner[0];
        t->face[t->n_faces][1] = corner[i];
        t->face[t->n_faces][2] = corner[i + 1];
    }
    return status;
}

void triangles_free(struct triangles *t)
{
    free(t->vertex);
    free(t->face);
    *t = (struct triangles){0};
}

static enum status read_stream(struct bytes *bytes, FILE *stream, char **data, struct error *error)
{
    size_t capacity = 0;
    for (;;) {
        enum status status =
            array_reserve(data, &capacity, bytes->n + 65536, 1, "a mesh file", error);
        if (status)
            return status;
        size_t got = fread(*data + bytes->n, 1, capacity - bytes->n - 1, stream);
        bytes->n += got;
        if (got == 0)
            break;
    }
    if (ferror(stream))
        return error_set(error, status_of_errno(errno), "%s: cannot be read: %s", bytes->path,
                         strerror(errno));
    (*data)[bytes->n] = '\0';
    bytes->data = *data;
    return STATUS_OK;
}

static enum status read_file(struct bytes *bytes, char **data, struct error *error)
{
    FILE *stream = regular_file_open(bytes->path);
    if (!stream)
        return error_set(error, status_of_errno(errno),
                         "%s: cannot be opened: %s; the path of a mesh would be right", bytes->path,
                         regular_file_reason(errno));
    enum status status = read_stream(bytes, stream, data, error);
    fclose(stream);
    return status;
}

static enum status read_format(struct triangles *t, const struct bytes *bytes, struct error *error)
{
    static const struct {
        const char *ending;
        enum status (*read)(struct triangles *, const struct bytes *, struct error *);
    } format[] = {{".obj", obj_read}, {".ply", ply_read}, {".stl", stl_read}};
    size_t length = strlen(bytes->path);
    for (size_t f = 0; f < sizeof format / sizeof format[0]; f++)
        if (length > 4 && strcasecmp(bytes->path + length - 4, format[f].ending) == 0)
            return format[f].read(t, bytes, error);
    return error_set(error, STATUS_INVALID,
                     "%s: is not called a mesh; a name ending in .obj, .ply or .stl would be right",
                     bytes->path);
}

static uint64_t hash(struct vec3 v)
{
    uint64_t word[3], h = 0;
    memcpy(word, &v, sizeof word);
    for (int i = 0; i < 3; i++) {
        h = (h ^ word[i]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

/* Slot of the vertex in an open-addressing table of 2^k indices: its own or the first free one. */
static size_t find(const uint32_t *table, size_t mask, const struct vec3 *vertex, struct vec3 v)
{
    size_t slot = hash(v) & mask;
    while (table[slot] != none && memcmp(&vertex[table[slot]], &v, sizeof v) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

/* Numbers the vertices anew by first use, one number per place. */
static void renumber(struct triangles *t, uint32_t *table, size_t mask, struct vec3 *fresh)
{
    size_t n = 0;
    for (size_t f = 0; f < t->n_faces; f++) {
        for (int c = 0; c < 3; c++) {
            struct vec3 v = t->vertex[t->face[f][c]];
            v = vec3(v.x + 0.0, v.y + 0.0, v.z + 0.0); /* -0 is 0 */
            size_t slot = find(table, mask, fresh, v);
            if (table[slot] == none) {
                table[slot] = (uint32_t)n;
                fresh[n++] = v;
            }
            t->face[f][c] = table[slot];
        }
    }
    t->n_vertices = n;
}

static enum status merge_vertices(struct triangles *t, struct error *error)
{
    size_t mask = 1;
    while (mask < 2 * t->n_vertices)
        mask *= 2;
    struct vec3 *fresh = NULL;
    uint32_t *table = NULL;
    enum status status =
        array_create(&fresh, t->n_vertices, sizeof *fresh, "merged vertices", error);
    if (!status)
        status = array_create(&table, mask, sizeof *table, "merged vertices", error);
    if (!status) {
        memset(table, 0xFF, mask * sizeof *table);
        size_t room = t->n_vertices;
        renumber(t, table, mask - 1, fresh);
        free(t->vertex);
        t->vertex = fresh;
        t->vertex_capacity = room;
        fresh = NULL;
    }
    free(table);
    free(fresh);
    return status;
}

/* Leaves out triangles with two corners in one place. The sides of the others still have each other
 * as neighbors. */
static void leave_out_lines(struct triangles *t)
{
    size_t n = 0;
    for (size_t f = 0; f < t->n_faces; f++) {
        const uint32_t *c = t->face[f];
        if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            memmove(t->face[n++], c, sizeof t->face[0]);
    }
    t->n_left_out = t->n_faces - n;
    t->n_faces = n;
}

enum status triangles_read(struct triangles *t, const char *path, struct error *error)
{
    *t = (struct triangles){0};
    struct bytes bytes = {.path = path};
    char *data = NULL;
    enum status status = read_file(&bytes, &data, error);
    if (!status && bytes.n == 0)
        status = error_set(error, STATUS_INVALID,
                           "%s: is empty; a closed triangle mesh would be "
                           "right",
                           path);
    if (!status)
        status = read_format(t, &bytes, error);
    free(data);
    if (!status && t->n_faces == 0)
        status = error_set(error, STATUS_INVALID,
                           "%s: has no faces; a closed surface of triangles would be right", path);
    if (!status && t->n_faces > none / 3)
        status = error_set(error, STATUS_INVALID,
                           "%s: has %zu triangles, more than the %u that can be numbered; a "
                           "coarser mesh would be right",
                           path, t->n_faces, none / 3);
    if (!status)
        status = merge_vertices(t, error);
    if (!status)
        leave_out_lines(t);
    if (!status && t->n_faces == 0)
        status = error_set(error, STATUS_INVALID,
                           "%s: no triangle has an area; a closed surface would be right", path);
    if (status)
        triangles_free(t);
    return status;
}

enum status mesh_box(const char *path, struct vec3 *low, struct vec3 *high, struct error *error)
{
    struct triangles t;
    enum status status = triangles_read(&t, path, error);
    if (status)
        return status;
    *low = *high = t.vertex[0];
    for (size_t v = 1; v < t.n_vertices; v++) {
        const struct vec3 x = t.vertex[v];
        *low = vec3(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        *high = vec3(fmax(high->x, x.x), fmax(high->y, x.y), fmax(high->z, x.z));
    }
    triangles_free(&t);
    return STATUS_OK;
}
