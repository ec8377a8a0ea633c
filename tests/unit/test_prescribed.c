/* Fixed particles that prescribed motions move: where they are, what others feel of them, and what
 * work they do. */
#include "endings.h"
#include "shape/prescribed.h"
#include "trials.h"

/* ---- runs ---- */

/* A beam of which one end turns and swings, the other is held and shakes; a plate that rises under
 * it, and balls that fall on all of that. */
static const char stirred[] =
    "name: stirred\n"
    "gravity: [0, 0.5, -9.81]\n"
    "time: {end: 0.06, max_step: 1e-3, frame_interval: 0.01}\n"
    "contact: {%s}\n"
    "solver: {tolerance: 1e-12, integrator: %s, max_iterations: 10000}\n"
    "materials:\n"
    "  beam: {%s}\n"
    "  ball: {model: peridynamics, stiffness: 400, horizon: 2, damping: 1e-3}\n"
    "  sand: {model: loose}\n"
    "%s"
    "bodies:\n"
    "  beam: {material: beam, radius: 0.02, density: 1000,\n"
    "         fixed_in: {box: {size: [0.09, 1, 1], center: [0.14, 0, 0]}},\n"
    "         shape: {box: {size: [0.32, 0.12, 0.12]}}}\n"
    "  left: {material: ball, radius: 0.02, density: 2000, position: [-0.1, 0.01, 0.13],\n"
    "         velocity: [0, 0, -2], shape: {ball: {radius: 0.06}}}\n"
    "  right: {material: ball, radius: 0.02, density: 500, position: [0.13, 0.01, 0.13],\n"
    "         velocity: [0.2, 0, -2], shape: {ball: {radius: 0.06}}}\n"
    "  plate: {material: sand, radius: 0.02, density: 1000, position: [0, 0, -0.12], fixed: all,\n"
    "          shape: {box: {size: [0.2, 0.16, 0.04]}}}\n"
    "%s"
    "motions:\n"
    "  turn: {body: beam, region: {box: {size: [0.09, 1, 1], center: [-0.14, 0, 0]}},\n"
    "         turning: {axis: [1, 0.1, 0], turns: 2}, amplitude: [0, 0, 0.02], frequency: 7,\n"
    "         ramp: 0.01}\n"
    "  shake: {body: beam, amplitude: [0.01, 0.01, 0], frequency: 10, start: 0.005, stop: 0.05}\n"
    "  lift: {body: plate, velocity: [0.1, 0, 0.9]}\n";

#define SPRINGS                                                                                    \
    "model: mass-spring, stretch_stiffness: 2e3, shear_stiffness: 1e3, bend_stiffness: 500, "      \
    "damping: 0.02"
#define RUBBER(solver) "model: corotated, young_modulus: 2e5, poisson_ratio: 0.3, solver: " solver
#define FLUID(material) "  water: {" material "}\n"
#define POOL                                                                                       \
    "  pool: {material: water, radius: 0.02, density: 1000, position: [0, 0.02, 0.17],\n"          \
    "         velocity: [0, 0, -1], shape: {box: {size: [0.08, 0.12, 0.12]}}}\n"

/* Over a whole run: energy that the ledger does not explain, and momentum from nowhere, relative;
 * and the largest distance of a guided particle from its place, in radii. */
struct audit {
    double imbalance, drift, astray, work, energy;
};

static double farthest_astray(const struct simulation *s)
{
    const struct guided *g = &s->guided;
    double farthest = 0.0;
    for (size_t k = 0; k < g->n; k++) {
        struct vec3 moved =
            prescribed_displacement(&s->scene->prescribed[g->motion[k]], g->start[k], s->time);
        struct vec3 off =
            vec3_sub(s->particles.position[g->particle[k]], vec3_add(g->start[k], moved));
        farthest = fmax(farthest, vec3_norm(off) / s->particles.radius[g->particle[k]]);
    }
    return farthest;
}

static struct vec3 impulse_of(const struct ledger_row *row)
{
    struct vec3 gravity =
        vec3(row->gravity_impulse_x, row->gravity_impulse_y, row->gravity_impulse_z);
    struct vec3 support =
        vec3(row->support_impulse_x, row->support_impulse_y, row->support_impulse_z);
    struct vec3 coupling = row_coupling(row);
    struct vec3 sum = vec3_add(vec3_add(gravity, support), coupling), left = row_residual(row);
    return isnan(left.x) ? sum : vec3_add(sum, left);
}

/* Explicit steps are short; balls have landed by then. */
enum { MOST_STEPS = 2000 };

static struct audit audit(const char *contact, const char *integrator, const char *material,
                          const char *fluid)
{
    char text[8192];
    struct trial t;
    snprintf(text, sizeof text, stirred, contact, integrator, material, fluid, *fluid ? POOL : "");
    trial_create(&t, text);
    struct audit a = {.energy = 1e-30};
    struct vec3 expected = t.s.totals.momentum;
    double stored = 0.0, returned = 0.0, kept = 0.0;
    for (int k = 0; t.s.time < t.scene.time.end && k < MOST_STEPS; k++) {
        struct ledger_row row = step_once(&t.s);
        expected = vec3_add(expected, impulse_of(&row));
        a.energy = fmax(a.energy, fabs(row.kinetic) + fabs(row.elastic));
        a.imbalance = fmax(a.imbalance, fabs(row.energy_imbalance));
        a.drift =
            fmax(a.drift, vec3_norm(vec3_sub(row_momentum(&row), expected)) / row.momentum_scale);
        a.work += row.support_work;
        a.astray = fmax(a.astray, farthest_astray(&t.s));
        stored += ledger_value(&row, "merge_stored") + ledger_value(&row, "sync_stored");
        returned += ledger_value(&row, "split_returned");
        kept += ledger_value(&row, "merge_dissipated") + ledger_value(&row, "sync_dissipated");
    }
    a.imbalance /= a.energy;
    check_close((stored - returned - kept) / a.energy, 0.0, 1e-12, "virtual bonds");
    trial_free(&t);
    return a;
}

static void check_audit(const char *contact, const char *integrator, const char *material,
                        const char *fluid)
{
    struct audit a = audit(contact, integrator, material, fluid);
    printf("# %s, %s, %.40s, %.20s: imbalance %.1e of %.2g J, drift %.1e, %.2g J of supports\n",
           contact, integrator, material, fluid, a.imbalance, a.energy, a.drift, a.work);
    check_close(a.imbalance, 0.0, 1e-11, "energy imbalance");
    check_close(a.drift, 0.0, 1e-11, "momentum drift");
    check_close(a.astray, 0.0, 1e-12, "radii from the place that the motion gives");
    check(fabs(a.work) > 1e-3 * a.energy);
}

TEST(the_work_of_motions_is_accounted_for_with_every_contact_method)
{
    static const char *const contact[] = {"method: merging-and-splitting, alpha: 0.7",
                                          "method: merging-and-splitting, detection: swept",
                                          "method: sliding, stages: 8, alpha: 0.5",
                                          "method: sliding, stages: 8, friction: 0.3",
                                          "method: penalty",
                                          "method: implicit-penalty",
                                          "method: sph, stiffness: 1e5",
                                          "method: impulse",
                                          "method: iterated-impulse",
                                          "method: corrected-penalty",
                                          "method: corrected-impulse",
                                          "method: pressure",
                                          "method: none"};
    for (size_t k = 0; k < sizeof contact / sizeof contact[0]; k++)
        check_audit(contact[k], "backward-euler", SPRINGS, "");
}

/* Methods that push in the midst of a step, by impulses that no system knows. */
static const char lifted[] =
    "name: lifted\ngravity: [0, 0, 0]\n"
    "time: {end: 0.1, max_step: 1e-3, frame_interval: 0.1}\n"
    "contact: {method: %s}\n"
    "materials: {rubber: {model: corotated, young_modulus: 2e5, poisson_ratio: 0.3}}\n"
    "bodies:\n"
    "  %s: {material: rubber, radius: 0.02, density: 1000, fixed: all,\n"
    "          shape: {box: {size: [0.24, 0.24, 0.08]}}}\n"
    "  block: {material: rubber, radius: 0.02, density: 1000, position: [0, 0, 0.13],\n"
    "          shape: {box: {size: [0.16, 0.16, 0.16]}}}\n"
    "motions: {lift: {body: %s, velocity: [0, 0, 0.9]}}\n";

/* Returns the work of contact beside that of the plate. Bodies are in the order of their names. */
static double lift(const char *method, const char *plate)
{
    char text[2048];
    struct trial t;
    double work = 0.0, impulse = 0.0, contact = 0.0;
    snprintf(text, sizeof text, lifted, method, plate, plate);
    trial_create(&t, text);
    while (t.s.time < t.scene.time.end) {
        struct ledger_row row = step_once(&t.s);
        work += row.support_work;
        impulse += row.support_impulse_z;
        contact += row.contact_work;
    }
    printf("# %s: impulse %g N s, work %g J, of contact %g J\n", method, impulse, work, contact);
    check_close(work, 0.9 * impulse, 1e-12 * work, "work");
    check(work > 0.9 * 0.9 * 4.096);
    trial_free(&t);
    return contact / work;
}

/* One pressure does no work but that of supports, and what it takes for repairs of the density. */
TEST(the_work_of_a_plate_that_lifts_is_its_own)
{
    check(fabs(lift("pressure", "plate")) < 0.05);
    lift("iterated-impulse", "anvil");
    lift("corrected-impulse", "plate");
}

/* A ball is towed through the middle of a drop. At first it moves through the room around it. */
static const char towed[] =
    "name: towed\ngravity: [0, 0, 0]\n"
    "time: {end: 0.04, max_step: 1e-3, frame_interval: 0.04}\n"
    "contact: {method: %s}\n"
    "materials: {stone: {model: loose}, water: {%s}}\n"
    "bodies:\n"
    "  ball: {material: stone, radius: 0.01, density: 1000, fixed: all,\n"
    "         shape: {ball: {radius: 0.03}}}\n"
    "  water: {material: water, radius: 0.01, density: 1000, jitter: 0.1, shape: {difference: [\n"
    "         {box: {size: [0.2, 0.2, 0.2]}}, {ball: {radius: 0.046}}]}}\n"
    "motions: {tow: {body: ball, velocity: [0.6, 0, -0.2]}}\n";

/* Whatever the fluid, the work is that against its force on the ball, and positive. Returns it, J.
 */
static double tow(const char *method, const char *fluid)
{
    char text[2048];
    struct trial t;
    double sum = 0.0;
    snprintf(text, sizeof text, towed, method, fluid);
    trial_create(&t, text);
    const struct vec3 velocity = t.scene.prescribed[0].velocity;
    while (t.s.time < t.scene.time.end) {
        struct ledger_row row = step_once(&t.s);
        double power = -ledger_value(&row, "fluid_impulse_x") * velocity.x -
                       ledger_value(&row, "fluid_impulse_z") * velocity.z;
        sum += row.support_work;
        check_close(row.support_work, power, 1e-12 * (fabs(power) + row.kinetic), "work");
        check_close(row.energy_imbalance, 0.0, 1e-12 * (sum + row.kinetic), "energy");
    }
    printf("# %s, %s: %g J\n", method, fluid, sum);
    check(sum > 1e-3);
    trial_free(&t);
    return sum;
}

TEST(towing_a_ball_through_a_fluid_takes_work)
{
    tow("none", "model: fluid, pressure: 2e4, viscosity: 0.01");
    tow("none", "model: flip");
    double slips = tow("pressure", "model: dfsph, viscosity: 0.1");
    check(tow("pressure", "model: dfsph, viscosity: 0.1, wall_viscosity: 0.1") > 1.2 * slips);
}

TEST(and_with_every_integrator_and_solver)
{
    static const char merging[] = "method: merging-and-splitting";
    check_audit(merging, "newmark", SPRINGS, "");
    check_audit(merging, "verlet", SPRINGS, "");
    check_audit(merging, "backward-euler", RUBBER("prefactored"), "");
    check_audit(merging, "backward-euler", RUBBER("assembled"), "");
    check_audit(merging, "backward-euler", RUBBER("whole"), "");
    check_audit(merging, "backward-euler", RUBBER("newton"), "");
    check_audit(merging, "backward-euler", RUBBER("whole, control: explicit"), "");
    check_audit("method: penalty", "newmark", SPRINGS, "");
    check_audit("method: sliding, stages: 8", "newmark", SPRINGS, "");
}

TEST(and_with_fluids)
{
    static const char merging[] = "method: merging-and-splitting, beta: 0.3";
    check_audit(merging, "backward-euler", SPRINGS,
                FLUID("model: fluid, pressure: 2e4, viscosity: 0.1"));
    check_audit(merging, "backward-euler", RUBBER("prefactored"), FLUID("model: flip"));
    check_audit("method: sliding, stages: 8", "backward-euler", SPRINGS,
                FLUID("model: fluid, pressure: 2e4, viscosity: 0.1"));
}

/* ---- another frame ---- */

/* A beam whose end rests, or moves with the frame of the observer, as all else does. */
static const char framed[] =
    "name: framed\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: %g, max_step: 1e-3, frame_interval: 0.01, motion: relative}\n"
    "contact: {method: %s, alpha: 0.6}\n"
    "solver: {tolerance: 1e-13, integrator: %s, max_iterations: 10000}\n"
    "materials:\n"
    "  beam: {%s}\n"
    "  ball: {model: peridynamics, stiffness: 400, horizon: 2, damping: 1e-3}\n"
    "bodies:\n"
    "  beam: {material: beam, radius: 0.02, density: 1000, %s\n"
    "         fixed_in: {box: {size: [0.09, 1, 1], center: [-0.14, 0, 0]}},\n"
    "         shape: {box: {size: [0.32, 0.12, 0.12]}}}\n"
    "  ball: {material: ball, radius: 0.02, density: 2000, position: [-0.1, 0.01, 0.13],\n"
    "         velocity: [%g, %g, %g], shape: {ball: {radius: 0.06}}}\n"
    "%s";

/* Where merging decides on a velocity that is all but zero, rounding is enough to change the
 * impact; the runs that merge end before. */
struct framing {
    double end; /* s */
    const char *contact, *integrator, *material;
};

static void frame_create(struct trial *t, const struct framing *f, bool moves)
{
    char text[4096];
    const char *along = moves ? "velocity: [0.5, -0.25, 0.125]," : "";
    const char *motion =
        moves ? "motions: {along: {body: beam, velocity: [0.5, -0.25, 0.125]}}\n" : "";
    snprintf(text, sizeof text, framed, f->end, f->contact, f->integrator, f->material, along,
             moves ? 0.5 : 0.0, moves ? -0.25 : 0.0, moves ? -1.875 : -2.0, motion);
    trial_create(t, text);
}

/* The largest difference of places in radii, seen from either frame. */
static double differ(const struct simulation *rests, const struct simulation *moves)
{
    struct vec3 way = vec3_scale(moves->time, vec3(0.5, -0.25, 0.125));
    double largest = 0.0;
    for (size_t i = 0; i < rests->particles.n; i++) {
        struct vec3 there = vec3_sub(moves->particles.position[i], way);
        largest = fmax(largest, vec3_norm(vec3_sub(there, rests->particles.position[i])));
    }
    return largest / rests->particles.radius[0];
}

TEST(a_support_that_moves_evenly_is_one_at_rest_in_another_frame)
{
    static const struct framing way[] = {
        {0.012, "merging-and-splitting", "backward-euler", SPRINGS},
        {0.012, "merging-and-splitting", "newmark", SPRINGS},
        {0.0057, "merging-and-splitting", "verlet", SPRINGS},
        {0.012, "merging-and-splitting", "backward-euler", RUBBER("prefactored")},
        {0.012, "merging-and-splitting", "backward-euler", RUBBER("whole")},
        {0.012, "merging-and-splitting", "backward-euler", RUBBER("newton")},
        {0.08, "sliding, detection: discrete, stages: 8", "backward-euler", SPRINGS},
        {0.08, "sliding, detection: discrete, stages: 8, friction: 0.4", "newmark", SPRINGS},
        {0.08, "penalty", "backward-euler", SPRINGS},
        {0.08, "iterated-impulse", "backward-euler", SPRINGS},
    };
    for (size_t k = 0; k < sizeof way / sizeof way[0]; k++) {
        struct trial rests, moves;
        double apart = 0.0, contacts = 0.0;
        frame_create(&rests, &way[k], false);
        frame_create(&moves, &way[k], true);
        while (rests.s.time < rests.scene.time.end) {
            struct ledger_row row = step_once(&rests.s);
            contacts += row.contacts;
            step_once(&moves.s);
            apart = fmax(apart, differ(&rests.s, &moves.s));
        }
        printf("# %s, %s, %.50s: %.1e radii apart\n", way[k].contact, way[k].integrator,
               way[k].material, apart);
        check_close(apart, 0.0, 1e-9, "radii");
        check(contacts > 0.0);
        trial_free(&rests);
        trial_free(&moves);
    }
}

/* ---- the same bits ---- */

static void stirred_rubber(struct trial *t)
{
    char text[8192];
    snprintf(text, sizeof text, stirred, "method: merging-and-splitting", "backward-euler",
             RUBBER("prefactored"), "", "");
    trial_create(t, text);
}

TEST(threads_do_not_change_a_bit)
{
    struct ending end[2];
    for (int k = 0; k < 2; k++) {
        struct trial t;
        struct ledger_row row = {0};
        stirred_rubber(&t);
        omp_set_num_threads(1 + 2 * k);
        while (t.s.time < t.scene.time.end)
            row = step_once(&t.s);
        end[k] = ending_of(&t.s, row);
        trial_free(&t);
    }
    check_same_ending(&end[0], &end[1]);
    ending_free(&end[0]);
    ending_free(&end[1]);
}

TEST(a_run_that_goes_on_ends_with_the_same_bits)
{
    struct trial t;
    int steps = 0;
    stirred_rubber(&t);
    for (; t.s.time < 0.5 * t.scene.time.end; steps++)
        step_once(&t.s);
    check_goes_on(&t.s, t.sample.rest_position, steps - 1);
    trial_free(&t);
}
