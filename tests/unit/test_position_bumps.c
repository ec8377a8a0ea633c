/* A rigid block is drawn slowly over another one of the same particles: how much it goes up and
 * down, and how contacts of the fields of both change that. Values that claims about unified
 * particle physics are about. */
#include "constraints/fields.h"
#include "theory_scenes.h"

enum { ACROSS = 4, LAYERS = 3, LONG = 14, PLACES = 5, STEPS = 60 };

/* Adds a block whose particles stand `spacing` apart, and which is a box of their outermost
 * surfaces; its lowest corner is at the place. */
static void add_bed(struct hand_scene *h, size_t material, int length, double spacing,
                    struct vec3 corner)
{
    const uint32_t b = add_body(h, material, 0.05, 0.2);
    const struct vec3 cells = vec3(length - 1, ACROSS - 1, LAYERS - 1);
    h->body[b].shape = (struct shape){.kind = SHAPE_BOX,
                                      .center = vec3_axpy(corner, 0.5 * spacing, cells),
                                      .size = vec3_axpy(vec3(0.1, 0.1, 0.1), spacing, cells)};
    for (int z = 0; z < LAYERS; z++)
        for (int y = 0; y < ACROSS; y++)
            for (int x = 0; x < length; x++)
                add_particle(h, vec3_axpy(corner, spacing, vec3(x, y, z)), vec3(0.0, 0.0, 0.0));
}

struct ride {
    double
        height[PLACES * STEPS]; /* of the upper block, m, from where spheres stand on each other */
    double rms, jump; /* of the height about its mean, and of its changes from step to step, m */
};

static double mean_height(const struct simulation *s, size_t first)
{
    double sum = 0.0;
    for (size_t i = first; i < s->particles.n; i++)
        sum += s->particles.position[i].z;
    return sum / (double)(s->particles.n - first);
}

/* Over PLACES spacings, each in STEPS steps of 1/120 s; it begins a spacing before. */
static void draw_over(struct ride *ride, enum field_rule rule, double spacing)
{
    const double dt = 1.0 / 120.0, speed = spacing / (STEPS * dt), top = spacing * (LAYERS - 1);
    const union hand_parameters stone = {.rigid = {.stiffness = 1.0, .field = rule}};
    struct hand_scene h;
    struct simulation s;
    double sum = 0.0;
    begin(&h, 4, dt);
    add_gravity(&h);
    const size_t material = add_material(&h, &rigid_model, stone);
    add_bed(&h, material, LONG, spacing, vec3(0.0, 0.0, 0.0));
    fix_from(&h, 0);
    const size_t first = h.particles.n;
    add_bed(&h, material, ACROSS, spacing, vec3(2.0 * spacing, 0.0, top + 0.1));
    start(&h, &s);
    const double level = mean_height(&s, first);
    for (int k = -STEPS; k < PLACES * STEPS; k++) {
        for (size_t i = first; i < s.particles.n; i++)
            s.particles.velocity[i].x = speed;
        step_once(&s);
        if (k >= 0)
            sum += ride->height[k] = mean_height(&s, first) - level;
    }
    leave(&h, &s);
    ride->rms = ride->jump = 0.0;
    for (int k = 0; k < PLACES * STEPS; k++) {
        ride->rms += pow(ride->height[k] - sum / (PLACES * STEPS), 2.0);
        ride->jump += k > 0 ? pow(ride->height[k] - ride->height[k - 1], 2.0) : 0.0;
    }
    ride->rms = sqrt(ride->rms / (PLACES * STEPS));
    ride->jump = sqrt(ride->jump / (PLACES * STEPS - 1));
}

static const char *const name_of[] = {"none", "depth", "one-sided"};

static void report_heights(const struct ride *ride, enum field_rule rule, int percent)
{
    for (int k = 0; k < 2 * STEPS; k += 2) {
        char name[80];
        snprintf(name, sizeof name, "UPP.bumps.height.%s.%d.x-%03d", name_of[rule], percent, k);
        measured(name, ride->height[k]);
    }
}

/* Spheres of radius r that stand s apart on others of the same kind go down by 2 r - sqrt(4 r^2 -
 * s^2 / 4) from one place to the next. */
TEST(bumps_are_lower_if_particles_overlap_at_rest)
{
    static const int percents[] = {0, 10, 20, 30};
    for (enum field_rule rule = FIELD_NONE; rule <= FIELD_ONE_SIDED; rule += 2) {
        double before = (double)INFINITY;
        for (size_t k = 0; k < 4; k++) {
            char name[80];
            struct ride ride;
            const double spacing = 0.1 * (1.0 - percents[k] / 100.0);
            const double drop = 0.1 - sqrt(0.01 - 0.25 * spacing * spacing);
            draw_over(&ride, rule, spacing);
            snprintf(name, sizeof name, "UPP.bumps.rms.%s.%d", name_of[rule], percents[k]);
            measured(name, ride.rms);
            snprintf(name, sizeof name, "UPP.bumps.drop.%s.%d", name_of[rule], percents[k]);
            measured(name, drop);
            report_heights(&ride, rule, percents[k]);
            check(ride.rms < before);
            before = ride.rms;
        }
    }
}

/* The field is too coarse beside the surface: where every contact there takes the way out by its
 * depth, that appears and vanishes with the contact. */
TEST(spheres_at_the_surface_leave_smaller_jumps)
{
    struct ride ride[3];
    for (enum field_rule rule = FIELD_NONE; rule <= FIELD_ONE_SIDED; rule++) {
        char name[80];
        draw_over(&ride[rule], rule, 0.1);
        snprintf(name, sizeof name, "UPP.bumps.jump.%s", name_of[rule]);
        measured(name, ride[rule].jump);
    }
    report_heights(&ride[FIELD_DEPTH], FIELD_DEPTH, 0);
    check(ride[FIELD_ONE_SIDED].jump < ride[FIELD_DEPTH].jump);
}
