/* Reading mesh files: formats, faults, damage. */
#include "failing_memory.h"
#include "particles/random.h"
#include "shape/mesh_file.h"
#include "soup.h"

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
    check_contains(error.message, "/tmp: cannot be opened: Is a directory");
    check_equal(mesh_create(&mesh, "/dev/zero", 1, &error), STATUS_INVALID, "a device without end");
    check_contains(error.message, "/dev/zero: cannot be opened: it is not a regular file");
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
    check_text_refused(".obj", "v 0 0 \\\n 0\nv 1 0 x\n", "3: ", "'x' is not a number");
    check_text_refused(".obj", "v 0 0 0\nv 1 0 0\nv 0 0 0\nf 1 2 3\n", " ",
                       "no triangle has an area");
}

/* How many vertices and faces the text of an OBJ file has. */
static void check_obj(const char *text, size_t n_vertices, size_t n_faces, size_t n_left_out)
{
    struct triangles all = {0};
    struct error error = {0};
    write_text(".obj", text);
    check_equal(triangles_read(&all, path_of(".obj"), &error), STATUS_OK, error.message);
    unlink(path_of(".obj"));
    check_equal(all.n_vertices, n_vertices, "vertices");
    check_equal(all.n_faces, n_faces, "faces");
    check_equal(all.n_left_out, n_left_out, "left out");
    triangles_free(&all);
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

TEST(lines_of_obj_files_go_on_after_a_backslash)
{
    check_obj(CORNERS "f 1 \\\n2 3\n", 3, 1, 0);
    check_obj(CORNERS "f 1 \\\r\n2 3\r\n", 3, 1, 0);
    check_obj(CORNERS "f 1 2 3\\\n 4\n", 4, 2, 0);
    check_obj(CORNERS "f 1 2 3 \\\n\\\n4\n", 4, 2, 0);
    check_obj("v 0 \\\n0 0\nv 1 0 0\nv 0 1 \\\n0\nusemtl a\\\nb\nf 1 2 3", 3, 1, 0);
    check_obj("# C:\\\n" CORNERS "f 1 2 3 # of C:\\\nf 1 2 4\n", 4, 2, 0);
    check_obj("o a # C:\\\n" CORNERS "f 1 2 3", 3, 1, 0);
}

TEST(triangles_without_area_are_left_out)
{
    check_obj(CORNERS "v 0 0 0\nf 1 2 3\nf 1 5 2\nf 1 3 4\nf 1 1 1\n", 4, 2, 2);
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
    soup->corner[1][2].y = (double)NAN;
    write_stl(soup, true);
    check_refused(".stl", "byte 170: ", "not finite"); /* 84 + 50 + 12 + 2 x 12 */
    soup->corner[1][2].y = 0;
    write_stl(soup, true);
    check(truncate(path_of(".stl"), 250) == 0);
    check_refused(".stl",
                  "byte 80: ", "250 bytes are not the 84 + 50 per triangle of the binary form (4 ");
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

TEST(every_failed_allocation_is_reported)
{
    struct soup *soup = soup_new();
    add_tetrahedron(soup);
    write_ply(soup, "ascii");
    struct lattice lattice = {.axis = {{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}, .n = {9, 9, 9}};
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct mesh *mesh = NULL;
        memory.status = mesh_create(&mesh, path_of(".ply"), 1, &memory.error);
        if (!memory.status)
            memory.status = mesh_set_lattice(mesh, &lattice, &memory.error);
        memory_works(&memory);
        mesh_free(mesh);
    }
    check(memory.n > 10);
    unlink(path_of(".ply"));
    free(soup);
}
