/* PLY (Turk 1994): a header that declares elements and their properties, then the elements one
 * after the other, as text or binary in either byte order. Vertices and faces may stand in any
 * order among other elements, which are skipped. */
#include "base/memory.h"
#include "shape/mesh_file.h"
#include "shape/mesh_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum ply_format { PLY_TEXT, PLY_LITTLE, PLY_BIG };
enum ply_type {
    PLY_INT8,
    PLY_UINT8,
    PLY_INT16,
    PLY_UINT16,
    PLY_INT32,
    PLY_UINT32,
    PLY_FLOAT32,
    PLY_FLOAT64,
    PLY_NO_TYPE
};
enum ply_role { PLY_OTHER, PLY_X, PLY_Y, PLY_Z, PLY_CORNERS };

static const struct {
    const char *name[2];
    size_t size;
} ply_type[] = {{{"char", "int8"}, 1},     {{"uchar", "uint8"}, 1},   {{"short", "int16"}, 2},
                {{"ushort", "uint16"}, 2}, {{"int", "int32"}, 4},     {{"uint", "uint32"}, 4},
                {{"float", "float32"}, 4}, {{"double", "float64"}, 8}};

struct ply_property {
    bool is_list;
    enum ply_type count_type, type;
    enum ply_role role;
};

enum { MOST_ELEMENTS = 16, MOST_PROPERTIES = 64 };

struct ply_element {
    bool is_vertex, is_face;
    int64_t count;
    size_t n_properties;
    struct ply_property property[MOST_PROPERTIES];
};

struct ply {
    struct text text; /* binary data: only .at and .end count */
    const struct bytes *bytes;
    struct triangles *triangles;
    enum ply_format format;
    size_t n_elements;
    struct ply_element element[MOST_ELEMENTS];
    bool has_vertices;
    int64_t n_vertices; /* as the header announces */
    size_t capacity;
    uint32_t *corner; /* of the current polygon */
};

static enum status complain(const struct ply *ply, const char *what, struct word word,
                            struct error *error)
{
    return error_set(error, STATUS_INVALID, "%s:%zu: %s '%.*s' in the header of a PLY file",
                     ply->text.path, ply->text.line, what, word_shown(word), word.start);
}

/* Reports a fault in the data with its place: "path:line" or "path:byte N". */
static enum status complain_data(const struct ply *ply, const char *at, const char *what,
                                 struct error *error)
{
    if (ply->format == PLY_TEXT)
        return error_set(error, STATUS_INVALID, "%s:%zu: %s", ply->text.path, ply->text.line, what);
    return error_set(error, STATUS_INVALID, "%s:byte %td: %s", ply->text.path,
                     at - ply->bytes->data, what);
}

static enum status read_format(struct ply *ply, struct error *error)
{
    static const char *const name[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    struct word word = text_word(&ply->text);
    for (int f = 0; f < 3; f++) {
        if (word_is(word, name[f])) {
            ply->format = (enum ply_format)f;
            return STATUS_OK;
        }
    }
    return complain(ply, "unknown format", word, error);
}

static enum status read_type(struct ply *ply, enum ply_type *type, struct error *error)
{
    struct word word = text_word(&ply->text);
    for (*type = PLY_INT8; *type < PLY_NO_TYPE; (*type)++)
        if (word_is(word, ply_type[*type].name[0]) || word_is(word, ply_type[*type].name[1]))
            return STATUS_OK;
    return complain(ply, "unknown type", word, error);
}

static enum status read_element(struct ply *ply, struct error *error)
{
    struct word name = text_word(&ply->text);
    if (ply->n_elements == MOST_ELEMENTS)
        return complain(ply, "too many elements at", name, error);
    struct ply_element *element = &ply->element[ply->n_elements++];
    element->is_vertex = word_is(name, "vertex");
    element->is_face = word_is(name, "face");
    if (element->is_vertex && ply->has_vertices)
        return complain(ply, "second element", name, error);
    ply->has_vertices = ply->has_vertices || element->is_vertex;
    struct word count = text_word(&ply->text);
    enum status status = text_integer(&ply->text, count, &element->count, error);
    if (!status && (element->count < 0 || element->count > UINT32_MAX))
        status = complain(ply, "impossible count", count, error);
    if (element->is_vertex)
        ply->n_vertices = element->count;
    return status;
}

static enum ply_role role_of(const struct ply_element *element, bool is_list, struct word name)
{
    if (is_list && element->is_face &&
        (word_is(name, "vertex_indices") || word_is(name, "vertex_index")))
        return PLY_CORNERS;
    if (!is_list && element->is_vertex && name.length == 1 && *name.start >= 'x' &&
        *name.start <= 'z')
        return (enum ply_role)(PLY_X + (*name.start - 'x'));
    return PLY_OTHER;
}

static enum status read_property(struct ply *ply, struct error *error)
{
    struct text before = ply->text;
    struct word word = text_word(&ply->text);
    if (ply->n_elements == 0)
        return complain(ply, "property without element at", word, error);
    struct ply_element *element = &ply->element[ply->n_elements - 1];
    if (element->n_properties == MOST_PROPERTIES)
        return complain(ply, "too many properties at", word, error);
    struct ply_property *property = &element->property[element->n_properties++];
    property->is_list = word_is(word, "list");
    enum status status = STATUS_OK;
    if (property->is_list)
        status = read_type(ply, &property->count_type, error);
    else
        ply->text = before;
    if (!status)
        status = read_type(ply, &property->type, error);
    if (!status)
        property->role = role_of(element, property->is_list, text_word(&ply->text));
    return status;
}

static enum status read_header(struct ply *ply, struct error *error)
{
    if (!word_is(text_word(&ply->text), "ply"))
        return error_set(error, STATUS_INVALID,
                         "%s:1: is no PLY file: it does not begin with 'ply'", ply->text.path);
    while (text_next_line(&ply->text)) {
        struct word word = text_word(&ply->text);
        enum status status = STATUS_OK;
        if (word_is(word, "end_header")) {
            text_next_line(&ply->text);
            return STATUS_OK;
        } else if (word_is(word, "format")) {
            status = read_format(ply, error);
        } else if (word_is(word, "element")) {
            status = read_element(ply, error);
        } else if (word_is(word, "property")) {
            status = read_property(ply, error);
        } else if (!word_is(word, "comment") && !word_is(word, "obj_info") && word.length > 0) {
            status = complain(ply, "unknown word", word, error);
        }
        if (status)
            return status;
    }
    return error_set(error, STATUS_INVALID, "%s:%zu: the header has no end; the file is cut off",
                     ply->text.path, ply->text.line);
}

/* A number whose bytes stand in order of increasing weight. */
static double binary_number(const unsigned char *byte, enum ply_type type)
{
    uint64_t bits = 0;
    for (size_t i = ply_type[type].size; i-- > 0;)
        bits = bits << 8 | byte[i];
    uint32_t low = (uint32_t)bits;
    float single;
    double whole;
    switch (type) {
    case PLY_INT8:
        return (int8_t)bits;
    case PLY_INT16:
        return (int16_t)bits;
    case PLY_INT32:
        return (int32_t)bits;
    case PLY_FLOAT32:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case PLY_FLOAT64:
        memcpy(&whole, &bits, sizeof whole);
        return whole;
    default:
        return (double)bits;
    }
}

static enum status read_number(struct ply *ply, enum ply_type type, double *number,
                               struct error *error)
{
    struct text *text = &ply->text;
    size_t size = ply_type[type].size;
    if (ply->format == PLY_TEXT) {
        struct word word = text_next_word(text);
        if (word.length > 0)
            return text_number(text, word, number, error);
    } else if ((size_t)(text->end - text->at) >= size) {
        unsigned char byte[8];
        for (size_t i = 0; i < size; i++)
            byte[i] = (unsigned char)text->at[ply->format == PLY_LITTLE ? i : size - 1 - i];
        *number = binary_number(byte, type);
        text->at += size;
        if (isfinite(*number))
            return STATUS_OK;
        return complain_data(ply, text->at - size, "a number is not finite; export the mesh again",
                             error);
    }
    return complain_data(ply, text->at, "the file ends before its last element; it is cut off",
                         error);
}

static enum status read_corner(struct ply *ply, enum ply_type type, uint32_t *corner,
                               struct error *error)
{
    const char *at = ply->text.at;
    double number;
    enum status status = read_number(ply, type, &number, error);
    if (status)
        return status;
    if (number >= 0 && number < (double)ply->n_vertices && floor(number) == number) {
        *corner = (uint32_t)number;
        return STATUS_OK;
    }
    char what[128];
    snprintf(what, sizeof what,
             "a face names vertex %.10g, but the file has the vertices 0 to %lld; export it again",
             number, (long long)ply->n_vertices - 1);
    return complain_data(ply, at, what, error);
}

static enum status read_list(struct ply *ply, const struct ply_property *property,
                             struct error *error)
{
    const char *at = ply->text.at;
    double count, ignored;
    enum status status = read_number(ply, property->count_type, &count, error);
    if (!status && (!(count >= 0) || count > 1e6 || floor(count) != count))
        status = complain_data(ply, at, "the length of a list makes no sense", error);
    bool is_face = property->role == PLY_CORNERS;
    if (!status && is_face && count < 3)
        status = complain_data(ply, at, "a face needs at least 3 corners", error);
    size_t n = status ? 0 : (size_t)count;
    if (is_face && !status)
        status =
            array_reserve(&ply->corner, &ply->capacity, n, sizeof *ply->corner, "a polygon", error);
    for (size_t i = 0; i < n && !status; i++)
        status = is_face ? read_corner(ply, property->type, &ply->corner[i], error)
                         : read_number(ply, property->type, &ignored, error);
    if (!status && is_face)
        status = triangles_add_polygon(ply->triangles, n, ply->corner, error);
    return status;
}

static enum status read_item(struct ply *ply, const struct ply_element *element,
                             struct error *error)
{
    double value[PLY_CORNERS] = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < element->n_properties && !status; i++) {
        const struct ply_property *property = &element->property[i];
        status = property->is_list
                     ? read_list(ply, property, error)
                     : read_number(ply, property->type, &value[property->role], error);
    }
    if (!status && element->is_vertex)
        status = triangles_add_vertex(ply->triangles,
                                      vec3(value[PLY_X], value[PLY_Y], value[PLY_Z]), error);
    return status;
}

/* Checks that the header declares what a mesh needs. */
static enum status check_header(const struct ply *ply, struct error *error)
{
    bool has[PLY_CORNERS + 1] = {false};
    for (size_t e = 0; e < ply->n_elements; e++)
        for (size_t i = 0; i < ply->element[e].n_properties; i++)
            has[ply->element[e].property[i].role] = true;
    if (has[PLY_X] && has[PLY_Y] && has[PLY_Z] && has[PLY_CORNERS])
        return STATUS_OK;
    return error_set(error, STATUS_INVALID,
                     "%s: the header declares no %s; vertices with x, y, z and faces with "
                     "vertex_indices would be right",
                     ply->text.path,
                     has[PLY_CORNERS] ? "coordinates of vertices" : "corners of faces");
}

enum status ply_read(struct triangles *triangles, const struct bytes *bytes, struct error *error)
{
    struct ply *ply = NULL; /* too large for the stack */
    enum status status = array_create(&ply, 1, sizeof *ply, "a PLY header", error);
    if (status)
        return status;
    ply->text = (struct text){
        .path = bytes->path, .at = bytes->data, .end = bytes->data + bytes->n, .line = 1};
    ply->bytes = bytes;
    ply->triangles = triangles;
    status = read_header(ply, error);
    if (!status)
        status = check_header(ply, error);
    for (size_t e = 0; e < ply->n_elements && !status; e++)
        for (int64_t i = 0;
             ply->element[e].n_properties > 0 && i < ply->element[e].count && !status; i++)
            status = read_item(ply, &ply->element[e], error);
    free(ply->corner);
    free(ply);
    return status;
}
