/* The column `linearization`: what elastic energy gains beyond the work of the forces of a step. It
 * closes the balance of energy, whatever the energy is, so that only its size tells whether forces
 * and energy belong together. With x the position and f = -dE/dx, a step by u changes the energy by
 *
 *     dE = -f.u + u.K u / 2 + O(u^3),   u = O(dt)
 *
 * - The forces of backward Euler and of corotated solids, at the end of the step, do the work
 *   f.u - u.K u: what is missing, u.K u / 2, is what the integrator dissipates of elastic energy
 *   (numerical_dissipation has what it dissipates of kinetic energy), of second order in dt.
 * - The mean forces of average acceleration do f.u - u.K u / 2: of third order, but for the part
 *   of K that the step leaves out where bonds are compressed (bond_matrix.c), which is of second.
 * - Those of velocity Verlet, the mean of both ends: of third order always.
 *
 * An energy that does not belong to the forces leaves a part of f.u, of first order. */
#include "scenes.h"

static const double SPACING = 0.02, MASS = 1e-3; /* m, kg */

/* A material, and how it is moved. */
struct way {
    const char *name;
    enum { SPRINGS, BONDS, COROTATED } material;
    uint32_t integrator; /* of springs and bonds */
    uint32_t solver;     /* of corotated solids */
    int order;           /* in tension; in compression it is 3 for Verlet alone */
};

static void add_way(struct hand_scene *h, const struct way *way)
{
    size_t material = 0;
    h->scene.solver.integrator = way->integrator;
    if (way->material == SPRINGS)
        material = add_springs(h, 1000.0, 500.0, 200.0, 0.0);
    if (way->material == BONDS)
        material = add_peridynamics(h, 200.0, 2.0, 0.0, (double)INFINITY);
    if (way->material == COROTATED) {
        material = add_corotated(h, 1e6, 0.3, 1.0);
        h->parameters[material].corotated.solver = way->solver;
    }
    add_body(h, material, 0.5 * SPACING, MASS);
}

/* What linearizing adds to the elastic energy in the first step of a block that is stretched,
 * displaced at random and fast, over that energy. */
static double linearized(const struct way *way, double stretch, double dt)
{
    enum { NX = 6, NY = 4 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.contact.method = CONTACT_NONE;
    h.scene.solver.tolerance = 1e-12;
    h.scene.solver.max_iterations = 100000;
    h.scene.time.max_step = dt;
    add_way(&h, way);
    add_block(&h, NX, NY, NY, vec3(0, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 *x = &h.particles.position[i];
        *x = vec3_axpy(vec3_scale(1.0 + stretch, *x), 0.03 * SPACING, random_vector(4, i));
        h.particles.velocity[i] =
            vec3_axpy(vec3_scale(30.0, random_vector(5, i)), 1e4, vec3_sub(*x, h.rest[i]));
    }
    start(&h, &s);
    double energy = s.energy.elastic;
    struct ledger_row row = step_once(&s);
    check_close(row.dt / dt, 1.0, 1e-9, "step");
    simulation_free(&s);
    hand_scene_end(&h);
    return fabs(row.linearization) / energy;
}

/* The power of dt. */
static double order_of(const struct way *way, double stretch)
{
    static const double dt = 1e-6; /* a hundredth of the fastest period */
    return log2(linearized(way, stretch, dt) / linearized(way, stretch, 0.5 * dt));
}

TEST(linearization_is_of_higher_order)
{
    static const struct way ways[] = {
        {"springs-backward-euler", SPRINGS, INTEGRATOR_BACKWARD_EULER, 0, 2},
        {"bonds-backward-euler", BONDS, INTEGRATOR_BACKWARD_EULER, 0, 2},
        {"springs-newmark", SPRINGS, INTEGRATOR_NEWMARK, 0, 3},
        {"bonds-newmark", BONDS, INTEGRATOR_NEWMARK, 0, 3},
        {"springs-verlet", SPRINGS, INTEGRATOR_VERLET, 0, 3},
        {"bonds-verlet", BONDS, INTEGRATOR_VERLET, 0, 3},
        {"corotated-coupled", COROTATED, 0, COROTATED_COUPLED, 2},
        {"corotated-prefactored", COROTATED, 0, COROTATED_PREFACTORED, 2},
        {"corotated-whole", COROTATED, 0, COROTATED_WHOLE, 2},
        {"corotated-newton", COROTATED, 0, COROTATED_NEWTON, 2},
    };
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++) {
        double stretched = order_of(&ways[k], 0.15), pressed = order_of(&ways[k], -0.05);
        int least = ways[k].integrator == INTEGRATOR_VERLET ? 3 : 2;
        char name[64];
        check_close(stretched, ways[k].order, 0.05, ways[k].name);
        check(pressed > least - 0.05);
        snprintf(name, sizeof name, "LINEARIZATION.order-%d.%s", ways[k].order, ways[k].name);
        measured(name, stretched);
        snprintf(name, sizeof name, "LINEARIZATION.order-%d.%s-pressed", least, ways[k].name);
        measured(name, pressed);
    }
}
