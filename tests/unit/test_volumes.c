/* Reduced volumes at the horizon: against a plain loop, and against LAMMPS. */
#include "scenes.h"

static const double R = 0.01, K = 50.0, TAU = 1e-3; /* m, N per unit strain, s */

/* Of a neighbor's volume, by the formula of PDLAMMPS (Parks et al. 2008): from the horizon
 * less r on, -L / 2r + (horizon / 2r + 1/2); 0 beyond the horizon. All in m. */
static double stiffness_fraction(double length, double horizon, double r)
{
    if (length > horizon)
        return 0.0;
    return length < horizon - r ? 1.0 : -length / (2.0 * r) + (horizon / (2.0 * r) + 0.5);
}

/* A ball off its lattice, so that bonds have all lengths, deformed and moving; next to it one whose
 * volumes are whole. */
static void two_balls(struct hand_scene *h, struct simulation *s, const char *integrator)
{
    hand_scene_begin(h);
    h->scene.solver.integrator = CHOICE_OF(INTEGRATORS, integrator);
    size_t reduced = add_peridynamics(h, K, 2.6, TAU, 0.05);
    h->parameters[reduced].bonds.volumes = VOLUMES_REDUCED;
    add_body(h, reduced, R, 1e-3);
    add_ball(h, 0.06, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(h, add_peridynamics(h, 2.0 * K, 2.6, TAU, (double)INFINITY), R, 1e-3);
    add_ball(h, 0.05, vec3(0.5, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    jitter(h, 0.3 * R, 5);
    memcpy(h->rest, h->particles.position, h->particles.n * sizeof *h->rest);
    jitter(h, 0.2 * R, 6);
    for (size_t i = 0; i < h->particles.n; i++)
        h->particles.velocity[i] = random_vector(7, i);
    start(h, s);
}

/* What the bonds do, from their definition. */
struct plain {
    double energy, momentum_scale;
    struct vec3 *force; /* elastic and damping (n) */
};

static struct plain by_definition(const struct hand_scene *h, const struct particles *p)
{
    struct plain plain = {.force = calloc(p->n, sizeof *plain.force)};
    for (size_t i = 0; i < p->n; i++)
        for (size_t j = 0; j < p->n; j++) {
            struct vec3 d = vec3_sub(p->position[j], p->position[i]);
            double rest = vec3_norm(vec3_sub(h->rest[j], h->rest[i])), length = vec3_norm(d);
            if (i == j || p->body[i] != p->body[j] || rest > 2.6 * 2.0 * R)
                continue;
            double k = p->body[i] == 0 ? K * stiffness_fraction(rest, 2.6 * 2.0 * R, R) : 2.0 * K;
            double strain = length / rest - 1.0;
            struct vec3 n = vec3_scale(1.0 / length, d);
            double rate = vec3_dot(vec3_sub(p->velocity[j], p->velocity[i]), n) / rest;
            plain.energy += 0.25 * k * strain * strain * rest; /* each bond is met twice */
            plain.force[i] = vec3_axpy(plain.force[i], k * (strain + TAU * rate), n);
        }
    return plain;
}

TEST(energy_and_forces_are_those_of_the_formula)
{
    struct hand_scene h;
    struct simulation s;
    two_balls(&h, &s, "backward-euler");
    struct bond_network *net = (struct bond_network *)s.system[0];
    struct plain plain = by_definition(&h, &s.particles);
    struct vec3 *damping_force = calloc(s.particles.n, sizeof *damping_force);
    check_close(s.energy.elastic, plain.energy, 1e-12 * plain.energy, "energy");
    bond_evaluate_at(net, s.particles.position);
    bond_damping_forces(net, s.particles.velocity, damping_force);
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < s.particles.n; i++) {
        struct vec3 force = vec3_add(net->evaluation.force[i], damping_force[i]);
        worst = fmax(worst, vec3_norm(vec3_sub(force, plain.force[i])));
        largest = fmax(largest, vec3_norm(plain.force[i]));
    }
    check_close(worst, 0.0, 1e-12 * largest, "force");
    size_t reduced = 0;
    for (size_t e = 0; e < net->n_bonds; e++)
        reduced += net->stiffness_fraction[e] < 1.0;
    check(reduced > net->n_bonds / 5 && reduced < net->n_bonds); /* both kinds were tried */
    free(damping_force);
    free(plain.force);
    simulation_free(&s);
    hand_scene_end(&h);
}

/* Implicit, explicit, and through the breaking of bonds: the ledger knows what each bond holds. */
TEST(the_ledger_closes)
{
    const char *const integrator[] = {"backward-euler", "newmark", "verlet"};
    for (int k = 0; k < 3; k++) {
        struct hand_scene h;
        struct simulation s;
        two_balls(&h, &s, integrator[k]);
        double energy = s.energy.kinetic + s.energy.elastic, worst = 0.0, broken = 0.0;
        for (int step = 0; step < 60; step++) {
            struct ledger_row row = step_once(&s);
            worst = fmax(worst, fabs(row.energy_imbalance));
            broken += ledger_value(&row, "broken_energy");
        }
        check_close(worst / energy, 0.0, 1e-12, integrator[k]);
        check(broken > 0.0);
        simulation_free(&s);
        hand_scene_end(&h);
    }
}

/* One wave along each axis, each pushing along the next, in a cube of 8^3: the input of
 * scripts/peer_step.py with EDGE 8. LAMMPS (20220106, PERI/PMB) ends with the energies below. */
static void swing(enum neighbor_volumes volumes, double kinetic, double elastic)
{
    enum { EDGE = 8, STEPS = 30 };
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.solver.integrator = INTEGRATOR_VERLET;
    h.scene.time.max_step = 2e-5;
    h.scene.time.end = 1.0;
    size_t solid = add_peridynamics(&h, 5000.0, 3.000001, 0.0, 10.0);
    h.parameters[solid].bonds.volumes = volumes;
    add_body(&h, solid, R, 8e-3);
    add_block(&h, EDGE, EDGE, EDGE, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    double wave = 2.0 * acos(-1.0) / (2.0 * R * EDGE);
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 x = h.rest[i];
        h.particles.velocity[i] = vec3(sin(wave * x.y), sin(wave * x.z), sin(wave * x.x));
    }
    start(&h, &s);
    struct ledger_row row = {0};
    for (int k = 0; k < STEPS; k++)
        row = step_once(&s);
    printf("# kinetic %.12g J, elastic %.12g J; LAMMPS: %.12g and %.12g\n", row.kinetic,
           row.elastic, kinetic, elastic);
    check_close(row.kinetic, kinetic, 1e-9 * kinetic, "kinetic energy");
    check_close(row.elastic, elastic, 1e-9 * elastic, "elastic energy");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(energies_are_those_of_lammps)
{
    swing(VOLUMES_REDUCED, 1.7806247008630083, 1.3035629817796164);
    swing(VOLUMES_WHOLE, 1.5943250644359281, 1.4930656660227444);
}
