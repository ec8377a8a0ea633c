/* STL: triangles without shared vertices, as text or as 50 bytes each. */
#include "shape/mesh_file.h"
#include "shape/mesh_text.h"

#include <string.h>

enum { HEADER = 84, RECORD = 50 };

static enum status add_triangle(struct triangles *t, const struct vec3 v[3], struct error *error)
{
    uint32_t first = (uint32_t)t->n_vertices;
    const uint32_t corner[3] = {first, first + 1, first + 2};
    enum status status = STATUS_OK;
    for (int c = 0; c < 3 && !status; c++)
        status = triangles_add_vertex(t, v[c], error);
    return status ? status : triangles_add_polygon(t, 3, corner, error);
}

static uint32_t little_endian(const char *byte)
{
    unsigned char b[4];
    memcpy(b, byte, sizeof b);
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double number(const char *byte)
{
    uint32_t bits = little_endian(byte);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static enum status read_binary(struct triangles *t, const struct bytes *bytes, struct error *error)
{
    for (size_t at = HEADER; at < bytes->n; at += RECORD) {
        struct vec3 v[3];
        for (size_t c = 0; c < 3; c++) {
            const char *start = bytes->data + at + 12 + 12 * c; /* after the normal */
            v[c] = vec3(number(start), number(start + 4), number(start + 8));
            if (!vec3_finite(v[c]))
                return error_set(error, STATUS_INVALID,
                                 "%s:byte %zu: a coordinate is not finite; export the mesh again",
                                 bytes->path, at + 12 + 12 * c);
        }
        enum status status = add_triangle(t, v, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status expect(struct text *text, const char *literal, struct error *error)
{
    struct word word = text_next_word(text);
    if (word_is(word, literal))
        return STATUS_OK;
    if (word.length == 0)
        return error_set(error, STATUS_INVALID,
                         "%s:%zu: the file ends where '%s' should stand; it is cut off", text->path,
                         text->line, literal);
    return error_set(error, STATUS_INVALID, "%s:%zu: '%.*s' where '%s' should stand", text->path,
                     text->line, word_shown(word), word.start, literal);
}

/* Reads a facet after its first word. */
static enum status read_facet(struct triangles *t, struct text *text, struct error *error)
{
    struct vec3 v[3];
    text_next_line(text); /* the normal follows from the corners */
    enum status status = expect(text, "outer", error);
    if (!status)
        status = expect(text, "loop", error);
    for (int c = 0; c < 3 && !status; c++) {
        status = expect(text, "vertex", error);
        if (!status)
            status = text_vertex(text, &v[c], error);
    }
    if (!status)
        status = expect(text, "endloop", error);
    if (!status)
        status = expect(text, "endfacet", error);
    return status ? status : add_triangle(t, v, error);
}

static enum status read_text(struct triangles *t, const struct bytes *bytes, struct error *error)
{
    struct text text = {
        .path = bytes->path, .at = bytes->data, .end = bytes->data + bytes->n, .line = 1};
    for (struct word word = text_next_word(&text); word.length > 0; word = text_next_word(&text)) {
        enum status status = STATUS_OK;
        if (word_is(word, "solid") || word_is(word, "endsolid"))
            text_next_line(&text); /* a name of any words */
        else if (word_is(word, "facet"))
            status = read_facet(t, &text, error);
        else
            status = error_set(error, STATUS_INVALID,
                               "%s:%zu: '%.*s' where 'facet' or 'endsolid' should stand", text.path,
                               text.line, word_shown(word), word.start);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* A binary file may begin with "solid" too. Its length tells it apart or, if it is cut off, its
 * zero bytes. */
enum status stl_read(struct triangles *t, const struct bytes *bytes, struct error *error)
{
    size_t count = bytes->n >= HEADER ? little_endian(bytes->data + HEADER - 4) : 0;
    if (bytes->n >= HEADER && bytes->n == HEADER + count * RECORD)
        return read_binary(t, bytes, error);
    bool is_text = memchr(bytes->data, '\0', bytes->n) == NULL;
    if (is_text && bytes->n > 5 && memcmp(bytes->data, "solid", 5) == 0)
        return read_text(t, bytes, error);
    return error_set(error, STATUS_INVALID,
                     "%s:byte %d: is no STL: it is no text that begins with 'solid', and its %zu "
                     "bytes are not the %d + %d per triangle of the binary form (%zu triangles "
                     "announced); is it cut off or another format?",
                     bytes->path, HEADER - 4, bytes->n, HEADER, RECORD, count);
}
