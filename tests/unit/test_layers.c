/* Rows per frame, fluid and layer, on hand-made columns with known answers. */
#include "analysis/layers.h"
#include "base/memory.h"
#include "state_values.h"
#include "systems/bonds/bond_models.h"
#include "systems/sph/fluid_model.h"
#include "tap.h"

enum { COUNT = 600 };

static const struct fluid_material fluid = {.pressure = 1e5, .support = 2.0};
static struct material materials[2] = {
    {.name = "water", .model = &fluid_model, .parameters = &fluid},
    {.name = "sand", .model = &loose_model}};
static struct body bodies[2] = {{.name = "sand", .material = 1, .radius = 0.01, .particle_mass = 1},
                                {.name = "water", .radius = 0.01, .particle_mass = 8e-3}};
static struct wall tank = {.name = "tank",
                           .region = {.shape = {.kind = SHAPE_BOX, .size = {0.2, 0.2, 1.0}},
                                      .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                           .keep = KEEP_INSIDE};

struct stack {
    struct scene scene;
    struct frame frame;
    struct layers layers;
};

/* A lattice 10 x 10 wide and 6 high, one in two of the lowest layer fixed, the density growing with
 * depth; up is a direction of the world's axes. */
static void stack_begin(struct stack *c, struct vec3 up)
{
    struct error error = {0};
    *c = (struct stack){0};
    c->scene = (struct scene){.gravity = vec3_scale(-10.0, up),
                              .n_materials = 2,
                              .material = materials,
                              .n_bodies = 2,
                              .body = bodies,
                              .n_walls = 1,
                              .wall = &tank};
    c->frame = (struct frame){.number = 7, .time = 0.5, .n_bodies = 2};
    if (particles_create(&c->frame.particles, COUNT, &error))
        abort();
    float *density = state_add(&c->frame.state, "density", COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        double x = 0.02 * (double)(i % 10) - 0.09, y = 0.02 * (double)(i / 10 % 10) - 0.09;
        double z = 0.02 * (double)(i / 100) + 0.01;
        c->frame.particles.position[i] = up.z != 0.0 ? vec3(x, y, up.z * z) : vec3(up.x * z, x, y);
        c->frame.particles.body[i] = 1;
        c->frame.particles.state[i] = i < 100 && i % 2;
        density[i] = 1006.0F - 10.0F * (float)z;
    }
    check_equal(layers_begin(&c->layers, &c->scene, &error), STATUS_OK, error.message);
}

static void stack_end(struct stack *c)
{
    layers_free(&c->layers);
    particles_free(&c->frame.particles);
    state_free(&c->frame.state);
}

static double pressure_at(double z)
{
    double ratio = (double)(1006.0F - 10.0F * (float)z) / 1000.0;
    return 1e5 * (ratio * ratio - 1.0);
}

TEST(a_column_is_cut_into_layers_against_gravity)
{
    for (int side = -1; side <= 1; side += 2) {
        struct stack c;
        struct error error = {0};
        stack_begin(&c, vec3(0.0, 0.0, side));
        check_equal(layers_add(&c.layers, &c.frame, &error), STATUS_OK, error.message);
        check_equal(c.layers.n, 3, "layers");
        for (int k = 0; k < 3; k++) {
            const struct layer_row *row = &c.layers.row[k];
            double low = pressure_at(0.04 * k + 0.01), high = pressure_at(0.04 * k + 0.03);
            /* of the lowest layer half of the particles are fixed; inside, 6 x 6 are at least 0.04
             * m from the four walls */
            double few = k == 0 ? 18.0 : 36.0;
            check_close(row->body, 1.0, 0.0, "body");
            check_close(row->frame, 7.0, 0.0, "frame");
            check_close(row->time, 0.5, 0.0, "time");
            check_close(row->height, 0.02 + 0.04 * k, 1e-15, "height");
            check_close(row->particles, k == 0 ? 150.0 : 200.0, 0.0, "particles");
            check_close(row->inner, few + 36.0, 0.0, "inner");
            check_close(row->pressure, (few * low + 36.0 * high) / (few + 36.0), 1e-9, "pressure");
            check_close(row->weight_above, (500.0 - 200.0 * k) * 0.08, 1e-9, "weight above");
        }
        stack_end(&c);
    }
}

TEST(layers_without_particles_have_no_rows_and_walls_hide_pressures)
{
    struct stack c;
    struct error error = {0};
    stack_begin(&c, vec3(0.0, 0.0, 1.0));
    c.frame.particles.position[599] = vec3(0.09, 0.0, 0.41);
    c.frame.particles.position[598] = vec3(0.0, 0.0, (double)NAN);
    c.frame.particles.body[597] = 0; /* no fluid */
    check_equal(layers_add(&c.layers, &c.frame, &error), STATUS_OK, error.message);
    check_equal(c.layers.n, 4, "layers");
    check_close(c.layers.row[3].height, 0.42, 1e-15, "height");
    check_close(c.layers.row[3].particles, 1.0, 0.0, "particles");
    check(isnan(c.layers.row[3].pressure) && isnan(c.layers.row[3].density));
    check_close(c.layers.row[2].particles, 197.0, 0.0, "particles");
    c.frame.n_bodies = 3;
    check_equal(layers_add(&c.layers, &c.frame, &error), STATUS_INVALID, "status");
    check_contains(error.message, "3 bodies, but 2 at the start");
    stack_end(&c);
}

TEST(memory_that_runs_out_is_an_error)
{
    for (long n = 0; n < 8; n++) {
        struct stack c;
        struct error error = {0};
        stack_begin(&c, vec3(0.0, 0.0, 1.0));
        memory_fail_after(n);
        enum status status = layers_add(&c.layers, &c.frame, &error);
        memory_fail_after(-1);
        check((status == STATUS_OK) == (error.message[0] == '\0'));
        check(n > 1 || status == STATUS_FAILED);
        check(n < 7 || status == STATUS_OK);
        stack_end(&c);
    }
}
