/* Frames and runs that differ: in which fields, how much, and where. */
#include "analysis/compare.h"
#include "analysis/shape_distance.h"
#include "run_folder.h"

struct seen {
    size_t n;
    struct difference last;
};

static void see(const struct difference *difference, void *context)
{
    struct seen *seen = context;
    seen->n++;
    seen->last = *difference;
}

/* Flips one bit of each array in turn: exactly that field is reported. */
TEST(comparing_finds_one_flipped_bit)
{
    random_state = 9;
    struct frame a = random_frame(20, 3);
    random_state = 9;
    struct frame b = random_frame(20, 3);
    struct {
        const char *field;
        void *data;
        size_t size, element;
    } part[] = {
        {"position", b.particles.position, 480, 24},
        {"velocity", b.particles.velocity, 480, 24},
        {"mass", b.particles.mass, 160, 8},
        {"radius", b.particles.radius, 160, 8},
        {"body", b.particles.body, 80, 4},
        {"state", b.particles.state, 20, 1},
        {"warm_start", state_data(&b.state, "warm_start"), 480, 24},
        {"group", b.group, 80, 4},
        {"fragment", b.fragment, 80, 4},
        {"penetrated", b.penetrated, 80, 4},
        {"damage", state_data(&b.state, "damage"), 80, 4},
        {"ledger", b.ledger.value, 3 * 8 * test_columns()->n, 8 * test_columns()->n},
        {"measure", b.measure.value, 3 * 8 * MEASURE_WIDTH, 8 * MEASURE_WIDTH},
        {"broken", state_data(&b.state, "broken"), state_find(&b.state, "broken")->rows * 8, 8},
        {"time", &b.time, 8, 8},
        {"config", b.config, 10, 1},
        {"step", &b.step, 8, 8},
    };
    struct error error = {0};
    size_t n;
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++)
        for (int trial = 0; trial < 20; trial++) {
            size_t at = random_bits() % part[k].size;
            char *byte = (char *)part[k].data + at, mask = (char)(1 << random_bits() % 4);
            struct seen seen = {0};
            *byte = (char)(*byte ^ mask);
            check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
            *byte = (char)(*byte ^ mask);
            check_equal(n, 1, part[k].field);
            check_equal(seen.n, 1, part[k].field);
            check(seen.last.field && strcmp(seen.last.field, part[k].field) == 0);
            check_equal(seen.last.n_different, 1, part[k].field);
            check_equal(seen.last.first, at / part[k].element, part[k].field);
        }
    struct seen seen = {0};
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(n, 0, "no difference");
    frame_free(&a);
    frame_free(&b);
}

TEST(comparing_goes_by_the_names_of_columns)
{
    struct frame a = random_frame(20, 2), b = a;
    struct column column[LEDGER_MOST];
    struct error error = {0};
    struct seen seen = {0};
    size_t n;
    check_equal(a.ledger.n_columns, test_columns()->n, "columns");
    memcpy(column, a.ledger.column, test_columns()->n * sizeof *column);
    column[3].name = "another";
    b.ledger.column = column;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(n, 1, "differences");
    check_contains(seen.last.reason, "has other columns");
    frame_free(&a);
}

TEST(comparing_says_how_much_and_where)
{
    struct frame a = random_initial(20);
    struct frame b = a;
    struct error error = {0};
    struct seen seen = {0};
    size_t n;
    b.particles.mass = random_array(20, sizeof(double));
    for (size_t i = 0; i < 20; i++)
        a.particles.mass[i] = b.particles.mass[i] = 2.0;
    b.particles.mass[7] = 2.5;
    b.particles.mass[11] = 1.875;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check_equal(seen.last.n_different, 2, "entries");
    check_equal(seen.last.first, 7, "the first");
    check_close(seen.last.max_abs, 0.5, 0.0, "absolute");
    check_close(seen.last.max_rel, 0.2, 1e-16, "relative");
    b.particles.mass[11] = (double)NAN;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check(isnan(seen.last.max_abs));
    free(b.particles.mass);
    b = a;
    b.rest_position = NULL;
    check_equal(frame_compare(&a, &b, see, &seen, &n, &error), STATUS_OK, error.message);
    check(!seen.last.comparable);
    check_contains(seen.last.reason, "only in the first");
    frame_free(&a);
}

TEST(the_distance_of_shapes_is_that_of_their_particles)
{
    struct table table;
    struct error error = {0};
    begin();
    random_state = 3;
    struct frame frame = random_initial(50);
    double expected = 0.0;
    for (int run = 0; run < 2; run++) {
        char name[64];
        mkdir(in_folder(run ? "b" : "a"), 0777);
        mkdir(in_folder(run ? "b/frames" : "a/frames"), 0777);
        write_frame(run ? "b/initial.hdf" : "a/initial.hdf", &frame);
        for (int k = 0; k < 3; k++) {
            struct frame moved = frame;
            moved.number = (uint64_t)k;
            moved.time = 0.1 * k;
            moved.particles.position = random_array(50, sizeof(struct vec3));
            for (size_t i = 0; i < 50; i++) { /* body 1 moves in run b alone, body 0 in both */
                double far = i == 0 || frame.particles.body[i] == 0 ? 9.0 : run * k * (double)i;
                moved.particles.position[i] = frame.particles.position[i];
                moved.particles.position[i].y += far;
                if (k == 2 && run && frame.particles.body[i] == 1)
                    expected += far * far;
            }
            snprintf(name, sizeof name, "%s/frames/%06d.hdf", run ? "b" : "a", k);
            write_frame(name, &moved);
            free(moved.particles.position);
        }
    }
    unlink(in_folder("b/frames/000001.hdf"));
    double count = 0.0, largest = 0.0;
    for (size_t i = 0; i < 50; i++)
        if (frame.particles.body[i] == 1) {
            count += 1.0;
            largest = 2.0 * (double)i;
        }
    if (frame.particles.body[0] == 1)
        expected -= 81.0;
    check_equal(
        shape_distance_create(in_folder("a"), in_folder("b"), frame.body_name[1], &table, &error),
        STATUS_OK, error.message);
    check_equal(table.n_rows, 2, "common frames");
    const struct shape_distance_row *row = (const struct shape_distance_row *)table.value;
    check_close(row[0].rms, 0.0, 0.0, "at the start");
    check_close(row[1].frame, 2.0, 0.0, "number");
    check_close(row[1].time, 0.2, 0.0, "time");
    check_close(row[1].rms, sqrt(expected / count), 1e-12, "rms");
    check_close(row[1].max, largest, 1e-12, "max");
    check_close(row[0].fitted, 0.0, 1e-14, "at the start");
    check(row[1].fitted < 0.999 * row[1].rms && row[1].fitted > 0.0);
    free(table.value);
    check_equal(shape_distance_create(in_folder("a"), in_folder("b"), "wall", &table, &error),
                STATUS_INVALID, "status");
    check_contains(error.message, "has no body 'wall'; there are ball, cloth");
    frame_free(&frame);
    end();
}
