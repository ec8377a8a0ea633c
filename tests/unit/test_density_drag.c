/* Viscosity of fluids that constraints of density move: what it takes from velocities, at the end
 * of a step. */
#include "density_stage.h"

/* In the middle of a wave of shear v_x = sin(k z) viscosity takes nu k^2 dt of it. */
TEST(viscosity_is_that_of_the_material)
{
    const double nu = 0.1, k = 2.0 * acos(-1.0) / 16.0;
    struct stage *s = stage_begin();
    add_lattice(s, (const int[3]){9, 9, 33}, 1.0, 2.0);
    for (size_t i = 0; i < s->particles.n; i++)
        s->particles.velocity[i] = vec3(sin(k * (s->particles.position[i].z - 12.0)), 0.0, 0.0);
    begin_fluid(s, s->particles.n, nu, NULL);
    find(s);
    change(s, CHANGE_VISCOUS);
    const size_t middle = 40 + 81 * 16; /* where the wave is largest */
    check_close(s->particles.velocity[middle].x, 1.0, 1e-12, "speed");
    check_close(-s->shift[middle].x / (DT * DT * nu * k * k), 1.0, 0.03, "rate over nu k^2");
    check_close(lost(s), 0.0, 1e-13, "momentum");
    stage_end(s);
}

TEST(viscosity_takes_energy_and_keeps_momentum_beside_an_inlet)
{
    struct stage *s = soup(1.0);
    double work = 0.0;
    find(s);
    s->corrections.support = vec3(0.0, 0.0, 0.0);
    change(s, CHANGE_VISCOUS);
    check_close(lost(s), 0.0, 1e-13, "momentum");
    for (size_t i = 0; i < s->particles.n; i++)
        work += s->weight[i] > 0.0
                    ? vec3_dot(s->shift[i], s->particles.velocity[i]) / (s->weight[i] * DT)
                    : 0.0;
    check(work - s->corrections.inflow_work < 0.0);
    stage_end(s);
}
