/* Rigid bodies in contact, in schemes that solve for velocities: at rest, in piles, beside cloth,
 * and the same to the bit for any number of threads. */
#include "endings.h"
#include "rigid_scenes.h"

static const double G = 10.0; /* m/s^2 */

/* A floor of fixed particles, n x n, whose tops are at z = 0. */
static void add_floor(struct hand_scene *h, size_t material, int n)
{
    add_body(h, material, 0.05, 0.2);
    const double half = 0.05 * (n - 1);
    fix_from(h, add_block(h, n, n, 1, vec3(-half, -half, -0.05), vec3(0.0, 0.0, 0.0)));
}

static void make_stack(struct hand_scene *h, enum contact_method method, int boxes)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -G);
    h->scene.contact.method = method;
    h->scene.contact.stages = 12;
    const size_t stone = add_rigid(h);
    add_floor(h, stone, 4);
    for (int k = 0; k < boxes; k++) {
        add_body(h, stone, 0.05, 0.2);
        const double z = 0.05 + 0.2 * k - 1e-7 * (k + 1);
        add_block(h, 2, 2, 2, vec3(-0.05, -0.05, z), vec3(0.0, 0.0, 0.0));
    }
}

static void rest(enum contact_method method, double alpha, int steps)
{
    enum { BOXES = 10 };
    struct hand_scene h;
    struct simulation s;
    make_stack(&h, method, BOXES);
    h.scene.contact.alpha = alpha;
    const size_t n = h.particles.n;
    const double weight = 0.2 * 8 * BOXES * G * h.scene.time.max_step;
    start(&h, &s);
    double off = 0.0, speed = 0.0;
    for (int k = 0; k < steps; k++) {
        const struct ledger_row row = step_once(&s);
        speed = fmax(speed, row.speed_max);
        check_close(row.energy_imbalance, 0.0, 1e-12, "energy_imbalance");
        check_close(row.support_impulse_z / weight, 1.0, 1e-9, "impulse of the floor");
    }
    for (size_t i = 0; i < n; i++)
        off = fmax(off, vec3_norm(vec3_sub(s.particles.position[i], h.rest[i])));
    printf("#   after %d steps: off by %.3g m, speeds up to %.3g m/s\n", steps, off, speed);
    check_close(off, 0.0, 1e-12, "places");
    check_close(speed, 0.0, 1e-12, "speed");
    simulation_free(&s);
    hand_scene_end(&h);
}

TEST(a_stack_of_ten_rests)
{
    rest(CONTACT_MERGING_AND_SPLITTING, 1.0, 1000);
    rest(CONTACT_MERGING_AND_SPLITTING, 0.0, 1000);
}
