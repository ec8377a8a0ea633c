/* Incompressible fluids of particles that are driven, by bodies that move and through inlets: the
 * volume that they take is the fluid's, and the ledger has what drives them. */
#include "trials.h"

/* Twice the mean height of the free particles of a fluid, m: that of its surface above the floor at
 * 0, if it is flat. */
static double level(const struct simulation *s)
{
    const struct particles *p = &s->particles;
    double sum = 0.0, n = 0.0;
    for (size_t i = 0; i < p->n; i++)
        if (scene_body_flows(s->scene, p->body[i]) && p->state[i] == PARTICLE_FREE) {
            sum += p->position[i].z;
            n += 1.0;
        }
    return 2.0 * sum / n;
}

/* What drove a fluid so far, and that it accounts for energy and momentum. */
struct drive {
    struct vec3 momentum;
    double supports, inlet, mass, lifted; /* work of each, J; kg; J of gravity */
};

static void drive_step(struct drive *d, struct simulation *s)
{
    struct ledger_row row = step_once(s);
    const struct vec3 in[] = {
        vec3(row.gravity_impulse_x, row.gravity_impulse_y, row.gravity_impulse_z),
        vec3(row.support_impulse_x, row.support_impulse_y, row.support_impulse_z),
        vec3(row.inlet_impulse_x, row.inlet_impulse_y, row.inlet_impulse_z), row_coupling(&row),
        row_residual(&row)};
    for (size_t k = 0; k < sizeof in / sizeof *in; k++)
        d->momentum = vec3_add(d->momentum, in[k]);
    check_close(vec3_norm(vec3_sub(row_momentum(&row), d->momentum)) / row.momentum_scale, 0.0,
                1e-12, "momentum");
    d->supports += row.support_work;
    d->inlet += row.inlet_work;
    d->mass += row.inlet_mass;
    d->lifted -= row.gravity_work;
    check_close(row.energy_imbalance / (row.kinetic + fabs(row.gravitational)), 0.0, 1e-12,
                "energy");
}

/* ---- a piston ---- */

/* It closes one end of a channel, 15 x 4 particles wide and 6 high, and goes into the water by
 * 0.12 m of 0.6 m from 0.2 s on, so that this becomes higher by 5/4. */
static const char piston[] =
    "name: piston\n"
    "time: {end: 1.2, max_step: 4e-3, courant: 0.8, frame_interval: 1}\n"
    "contact: {method: %s}\n"
    "materials: {water: {model: dfsph, viscosity: 1e-3}, steel: {model: loose}}\n"
    "bodies:\n"
    "  water: {material: water, radius: 0.02, density: 1000, position: [0.3, 0, 0.12],\n"
    "          shape: {box: {size: [0.6, 0.16, 0.24]}}}\n"
    "  piston: {material: steel, radius: 0.02, density: 1000, fixed: all,\n"
    "           position: [-0.04, 0, 0.24], shape: {box: {size: [0.08, 0.16, 0.48]}}}\n"
    "motions: {push: {body: piston, velocity: [0.2, 0, 0], start: 0.2, stop: 0.9, ramp: 0.1}}\n"
    "walls:\n"
    "  channel: {keep: inside, holds: %s, position: [0.1, 0, 0.5],\n"
    "            shape: {box: {size: [1, 0.16, 1]}}}\n";

/* How far the face of the piston has come, m. */
static double face(const struct simulation *s)
{
    const struct particles *p = &s->particles;
    double far = -1.0;
    for (size_t i = 0; i < p->n; i++)
        if (!scene_body_flows(s->scene, p->body[i]))
            far = fmax(far, p->position[i].x + p->radius[i]);
    return far;
}

/* Goes on until a time; the mean of the levels on the way. */
static double mean_level(struct trial *t, struct drive *d, double until)
{
    double sum = 0.0, n = 0.0;
    for (; t->s.time < until; n += 1.0) {
        drive_step(d, &t->s);
        sum += level(&t->s);
    }
    return sum / n;
}

/* Water stands a quarter of a spacing, WALL_NEAREST, nearer to walls than a lattice does: then the
 * channel is as if it were 0.62 m long, and the water rises by 0.8 % less. */
static void check_piston(const char *method, const char *holds)
{
    char text[2048];
    struct trial t;
    struct drive d = {0};
    snprintf(text, sizeof text, piston, method, holds);
    trial_create(&t, text);
    mean_level(&t, &d, 0.1);
    double before = mean_level(&t, &d, 0.2);
    mean_level(&t, &d, 1.0);
    double after = mean_level(&t, &d, 1.2), went = face(&t.s);
    printf("# %s: went %.4f m, level %.4f to %.4f m, %.3f of what it displaced; work %.3f J, "
           "lifted %.3f J\n",
           method, went, before, after, after / before * (0.6 - went) / 0.6, d.supports, d.lifted);
    check_close(went, 0.12, 1e-3, "way of the piston");
    check_close(after / before * (0.6 - went) / 0.6, 1.0, 0.02, "volume");
    trial_free(&t);
}

TEST(a_piston_displaces_its_volume_of_water)
{
    check_piston("pressure", "all");
    check_piston("merging-and-splitting", "fluids");
}

/* ---- an inlet ---- */

/* At the bottom of a pipe, 6 x 6 particles wide, that it fills against the weight of the water
 * above, at 0.3 m/s. */
static const char riser[] =
    "name: riser\n"
    "time: {end: 0.64, max_step: 4e-3, courant: 0.8, frame_interval: 1}\n"
    "contact: {method: %s}\n"
    "materials: {water: {model: dfsph, viscosity: 1e-3}}\n"
    "bodies:\n"
    "  water: {material: water, radius: 0.02, density: 1000, position: [0, 0, -0.04],\n"
    "          velocity: [0, 0, 0.3], inlet: {point: [0, 0, 0]},\n"
    "          shape: {box: {size: [0.24, 0.24, 0.56]}}}\n"
    "walls:\n"
    "  pipe: {keep: inside, holds: fluids, position: [0, 0, 0.3],\n"
    "         shape: {box: {size: [0.24, 0.24, 1.4]}}}\n";

/* As above, water takes up to (6.5 / 6)^2 times the room across. */
static void check_riser(const char *method)
{
    static const double area = 0.24 * 0.24, speed = 0.3, layer = 0.04;
    char text[2048];
    struct trial t;
    struct drive d = {0};
    snprintf(text, sizeof text, riser, method);
    trial_create(&t, text);
    d.momentum = t.s.totals.momentum;
    double before = level(&t.s);
    while (t.s.time < t.scene.time.end) {
        drive_step(&d, &t.s);
        check_close(d.mass, 1000.0 * area * speed * t.s.time, 1000.0 * area * layer, "mass let in");
    }
    double rose = level(&t.s) - before, work = d.inlet + d.supports;
    printf("# %s: %.3f kg in, rose by %.4f m; work %.3f J, lifted %.3f J\n", method, d.mass, rose,
           work, d.lifted);
    const double most = d.mass / 1000.0 / area;
    check(rose > 36.0 / 42.25 * most && rose < most);
    check(work > d.lifted && work < 1.1 * d.lifted);
    trial_free(&t);
}

TEST(an_inlet_lifts_the_water_above_at_its_rate)
{
    check_riser("none");
    check_riser("pressure");
}
