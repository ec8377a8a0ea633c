/* Smoke in gas of position-based fluids: which velocity is nearly free of divergence (UPP, Section
 * 7.2.1). */
#include "diffuse_scenes.h"

/* A closed box full of gas, the lower half of which is lighter, and smoke everywhere but at walls.
 */
static const char box_text[] =
    "name: box\n"
    "time: {end: 10, max_step: 8e-3, courant: never, frame_interval: 10}\n"
    "contact: {method: position-based}\n"
    "materials:\n"
    "  heavy: {model: fluid, viscosity: 0}\n"
    "  light: {model: fluid, viscosity: 0, buoyancy: 1.5}\n"
    "bodies:\n"
    "  above: {material: heavy, radius: 0.01, density: 1, jitter: 0.2, position: [0, 0, 0.24],"
    " shape: {box: {size: [0.24, 0.24, 0.16]}}}\n"
    "  below: {material: light, radius: 0.01, density: 1, jitter: 0.2, position: [0, 0, 0.08],"
    " shape: {box: {size: [0.24, 0.24, 0.16]}}}\n"
    "walls: {room: {keep: inside, shape: {box: {size: [0.24, 0.24, 0.32]}}, position: [0, 0, "
    "0.16]}}\n"
    "diffuse:\n"
    "  smoke: {number: 1000, shape: {box: {size: [0.14, 0.14, 0.2]}}, position: [0, 0, 0.16]}\n";

/* The divergence at a place of the fluid's velocity, times the volume of a particle and in units of
 * the kernel; the same factors for all that are compared. */
static double divergence(const struct particles *p, const struct vec3 *v, struct vec3 x)
{
    const double h = 0.04;
    struct vec3 mean = vec3(0, 0, 0);
    double sum = 0.0, weights = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->n; i++) {
            const struct vec3 apart = vec3_sub(x, p->position[i]);
            const double q = 1.0 - vec3_norm2(apart) / (h * h);
            if (q <= 0.0)
                continue;
            if (pass == 0) {
                mean = vec3_axpy(mean, q * q * q, v[i]);
                weights += q * q * q;
            } else {
                sum -= 6.0 * q * q * vec3_dot(vec3_axpy(v[i], -1.0 / weights, mean), apart);
            }
        }
    return sum / weights;
}

TEST(the_velocity_after_the_solve_has_less_divergence_at_smoke)
{
    struct trial t;
    double before = 0.0, after = 0.0;
    trial_create(&t, box_text);
    const struct position_based *scheme = (const struct position_based *)t.s.scheme;
    for (int step = 0; step < 50; step++) {
        step_once(&t.s);
        for (size_t k = 0; k < smoke_of(&t)->n; k += 5) {
            const struct vec3 x = smoke_of(&t)->position[k];
            const double b = divergence(&t.s.particles, scheme->velocity, x);
            const double a = divergence(&t.s.particles, t.s.motion.mean, x);
            before += b * b;
            after += a * a;
        }
    }
    measured("U78.divergence", sqrt(after / before));
    check(sqrt(after / before) < 1.0);
    trial_free(&t);
}
