/* Wavefront OBJ: vertices and faces; everything else in the format is skipped. */
#include "base/memory.h"
#include "shape/mesh_file.h"
#include "shape/mesh_text.h"

#include <stdlib.h>
#include <string.h>

/* A file that is being read: the vertices first, so that faces may name vertices that come
 * later. */
struct obj {
    struct text text;
    struct triangles *triangles;
    size_t seen; /* vertices above the current line: negative indices count from there */
    size_t capacity;
    uint32_t *corner; /* of the current polygon */
};

static bool is_passed_over(struct word word)
{
    static const char *const keyword[] = {"vt",     "vn",     "vp",         "o",        "g",
                                          "s",      "mg",     "l",          "p",        "mtllib",
                                          "usemtl", "bevel",  "c_interp",   "d_interp", "lod",
                                          "maplib", "usemap", "shadow_obj", "trace_obj"};
    for (size_t i = 0; i < sizeof keyword / sizeof keyword[0]; i++)
        if (word_is(word, keyword[i]))
            return true;
    return word.length == 0 || word.start[0] == '#';
}

static enum status read_vertex(struct obj *obj, struct error *error)
{
    struct vec3 v;
    enum status status = text_vertex(&obj->text, &v, error);
    return status ? status : triangles_add_vertex(obj->triangles, v, error);
}

/* "7", "7/1", "7//3", "7/1/3" or the same with negative numbers; only the first counts. */
static enum status read_corner(struct obj *obj, struct word word, uint32_t *corner,
                               struct error *error)
{
    const struct text *text = &obj->text;
    const char *slash = memchr(word.start, '/', word.length);
    struct word index = {word.start, slash ? (size_t)(slash - word.start) : word.length};
    int64_t number = 0;
    enum status status = text_integer(text, index, &number, error);
    if (status)
        return status;
    int64_t n = (int64_t)obj->triangles->n_vertices;
    int64_t zero_based = number > 0 ? number - 1 : (int64_t)obj->seen + number;
    if (number == 0 || zero_based < 0 || zero_based >= n)
        return error_set(error, STATUS_INVALID,
                         "%s:%zu: a face names vertex %lld, but the file has the vertices 1 to "
                         "%lld; export the mesh again",
                         text->path, text->line, (long long)number, (long long)n);
    *corner = (uint32_t)zero_based;
    return STATUS_OK;
}

static enum status read_face(struct obj *obj, struct error *error)
{
    size_t n = 0;
    for (struct word word = text_word(&obj->text); word.length > 0; word = text_word(&obj->text)) {
        if (word.start[0] == '#')
            break;
        enum status status = array_reserve(&obj->corner, &obj->capacity, n + 1, sizeof *obj->corner,
                                           "a polygon", error);
        if (!status)
            status = read_corner(obj, word, &obj->corner[n++], error);
        if (status)
            return status;
    }
    if (n < 3)
        return error_set(error, STATUS_INVALID,
                         "%s:%zu: a face needs at least 3 corners and has %zu", obj->text.path,
                         obj->text.line, n);
    return triangles_add_polygon(obj->triangles, n, obj->corner, error);
}

static enum status read_vertices(struct obj *obj, struct error *error)
{
    enum status status = STATUS_OK;
    do {
        struct word word = text_word(&obj->text);
        if (word_is(word, "v"))
            status = read_vertex(obj, error);
        else if (!word_is(word, "f") && !is_passed_over(word))
            status = error_set(error, STATUS_INVALID,
                               "%s:%zu: '%.*s' is no statement of an OBJ file; is it another "
                               "format or a broken line?",
                               obj->text.path, obj->text.line, word_shown(word), word.start);
    } while (!status && text_next_line(&obj->text));
    return status;
}

static enum status read_faces(struct obj *obj, struct error *error)
{
    enum status status = STATUS_OK;
    do {
        struct word word = text_word(&obj->text);
        if (word_is(word, "v"))
            obj->seen++;
        else if (word_is(word, "f"))
            status = read_face(obj, error);
    } while (!status && text_next_line(&obj->text));
    return status;
}

enum status obj_read(struct triangles *triangles, const struct bytes *bytes, struct error *error)
{
    const struct text start = {.path = bytes->path,
                               .at = bytes->data,
                               .end = bytes->data + bytes->n,
                               .line = 1,
                               .joins = true};
    struct obj obj = {.text = start, .triangles = triangles};
    enum status status = read_vertices(&obj, error);
    obj.text = start;
    if (!status)
        status = read_faces(&obj, error);
    free(obj.corner);
    return status;
}
