/* Cohesion of fluids that constraints of density move. */
#include "density_stage.h"

static const double G = 3.0;

/* The first `own` particles are a fluid that coheres, the others another one. */
static void begin(struct stage *s, size_t own)
{
    struct density_fluid fluid = {.n = own, .spacing = 2.0 * R, .support = H, .cohesion = G};
    begin_with(s, &fluid);
    fluid.first = own;
    fluid.n = s->particles.n - own;
    if (fluid.n > 0)
        begin_with(s, &fluid);
    find(s);
    change(s, CHANGE_COHESIVE);
}

/* The pull between two particles a distance apart, over g. */
static double pull_at(double distance, size_t own)
{
    struct stage *s = stage_begin();
    add(s, vec3(0.0, 0.0, 0.0), 2.0, PARTICLE_FREE);
    add(s, vec3(0.0, distance, 0.0), 2.0, PARTICLE_FREE);
    begin(s, own);
    const double pull = s->shift[0].y / (DT * DT * G);
    check(s->shift[1].y == -s->shift[0].y);
    stage_end(s);
    return pull;
}

TEST(two_particles_pull_at_each_other_and_repel_when_near)
{
    check_close(pull_at(1.0, 2), 1.0, 1e-14, "at half the support");
    check_close(pull_at(1.5, 2), 64.0 * pow(0.25 * 0.75, 3.0), 1e-14, "farther");
    check_close(pull_at(0.5, 2), 128.0 * pow(0.75 * 0.25, 3.0) - 1.0, 1e-14, "nearer");
    check(pull_at(2.0, 2) == 0.0);
    check(pull_at(1.0, 1) == 0.0); /* of different fluids */
}

/* Particles upstream of an inlet pull as well, and keep their velocity. */
TEST(cohesion_keeps_momentum_beside_an_inlet)
{
    struct stage *s = stage_begin();
    uint64_t draw = 0;
    for (int i = 0; i < 300; i++) {
        const double x = 5.0 * uniform(&draw), y = 5.0 * uniform(&draw), z = 5.0 * uniform(&draw);
        add(s, vec3(x, y, z), 2.0, x < 1.0 ? PARTICLE_PRESCRIBED : PARTICLE_FREE);
    }
    begin(s, 200);
    struct vec3 sum = vec3_scale(-1.0, s->corrections.inflow);
    for (size_t i = 0; i < s->particles.n; i++)
        sum = vec3_axpy(sum, s->particles.mass[i] / DT, s->shift[i]);
    check(vec3_norm(s->corrections.inflow) > 0.1);
    check_close(vec3_norm(sum), 0.0, 1e-12, "momentum");
    stage_end(s);
}
