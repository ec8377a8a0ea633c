/* Plastic flow of bodies that keep their shape: places at rest that follow particles beyond a
 * yield, and fields that they lose. Values that claims about unified particle physics are about. */
#include "constraint_stage.h"
#include "endings.h"
#include "theory_scenes.h"

#include <omp.h>

/* ---- one iteration ---- */

enum { N = 27, MIDDLE = 13 };

static const double WAY = 0.3, CREEP = 0.4;

/* A cube of spacing 1, turned by 2.5 about z, whose middle particle is WAY off along the turned x:
 * its center moves by WAY/N, and it does not turn. */
static struct stage *dent(double yield, double creep, double lost)
{
    struct stage *s = stage_begin(N, false);
    struct error error = {0};
    struct vec3 rest[N];
    struct field_point field[N];
    const double c = cos(2.5), d = sin(2.5);
    for (int i = 0; i < N; i++) {
        rest[i] = vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        const struct vec3 x = vec3(rest[i].x + (i == MIDDLE ? WAY : 0.0), rest[i].y, rest[i].z);
        s->at[i] = vec3(c * x.x - d * x.y, d * x.x + c * x.y, 5.0 + x.z);
        field[i] = (struct field_point){vec3(0.0, 0.0, 1.0), 0.5, FIELD_DEPTH};
    }
    const struct shape_body body = {
        .n = N, .stiffness = 1.0, .field = true, .yield = yield, .creep = creep, .lost = lost};
    check_equal(shapes_add(&s->set, 1, &body, rest, &error), STATUS_OK, error.message);
    check_equal(shapes_add_fields(&s->set, N, field, &error), STATUS_OK, error.message);
    find(s, CONSTRAINT_SHAPES);
    iterate(s, CONSTRAINT_SHAPES);
    struct constraint *shapes = s->set.group[CONSTRAINT_SHAPES];
    check_equal(shapes->class->finish(shapes, &s->candidates, &error), STATUS_OK, error.message);
    return s;
}

/* How far a particle's place has moved, and how many particles have a field. */
static struct vec3 moved(const struct stage *s, int i)
{
    const struct vec3 at = shapes_rest(s->set.group[CONSTRAINT_SHAPES], 0)[i];
    return vec3_sub(at, vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
}

static int with_field(const struct stage *s)
{
    int n = 0;
    for (int i = 0; i < N; i++)
        n += shapes_fields(s->set.group[CONSTRAINT_SHAPES])[i].depth > 0.0;
    return n;
}

TEST(a_place_follows_beyond_the_yield)
{
    const double strayed = WAY * (N - 1) / N, flow = CREEP * strayed;
    struct stage *s = dent(0.99 * strayed, CREEP, 0.9 * flow);
    for (int i = 0; i < N; i++) {
        const struct vec3 right = vec3((i == MIDDLE ? flow : 0.0) - flow / N, 0.0, 0.0);
        check_close(vec3_norm(vec3_sub(moved(s, i), right)), 0.0, 1e-14, "place at rest");
    }
    check_equal(with_field(s), N - 1, "fields");
    stage_end(s);
    s = dent(1.01 * strayed, CREEP, 0.0);
    for (int i = 0; i < N; i++)
        check(vec3_norm(moved(s, i)) == 0.0);
    check_equal(with_field(s), N, "fields");
    stage_end(s);
}

/* ---- a cube that falls on a floor ---- */

enum { EDGE = 5, CUBE = EDGE * EDGE * EDGE };

struct fall {
    double most,
        lasting; /* the largest change of a distance, on the way and at the end, spacings */
    int lost;    /* particles without field */
};

/* Clay, of radii. */
static struct rigid_material clay(double yield, double field_limit)
{
    return (struct rigid_material){.stiffness = 1.0,
                                   .field = FIELD_ONE_SIDED,
                                   .yield = yield,
                                   .creep = 0.5,
                                   .field_limit = field_limit};
}

static void begin_fall(struct hand_scene *h, struct rigid_material material)
{
    const union hand_parameters parameters = {.rigid = material};
    begin(h, 4, 1.0 / 120.0);
    add_gravity(h);
    add_ground(h);
    const uint32_t b = add_body(h, add_material(h, &rigid_model, parameters), 0.05, 0.2);
    h->body[b].shape = (struct shape){
        .kind = SHAPE_BOX, .center = vec3(0.2, 0.2, 0.35), .size = vec3(0.5, 0.5, 0.5)};
    add_block(h, EDGE, EDGE, EDGE, vec3(0.0, 0.0, 0.15), vec3(0.5, 0.0, -5.0));
    for (size_t i = 0; i < h->particles.n; i++) /* it lands on an edge */
        h->particles.position[i] = vec3(0.8 * h->rest[i].x + 0.6 * h->rest[i].z, h->rest[i].y,
                                        0.8 * h->rest[i].z - 0.6 * h->rest[i].x + 0.4);
}

/* The largest change of a distance, spacings. */
static double strayed(const struct hand_scene *h, const struct simulation *s)
{
    double most = 0.0;
    for (size_t i = 0; i < CUBE; i++)
        for (size_t j = 0; j < i; j++) {
            double now = vec3_norm(vec3_sub(s->particles.position[i], s->particles.position[j]));
            double rest = vec3_norm(vec3_sub(h->rest[i], h->rest[j]));
            most = fmax(most, fabs(now - rest) / 0.1);
        }
    return most;
}

static struct fall fall(struct rigid_material material)
{
    struct hand_scene h;
    struct simulation s;
    struct state state;
    struct fall end = {.lost = CUBE};
    begin_fall(&h, material);
    start(&h, &s);
    for (int k = 0; k < 240; k++) {
        struct ledger_row row = step_once(&s);
        check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational)), 0.0, 1e-12,
                    "energy");
        end.lasting = strayed(&h, &s);
        end.most = fmax(end.most, end.lasting);
    }
    state_take(&state, &s);
    for (size_t k = 0; k < state.n; k++)
        if (strcmp(state.value[k].field->name, "fields") == 0)
            end.lost -= (int)state.value[k].rows;
    state_free(&state);
    leave(&h, &s);
    return end;
}

/* A body whose corrections go a part of the way gives way and returns. */
TEST(less_stiff_bodies_give_way_more_and_return)
{
    static const double stiffness[] = {1.0, 0.5, 0.25};
    double before = -1.0;
    for (int k = 0; k < 3; k++) {
        char name[60];
        struct fall end = fall((struct rigid_material){.stiffness = stiffness[k]});
        snprintf(name, sizeof name, "UPP.elastic.most.%g", stiffness[k]);
        measured(name, end.most);
        snprintf(name, sizeof name, "UPP.elastic.left.%g", stiffness[k]);
        measured(name, end.lasting);
        check(end.most > before);
        before = end.most;
    }
}

TEST(what_is_pressed_beyond_the_yield_stays)
{
    static const double yields[] = {1e3, 0.3, 0.1, 0.03};
    double before = -1.0;
    for (int k = 0; k < 4; k++) {
        char name[60];
        struct fall end = fall(clay(yields[k], (double)INFINITY));
        snprintf(name, sizeof name, "UPP.plastic.lasting.%g", yields[k]);
        measured(name, end.lasting);
        check(end.lasting > before);
        check(end.lost == 0);
        before = end.lasting;
    }
    check_close(fall(clay(1e3, 0.0)).lasting, 0.0, 1e-12, "without yielding");
}

TEST(particles_that_came_far_lose_their_field)
{
    static const double limits[] = {1e3, 0.3, 0.1, 0.0};
    int before = -1;
    for (int k = 0; k < 4; k++) {
        char name[60];
        struct fall end = fall(clay(0.03, limits[k]));
        snprintf(name, sizeof name, "UPP.plastic.lost.%g", limits[k]);
        measured(name, end.lost);
        check(end.lost > before || (k == 3 && end.lost >= before));
        before = end.lost;
    }
}

TEST(determinism_of_threads_and_a_restart)
{
    struct ending end[3];
    for (int t = 0; t < 3; t++) {
        struct hand_scene h;
        struct simulation s;
        struct ledger_row row = {0};
        omp_set_num_threads(1 + t);
        begin_fall(&h, clay(0.03, 0.1));
        start(&h, &s);
        for (int k = 0; k < 40; k++)
            row = step_once(&s);
        end[t] = ending_of(&s, row);
        check_same_ending(&end[0], &end[t]);
        if (t == 2)
            check_goes_on(&s, h.rest, 40);
        leave(&h, &s);
    }
    for (int t = 0; t < 3; t++)
        ending_free(&end[t]);
}
