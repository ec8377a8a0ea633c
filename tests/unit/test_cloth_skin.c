/* Surfaces of cloths, whole and torn, as a layer and with a thickness. */
#include "skins.h"
#include "surface/cloth_skin.h"

enum { NX = 8, NY = 6 };

struct cloth {
    struct body body;
    struct scene scene;
    struct sample sample;
    struct rest_bonds bonds;
    struct cloth_skin skin;
};

static bool is_among(uint32_t i, size_t n, const uint32_t *list)
{
    for (size_t k = 0; k < n; k++)
        if (list[k] == i)
            return true;
    return false;
}

/* Of squares of 0.1 m; without the bonds of these particles, if n > 0. */
static void cloth_begin(struct cloth *c, size_t n, const uint32_t *torn)
{
    *c = (struct cloth){.body = sheet_body(NX, NY, 0.05)};
    c->scene = (struct scene){
        .seed = 7, .n_materials = 1, .material = &steel, .n_bodies = 1, .body = &c->body};
    c->sample = make(&c->body, 1);
    for (int round = 0; round < 2; round++) {
        uint64_t broken[1000];
        size_t breaks = 0;
        const struct bonded *own = c->bonds.list;
        for (uint32_t i = 0; own && i < own->end; i++)
            for (size_t e = own->start[i]; e < own->start[i + 1]; e++)
                if (is_among(i, n, torn) || is_among(own->neighbor[e], n, torn))
                    broken[breaks++] = e;
        rest_bonds_free(&c->bonds);
        MUST(rest_bonds_create(&c->bonds, &c->scene, &c->sample.particles, c->sample.rest_position,
                               c->sample.n_sheets, c->sample.sheet, breaks, broken, &error));
    }
}

static void make_cloth(struct cloth *c, double thickness)
{
    MUST(cloth_skin_create(&c->skin, &c->sample.sheet[0], c->bonds.list,
                           c->sample.particles.position, thickness, &error));
}

static void cloth_end(struct cloth *c)
{
    cloth_skin_free(&c->skin);
    rest_bonds_free(&c->bonds);
    sample_free(&c->sample);
}

static struct mesh_measures measure_cloth(const struct cloth *c)
{
    struct mesh_measures m;
    MUST(mesh_measure(&c->skin.mesh, &m, &error));
    return m;
}

TEST(a_layer_has_the_triangles_of_the_sheet)
{
    struct cloth c;
    cloth_begin(&c, 0, NULL);
    make_cloth(&c, 0.0);
    struct mesh_measures m = measure_cloth(&c);
    check_equal(c.skin.mesh.n_triangles, 2 * (NX - 1) * (NY - 1), "triangles");
    check_equal(c.skin.mesh.n_vertices, NX * NY, "vertices");
    check_equal(m.n_open, 2 * (NX - 1) + 2 * (NY - 1), "edges of the rim");
    check_close(m.area, 0.01 * (NX - 1) * (NY - 1), 1e-14, "area");
    for (size_t v = 0; v < c.skin.mesh.n_vertices; v++) {
        struct vec3 x = c.sample.particles.position[c.skin.owner[v]];
        check(vec3_norm(vec3_sub(c.skin.mesh.vertex[v], x)) == 0.0);
        check_close(c.skin.mesh.normal[v].z, 1.0, 1e-15, "normal");
    }
    mesh_measures_free(&m);
    cloth_end(&c);
}

TEST(a_thick_cloth_is_closed)
{
    struct cloth c;
    cloth_begin(&c, 0, NULL);
    make_cloth(&c, 0.02);
    struct mesh_measures m = measure_cloth(&c);
    double width = 0.1 * (NX - 1), depth = 0.1 * (NY - 1);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 0, "genus");
    check_close(m.volume, 0.02 * width * depth, 1e-15, "volume");
    check_close(m.area, 2 * (width * depth + 0.02 * (width + depth)), 1e-14, "area");
    mesh_measures_free(&m);
    cloth_end(&c);
}

TEST(a_particle_that_lost_its_bonds_leaves_a_hole)
{
    struct cloth c;
    static const uint32_t torn[] = {2 * NX + 3};
    cloth_begin(&c, 1, torn);
    make_cloth(&c, 0.02);
    struct mesh_measures m = measure_cloth(&c);
    check(m.closed && m.oriented);
    check_equal(m.n_components, 1, "parts");
    check_equal(mesh_component_genus(&m.component[0]), 1, "genus");
    for (size_t v = 0; v < c.skin.mesh.n_vertices; v++)
        check(c.skin.owner[v] != torn[0]);
    mesh_measures_free(&m);
    cloth_end(&c);
}

/* Where two holes meet in one particle, its triangles are two fans. */
TEST(fans_that_meet_in_one_particle_are_apart)
{
    struct cloth c;
    static const uint32_t torn[] = {2 * NX + 3, 2 * NX + 5};
    cloth_begin(&c, 2, torn);
    make_cloth(&c, 0.02);
    struct mesh_measures m = measure_cloth(&c);
    size_t vertices = 0;
    for (size_t v = 0; v < c.skin.mesh.n_vertices; v++)
        vertices += c.skin.owner[v] == 2 * NX + 4;
    check_equal(vertices, 4, "two fans, two sides");
    check(m.closed && m.oriented);
    mesh_measures_free(&m);
    cloth_end(&c);
}
