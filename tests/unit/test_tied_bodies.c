/* Bodies that a solve ties together: each set moves by its residual over its mass, unless something
 * holds it. */
#include "scenes.h"
#include "systems/tied_bodies.h"

enum { BODIES = 5 };

static void check_shift(const struct tied_bodies *tied, uint32_t body, double expected)
{
    struct vec3 shift = vec3(0.0, 0.0, 0.0);
    check(tied_bodies_shift(tied, body, &shift));
    check_vec3(shift, vec3(expected, 0.0, 0.0), 0.0, "shift");
}

TEST(a_set_moves_by_its_residual_over_its_mass)
{
    struct tied_bodies tied = {0};
    struct error error = {0};
    struct vec3 shift;
    check_equal(tied_bodies_reserve(&tied, BODIES, &error), STATUS_OK, error.message);
    for (int round = 0; round < 2; round++) { /* nothing is left of the first */
        tied_bodies_begin(&tied, BODIES);
        tied_bodies_join(&tied, 3, 1);
        tied_bodies_join(&tied, 0, 4);
        tied_bodies_close(&tied);
        tied_bodies_hold(&tied, 4);
        tied_bodies_add(&tied, 1, 2.0, vec3(6.0, 0.0, 0.0));
        tied_bodies_add(&tied, 3, 6.0, vec3(10.0, 0.0, 0.0));
        tied_bodies_add(&tied, 0, 1.0, vec3(1.0, 0.0, 0.0));
        tied_bodies_add(&tied, 2, 4.0, vec3(-2.0, 0.0, 0.0));
        check_shift(&tied, 1, 2.0);
        check_shift(&tied, 3, 2.0);
        check_shift(&tied, 2, -0.5);
        check(!tied_bodies_shift(&tied, 0, &shift) && !tied_bodies_shift(&tied, 4, &shift));
    }
    tied_bodies_free(&tied);
}

/* Six particles, of which five are of the system, of three bodies. */
TEST(groups_tie_the_bodies_of_their_members)
{
    const uint32_t body[] = {0, 0, 1, 1, 2}, member[] = {0, 2, 3, 4}, label[] = {0, 2, 0, 2};
    struct hand_scene h;
    struct groups groups;
    struct error error = {0};
    struct tied_bodies tied = {0};
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), 0.01, 1.0);
    add_block(&h, 6, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    check_equal(groups_create(&groups, &h.particles, &error), STATUS_OK, error.message);
    groups_assign(&groups, &h.particles, 4, member, label);
    check_equal(tied_bodies_reserve(&tied, 3, &error), STATUS_OK, error.message);
    tied_bodies_begin(&tied, 3);
    tied_bodies_join_groups(&tied, &groups, 1, 5, body); /* particle 0 is of another system */
    tied_bodies_close(&tied);
    /* {0, 3}: only 3 is here; {2, 4}: bodies 0 and 1 */
    check(tied.set[0] == tied.set[1] && tied.set[2] != tied.set[0]);
    tied_bodies_free(&tied);
    groups_free(&groups);
    hand_scene_end(&h);
}
