#include "base/memory.h"
#include "particles/random.h"
#include "scene/mesh.h"
#include "scene/mesh_file.h"
#include "scene/sample.h"
#include "tap.h"

#include <stdarg.h>

static const double pi = 3.14159265358979323846;

/* A surface as loose triangles: no vertex is shared until the reader merges them. */
enum { MOST = 8000 };
struct soup {
    size_t n;
    struct vec3 corner[MOST][3];
};

static double uniform(uint64_t i, double low, double high)
{
    return low + (high - low) * random_uniform(3, 0, i, RANDOM_TEST);
}

static struct vec3 random_point(uint64_t i, double reach)
{
    return vec3(uniform(3 * i, -reach, reach), uniform(3 * i + 1, -reach, reach),
                uniform(3 * i + 2, -reach, reach));
}

static void add(struct soup *soup, struct vec3 a, struct vec3 b, struct vec3 c)
{
    struct vec3 *corner = soup->corner[soup->n++];
    corner[0] = a, corner[1] = b, corner[2] = c;
}

/* An axis-parallel box, outward; coordinates that single precision holds keep exact in all
 * formats. */
static void add_box(struct soup *soup, struct vec3 low, struct vec3 high)
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

static void add_tetrahedron(struct soup *soup)
{
    struct vec3 o = {0, 0, 0}, x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    add(soup, o, y, x);
    add(soup, o, x, z);
    add(soup, o, z, y);
    add(soup, x, y, z);
}

static struct vec3 on_sphere(struct vec3 a, struct vec3 b)
{
    struct vec3 m = vec3_add(a, b); /* the same to the bit from both triangles of an edge */
    return vec3_scale(1 / vec3_norm(m), m);
}

static void add_patch(struct soup *soup, struct vec3 a, struct vec3 b, struct vec3 c, int levels,
                      double radius)
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
static void add_sphere(struct soup *soup, int levels, double radius)
{
    for (int octant = 0; octant < 8; octant++) {
        struct vec3 x = {octant & 1 ? -1 : 1, 0, 0}, y = {0, octant & 2 ? -1 : 1, 0};
        struct vec3 z = {0, 0, octant & 4 ? -1 : 1};
        bool mirrored = (octant & 1) ^ (octant >> 1 & 1) ^ (octant >> 2 & 1);
        add_patch(soup, x, mirrored ? z : y, mirrored ? y : z, levels, radius);
    }
}

static void turn_inside_out(struct soup *soup, size_t first, size_t end)
{
    for (size_t t = first; t < end; t++) {
        struct vec3 second = soup->corner[t][1];
        soup->corner[t][1] = soup->corner[t][2];
        soup->corner[t][2] = second;
    }
}

static struct soup *soup_new(void)
{
    struct soup *soup = calloc(1, sizeof *soup);
    if (!soup)
        abort();
    return soup;
}

static const char *path_of(const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/test-mesh-%d%s", (int)getpid(), ending);
    return path;
}

static FILE *open_file(const char *ending)
{
    FILE *f = fopen(path_of(ending), "wb");
    if (!f)
        abort();
    return f;
}

static void write_obj(const struct soup *soup)
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

static void write_text(const char *ending, const char *text)
{
    FILE *f = open_file(ending);
    fputs(text, f);
    fclose(f);
}

static void put(FILE *f, const void *value, size_t size, bool backward)
{
    const unsigned char *byte = value;
    for (size_t i = 0; i < size; i++)
        fputc(byte[backward ? size - 1 - i : i], f);
}

static void write_ply(const struct soup *soup, const char *format)
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

static void write_stl(const struct soup *soup, bool binary)
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

static struct mesh *load(const char *ending)
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

static struct mesh *load_soup(const struct soup *soup)
{
    write_obj(soup);
    return load(".obj");
}

/* How often the surface winds around the point, from solid angles (Van Oosterom 1983). */
static double winding(const struct soup *soup, struct vec3 p)
{
    double sum = 0;
    for (size_t t = 0; t < soup->n; t++) {
        struct vec3 a = vec3_sub(soup->corner[t][0], p), b = vec3_sub(soup->corner[t][1], p);
        struct vec3 c = vec3_sub(soup->corner[t][2], p);
        double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
        sum += atan2(vec3_dot(a, vec3_cross(b, c)), la * lb * lc + vec3_dot(a, b) * lc +
                                                        vec3_dot(b, c) * la + vec3_dot(c, a) * lb);
    }
    return sum / (2 * pi);
}

static void check_tetrahedron(const char *ending, const char *what)
{
    struct mesh *mesh = load(ending);
    check_close(mesh_volume(mesh), 1.0 / 6, 1e-15, what);
    check_close(mesh_support(mesh, vec3(1, 0, 0)), 1, 0, what);
    check_close(mesh_support(mesh, vec3(-1, 0, 0)), 0, 0, what);
    check_close(mesh_distance(mesh, vec3(0.1, 0.2, 0.3)), -0.1, 1e-15, what);
    check_close(mesh_distance(mesh, vec3(-3, -4, 0)), 5, 1e-14, what);
    check_close(mesh_distance(mesh, vec3(1, 1, 1)), 2 / sqrt(3), 1e-14, what);
    mesh_free(mesh);
}

TEST(every_format_yields_the_same_tetrahedron)
{
    static const char *const format[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    write_obj(soup);
    check_tetrahedron(".obj", "OBJ");
    for (int f = 0; f < 3; f++) {
        write_ply(soup, format[f]);
        check_tetrahedron(".ply", format[f]);
    }
    write_stl(soup, false);
    check_tetrahedron(".stl", "STL as text");
    write_stl(soup, true);
    check_tetrahedron(".stl", "binary STL");
    free(soup);
}

TEST(names_may_end_in_capitals_and_faces_may_come_first)
{
    write_text(".OBJ", "# faces first\r\nf 1//1 3//1 2//1 # and a remark\r\nf 1/2 2/3 4/4\r\n"
                       "f 1/1/1 4/4/4 3/3/3\r\nf 2 3 4\r\nvn 0 0 1\r\nv 0 0 0\r\nv 1 0 0 1.0\r\n"
                       "v 0 1 0\r\nv 0 0 1\r\nusemtl red\r\n");
    check_tetrahedron(".OBJ", "OBJ with all it may hold");
}

TEST(polygons_become_fans)
{
    write_text(".obj", "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 0\nv 0 0 2\nv 2 0 2\nv 0 2 2\nv 2 2 2\n"
                       "v 77 77 77\n" /* unused */
                       "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6");
    struct mesh *mesh = load(".obj");
    check_close(mesh_volume(mesh), 8, 1e-14, "volume");
    check_close(mesh_support(mesh, vec3(0, 1, 0)), 2, 0, "a vertex without a face is no part");
    mesh_free(mesh);
}

TEST(vertices_at_one_place_become_one)
{
    struct soup *soup = soup_new();
    add_sphere(soup, 3, 1);
    write_obj(soup);
    struct triangles t;
    struct error error = {0};
    check_equal(triangles_read(&t, path_of(".obj"), &error), STATUS_OK, "status");
    unlink(path_of(".obj"));
    check_equal(t.n_faces, 8 * 64, "faces");
    check_equal(t.n_vertices, 2 + 4 * 64, "vertices, by Euler's formula");
    triangles_free(&t);
    free(soup);
}

TEST(the_volume_is_that_of_the_polyhedron)
{
    struct soup *soup = soup_new();
    for (int levels = 1; levels <= 4; levels++) {
        soup->n = 0;
        add_sphere(soup, levels, 1);
        struct mesh *mesh = load_soup(soup);
        double ball = 4.0 / 3 * pi;
        check(mesh_volume(mesh) < ball);
        check_close(mesh_volume(mesh) / ball, 1, 1.6 / (1 << 2 * levels), "ball");
        mesh_free(mesh);
    }
    free(soup);
}

TEST(distances_to_a_box_mesh_are_those_of_a_box)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(-0.5, -0.25, -0.75), vec3(0.5, 0.25, 0.75));
    struct mesh *mesh = load_soup(soup);
    struct shape box = {.kind = SHAPE_BOX, .size = {1, 0.5, 1.5}};
    struct solid *solid = NULL;
    check_equal(solid_create(&solid, &box, NULL), STATUS_OK, "status");
    for (uint64_t i = 0; i < 3000; i++) {
        struct vec3 p = random_point(i, 1.5);
        check_close(mesh_distance(mesh, p), solid_distance(solid, p), 1e-14, "distance");
    }
    solid_free(solid);
    mesh_free(mesh);
    free(soup);
}

/* Signs on a lattice, by rows and by points, against winding numbers. */
static void check_signs(const struct soup *soup, struct mesh *mesh, const struct lattice *lattice)
{
    double row[64];
    struct error error = {0};
    check_equal(mesh_set_lattice(mesh, lattice, &error), STATUS_OK, "status");
    for (size_t k = 0; k < lattice->n[2]; k++) {
        for (size_t j = 0; j < lattice->n[1]; j++) {
            mesh_row(mesh, j, k, row);
            for (size_t i = 0; i < lattice->n[0]; i++) {
                struct vec3 p = lattice_point(lattice, i, j, k);
                bool inside = fabs(winding(soup, p)) > 0.5;
                check((row[i] < 0) == inside);
                check((mesh_distance(mesh, p) < 0) == inside);
            }
        }
    }
}

TEST(rows_and_points_agree_with_the_winding_number)
{
    struct soup *soup = soup_new();
    add_sphere(soup, 2, 1);
    struct mesh *mesh = load_soup(soup);
    /* Turned, and the rows off the vertices. */
    check_signs(soup, mesh,
                &(struct lattice){.origin = {-1.61, -0.21, -1.13},
                                  .axis = {{0.12, -0.09, 0}, {0.09, 0.12, 0}, {0, 0, 0.15}},
                                  .n = {17, 15, 16}});
    /* Rows straight through vertices, along edges and through the poles. */
    check_signs(soup, mesh,
                &(struct lattice){.origin = {-1.1, -1, -1},
                                  .axis = {{0.15, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}},
                                  .n = {16, 9, 9}});
    mesh_free(mesh);
    free(soup);
}

TEST(rows_in_the_plane_of_faces_are_consistent)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(1, 1, 1));
    struct mesh *mesh = load_soup(soup);
    struct lattice lattice = {.origin = {-0.5, -0.5, -0.5},
                              .axis = {{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}},
                              .n = {9, 9, 9}};
    struct error error = {0};
    check_equal(mesh_set_lattice(mesh, &lattice, &error), STATUS_OK, "status");
    size_t inside = 0;
    double row[9];
    for (size_t k = 0; k < 9; k++) {
        for (size_t j = 0; j < 9; j++) {
            mesh_row(mesh, j, k, row);
            for (size_t i = 0; i < 9; i++)
                inside += row[i] < 0;
        }
    }
    check_equal(inside, 64, "points: one of each pair of opposite faces, so the volume is exact");
    mesh_free(mesh);
    free(soup);
}

TEST(which_side_is_out_is_decided_and_not_believed)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(4, 4, 4));
    turn_inside_out(soup, 0, 12);
    add_box(soup, vec3(1, 1, 1), vec3(3, 3, 3));       /* a cavity, facing the wrong way too */
    add_box(soup, vec3(1.5, 1.5, 1.5), vec3(2, 2, 2)); /* a body in it */
    add_box(soup, vec3(5, 0, 0), vec3(6, 1, 1));       /* another beside it */
    turn_inside_out(soup, 36, 48);
    struct mesh *mesh = load_soup(soup);
    check_close(mesh_volume(mesh), 64 - 8 + 0.125 + 1, 1e-12, "volume");
    check_close(mesh_distance(mesh, vec3(0.5, 2, 2)), -0.5, 1e-14, "in the wall");
    check_close(mesh_distance(mesh, vec3(2.5, 2.5, 2.6)), 0.4, 1e-14, "in the cavity");
    check_close(mesh_distance(mesh, vec3(1.75, 1.75, 1.75)), -0.25, 1e-14, "in the inner body");
    check_close(mesh_distance(mesh, vec3(4.5, 0.5, 0.5)), 0.5, 1e-14, "between the bodies");
    mesh_free(mesh);
    free(soup);
}

/* A mesh is refused: once straight, once as a shape with its place in the configuration. */
static void check_refused(const char *ending, const char *place, const char *part)
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

static void check_text_refused(const char *ending, const char *text, const char *place,
                               const char *part)
{
    write_text(ending, text);
    check_refused(ending, place, part);
}

TEST(files_that_are_no_meshes_are_refused)
{
    check_refused(".obj", " ", "cannot be opened: No such file or directory");
    check_text_refused(".obj", "", " ", "is empty");
    check_text_refused(".xyz", "1 2 3\n", " ", ".obj, .ply or .stl would be right");
    check_text_refused(".obj", "v 0 0 0\n<html>\n", "2: ", "'<html>' is no statement of an OBJ");
    check_text_refused(".obj", "# nothing\n", " ", "has no faces");
    check_text_refused(".stl", "a picture", "byte 80: ", "is no STL");
    check_text_refused(".stl", "solid\nendsolid\n", " ", "has no faces");
    check_text_refused(".ply", "plain text\n", "1: ", "does not begin with 'ply'");
    struct mesh *mesh = NULL;
    struct error error = {0};
    check_equal(mesh_create(&mesh, "/tmp", 1, &error), STATUS_INVALID, "status of a folder");
    check_contains(error.message, "/tmp: is not a file");
}

TEST(faults_of_obj_files_are_named_with_their_line)
{
    check_text_refused(".obj", "v 0 0 0\nv 1 0\n", "2: ", "a number is missing");
    check_text_refused(".obj", "v 0 0 1e-3abc\n", "1: ", "'1e-3abc' is not a number");
    check_text_refused(".obj", "v 0 nan 0\n", "1: ", "'nan' is not finite");
    check_text_refused(".obj", "v 0 1e999 0\n", "1: ", "'1e999' is not finite");
    check_text_refused(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n",
                       "5: ", "names vertex 4, but the file has the vertices 1 to 3");
    check_text_refused(".obj", "v 0 0 0\nf 0 1 1\nv 0 1 1\n", "2: ", "names vertex 0");
    check_text_refused(".obj", "v 0 0 0\nf -2 1 1\nv 0 1 1\n", "2: ", "names vertex -2");
    check_text_refused(".obj", "v 0 0 0\nf 1 x 1\n", "2: ", "'x' is not an integer");
    check_text_refused(".obj", "v 0 0 0\nf 1 99999999999999999999 1\n", "2: ", "not an integer");
    check_text_refused(".obj", "v 0 0 0\nf 1 1\n", "2: ", "at least 3 corners and has 2");
    check_text_refused(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 1 2 3\nf 1 2 4\n", " ",
                       "triangle 2 has two corners in one place, at (0, 0, 0)");
}

TEST(faults_of_ply_files_are_named_with_their_line)
{
#define VERTICES "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES "element face 1\nproperty list uchar int vertex_indices\n"
#define HEAD "ply\nformat ascii 1.0\n"
    check_text_refused(".ply", "ply\nformat utf8 1.0\n", "2: ", "unknown format 'utf8'");
    check_text_refused(".ply", HEAD "element vertex many\n", "3: ", "'many' is not an integer");
    check_text_refused(".ply", HEAD "element vertex -1\n", "3: ", "impossible count '-1'");
    check_text_refused(".ply", HEAD VERTICES "property quad w\n", "7: ", "unknown type 'quad'");
    check_text_refused(".ply", HEAD "property float x\n", "3: ", "property without element");
    check_text_refused(".ply", HEAD VERTICES VERTICES, "7: ", "second element 'vertex'");
    check_text_refused(".ply", HEAD "what\n", "3: ", "unknown word 'what'");
    check_text_refused(".ply", HEAD VERTICES, "7: ", "the header has no end");
    check_text_refused(".ply", HEAD VERTICES "end_header\n", " ", "declares no corners of faces");
    check_text_refused(".ply", HEAD FACES "end_header\n", " ", "no coordinates of vertices");
    check_text_refused(".ply", HEAD VERTICES FACES "end_header\n0 0 0\n1 0 0\n0 1 0\n",
                       "13: ", "ends before its last element");
    check_text_refused(".ply", HEAD VERTICES FACES "end_header\n0 0 0\n1 0 0\n0 inf 0\n",
                       "12: ", "'inf' is not finite");
    check_text_refused(".ply", HEAD VERTICES FACES "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
                       "13: ", "names vertex 3, but the file has the vertices 0 to 2");
    check_text_refused(".ply", HEAD VERTICES FACES "end_header\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
                       "13: ", "at least 3 corners");
    check_text_refused(".ply", HEAD VERTICES FACES "end_header\n0 0 0\n1 0 0\n0 1 0\n-1\n",
                       "13: ", "length of a list");
    FILE *f = open_file(".ply");
    fprintf(f, "ply\nformat binary_little_endian 1.0\n" VERTICES FACES "end_header\n");
    long data = ftell(f);
    for (int i = 0; i < 9; i++)
        put(f, &(float){i == 4 ? NAN : 0}, 4, false);
    fclose(f);
    char place[32];
    snprintf(place, sizeof place, "byte %ld: ", data + 16);
    check_refused(".ply", place, "not finite");
}

TEST(faults_of_stl_files_are_named_with_their_place)
{
    check_text_refused(".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
                       "4: ", "a number is missing");
    check_text_refused(".stl", "solid a\nfacet normal 0 0 1\nouter lop\n",
                       "3: ", "'lop' where 'loop' should stand");
    check_text_refused(".stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n",
                       "5: ", "ends where 'vertex' should stand");
    check_text_refused(".stl", "solid a\nfaces\n", "2: ", "'faces' where 'facet'");
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    soup->corner[1][2].y = NAN;
    write_stl(soup, true);
    check_refused(".stl", "byte 170: ", "not finite"); /* 84 + 50 + 12 + 2 x 12 */
    soup->corner[1][2].y = 0;
    write_stl(soup, true);
    check(truncate(path_of(".stl"), 250) == 0);
    check_refused(".stl",
                  "byte 80: ", "250 bytes are not the 84 + 50 per triangle of the binary form (4 ");
    free(soup);
}

TEST(surfaces_that_bound_no_solid_are_refused)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(2, 2, 2));
    soup->n--; /* one triangle less */
    write_obj(soup);
    check_refused(".obj", " ", "open: only one triangle ends at 3 edges, one from (");
    soup->n++;
    turn_inside_out(soup, 3, 4);
    write_obj(soup);
    check_refused(".obj", " ", "not oriented: the triangles on both sides run the same way at 3");
    turn_inside_out(soup, 3, 4);
    add_box(soup, vec3(2, 2, 0), vec3(4, 4, 2)); /* touches along an edge */
    write_obj(soup);
    check_refused(".obj", " ",
                  "not manifold: more than two triangles meet at 1 edge, one from "
                  "(2, 2, 0) to (2, 2, 2)");
    soup->n = 0;
    add(soup, vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)); /* a leaf of two sides */
    add(soup, vec3(0, 0, 0), vec3(0, 1, 0), vec3(1, 0, 0));
    write_obj(soup);
    check_refused(".obj", " ", "encloses no volume");
    free(soup);
}

TEST(surfaces_that_cut_themselves_are_refused)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(2, 2, 2));
    add_box(soup, vec3(1, 1, 1), vec3(3, 3, 3.5));
    write_obj(soup);
    check_refused(".obj", " ", "the surface cuts itself: triangle ");
    soup->n = 0;
    add_sphere(soup, 2, 1);
    struct vec3 pole = {0, 0, 1}; /* pushed through the other side */
    for (size_t t = 0; t < soup->n; t++)
        for (int c = 0; c < 3; c++)
            if (vec3_norm(vec3_sub(soup->corner[t][c], pole)) < 1e-9)
                soup->corner[t][c] = vec3(0.03, 0.02, -1.5);
    write_obj(soup);
    check_refused(".obj", " ", "separate or unite the parts");
    free(soup);
}

TEST(scales_out_of_range_are_refused)
{
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    write_obj(soup);
    struct mesh *mesh = NULL;
    struct error error = {0};
    check_equal(mesh_create(&mesh, path_of(".obj"), 1e200, &error), STATUS_INVALID, "status");
    check_contains(error.message, "meters per unit of the file");
    check_equal(mesh_create(&mesh, path_of(".obj"), 0.001, &error), STATUS_OK, "status");
    check_close(mesh_volume(mesh), 1e-9 / 6, 1e-24, "volume in cubic meters");
    check_close(mesh_support(mesh, vec3(0, 0, 1)), 1e-3, 1e-18, "support");
    mesh_free(mesh);
    unlink(path_of(".obj"));
    free(soup);
}

/* Bytes changed, cut off or doubled: every outcome but a crash is right. A test is a process of its
 * own, so an abort inside a library is seen. */
static void damage(const char *ending, int rounds, uint64_t seed)
{
    static char bytes[1 << 16];
    FILE *f = fopen(path_of(ending), "rb");
    size_t n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    check(n > 0 && n < sizeof bytes);
    if (f)
        fclose(f);
    int refused = 0;
    for (int round = 0; round < rounds; round++) {
        static char copy[1 << 16];
        memcpy(copy, bytes, n);
        uint64_t key = seed + (uint64_t)round;
        size_t length = n;
        uint64_t changes = random_integer(key, 0, 0, RANDOM_TEST, 0, 4);
        for (uint64_t c = 0; c < changes; c++) {
            size_t at = random_integer(key, 1, c, RANDOM_TEST, 0, n - 1);
            static const char digit[] = "0123456789-. \n";
            copy[at] = c % 2 ? (char)random_bits(key, 2, c, RANDOM_TEST)
                             : digit[random_integer(key, 2, c, RANDOM_TEST, 0, 13)];
        }
        if (changes == 0)
            length = random_integer(key, 3, 0, RANDOM_TEST, 0, n);
        f = open_file(ending);
        fwrite(copy, 1, length, f);
        fclose(f);
        struct mesh *mesh = NULL;
        struct error error = {0};
        if (mesh_create(&mesh, path_of(ending), 1, &error)) {
            refused++;
            check(mesh == NULL && strlen(error.message) > 10);
        }
        mesh_free(mesh);
    }
    check(refused > rounds / 4);
    unlink(path_of(ending));
}

TEST(no_damaged_file_ends_the_process)
{
    struct soup *soup = soup_new();
    add_sphere(soup, 1, 1);
    write_obj(soup);
    damage(".obj", 200, 1000);
    write_ply(soup, "ascii");
    damage(".ply", 200, 2000);
    write_ply(soup, "binary_big_endian");
    damage(".ply", 200, 3000);
    write_stl(soup, false);
    damage(".stl", 200, 4000);
    write_stl(soup, true);
    damage(".stl", 200, 5000);
    free(soup);
}

TEST(meshes_are_sampled_like_the_shapes_they_are)
{
    struct soup *soup = soup_new();
    add_box(soup, vec3(0, 0, 0), vec3(0.5, 0.25, 0.375));
    write_obj(soup);
    struct material loose = {.name = "sand", .model = MATERIAL_LOOSE};
    struct body body = {.name = "brick",
                        .shape = {.kind = SHAPE_MESH, .file = path_of(".obj"), .scale = 2},
                        .radius = 0.03125,
                        .particle_mass = 1,
                        .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        .lattice_rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    body.shape.center = vec3(7, 0, 0);
    struct scene scene = {.name = "s", .n_materials = 1, .material = &loose, .n_bodies = 1};
    scene.body = &body;
    struct sample sample;
    struct error error = {0};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, "status");
    check_equal(sample.particles.n, 16 * 8 * 12, "particles");
    check_close(sample.report[0].volume, 0.375, 1e-15, "volume");
    check_close(sample.report[0].thinnest, 0.5, 1e-6, "thinnest");
    sample_free(&sample);

    struct shape part[2] = {body.shape, {.kind = SHAPE_BOX, .size = {1, 0.5, 0.75}}};
    part[1].center = vec3(8, 0.25, 0.375); /* its right half */
    body.shape = (struct shape){.kind = SHAPE_DIFFERENCE, .n_children = 2, .child = part};
    check_equal(sample_scene(&scene, &sample, &error), STATUS_OK, "status");
    check_equal(sample.particles.n, 8 * 8 * 12, "particles of the difference");
    check_close(sample.report[0].volume, 0.1875, 1e-4, "volume of the difference");
    for (size_t i = 0; i < sample.particles.n; i++)
        check(sample.particles.position[i].x > 7 && sample.particles.position[i].x < 7.5);
    sample_free(&sample);
    unlink(path_of(".obj"));
    free(soup);
}

TEST(every_failed_allocation_is_reported)
{
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    write_ply(soup, "ascii");
    struct lattice lattice = {.axis = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, .n = {9, 9, 9}};
    for (long n = 0; n < 100; n++) {
        struct mesh *mesh = NULL;
        struct error error = {0};
        memory_fail_after(n);
        enum status status = mesh_create(&mesh, path_of(".ply"), 1, &error);
        if (!status)
            status = mesh_set_lattice(mesh, &lattice, &error);
        memory_fail_after(-1);
        mesh_free(mesh);
        if (!status) {
            check(n > 10);
            unlink(path_of(".ply"));
            free(soup);
            return;
        }
        check_equal(status, STATUS_FAILED, "status");
        check_contains(error.message, "out of memory");
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(every_format_yields_the_same_tetrahedron),
         TAP_ENTRY(names_may_end_in_capitals_and_faces_may_come_first),
         TAP_ENTRY(polygons_become_fans), TAP_ENTRY(vertices_at_one_place_become_one),
         TAP_ENTRY(the_volume_is_that_of_the_polyhedron),
         TAP_ENTRY(distances_to_a_box_mesh_are_those_of_a_box),
         TAP_ENTRY(rows_and_points_agree_with_the_winding_number),
         TAP_ENTRY(rows_in_the_plane_of_faces_are_consistent),
         TAP_ENTRY(which_side_is_out_is_decided_and_not_believed),
         TAP_ENTRY(files_that_are_no_meshes_are_refused),
         TAP_ENTRY(faults_of_obj_files_are_named_with_their_line),
         TAP_ENTRY(faults_of_ply_files_are_named_with_their_line),
         TAP_ENTRY(faults_of_stl_files_are_named_with_their_place),
         TAP_ENTRY(surfaces_that_bound_no_solid_are_refused),
         TAP_ENTRY(surfaces_that_cut_themselves_are_refused),
         TAP_ENTRY(scales_out_of_range_are_refused), TAP_ENTRY(no_damaged_file_ends_the_process),
         TAP_ENTRY(meshes_are_sampled_like_the_shapes_they_are),
         TAP_ENTRY(every_failed_allocation_is_reported))
