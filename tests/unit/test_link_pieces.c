/* Pieces that turn with the ends of links: rows and couples are transposes, rigid bodies roll
 * without slip, and friction of free bodies leaves angular momentum as it is. */
#include "particles/link_pieces.h"
#include "particles/links.h"
#include "particles/random.h"
#include "yards.h"

/* ---- one row and its couples ---- */

enum { SIDE = 3, BODY = SIDE * SIDE * SIDE, LOOSE = 2 * BODY, THIN = LOOSE + 1, MOST = THIN + 9 };

/* Two cubes, a loose particle and a sheet, and links from the second cube to each. */
struct pair_of_cubes {
    struct particles p;
    struct links links;
    struct rigid_pieces pieces;
    struct link_owner owner;
};

static void begin(struct pair_of_cubes *c, uint64_t seed)
{
    static const uint32_t linked[4][2] = {
        {8, BODY}, {5, BODY + 1}, {BODY + 2, LOOSE}, {BODY + 3, THIN}};
    struct error error = {0};
    uint32_t set[MOST];
    if (particles_create(&c->p, MOST, &error) || links_create(&c->links, MOST, &error) ||
        links_reserve(&c->links, 4, &error) || rigid_pieces_create(&c->pieces, MOST, &error))
        abort();
    c->links.rows_each = 3;
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t k = i % BODY;
        set[i] = i < BODY ? 0 : i < LOOSE ? BODY : i < THIN ? LOOSE : THIN;
        c->p.mass[i] = 1.0 + random_uniform(seed, 0, i, RANDOM_TEST);
        c->p.radius[i] = 0.5;
        c->p.position[i] =
            vec3(k % SIDE, k / SIDE % SIDE, i < THIN ? k / SIDE / SIDE + 3 * (i / BODY) : -9.0);
        c->p.position[i] =
            vec3_axpy(c->p.position[i], i < THIN ? 0.2 : 0.0, random_vector(seed, i));
    }
    for (uint32_t k = 0; k < 4; k++) {
        struct vec3 apart = vec3_sub(c->p.position[linked[k][1]], c->p.position[linked[k][0]]);
        double d = vec3_norm(apart);
        c->links.link[k] = (struct link){.i = linked[k][0],
                                         .j = linked[k][1],
                                         .normal = vec3_scale(1.0 / d, apart),
                                         .arm_i = 0.4 * d,
                                         .arm_j = 0.6 * d};
    }
    c->links.n = 4;
    links_connect(&c->links, &c->p);
    c->owner = (struct link_owner){.pieces = &c->pieces, .n = MOST};
    if (rigid_pieces_assign(&c->pieces, MOST, set, &error) ||
        link_pieces_find(&c->links, &c->owner, 1, &c->p, &error))
        abort();
}

static void end(struct pair_of_cubes *c)
{
    particles_free(&c->p);
    links_free(&c->links);
    rigid_pieces_free(&c->pieces);
}

/* J v of each row. */
static void look(struct pair_of_cubes *c, const struct vec3 *v, double speed[12])
{
    struct vec3 at_end[8];
    link_pieces_look(&c->links.turning, v);
    for (size_t e = 0; e < c->links.n_ends; e++)
        at_end[e] = v[c->links.particle[e]];
    for (size_t row = 0; row < 12; row++)
        speed[row] = links_speed(&c->links, row, at_end);
}

/* J^T z. */
static void push(struct pair_of_cubes *c, const double z[12], struct vec3 *impulse)
{
    struct vec3 at_end[8] = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < MOST; i++)
        impulse[i] = vec3(0.0, 0.0, 0.0);
    for (size_t row = 0; row < 12; row++)
        links_push(&c->links, row, z[row], at_end);
    for (size_t e = 0; e < c->links.n_ends; e++)
        impulse[c->links.particle[e]] = at_end[e];
    link_pieces_spread(&c->links.turning, impulse, NULL);
}

TEST(rows_and_couples_are_transposes)
{
    struct pair_of_cubes c;
    struct vec3 v[MOST], impulse[MOST];
    double speed[12], z[12], by_rows = 0.0, by_particles = 0.0;
    begin(&c, 3);
    check_equal(c.links.turning.n, 2, "pieces: the cubes, but not the sheet");
    for (uint64_t i = 0; i < MOST; i++)
        v[i] = random_vector(11, i);
    for (uint64_t row = 0; row < 12; row++)
        z[row] = random_uniform(12, 0, row, RANDOM_TEST) - 0.5;
    look(&c, v, speed);
    push(&c, z, impulse);
    for (size_t row = 0; row < 12; row++)
        by_rows += z[row] * speed[row];
    for (size_t i = 0; i < MOST; i++)
        by_particles += vec3_dot(v[i], impulse[i]);
    check_close(by_particles, by_rows, 1e-13, "work");
    end(&c);
}

/* Links 0 and 1 are between the cubes; link 2 leads to a particle that cannot turn, and its arm
 * times the impulse is missing. */
TEST(couples_keep_angular_momentum)
{
    struct pair_of_cubes c;
    begin(&c, 4);
    for (size_t row = 0; row < 9; row++) {
        struct vec3 impulse[MOST], L = vec3(0.0, 0.0, 0.0), P = L, missing = L;
        double z[12] = {0.0};
        z[row] = 1.0;
        push(&c, z, impulse);
        for (size_t i = 0; i < MOST; i++) {
            P = vec3_add(P, impulse[i]);
            L = vec3_add(L, vec3_cross(c.p.position[i], impulse[i]));
        }
        if (row > 6)
            missing = vec3_scale(c.links.link[2].arm_j, vec3_cross(c.links.link[2].normal,
                                                                   links_direction(&c.links, row)));
        check_vec3(P, vec3(0.0, 0.0, 0.0), 1e-13, "momentum");
        check_vec3(L, missing, 1e-13, "angular momentum");
    }
    end(&c);
}

/* Each cube turns about its center, so that the surfaces at the place of contact of link 0 move
 * alike. */
TEST(what_rolls_does_not_slip)
{
    struct pair_of_cubes c;
    struct vec3 v[MOST];
    double speed[12];
    begin(&c, 5);
    const struct link *link = &c.links.link[0];
    struct vec3 at = vec3_axpy(c.p.position[link->i], link->arm_i, link->normal);
    for (size_t i = 0; i < MOST; i++) {
        struct vec3 about = i < BODY ? vec3(0.3, -0.2, 0.5) : vec3(-0.1, 0.7, 0.4);
        v[i] = vec3_cross(about, vec3_sub(c.p.position[i], at));
    }
    look(&c, v, speed);
    for (size_t row = 0; row < 3; row++)
        check_close(speed[row], 0.0, 1e-13, "speed");
    end(&c);
}

/* ---- free bodies ---- */

static struct vec3 angular_momentum(const struct particles *p)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (size_t i = 0; i < p->n; i++)
        sum = vec3_axpy(sum, p->mass[i], vec3_cross(p->position[i], p->velocity[i]));
    return sum;
}

/* Two blocks that spin meet obliquely. Returns how much friction dissipated, J. */
static double collide(double friction, enum way_of_detecting detection, double alpha)
{
    struct yard y;
    double dissipated = 0.0, gained = 0.0;
    yard_begin(&y);
    y.h.scene.contact.friction = y.h.scene.contact.static_friction = friction;
    y.h.scene.contact.detection = detection;
    y.h.scene.contact.alpha = alpha;
    y.h.scene.time.max_step = 2e-4;
    y.h.scene.solver.tolerance = 1e-13;
    add_body(&y.h, add_peridynamics(&y.h, 1000.0, 2.0, 0.0, (double)INFINITY), R, 8e-3);
    add_block(&y.h, 4, 4, 4, vec3(0.0, 0.0, 0.0), vec3(0.5, 1.0, 0.1));
    add_body(&y.h, 0, R, 8e-3);
    add_block(&y.h, 3, 4, 3, vec3(0.081, 0.015, 0.012), vec3(-0.5, -1.0, 0.0));
    jitter(&y.h, 0.05 * R, 5);
    for (size_t i = 0; i < y.h.particles.n; i++) {
        struct vec3 r = vec3_sub(y.h.particles.position[i],
                                 i < 64 ? vec3(0.03, 0.03, 0.03) : vec3(0.101, 0.045, 0.032));
        y.h.particles.velocity[i] =
            vec3_add(y.h.particles.velocity[i], vec3_cross(vec3(5.0, 3.0, 20.0), r));
    }
    yard_start(&y);
    struct vec3 before = angular_momentum(&y.s.particles);
    for (int k = 0; k < 120; k++) {
        struct ledger_row row = check_step(&y);
        dissipated += ledger_value(&row, "friction");
        gained = fmin(gained, ledger_value(&row, "friction"));
        check_equal(row.unresolved, 0, "unresolved");
    }
    double drift = vec3_norm(vec3_sub(angular_momentum(&y.s.particles), before));
    printf("# mu %g, alpha %g: L changes by %.1e of itself; friction takes %.3g J, at least %.1e "
           "in a step\n",
           friction, alpha, drift / vec3_norm(before), dissipated, gained);
    check_close(drift / vec3_norm(before), 0.0, 1e-9, "angular momentum");
    yard_end(&y);
    return dissipated;
}

/* Without couples, it changes by a half and by all of itself. */
TEST(free_bodies_keep_their_angular_momentum)
{
    for (int k = 0; k < 2; k++) {
        enum way_of_detecting detection = k ? DETECTION_SWEPT : DETECTION_DISCRETE;
        check(collide(0.2, detection, 1.0) > 1e-2);
        check(collide(0.6, detection, 0.0) > 1e-2);
    }
}
