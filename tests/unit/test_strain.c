/* Strain of sheets, and contact of a body with itself. */
#include "measure/overlap.h"
#include "measure/strain.h"
#include "scenes.h"

static const double R = 0.01; /* m */

enum { WIDE = 7, LONG = 6, ALL = WIDE * LONG };

/* A sheet of springs, WIDE x LONG, and a block of the same material that is no sheet. */
struct cloth {
    struct hand_scene h;
    struct simulation s;
    struct sheet sheet;
    struct strain strain;
};

static void cloth_begin(struct cloth *c, size_t (*material)(struct hand_scene *h))
{
    struct error error = {0};
    hand_scene_begin(&c->h);
    size_t m = material(&c->h);
    add_body(&c->h, m, R, 1e-3);
    add_block(&c->h, WIDE, LONG, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(&c->h, m, R, 1e-3);
    add_block(&c->h, 2, 2, 2, vec3(0.0, 0.0, 1.0), vec3(0.0, 0.0, 0.0));
    start(&c->h, &c->s);
    c->sheet = (struct sheet){.body = 0};
    check(strain_create(&c->strain, &c->s.particles, c->h.rest, c->s.bonded, 1, &c->sheet,
                        &(bool){false}, &error) == STATUS_OK);
}

static void cloth_end(struct cloth *c)
{
    strain_free(&c->strain);
    simulation_free(&c->s);
    hand_scene_end(&c->h);
}

static size_t springs(struct hand_scene *h)
{
    return add_springs(h, 50.0, 30.0, 20.0, 0.0);
}

static size_t only_shear(struct hand_scene *h)
{
    return add_springs(h, 0.0, 30.0, 20.0, 0.0);
}

static size_t brittle(struct hand_scene *h)
{
    return add_peridynamics(h, 50.0, 3.0, 0.0, 0.3);
}

/* Columns: where the unit vectors go. */
static void deform(struct cloth *c, struct vec3 ex, struct vec3 ey)
{
    for (size_t i = 0; i < ALL; i++) {
        struct vec3 x = c->h.rest[i];
        c->s.particles.position[i] = vec3_axpy(vec3_scale(x.x, ex), x.y, ey);
    }
}

/* Of a mesh every edge counts, however long: here diagonals of squares, too. */
TEST(strain_of_a_mesh_is_that_of_the_springs_along_edges)
{
    struct cloth c;
    struct strain strain;
    struct sheet mesh = {.body = 0};
    struct error error = {0};
    cloth_begin(&c, springs);
    check(sheet_triangles(&mesh, (const uint32_t[2]){WIDE, LONG}, 0, &error) == STATUS_OK);
    check(strain_create(&strain, &c.s.particles, c.h.rest, c.s.bonded, 1, &mesh, &(bool){true},
                        &error) == STATUS_OK);
    check_equal(strain.n, 3 * mesh.n_triangles, "springs along edges");
    deform(&c, vec3(1.0, 0.5, 0.0), vec3(0.5, 1.0, 0.0));
    check_close(strain_measure(&strain, c.s.particles.position), 0.5, 1e-13, "of diagonals");
    check_close(strain_measure(&c.strain, c.s.particles.position), sqrt(1.25) - 1.0, 1e-13,
                "of a lattice's axes");
    strain_free(&strain);
    free(mesh.triangle);
    cloth_end(&c);
}

TEST(strain_is_that_of_the_springs_along_the_axes)
{
    struct cloth c;
    cloth_begin(&c, springs);
    check_equal(c.strain.n, (WIDE - 1) * LONG + WIDE * (LONG - 1), "stretch springs");
    const struct vec3 *x = c.s.particles.position;
    check_close(strain_measure(&c.strain, x), 0.0, 1e-14, "at rest");
    deform(&c, vec3(1.25, 0.0, 0.0), vec3(0.0, 1.5, 0.0));
    check_close(strain_measure(&c.strain, x), 0.5, 1e-13, "stretched");
    deform(&c, vec3(0.5, 0.0, 0.0), vec3(0.0, 0.75, 0.0));
    check_close(strain_measure(&c.strain, x), 0.0, 0.0, "compressed");
    /* sheared by 1/2: its diagonals are stretched by more, the springs along y by this */
    deform(&c, vec3(1.0, 0.0, 0.0), vec3(0.5, 1.0, 0.0));
    check_close(strain_measure(&c.strain, x), sqrt(1.25) - 1.0, 1e-13, "sheared");
    deform(&c, vec3(0.0, 1.0, 0.0), vec3(0.0, 0.0, -1.0));
    check_close(strain_measure(&c.strain, x), 0.0, 1e-13, "turned");
    for (size_t i = ALL; i < c.s.particles.n; i++)
        c.s.particles.position[i] = vec3_scale(3.0, x[i]);
    check_close(strain_measure(&c.strain, x), 0.0, 1e-13, "what is no sheet");
    c.s.particles.position[ALL - 1].y = (double)NAN;
    check(isnan(strain_measure(&c.strain, x)));
    cloth_end(&c);
}

TEST(strain_without_stretch_springs_is_none)
{
    struct cloth c;
    cloth_begin(&c, only_shear);
    check_equal(c.strain.n, 0, "stretch springs");
    deform(&c, vec3(2.0, 0.0, 0.0), vec3(0.0, 2.0, 0.0));
    check_close(strain_measure(&c.strain, c.s.particles.position), 0.0, 0.0, "strain");
    cloth_end(&c);
}

/* A corner is torn off: the bonds to it are the longest, and break. */
TEST(strain_of_broken_bonds_does_not_count)
{
    struct cloth c;
    cloth_begin(&c, brittle);
    struct vec3 *x = c.s.particles.position;
    x[ALL - 1].x += 2.0 * R;
    x[0].x -= 0.2 * R; /* stretches the bond to its neighbor by a tenth */
    double torn = strain_measure(&c.strain, x);
    check_close(torn, 1.0, 1e-13, "before they break");
    struct term_value term[MOST_TERMS] = {{0}};
    struct error error = {0};
    struct system *network = c.s.system[0];
    check(network->class->finish(network, &c.s.particles, term, &error) == STATUS_OK);
    check(network->changes > 0);
    check_close(strain_measure(&c.strain, x), 0.1, 1e-13, "afterwards");
    cloth_end(&c);
}

/* Springs join particles up to two spacings apart, but no two at a knight's move. */
static bool joined(const struct vec3 *rest, uint32_t i, uint32_t j)
{
    double spacings = vec3_norm(vec3_sub(rest[j], rest[i])) / (2.0 * R);
    return spacings < 1.5 || (spacings > 1.9 && spacings < 2.1);
}

/* The sheet is folded over, so that its ends lie on each other 1.5 r apart. */
TEST(a_folded_sheet_touches_itself)
{
    struct cloth c;
    cloth_begin(&c, springs);
    struct particles *p = &c.s.particles;
    const int at[WIDE] = {0, 1, 2, 3, 2, 1, 0}; /* column, from left to right and back */
    for (uint32_t i = 0; i < ALL; i++)
        p->position[i] = vec3(2.0 * R * at[i % WIDE], c.h.rest[i].y, i % WIDE < 4 ? 0.0 : 1.5 * R);
    struct pair_list touching = {0};
    struct error error = {0};
    check(detector_find(c.s.detector, p, c.s.bonded, &touching, &error) == STATUS_OK);
    struct overlap within = overlap_measure_within(p, &touching);
    size_t expected = 0;
    for (uint32_t i = 0; i < ALL; i++)
        for (uint32_t j = i + 1; j < ALL; j++)
            expected += !joined(c.h.rest, i, j) &&
                        vec3_norm(vec3_sub(p->position[j], p->position[i])) < 2.0 * R;
    check(expected >= 2 * LONG); /* the columns 0 and 6, 1 and 5 at least */
    check_equal(within.touching, expected, "touching pairs");
    check_close(within.depth, 0.5, 1e-13, "depth");
    check_equal(overlap_measure(p, &touching).touching, 0, "of different bodies");
    pair_list_free(&touching);
    cloth_end(&c);
}
