/* FLIP: what water does in a tank, in a drop and in waves. */
#include "flip_scenes.h"

/* ---- a tank at rest ---- */

/* 5 x 4 cells wide, 12 deep. */
static void fill_tank(struct hand_scene *h, struct wall *tank, double low)
{
    hand_scene_begin(h);
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    add_tank(h, tank, vec3(low, low, low), vec3(low + 0.2, low + 0.16, low + 1.0));
    add_water(h, add_flip(h, flip_defaults()), 10, 8, 24, vec3(low, low, low), vec3(0.0, 0.0, 0.0));
    jitter(h, 0.2 * FLIP_R, 5);
}

struct still_water {
    double weight; /* of what walls carry, over that of the fluid */
    double speed;  /* root of the mean square, m/s */
    double height; /* of the highest particle's upper end over the floor, m */
};

static struct still_water rest_in_tank(double low)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    struct still_water rest = {0};
    double carried = 0.0, weight = 0.0;
    fill_tank(&h, &tank, low);
    start(&h, &s);
    for (int k = 0; k < 350; k++) {
        struct ledger_row row = step_once(&s);
        if (k < 150)
            continue;
        carried += row.support_impulse_z;
        weight -= row.gravity_impulse_z;
    }
    for (size_t i = 0; i < s.particles.n; i++) {
        rest.speed += vec3_norm2(s.particles.velocity[i]) / (double)s.particles.n;
        rest.height = fmax(rest.height, s.particles.position[i].z + FLIP_R - low);
    }
    rest.speed = sqrt(rest.speed);
    rest.weight = carried / weight;
    printf("# tank at %g m: %.4f of the weight, %.4f m/s, %.4f m high\n", low, rest.weight,
           rest.speed, rest.height);
    simulation_free(&s);
    hand_scene_end(&h);
    return rest;
}

TEST(walls_carry_a_tank_at_rest)
{
    const double places[] = {0.0, 0.013, 0.0399}; /* on the lattice, and not */
    for (int k = 0; k < 3; k++) {
        struct still_water rest = rest_in_tank(places[k]);
        check_close(rest.weight, 1.0, 0.01, "weight that walls carry");
        check_close(rest.height, 0.48, 0.05 * 0.48, "height");
        check_close(rest.speed, 0.0, 0.03, "speed");
    }
}

/* ---- what fluids do ---- */

/* A ball of water without gravity turns by omega dt n = 1.5; what is left of its angular momentum.
 * It would fly apart after that: the pressure in its middle is negative. */
static double left_of_spin(double blend, enum flip_transfer transfer)
{
    struct hand_scene h;
    struct simulation s;
    struct flip_material flip = flip_defaults();
    struct vec3 before = vec3(0.0, 0.0, 0.0), after = before;
    const double omega = 5.0;
    hand_scene_begin(&h);
    h.scene.time.max_step = 5e-3;
    flip.blend = blend;
    flip.transfer = transfer;
    flip.crowding = 0.0;
    add_body(&h, add_flip(&h, flip), FLIP_R, FLIP_MASS);
    add_ball(&h, 0.2, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)); /* 5 cells */
    jitter(&h, 0.2 * FLIP_R, 9);
    for (size_t i = 0; i < h.particles.n; i++)
        h.particles.velocity[i] = vec3_cross(vec3(0.0, 0.0, omega), h.particles.position[i]);
    start(&h, &s);
    if (transfer == FLIP_TRANSFER_APIC)
        for (size_t i = 0; i < s.particles.n; i++) {
            flip_of(&s)->affine[i][1] = -omega;
            flip_of(&s)->affine[i][3] = omega;
        }
    for (size_t i = 0; i < s.particles.n; i++)
        before = vec3_add(before, vec3_cross(s.particles.position[i], s.particles.velocity[i]));
    while (s.time < 1.5 / omega - 1e-9)
        step_once(&s);
    for (size_t i = 0; i < s.particles.n; i++)
        after = vec3_add(after, vec3_cross(s.particles.position[i], s.particles.velocity[i]));
    simulation_free(&s);
    hand_scene_end(&h);
    return after.z / before.z;
}

TEST(a_drop_keeps_its_spin)
{
    double flip = left_of_spin(1.0, FLIP_TRANSFER_FLIP);
    double blended = left_of_spin(0.97, FLIP_TRANSFER_FLIP);
    double pic = left_of_spin(0.0, FLIP_TRANSFER_FLIP);
    double apic = left_of_spin(0.97, FLIP_TRANSFER_APIC);
    printf("# spin left: FLIP %.4f, 0.97 of it %.4f, PIC %.4f, APIC %.4f\n", flip, blended, pic,
           apic);
    check_close(flip, 1.0, 0.01, "FLIP");
    check(blended < flip && blended > 0.95);
    check(pic < 0.8);
    check_close(apic, 1.0, 0.02, "APIC");
}

/* The slowest sloshing of a tank, 24 cells long and 12 deep, in the horizontal momentum: the period
 * of linear waves, T = 2 pi / sqrt(g k tanh(k H)) with k = pi / L. The amplitude is 2 cells. */
static double sloshing_period(struct flip_material flip)
{
    struct hand_scene h;
    struct simulation s;
    struct wall tank;
    const double length = 0.96, depth = 0.48, amplitude = 0.08;
    double crossing[8], last = 0.0;
    int n = 0;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    h.scene.time.max_step = 4e-3;
    add_tank(&h, &tank, vec3(0.0, 0.0, 0.0), vec3(length, 0.04, 1.0));
    add_body(&h, add_flip(&h, flip), FLIP_R, FLIP_MASS);
    for (int z = 0; z < 32; z++)
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < 48; x++) {
                struct vec3 at = vec3(0.02 * x + 0.01, 0.02 * y + 0.01, 0.02 * z + 0.01);
                if (at.z < depth + amplitude * cos(3.141592653589793 * at.x / length))
                    add_particle(&h, at, vec3(0.0, 0.0, 0.0));
            }
    jitter(&h, 0.2 * FLIP_R, 11);
    start(&h, &s);
    while (n < 3 && s.time < 4.0) {
        double before = s.time;
        struct ledger_row row = step_once(&s);
        if (s.time > 0.1 && last * row.momentum_x < 0.0)
            crossing[n++] = s.time - (s.time - before) * row.momentum_x / (row.momentum_x - last);
        last = row.momentum_x;
    }
    simulation_free(&s);
    hand_scene_end(&h);
    return n == 3 ? crossing[2] - crossing[0] : 0.0;
}

TEST(a_tank_sloshes_with_the_period_of_waves)
{
    const double k = 3.141592653589793 / 0.96;
    double expected = 2.0 * 3.141592653589793 / sqrt(9.81 * k * tanh(k * 0.48));
    struct flip_material calm = flip_defaults();
    calm.crowding = 0.0;
    double with = sloshing_period(flip_defaults()), without = sloshing_period(calm);
    printf("# period %.4f s, %.4f s without crowding; %.4f s expected\n", with, without, expected);
    check_close(with / expected, 1.0, 0.04, "period");
    check_close(without / expected, 1.0, 0.04, "period without crowding");
}
