/* Physics does not depend on axes, or on left and right: a scene that is turned, mirrored or moved
 * as a whole goes on in the same way, turned, mirrored and moved. A cloth, a block, a fluid, and
 * walls that hold it. */
#include "scenes.h"
#include "step/simulation_parts.h"

static const double R = 0.01; /* m */
enum { STEPS = 40, MOST = 400 };

/* x -> turn x + move; turn is orthogonal. */
struct placement {
    const char *name;
    double turn[9]; /* row by row */
    struct vec3 move;
};

static struct vec3 turned(const struct placement *at, struct vec3 x)
{
    const double *t = at->turn;
    return vec3(t[0] * x.x + t[1] * x.y + t[2] * x.z, t[3] * x.x + t[4] * x.y + t[5] * x.z,
                t[6] * x.x + t[7] * x.y + t[8] * x.z);
}

static struct vec3 placed(const struct placement *at, struct vec3 x)
{
    return vec3_add(turned(at, x), at->move);
}

/* About (1, 2, 3) by the angle, times the sign: Rodrigues' formula. */
static struct placement turn_by(const char *name, double angle, double sign)
{
    struct placement p = {.name = name};
    double u[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, c = cos(angle), s = sin(angle);
    const double cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (int i = 0; i < 9; i++)
        p.turn[i] = sign * (c * (i % 4 == 0) + (1 - c) * u[i / 3] * u[i % 3] + s * cross[i]);
    return p;
}

/* ---- the scene ---- */

struct turned_scene {
    struct hand_scene h;
    struct wall wall[2];
    struct simulation s;
};

static void add_walls(struct turned_scene *t, const struct placement *at)
{
    const struct shape tank = {.kind = SHAPE_BOX, .size = {16 * R, 14 * R, 20 * R}};
    const struct shape pillar = {.kind = SHAPE_CYLINDER, .radius = 3 * R, .height = 20 * R};
    t->wall[0] = (struct wall){.name = "tank", .region = {.shape = tank}, .keep = KEEP_INSIDE};
    t->wall[1] = (struct wall){.name = "pillar", .region = {.shape = pillar}, .keep = KEEP_OUTSIDE};
    t->wall[1].region.position = placed(at, vec3(6 * R, 5 * R, 0.0));
    t->wall[0].region.position = placed(at, vec3(0.0, 0.0, 0.0));
    for (int k = 0; k < 2; k++)
        memcpy(t->wall[k].region.rotation, at->turn, sizeof at->turn);
    t->h.scene.n_walls = 2;
    t->h.scene.wall = t->wall;
}

static void fill(struct turned_scene *t, const struct placement *at)
{
    struct hand_scene *h = &t->h;
    hand_scene_begin(h);
    h->scene.gravity = turned(at, vec3(2.0, -3.0, -9.0));
    h->scene.solver.tolerance = 1e-13;
    add_body(h, add_springs(h, 60.0, 40.0, 5.0, 2e-3), R, 8e-3);
    uint32_t cloth = add_block(h, 6, 5, 1, vec3(-5 * R, -4 * R, 0.0), vec3(0, 0, 0));
    h->particles.state[cloth] = h->particles.state[cloth + 5] = PARTICLE_FIXED;
    add_body(h, add_peridynamics(h, 200.0, 1.8, 0.0, (double)INFINITY), R, 2e-2);
    add_block(h, 3, 2, 2, vec3(-2 * R, -R, -3.8 * R), vec3(0.0, 0.0, 2.0));
    add_body(h, add_fluid(h, 2e3, 0.02), R, 6e-3);
    add_block(h, 4, 4, 3, vec3(-6.9 * R, -5.9 * R, 1.9 * R), vec3(0.5, 0.0, -2.0));
    add_block(h, 2, 2, 2, vec3(2.0 * R, 1.5 * R, 5.0 * R), vec3(2.0, 2.0, 0.0));
    jitter(h, 0.1 * R, 3);
    add_walls(t, at);
    struct particles *p = &h->particles;
    for (size_t i = 0; i < p->n; i++) {
        p->position[i] = placed(at, p->position[i]);
        p->velocity[i] = turned(at, p->velocity[i]);
        h->rest[i] = placed(at, h->rest[i]);
    }
}

/* Keeps ties away, which rounding would break in one way here and in another there: particles that
 * MS 15 and 16 split neither part nor approach. */
static void disturb(struct simulation *s, const struct placement *at)
{
    for (size_t i = 0; i < s->particles.n; i++)
        if (s->particles.state[i] == PARTICLE_FREE)
            s->particles.velocity[i] = vec3_axpy(s->particles.velocity[i], 0.01,
                                                 turned(at, random_vector(s->step + 50, i)));
}

/* ---- comparing ---- */

/* What must be the same anywhere, step by step. */
struct history {
    struct vec3 position[STEPS][MOST];
    struct ledger_row row[STEPS];
    size_t n;
};

static void record(const struct placement *at, struct history *history)
{
    static struct turned_scene t;
    fill(&t, at);
    start(&t.h, &t.s);
    history->n = t.s.particles.n;
    check(history->n <= MOST);
    for (int k = 0; k < STEPS; k++) {
        disturb(&t.s, at);
        history->row[k] = step_once(&t.s);
        memcpy(history->position[k], t.s.particles.position,
               history->n * sizeof *history->position[k]);
    }
    simulation_free(&t.s);
    hand_scene_end(&t.h);
}

static void compare_rows(const struct ledger_row *a, const struct ledger_row *b, double tolerance)
{
    check_equal(a->contacts, b->contacts, "contacts");
    check_equal(a->groups, b->groups, "groups");
    check_equal(a->late, b->late, "late");
    check_equal(ledger_value(a, "coupled"), ledger_value(b, "coupled"), "coupled");
    check_equal(ledger_value(a, "splits_with_root"), ledger_value(b, "splits_with_root"),
                "splits_with_root");
    check_equal(ledger_value(a, "splits_without_root"), ledger_value(b, "splits_without_root"),
                "splits_without_root");
    check_equal(a->stopped, b->stopped, "stopped by walls");
    check_close(a->dt / b->dt, 1.0, tolerance, "length of the step");
    check_close(a->kinetic / b->kinetic, 1.0, tolerance, "kinetic energy");
    check_close(a->elastic, b->elastic, tolerance * b->kinetic, "elastic energy");
    check_close(ledger_value(a, "merge_stored"), ledger_value(b, "merge_stored"),
                tolerance * b->kinetic, "virtual bonds");
    check_close(ledger_value(a, "pressure_work"), ledger_value(b, "pressure_work"),
                tolerance * b->kinetic, "work on the fluid");
    check_close(a->displacement / b->displacement, 1.0, tolerance, "displacement");
}

/* Over a radius. */
static double farthest(const struct placement *at, const struct vec3 *x, const struct vec3 *other,
                       size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = worse(most, vec3_norm(vec3_sub(other[i], placed(at, x[i]))) / R);
    return most;
}

static struct history here, there;

/* Where components are only exchanged and negated, sums change their order at most: those of the
 * densities and of the forces of the fluid are in single precision, 6e-8 each in each of 40 steps.
 * Where components are mixed, the matrix of the bonds, in single precision, too, is rounded
 * otherwise; far from the origin positions are. */
static const double by_order = 4.8e-6, by_matrix = 1e-5, by_distance = 1e-7;

static void compare(const struct placement *at, double tolerance)
{
    const struct placement still = {.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double most = 0.0, coupled = 0.0, late = 0.0, walled = 0.0;
    record(&still, &here);
    record(at, &there);
    for (int k = 0; k < STEPS && !tap_failed; k++) {
        compare_rows(&there.row[k], &here.row[k], tolerance);
        most = worse(most, farthest(at, here.position[k], there.position[k], here.n));
        coupled += ledger_value(&here.row[k], "coupled");
        late += here.row[k].late;
        walled += here.row[k].wall_dissipation != 0.0;
    }
    printf("# %s: off by %.1e radii; %g coupled groups, %g late, %g steps at a wall\n", at->name,
           most, coupled, late, walled);
    check_close(most, 0.0, tolerance, at->name);
    check(coupled > 50.0 && late > 10.0);
}

TEST(a_turned_scene)
{
    compare(&(struct placement){.name = "x to y", .turn = {0, -1, 0, 1, 0, 0, 0, 0, 1}}, by_order);
    compare(&(struct placement){.name = "x to y to z", .turn = {0, 0, 1, 1, 0, 0, 0, 1, 0}},
            by_order);
    struct placement any = turn_by("any angle", 0.7, 1.0);
    compare(&any, by_matrix);
}

TEST(a_mirrored_scene)
{
    compare(&(struct placement){.name = "at x = 0", .turn = {-1, 0, 0, 0, 1, 0, 0, 0, 1}},
            by_order);
    compare(&(struct placement){.name = "at the origin", .turn = {-1, 0, 0, 0, -1, 0, 0, 0, -1}},
            by_order);
    struct placement any = turn_by("any plane", 2.1, -1.0);
    compare(&any, by_matrix);
}

TEST(a_moved_scene)
{
    const struct placement away = {"moved", {1, 0, 0, 0, 1, 0, 0, 0, 1}, {3.1, -1.7, 0.9}};
    compare(&away, by_distance);
}
