/* Files of triangle meshes, read back. */
#include "base/words.h"
#include "files.h"
#include "meshes.h"
#include "shape/mesh_file.h"
#include "surface/mesh_formats.h"

#include <stdint.h>

/* A torus whose coordinates are no short decimals, with normals and two scalars. */
static void make_torus(struct triangle_mesh *mesh)
{
    float *height, *angle;
    *mesh = (struct triangle_mesh){0};
    add_torus(mesh, 9, 7, 1.0 / 3, 0.1);
    check_equal(triangle_mesh_find_normals(mesh, NULL), STATUS_OK, "normals");
    check_equal(triangle_mesh_add_scalar(mesh, "height", &height, NULL), STATUS_OK, "height");
    check_equal(triangle_mesh_add_scalar(mesh, "angle", &angle, NULL), STATUS_OK, "angle");
    for (size_t v = 0; v < mesh->n_vertices; v++) {
        height[v] = (float)mesh->vertex[v].z;
        angle[v] = (float)atan2(mesh->vertex[v].y, mesh->vertex[v].x);
    }
}

static void write_it(const struct files *files, const struct triangle_mesh *mesh,
                     enum mesh_format format)
{
    struct error error = {0};
    check_equal(mesh_write(files->first, mesh, format, &error), STATUS_OK, error.message);
}

/* By the reader of the meshes of scenes; vertices exact, or those of single precision. STL repeats
 * them, and the reader numbers them by their first triangle. */
static void check_read_back(const char *name, enum mesh_format format, bool single)
{
    struct triangle_mesh mesh;
    struct triangles read = {0};
    struct files files;
    struct error error = {0};
    files_begin(&files, name, "other");
    make_torus(&mesh);
    write_it(&files, &mesh, format);
    check_equal(triangles_read(&read, files.first, &error), STATUS_OK, error.message);
    check_equal(read.n_vertices, mesh.n_vertices, "vertices");
    check_equal(read.n_faces, mesh.n_triangles, "triangles");
    for (size_t i = 0; i < 3 * read.n_faces; i++) {
        struct vec3 x = mesh.vertex[mesh.triangle[i / 3][i % 3]];
        struct vec3 y = read.vertex[read.face[i / 3][i % 3]];
        if (single)
            x = vec3((double)(float)x.x, (double)(float)x.y, (double)(float)x.z);
        check(x.x == y.x && x.y == y.y && x.z == y.z);
    }
    triangles_free(&read);
    triangle_mesh_free(&mesh);
    files_end(&files);
}

TEST(ply_obj_and_stl_are_read_back_by_the_reader_of_scenes)
{
    check_read_back("torus.ply", MESH_PLY, false);
    check_read_back("torus.obj", MESH_OBJ, false);
    check_read_back("torus.stl", MESH_STL, true);
}

/* ---- what that reader does not look at ---- */

static char *text_of(enum mesh_format format, const struct triangle_mesh *mesh, size_t *size)
{
    struct files files;
    files_begin(&files, "mesh", "other");
    write_it(&files, mesh, format);
    char *bytes = file_bytes(files.first, size);
    bytes[*size] = '\0';
    files_end(&files);
    return bytes;
}

static uint64_t bits_at(const char *byte, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++)
        bits |= (uint64_t)(unsigned char)byte[big ? size - 1 - k : k] << 8 * k;
    return bits;
}

static double float_at(const char *byte, bool big)
{
    uint32_t bits = (uint32_t)bits_at(byte, 4, big);
    float value;
    memcpy(&value, &bits, 4);
    return (double)value;
}

static double double_at(const char *byte, bool big)
{
    uint64_t bits = bits_at(byte, 8, big);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

TEST(ply_has_normals_and_scalars)
{
    struct triangle_mesh mesh;
    size_t size;
    make_torus(&mesh);
    char *text = text_of(MESH_PLY, &mesh, &size);
    check_contains(text, "property float nz\nproperty float height\nproperty float angle\n");
    char *data = strstr(text, "end_header\n");
    for (size_t v = 0; data && v < mesh.n_vertices; v++) {
        const char *row = data + 11 + v * (3 * 8 + 5 * 4);
        check_close(float_at(row + 24, false), mesh.normal[v].x, 1e-7, "normal");
        check_close(float_at(row + 32, false), mesh.normal[v].z, 1e-7, "normal");
        check_close(float_at(row + 36, false), (double)mesh.scalar[0].value[v], 0, "height");
        check_close(float_at(row + 40, false), (double)mesh.scalar[1].value[v], 0, "angle");
    }
    free(text);
    triangle_mesh_free(&mesh);
}

/* As VTK reads it: a keyword, a number of things, and then exactly as many bytes. */
TEST(vtk_has_vertices_triangles_normals_and_scalars)
{
    struct triangle_mesh mesh;
    size_t size, points, numbers;
    int length = 0;
    make_torus(&mesh);
    char *text = text_of(MESH_VTK, &mesh, &size), *at = text, *end = text + size;
    sscanf(at,
           "# vtk DataFile Version 3.0\nsurface, meters\nBINARY\nDATASET POLYDATA\n"
           "POINTS %zu double%n",
           &points, &length);
    check_equal(points, mesh.n_vertices, "points");
    at += length + 1;
    for (size_t v = 0; v < points; v++, at += 24)
        check(double_at(at, true) == mesh.vertex[v].x &&
              double_at(at + 16, true) == mesh.vertex[v].z);
    sscanf(at, "\nPOLYGONS %zu %zu%n", &points, &numbers, &length);
    check_equal(points, mesh.n_triangles, "polygons");
    check_equal(numbers, 4 * mesh.n_triangles, "numbers of polygons");
    at += length + 1;
    for (size_t t = 0; t < points; t++, at += 16) {
        check_equal(bits_at(at, 4, true), 3, "corners");
        check_equal(bits_at(at + 8, 4, true), mesh.triangle[t][1], "second corner");
    }
    sscanf(at, "\nPOINT_DATA %zu\nNORMALS normals float%n", &points, &length);
    at += length + 1;
    check_close(float_at(at + 12 * (points - 1) + 8, true), mesh.normal[points - 1].z, 1e-7, "n");
    at += 12 * points;
    for (int k = 0; k < 2; k++) {
        char name[16];
        sscanf(at, "\nSCALARS %15s float 1\nLOOKUP_TABLE default%n", name, &length);
        check(strcmp(name, mesh.scalar[k].name) == 0);
        at += length + 1;
        check_close(float_at(at + 4 * 5, true), (double)mesh.scalar[k].value[5], 0, name);
        at += 4 * points;
    }
    check(at + 1 == end);
    free(text);
    triangle_mesh_free(&mesh);
}

/* The vectors of a list of a mesh2; the place behind them. */
static const char *read_list(const char *text, const char *name, size_t n, struct vec3 *vector)
{
    size_t count = 0;
    int length = 0;
    const char *at = strstr(text, name);
    if (!check(at != NULL) || sscanf(at + strlen(name), " { %zu%n", &count, &length) != 1)
        return text;
    check_equal(count, n, name);
    at += strlen(name) + (size_t)length;
    for (size_t v = 0; v < n; v++, at += length) {
        struct vec3 *x = &vector[v];
        check_equal(sscanf(at, ",\n<%lf,%lf,%lf>%n", &x->x, &x->y, &x->z, &length), 3, "vector");
    }
    return at;
}

TEST(pov_has_vertices_normals_and_triangles)
{
    struct triangle_mesh mesh;
    size_t size;
    make_torus(&mesh);
    char *text = text_of(MESH_POV, &mesh, &size);
    struct vec3 vertex[63], normal[63], face[126];
    read_list(text, "vertex_vectors", mesh.n_vertices, vertex);
    read_list(text, "normal_vectors", mesh.n_vertices, normal);
    const char *end = read_list(text, "face_indices", mesh.n_triangles, face);
    for (size_t v = 0; v < 63; v++) {
        check_close(vec3_norm(vec3_sub(vertex[v], mesh.vertex[v])), 0, 1e-9, "vertex");
        check_close(vec3_norm(vec3_sub(normal[v], mesh.normal[v])), 0, 2e-4, "normal");
    }
    for (size_t t = 0; t < 126; t++)
        check(face[t].x == mesh.triangle[t][0] && face[t].y == mesh.triangle[t][1] &&
              face[t].z == mesh.triangle[t][2]);
    check(strcmp(end, "\n}\ninside_vector <0, 0, 1>\n}\n") == 0);
    free(text);
    triangle_mesh_free(&mesh);
}

/* ---- all formats ---- */

TEST(a_mesh_without_normals_and_an_empty_one_are_written)
{
    struct triangle_mesh box = {0}, empty = {0};
    size_t size, size_of_empty;
    add_box(&box, vec3(0, 0, 0), vec3(1, 1, 1));
    for (int format = 0; format < MESH_FORMAT_COUNT; format++) {
        char *text = text_of((enum mesh_format)format, &box, &size);
        char *nothing = text_of((enum mesh_format)format, &empty, &size_of_empty);
        check(!strstr(text, "normal") && !strstr(text, "vn "));
        check(size > size_of_empty);
        free(text);
        free(nothing);
    }
    triangle_mesh_free(&box);
}

TEST(a_file_that_cannot_be_written_is_an_error)
{
    struct triangle_mesh mesh;
    make_torus(&mesh);
    for (int format = 0; format < MESH_FORMAT_COUNT; format++) {
        struct error error = {0};
        check_equal(mesh_write("/nowhere/mesh", &mesh, (enum mesh_format)format, &error),
                    STATUS_FAILED, "status");
        check_contains(error.message, "/nowhere/mesh: cannot be written");
    }
    triangle_mesh_free(&mesh);
}

TEST(words_of_formats_are_in_the_order_of_their_values)
{
    check_equal(word_position(MESH_FORMAT_WORDS, "ply"), MESH_PLY, "ply");
    check_equal(word_position(MESH_FORMAT_WORDS, "stl"), MESH_STL, "stl");
    check_equal(word_position(MESH_FORMAT_WORDS, "pov"), MESH_POV, "pov");
    check_equal(word_position(MESH_FORMAT_WORDS, "off"), -1, "off");
}
