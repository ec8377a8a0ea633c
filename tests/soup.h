/* Surfaces that the mesh tests make, and mesh files of every format. A test of meshes includes this
 * once; unused functions are no fault. */
#ifndef TESTS_SOUP_H
#define TESTS_SOUP_H

#include "base/vec3.h"
#include "shape/mesh.h"
#include "tap.h"

#include <stdint.h>

#define SOUP_UNUSED __attribute__((unused))

/* A surface as loose triangles: no vertex is shared until the reader merges them. */
enum { MOST = 8000 };
struct soup {
    size_t n;
    struct vec3 corner[MOST][3];
};

SOUP_UNUSED static void add(struct soup *soup, struct vec3 a, struct vec3 b, struct vec3 c)
{
    struct vec3 *corner = soup->corner[soup->n++];
    corner[0] = a, corner[1] = b, corner[2] = c;
}

/* An axis-parallel box, outward; coordinates that single precision holds keep exact in all
 * formats. */
SOUP_UNUSED static void add_box(struct soup *soup, struct vec3 low, struct vec3 high)
{
    struct vec3 v[8];
    for (int i = 0; i < 8; i++)
        v[i] = vec3(i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z);
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int q = 0; q < 6; q++) {
        add(soup, v[quad[q][0]], v[quad[q][1]], v[quad[q][2]]);
        add(soup, v[quad[q][0]], v[quad[q][2]], v[quad[q][3]]);
    }
}

SOUP_UNUSED static void add_tetrahedron(struct soup *soup)
{
    struct vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    add(soup, o, y, x);
    add(soup, o, x, z);
    add(soup, o, z, y);
    add(soup, x, y, z);
}

SOUP_UNUSED static struct vec3 on_sphere(struct vec3 a, struct vec3 b)
{
    struct vec3 m = vec3_add(a, b); /* the same to the bit from both triangles of an edge */
    return vec3_scale(1 / vec3_norm(m), m);
}

SOUP_UNUSED static void add_patch(struct soup *soup, struct vec3 a, struct vec3 b, struct vec3 c,
                                  int levels, double radius)
{
    if (levels == 0) {
        add(soup, vec3_scale(radius, a), vec3_scale(radius, b), vec3_scale(radius, c));
        return;
    }
    struct vec3 ab = on_sphere(a, b), bc = on_sphere(b, c), ca = on_sphere(c, a);
    add_patch(soup, a, ab, ca, levels - 1, radius);
    add_patch(soup, ab, b, bc, levels - 1, radius);
    add_patch(soup, ca, bc, c, levels - 1, radius);
    add_patch(soup, ab, bc, ca, levels - 1, radius);
}

/* An octahedron, halved `levels` times and blown up to the radius. */
SOUP_UNUSED static void add_sphere(struct soup *soup, int levels, double radius)
{
    for (int octant = 0; octant < 8; octant++) {
        struct vec3 x = {octant & 1 ? -1 : 1, 0, 0}, y = {0, octant & 2 ? -1 : 1, 0};
        struct vec3 z = {0, 0, octant & 4 ? -1 : 1};
        bool mirrored = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2 & 1);
        add_patch(soup, x, mirrored ? z : y, mirrored ? y : z, levels, radius);
    }
}

SOUP_UNUSED static void turn_inside_out(struct soup *soup, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        struct vec3 second = soup->corner[t][1];
        soup->corner[t][1] = soup->corner[t][2];
        soup->corner[t][2] = second;
    }
}

SOUP_UNUSED static struct soup *soup_new(void)
{
    struct soup *soup = calloc(1, sizeof *soup);
    if (!soup)
        abort();
    return soup;
}

SOUP_UNUSED static const char *path_of(const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/test-mesh-%d%s", (int)getpid(), ending);
    return path;
}

SOUP_UNUSED static FILE *open_file(const char *ending)
{
    FILE *f = fopen(path_of(ending), "wb");
    if (!f)
        abort();
    return f;
}

SOUP_UNUSED static void write_obj(const struct soup *soup)
{
    FILE *f = open_file(".obj");
    for (size_t t = 0; t < soup->n; t++) {
        for (int c = 0; c < 3; c++)
            fprintf(f, "v %.17g %.17g %.17g\n", soup->corner[t][c].x, soup->corner[t][c].y,
                    soup->corner[t][c].z);
        fprintf(f, "f -3 -2 -1\n");
    }
    fclose(f);
}

SOUP_UNUSED static void write_text(const char *ending, const char *text)
{
    FILE *f = open_file(ending);
    fputs(text, f);
    fclose(f);
}

SOUP_UNUSED static void put(FILE *f, const void *value, size_t size, bool backward)
{
    const unsigned char *byte = value;
    for (size_t i = 0; i < size; i++)
        fputc(byte[backward ? size - 1 - i : i], f);
}

SOUP_UNUSED static void write_ply(const struct soup *soup, const char *format)
{
    FILE *f = open_file(".ply");
    fprintf(f,
            "ply\nformat %s 1.0\ncomment made by a test\nelement material 1\nproperty list uchar "
            "short shades\nproperty double gloss\nelement vertex %zu\nproperty double x\nproperty "
            "double y\nproperty uchar red\nproperty double z\nelement face %zu\nproperty list "
            "uchar int vertex_indices\nend_header\n",
            format, 3 * soup->n, soup->n);
    bool text = strcmp(format, "ascii") == 0, back = strcmp(format, "binary_big_endian") == 0;
    unsigned char two = 2, three = 3, red = 200;
    short shade[2] = {-1, 7};
    double gloss = 0.5;
    if (text)
        fprintf(f, "2 -1 7 0.5\n");
    else {
        put(f, &two, 1, back);
        put(f, &shade[0], 2, back);
        put(f, &shade[1], 2, back);
        put(f, &gloss, 8, back);
    }
    for (size_t v = 0; v < 3 * soup->n; v++) {
        const struct vec3 *p = &soup->corner[v / 3][v % 3];
        if (text)
            fprintf(f, "%.17g %.17g 200 %.17g\n", p->x, p->y, p->z);
        else {
            put(f, &p->x, 8, back);
            put(f, &p->y, 8, back);
            put(f, &red, 1, back);
            put(f, &p->z, 8, back);
        }
    }
    for (int t = 0; t < (int)soup->n; t++) {
        if (text)
            fprintf(f, "3 %d %d %d\n", 3 * t, 3 * t + 1, 3 * t + 2);
        else
            put(f, &three, 1, back);
        for (int c = 3 * t; c < 3 * t + 3 && !text; c++)
            put(f, &c, 4, back);
    }
    fclose(f);
}

SOUP_UNUSED static void write_stl(const struct soup *soup, bool binary)
{
    FILE *f = open_file(".stl");
    if (binary) {
        char header[80] = "solid but binary";
        uint32_t n = (uint32_t)soup->n;
        fwrite(header, 1, 80, f);
        put(f, &n, 4, false);
    } else {
        fprintf(f, "solid two words\n");
    }
    for (size_t t = 0; t < soup->n; t++) {
        if (!binary)
            fprintf(f, " facet normal 0 0 0\n  outer loop\n");
        for (int i = 0; i < 3 && binary; i++)
            put(f, &(float){0}, 4, false);
        for (int c = 0; c < 3; c++) {
            const struct vec3 *p = &soup->corner[t][c];
            float x[3] = {(float)p->x, (float)p->y, (float)p->z};
            if (binary)
                for (int i = 0; i < 3; i++)
                    put(f, &x[i], 4, false);
            else
                fprintf(f, "   vertex %.17g %.17g %.17g\n", p->x, p->y, p->z);
        }
        if (binary)
            put(f, &(short){0}, 2, false);
        else
            fprintf(f, "  endloop\n endfacet\n");
    }
    if (!binary)
        fprintf(f, "endsolid two words\n");
    fclose(f);
}

SOUP_UNUSED static struct mesh *load(const char *ending)
{
    struct mesh *mesh = NULL;
    struct error error = {0};
    if (mesh_create(&mesh, path_of(ending), 1, &error)) {
        printf("# %s\n", error.message);
        check(false);
        unlink(path_of(ending));
        exit(1);
    }
    unlink(path_of(ending));
    return mesh;
}

SOUP_UNUSED static struct mesh *load_soup(const struct soup *soup)
{
    write_obj(soup);
    return load(".obj");
}

/* A mesh is refused: once straight, once as a shape with its place in the configuration. */
SOUP_UNUSED static void check_refused(const char *ending, const char *place, const char *part)
{
    struct mesh *mesh = NULL;
    struct error error = {0};
    char expected[160];
    check_equal(mesh_create(&mesh, path_of(ending), 1, &error), STATUS_INVALID, "status");
    check(mesh == NULL);
    snprintf(expected, sizeof expected, "%s:%s", path_of(ending), place);
    if (strncmp(error.message, expected, strlen(expected)) != 0)
        check_contains(error.message, expected);
    check_contains(error.message, part);
    check(strchr(error.message, '\n') == NULL);
    struct shape shape = {.kind = SHAPE_MESH, .file = path_of(ending), .scale = 1};
    shape.origin = (struct origin){"scene.yaml", 12, 7};
    struct solid *solid = NULL;
    check_equal(solid_create(&solid, &shape, &error), STATUS_INVALID, "status");
    snprintf(expected, sizeof expected, "scene.yaml:12:7: %s:%s", path_of(ending), place);
    check_contains(error.message, expected);
    unlink(path_of(ending));
}

#endif
