/* M41: whether particles that a step merged and, at its end, split must be merged again at the
 * start of the next. M52: in which stage particles at rest are merged. */
#include "scenes.h"

#include <float.h>

/* Pairs in contact whose particles were in one meta-particle in the step that just ended. */
struct again {
    double merged;      /* how many there were */
    double approaching; /* of these, how many approach each other now */
};

/* Adds those of the last step, apart for meta-particles of two and for larger ones. Speeds below
 * 1e-12 of `scale` are rounding. */
static void count_again(const struct simulation *s, double scale, struct again *two,
                        struct again *larger)
{
    const struct particles *p = &s->particles;
    size_t *size = calloc(p->n, sizeof *size);
    if (!size)
        abort();
    for (size_t i = 0; i < p->n; i++)
        size[s->groups.leader[i]]++;
    for (size_t k = 0; k < s->touching.n; k++) {
        uint32_t i = s->touching.pair[k].i, j = s->touching.pair[k].j;
        if (s->groups.leader[i] != s->groups.leader[j])
            continue;
        struct again *which = size[s->groups.leader[i]] == 2 ? two : larger;
        struct vec3 n = vec3_sub(p->position[j], p->position[i]);
        double speed =
            vec3_dot(vec3_sub(p->velocity[j], p->velocity[i]), n) / fmax(vec3_norm(n), DBL_MIN);
        which->merged += 1.0;
        which->approaching += speed < -1e-12 * scale;
    }
    free(size);
}

/* The fraction, which is measured under a name. */
static double measured_again(const char *what, const struct again *again)
{
    char name[48];
    snprintf(name, sizeof name, "M41.%s", what);
    double fraction = again->approaching / again->merged;
    printf("# %s: %g of %g\n", what, again->approaching, again->merged);
    measured(name, fraction);
    return fraction;
}

/* Loose particles at random places, with random velocities and a flow towards the center. */
static void gather(struct hand_scene *h, int n, double size)
{
    hand_scene_begin(h);
    size_t loose = add_loose(h);
    for (int k = 0; k < n; k++) {
        if (k % (n / 5) == 0)
            add_body(h, loose, 0.01, 1e-3 * (1 + 5 * k / n)); /* five masses */
        struct vec3 place = vec3_scale(size, random_vector(41, 2 * (uint64_t)k));
        struct vec3 velocity = random_vector(41, 2 * (uint64_t)k + 1);
        add_particle(h, place, vec3_axpy(velocity, -10.0, place));
    }
}

static void run_again(struct hand_scene *h, int steps, double scale, struct again *two,
                      struct again *larger)
{
    struct simulation s;
    start(h, &s);
    for (int k = 0; k < steps; k++) {
        step_once(&s);
        count_again(&s, scale, two, larger);
    }
    simulation_free(&s);
    hand_scene_end(h);
}

/* The two halves of a split do not approach each other. Of a meta-particle of two they are its
 * particles; of a larger one they are groups, and two of their particles may well approach. */
TEST(loose_particles_that_were_split)
{
    struct hand_scene h;
    struct again two = {0}, larger = {0};
    gather(&h, 400, 0.15);
    run_again(&h, 60, 1.0, &two, &larger);
    check(two.merged > 100.0 && larger.merged > 100.0);
    check(measured_again("loose.two", &two) == 0.0);
    measured_again("loose.larger", &larger);
}

/* Two blocks that fly into each other; each particle of the one face is in front of four of the
 * other. The gap is larger by `more`. */
static void collide(struct hand_scene *h, double more)
{
    hand_scene_begin(h);
    size_t soft = add_peridynamics(h, 50.0, 3.0, 1e-3, (double)INFINITY);
    add_body(h, soft, 0.01, 8e-3);
    add_block(h, 4, 5, 5, vec3(-0.071 - more, 0, 0), vec3(2, 0, 0));
    add_body(h, soft, 0.01, 8e-3);
    add_block(h, 4, 5, 5, vec3(0.011, 0.01, 0.01), vec3(-2, 0, 0));
}

/* The fraction is one of a chaotic motion: 0.50 to 0.67 for gaps that differ by 1e-12. Eight of
 * them are counted together. */
TEST(elastic_bodies_that_were_split)
{
    struct again two = {0}, larger = {0};
    for (int k = 0; k < 8; k++) {
        struct hand_scene h;
        collide(&h, 1e-12 * k);
        run_again(&h, 100, 4.0, &two, &larger);
    }
    check(two.merged > 80.0 && larger.merged > 800.0);
    check(measured_again("elastic.two", &two) == 0.0);
    measured_again("elastic.larger", &larger);
}

/* Section 7: a particle at rest on another does not approach it when a step begins; the first stage
 * finds that gravity would bring it nearer, and the second has both in one meta-particle. */
TEST(particles_at_rest_are_merged_in_the_second_stage)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    h.scene.gravity = vec3(0.0, 0.0, -9.81);
    size_t loose = add_loose(&h);
    add_body(&h, loose, 0.01, 1e-3);
    fix_from(&h, add_particle(&h, vec3(0, 0, 0), vec3(0, 0, 0)));
    add_body(&h, loose, 0.01, 1e-3);
    add_particle(&h, vec3(0, 0, 0.0198), vec3(0, 0, 0));
    start(&h, &s);
    double elsewhere = 0.0;
    const int steps = 100000;
    for (int k = 0; k < steps; k++) {
        struct ledger_row row = step_once(&s);
        bool in_second = row.stages == 2.0 && row.approaching == 0.0 && row.late == 1.0;
        elsewhere +=
            !(in_second && row.groups == 1.0 && ledger_value(&row, "largest_group") == 2.0);
    }
    double moved = vec3_norm(vec3_sub(s.particles.position[1], vec3(0, 0, 0.0198))) / 0.01;
    simulation_free(&s);
    hand_scene_end(&h);
    check_equal(elsewhere, 0, "steps in which they were not");
    check_close(moved, 0.0, 0.0, "drift over the radius");
    measured("M52.elsewhere", elsewhere);
    measured("M52.drift", moved);
}
