/* Steps of contact.method: position-based: the rest of other schemes, the ledger, a slow copy of
 * UPP's Algorithm 1, and runs that go on from a frame. */
#include "endings.h"
#include "position_scenes.h"
#include "state_values.h"

/* ---- the same rest as other schemes ---- */

/* A chain of particles in a row that hangs from its first one, whose bonds are the material's. */
static double length_of_hanging_chain(enum contact_method method, uint32_t iterations)
{
    enum { LINKS = 5 };
    struct hand_scene h;
    struct simulation s;
    begin(&h, iterations, AVERAGING_PARTICLE);
    h.scene.contact.method = method;
    h.scene.position.stiffness = BONDS_COMPLIANT;
    h.scene.gravity = vec3(G, 0.0, 0.0);
    h.scene.time.max_step = 0.02;
    size_t bonds = add_peridynamics(&h, 1e3, 1.1, 0.0, (double)INFINITY);
    add_body(&h, bonds, 0.05, 0.2);
    add_block(&h, LINKS + 1, 1, 1, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    h.particles.state[0] = PARTICLE_FIXED;
    start(&h, &s);
    for (int k = 0; k < 400; k++)
        step_once(&s);
    double length = s.particles.position[LINKS].x;
    simulation_free(&s);
    hand_scene_end(&h);
    return length;
}

TEST(a_chain_of_the_material_hangs_as_long_as_its_springs)
{
    double right = length_of_hanging_chain(CONTACT_MERGING_AND_SPLITTING, 1);
    double length = length_of_hanging_chain(CONTACT_POSITION_BASED, 400);
    check(right - 0.5 > 1e-3);
    check_close((length - 0.5) / (right - 0.5), 1.0, 1e-3, "elongation over the right one");
}

/* ---- ledger and momentum ---- */

/* Two blocks of bonds that hit each other with friction. */
static void begin_impact(struct hand_scene *h, enum way_of_averaging averaging,
                         enum bond_stiffness stiffness)
{
    begin(h, 3, averaging);
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.contact.friction = 0.2;
    h->scene.contact.static_friction = 0.4;
    h->scene.position.stiffness = stiffness;
    size_t bonds = add_peridynamics(h, 1e5, 1.9, 0.0, (double)INFINITY);
    add_body(h, bonds, 0.05, 0.2);
    add_block(h, 3, 3, 3, vec3(0.0, 0.0, 0.0), vec3(0.5, 0.0, 0.0));
    add_body(h, bonds, 0.05, 0.1);
    add_block(h, 3, 3, 2, vec3(0.03, 0.02, 0.32), vec3(0.0, 0.3, -3.0));
}

/* However far they are from their lengths: a method that calls them rigid has no such energy to
 * give back. What takes and gives it is shape_work, and what breaks releases none. */
TEST(rigid_bonds_store_no_energy_and_those_of_the_material_do)
{
    for (int compliant = 0; compliant < 2; compliant++) {
        struct hand_scene h;
        struct simulation s;
        double stored = 0.0, shape = 0.0, released = 0.0, broken = 0.0;
        begin_impact(&h, AVERAGING_MASS_SPLITTING, compliant ? BONDS_COMPLIANT : BONDS_RIGID);
        h.parameters[h.body[0].material].bonds.critical_stretch = 1e-3;
        start(&h, &s);
        for (int k = 0; k < 60; k++) {
            struct ledger_row row = step_once(&s);
            check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
            stored = fmax(stored, row.elastic);
            shape = fmax(shape, fabs(ledger_value(&row, "shape_work")));
            released += ledger_value(&row, "broken_energy");
            broken = ledger_value(&row, "broken_bonds");
        }
        check(broken > 0.0);
        check((stored > 0.0) == compliant && (released > 0.0) == compliant);
        check((shape > 0.0) == !compliant);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

TEST(the_ledger_closes_and_splitting_masses_keeps_momentum)
{
    for (int way = 0; way < 8; way++) {
        struct hand_scene h;
        struct simulation s;
        double most = 0.0, contacts = 0.0, friction = 0.0;
        begin_impact(&h, way % 2 ? AVERAGING_MASS_SPLITTING : AVERAGING_PARTICLE,
                     way / 2 % 2 ? BONDS_COMPLIANT : BONDS_RIGID);
        fix_from(&h, add_block(&h, 4, 4, 1, vec3(0.0, 0.0, -0.09), vec3(0.0, 0.0, 0.0)));
        h.scene.position.stabilization = (uint32_t)way / 2 % 2;
        h.scene.position.friction = way / 4 ? FRICTION_OF_VELOCITY : FRICTION_OF_STEP;
        start(&h, &s);
        for (int k = 0; k < 60; k++) {
            struct vec3 before = s.totals.momentum;
            struct ledger_row row = step_once(&s);
            check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
            struct vec3 change = vec3_sub(row_momentum(&row), before);
            change = vec3_sub(
                change, vec3(row.gravity_impulse_x, row.gravity_impulse_y, row.gravity_impulse_z));
            change = vec3_sub(
                change, vec3(row.support_impulse_x, row.support_impulse_y, row.support_impulse_z));
            check_vec3(vec3_sub(change, unbalanced(&row)), vec3(0.0, 0.0, 0.0), 1e-12,
                       "change of momentum that nothing explains");
            most = fmax(most, vec3_norm(unbalanced(&row)));
            contacts += row.contacts;
            friction += ledger_value(&row, "friction");
        }
        check(contacts > 0.0 && friction > 0.0);
        if (way / 2 % 2 == 0)
            check(way % 2 ? most < 1e-12 : most > 1e-3);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* ---- a slow copy ---- */

struct copy {
    size_t n;
    struct vec3 start[64], at[64];
    double weight[64], radius, dt;
    bool bonded[64][64], split;
    double friction, static_friction, length[64][64];
};

/* Whether constraint `kind` acts between i and j, its violation and the direction from i to j. */
static bool copy_acts(const struct copy *c, int kind, size_t i, size_t j, double *excess,
                      struct vec3 *along)
{
    struct vec3 way = vec3_sub(c->at[j], c->at[i]);
    double length = vec3_norm(way);
    *along = vec3_scale(1.0 / length, way);
    *excess = length - (kind ? c->length[i][j] : 2.0 * c->radius);
    return i != j && c->weight[i] + c->weight[j] > 0.0 &&
           (kind ? c->bonded[i][j] : !c->bonded[i][j] && *excess < -1e-12 * c->radius);
}

static double copy_number(const struct copy *c, int kind, size_t i)
{
    double n = 0.0, excess;
    struct vec3 along;
    for (size_t j = 0; j < c->n; j++)
        n += copy_acts(c, kind, i, j, &excess, &along);
    return n;
}

static void copy_iterate(struct copy *c, int kind)
{
    struct vec3 shift[64];
    for (size_t i = 0; i < c->n; i++) {
        double n = copy_number(c, kind, i), excess;
        struct vec3 along;
        shift[i] = vec3(0.0, 0.0, 0.0);
        for (size_t j = 0; j < c->n && c->weight[i] > 0.0; j++) {
            if (!copy_acts(c, kind, i, j, &excess, &along))
                continue;
            double share =
                c->split
                    ? c->weight[i] / (n * c->weight[i] + copy_number(c, kind, j) * c->weight[j])
                    : c->weight[i] / (c->weight[i] + c->weight[j]) / n;
            shift[i] = vec3_axpy(shift[i], share * excess, along);
            if (kind)
                continue;
            struct vec3 slip =
                vec3_sub(vec3_sub(c->at[i], c->start[i]), vec3_sub(c->at[j], c->start[j]));
            slip = vec3_axpy(slip, -vec3_dot(slip, along), along);
            double slipped = vec3_norm(slip), kept = fmin(c->friction * -excess / slipped, 1.0);
            if (slipped < c->static_friction * -excess)
                kept = 1.0;
            shift[i] = vec3_axpy(shift[i], -share * kept, slip);
        }
    }
    for (size_t i = 0; i < c->n; i++)
        c->at[i] = vec3_add(c->at[i], shift[i]);
}

static void copy_step(struct copy *c, struct particles *p, uint32_t iterations)
{
    for (size_t i = 0; i < c->n; i++) {
        c->start[i] = p->position[i];
        c->weight[i] = p->state[i] ? 0.0 : 1.0 / p->mass[i];
        struct vec3 v = p->velocity[i];
        v.z -= p->state[i] ? 0.0 : c->dt * G;
        c->at[i] = vec3_axpy(c->start[i], c->dt, v);
    }
    for (uint32_t k = 0; k < iterations; k++)
        for (int kind = 0; kind < 2; kind++)
            copy_iterate(c, kind);
    for (size_t i = 0; i < c->n; i++) {
        p->velocity[i] = vec3_scale(1.0 / c->dt, vec3_sub(c->at[i], c->start[i]));
        p->position[i] = c->at[i];
    }
}

TEST(steps_are_those_of_a_slow_copy)
{
    double worst = 0.0;
    for (int split = 0; split < 2; split++) {
        struct hand_scene h;
        struct simulation s;
        struct copy c = {
            .radius = 0.05, .dt = 1e-3, .split = split, .friction = 0.2, .static_friction = 0.4};
        struct particles copy;
        begin_impact(&h, split ? AVERAGING_MASS_SPLITTING : AVERAGING_PARTICLE, BONDS_RIGID);
        start(&h, &s);
        copy_particles(&copy, &s.particles);
        c.n = copy.n;
        for (uint32_t i = 0; i < c.n; i++)
            for (uint32_t j = 0; j < c.n; j++) {
                c.bonded[i][j] = i != j && bonded_whole(s.bonded, i, j);
                c.length[i][j] = vec3_norm(vec3_sub(h.rest[j], h.rest[i]));
            }
        bool touched = false;
        for (int k = 0; k < 40; k++) {
            touched |= step_once(&s).contacts > 0.0;
            copy_step(&c, &copy, 3);
            for (size_t i = 0; i < c.n; i++)
                worst =
                    worse(worst, vec3_norm(vec3_sub(s.particles.position[i], copy.position[i])));
        }
        check(touched);
        particles_free(&copy);
        simulation_free(&s);
        hand_scene_end(&h);
    }
    measured("UPP.copy.distance", worst);
    check(worst < 1e-12);
}

/* ---- interruption ---- */

static void go_on(enum way_of_friction friction)
{
    struct hand_scene h;
    struct simulation s;
    struct wall wall = floor_at(-0.051);
    begin_impact(&h, AVERAGING_PARTICLE, BONDS_COMPLIANT);
    h.scene.position.stabilization = 1;
    h.scene.position.friction = friction;
    h.scene.n_walls = 1;
    h.scene.wall = &wall;
    start(&h, &s);
    for (int k = 0; k < 15; k++)
        step_once(&s);
    check_goes_on(&s, h.rest, 15);
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_run_goes_on_from_a_frame_to_the_bit)
{
    go_on(FRICTION_OF_STEP);
    go_on(FRICTION_KEPT);
    go_on(FRICTION_OF_VELOCITY);
}
