/* Rows per frame and fragment, on hand-made frames with known answers. */
#include "analysis/fragment_history.h"
#include "base/memory.h"
#include "state_values.h"
#include "systems/bonds/bond_models.h"
#include "tap.h"

enum { COUNT = 9 };

static const struct peridynamics whole = {.fracture_energy = (double)INFINITY,
                                          .critical_stretch = (double)INFINITY},
                                 brittle = {.fracture_energy = (double)INFINITY,
                                            .critical_stretch = 0.01};
static struct material materials[2] = {
    {.name = "steel", .model = &peridynamics_model, .parameters = &whole},
    {.name = "plaster", .model = &peridynamics_model, .parameters = &brittle}};
static struct body bodies[3] = {{.name = "wall", .material = 1},
                                {.name = "ball", .material = 0},
                                {.name = "brick", .material = 1}};
static const struct scene scene = {
    .n_materials = 2, .material = materials, .n_bodies = 3, .body = bodies};

/* Particles 0-4 are the wall's, 5 and 6 the ball's, 7 and 8 the brick's; of the wall 0, 2 and 3 are
 * whole, of the brick nothing is. */
static void frame_begin(struct frame *frame)
{
    static const uint32_t body[COUNT] = {0, 0, 0, 0, 0, 1, 1, 2, 2};
    static const uint32_t fragment[COUNT] = {0, 1, 0, 0, 4, 5, 5, 7, 8};
    struct error error = {0};
    *frame = (struct frame){.number = 3, .time = 0.5, .n_bodies = 3};
    if (particles_create(&frame->particles, COUNT, &error) ||
        array_create(&frame->fragment, COUNT, sizeof *frame->fragment, "test", &error))
        abort();
    float *damage = state_add(&frame->state, "damage", COUNT);
    struct particles *p = &frame->particles;
    for (size_t i = 0; i < COUNT; i++) {
        p->position[i] = vec3((double)i, 1.0, 0.0);
        p->velocity[i] = vec3(1.0, (double)i, -2.0);
        p->mass[i] = i == 3 ? 2.0 : 1.0;
        p->body[i] = body[i];
        p->state[i] = i == 2; /* fixed ones count, too */
        frame->fragment[i] = fragment[i];
        damage[i] = 0.25F * (float)(i % 4);
    }
}

static void check_row(const struct fragment_row *row, double body, double fragment,
                      double particles, double mass)
{
    check_close(row->body, body, 0.0, "body");
    check_close(row->frame, 3.0, 0.0, "frame");
    check_close(row->time, 0.5, 0.0, "time");
    check_close(row->fragment, fragment, 0.0, "fragment");
    check_close(row->particles, particles, 0.0, "particles");
    check_close(row->mass, mass, 0.0, "mass");
    check_close(row->velocity_x, 1.0, 1e-15, "velocity_x");
    check_close(row->velocity_z, -2.0, 0.0, "velocity_z");
}

TEST(every_fragment_of_a_body_that_can_break_has_a_row)
{
    struct error error = {0};
    struct frame frame;
    struct fragment_history history;
    frame_begin(&frame);
    fragment_history_begin(&history, &scene);
    for (size_t k = 0; k < 2; k++)
        check_equal(fragment_history_add(&history, &frame, &error), STATUS_OK, error.message);
    struct table table = fragment_history_table(&history);
    check_equal(table.n_rows, 10, "rows of two frames");
    check_equal(table.n_columns, FRAGMENT_WIDTH, "columns");
    for (size_t k = 0; k < 2 && table.n_rows == 10; k++) {
        const struct fragment_row *row = &history.row[5 * k];
        check_row(&row[0], 0.0, 0.0, 3.0, 4.0);
        check_close(row[0].x, (0.0 + 2.0 + 2.0 * 3.0) / 4.0, 1e-15, "x");
        check_close(row[0].y, 1.0, 1e-15, "y");
        check_close(row[0].velocity_y, 2.0, 1e-15, "velocity_y");
        check_close(row[0].kinetic, 0.5 * (5.0 + (4.0 + 5.0) + 2.0 * (9.0 + 5.0)), 1e-14,
                    "kinetic");
        check_close(row[0].damage, (0.0 + 0.5 + 0.75) / 3.0, 1e-15, "damage");
        check_row(&row[1], 0.0, 1.0, 1.0, 1.0);
        check_row(&row[2], 0.0, 4.0, 1.0, 1.0);
        check_row(&row[3], 2.0, 7.0, 1.0, 1.0);
        check_row(&row[4], 2.0, 8.0, 1.0, 1.0);
    }
    fragment_history_free(&history);
    frame_free(&frame);
}

TEST(a_frame_without_fragments_adds_nothing)
{
    struct error error = {0};
    struct frame frame;
    struct fragment_history history;
    frame_begin(&frame);
    free(frame.fragment);
    frame.fragment = NULL;
    fragment_history_begin(&history, &scene);
    check_equal(fragment_history_add(&history, &frame, &error), STATUS_OK, error.message);
    check_equal(fragment_history_table(&history).n_rows, 0, "rows");
    fragment_history_free(&history);
    frame_free(&frame);
}

/* `fragment` of particle i is `name`, the frame has `n_bodies`. */
static void check_refused(size_t i, uint32_t name, size_t n_bodies, const char *complaint)
{
    struct error error = {0};
    struct frame frame;
    struct fragment_history history;
    frame_begin(&frame);
    frame.fragment[i] = name;
    frame.n_bodies = n_bodies;
    fragment_history_begin(&history, &scene);
    check_equal(fragment_history_add(&history, &frame, &error), STATUS_INVALID, "status");
    check_contains(error.message, complaint);
    fragment_history_free(&history);
    frame_free(&frame);
}

TEST(fragments_that_contradict_themselves_are_refused)
{
    check_refused(2, 3, 3, "particle 2 of body 0 is in fragment 3, but particle 3 of body 0 in 0");
    check_refused(8, 4, 3, "particle 8 of body 2 is in fragment 4, but particle 4 of body 0 in 4");
    check_refused(0, 0, 2, "2 bodies, but 3 at the start");
}

TEST(memory_that_runs_out_is_an_error)
{
    for (long n = 0; n < 8; n++) {
        struct error error = {0};
        struct frame frame;
        struct fragment_history history;
        frame_begin(&frame);
        fragment_history_begin(&history, &scene);
        memory_fail_after(n);
        enum status status = fragment_history_add(&history, &frame, &error);
        memory_fail_after(-1);
        check((status == STATUS_OK) == (error.message[0] == '\0'));
        check(n > 1 || status == STATUS_FAILED);
        check(n < 7 || status == STATUS_OK);
        fragment_history_free(&history);
        frame_free(&frame);
    }
}
