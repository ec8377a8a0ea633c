/* The step with sliding meta-particles against the naive one of naive_sliding.h, on small random
 * scenes in which a cloth, a block, loose particles and a fluid run into each other, and on
 * pyramids. */
#include "naive_sliding.h"

#include "judge_scenes.h"

/* What happened in all steps of all scenes; a comparison without contact would prove nothing. */
struct record {
    double
        worst; /* largest difference in velocity or displacement over dt, over the largest speed */
    double moved; /* ... in displacement over dt alone */
    double links, loaded, merged, steps;
    double arrived; /* links that were merged again after the move */
    double stopped; /* ... because they had been pressed, and are not given back */
    double foreign; /* loaded links between the network and the fluid */
    double stages, unresolved;
    double stick, slip; /* links with friction */
    double at_rest;     /* links that stick by more than friction in motion could */
    double redundant;   /* links beyond three for each free particle: their rows depend on others */
};

static void note_friction(struct record *record, const struct naive_links *links,
                          const struct naive_link *link)
{
    static const double rounding = 1e-7;
    bool sticks = link->slip < 1e-6;
    if (!(link->rub > 0.0))
        return;
    *(sticks ? &record->stick : &record->slip) += 1.0;
    record->at_rest += sticks && link->rub > (1.0 + rounding) * links->friction * link->press;
}

static double count_free_ends(const struct naive *naive, const struct naive_links *links)
{
    bool free_end[NAIVE_MOST] = {false};
    double n = 0.0;
    for (size_t c = 0; c < links->n; c++)
        free_end[links->link[c].i] = free_end[links->link[c].j] = true;
    for (size_t i = 0; i < naive->n; i++)
        n += free_end[i] && !naive->fixed[i];
    return n;
}

static void note(struct record *record, const struct simulation *s, const struct naive *naive,
                 const struct naive_links *links, const struct ledger_row *row)
{
    double worst = 0.0, moved = 0.0, scale = 0.0;
    for (size_t i = 0; i < naive->n; i++) {
        struct vec3 apart = vec3_sub(s->particles.velocity[i], naive->v[i]);
        struct vec3 moved_apart = vec3_sub(s->particles.position[i], naive->x[i]);
        worst = fmax(worst, vec3_norm(apart));
        moved = fmax(moved, vec3_norm(moved_apart) / naive->dt);
        scale = fmax(scale, vec3_norm(naive->v[i]));
    }
    check_equal(ledger_value(row, "links"), links->n, "links");
    record->redundant +=
        fmax(0.0, ledger_value(row, "links") - 3.0 * count_free_ends(naive, links));
    record->moved = fmax(record->moved, moved / scale);
    record->worst = fmax(record->worst, fmax(worst, moved) / scale);
    record->links += ledger_value(row, "links");
    record->stages += row->stages;
    record->unresolved += row->unresolved;
    for (size_t c = 0; c < links->n; c++) {
        record->loaded += links->link[c].hold > 0.0;
        record->merged += links->link[c].merge > 0.0;
        record->arrived += links->link[c].arrival > 0.0;
        record->stopped += links->link[c].stopped > 0.0;
        record->foreign += links->link[c].hold > 0.0 &&
                           naive->system[links->link[c].i] != naive->system[links->link[c].j];
        note_friction(record, links, &links->link[c]);
    }
    record->steps++;
}

/* A way to treat contact. */
struct way {
    double alpha, sliding, sticking;
    enum way_of_detecting detection;
    void (*fill)(struct hand_scene *, uint64_t seed);
    int steps;
    enum time_integration integrator;
};

enum { FEW_STEPS = 4 };

static void set(struct hand_scene *h, const struct way *way)
{
    struct contact_settings *c = &h->scene.contact;
    c->method = CONTACT_SLIDING;
    c->detection = way->detection;
    c->alpha = way->alpha;
    c->friction = way->sliding;
    c->static_friction = way->sticking;
    h->scene.time.courant = way->detection == DETECTION_SWEPT ? 2.5 : 1.0;
    h->scene.time.max_step = way->detection == DETECTION_SWEPT ? 5e-3 : 1e-3;
    h->scene.solver.integrator = way->integrator;
}

/* Takes a step with the program and then, from the same state, the naive one. */
static struct ledger_row step_both(struct simulation *s, struct naive *naive,
                                   struct naive_links *links)
{
    static struct vec3 seen[NAIVE_MOST];
    memcpy(naive->x, s->particles.position, naive->n * sizeof *naive->x);
    memcpy(naive->v, s->particles.velocity, naive->n * sizeof *naive->v);
    struct ledger_row row = step_once(s);
    for (size_t i = 0; i < naive->n; i++)
        seen[i] = vec3_scale(1.0 / row.dt, vec3_sub(s->particles.position[i], naive->x[i]));
    links->seen = links->sticking > links->friction ? seen : NULL;
    naive_sliding_step(naive, row.dt, links);
    return row;
}

static void run_both(const struct way *way, uint64_t seed, struct record *record)
{
    static const struct variant variant = {"sequential", 8, 8, 64, 1.0, 0.0, "taken"};
    static struct naive naive;
    static struct naive_links links;
    struct hand_scene h;
    struct simulation s;
    way->fill(&h, seed);
    choose(&h, &variant);
    set(&h, way);
    prepare_naive(&naive, &h, &variant);
    naive.alpha = way->alpha;
    links.share = way->integrator == INTEGRATOR_NEWMARK ? 0.5 : 1.0;
    links.swept = way->detection == DETECTION_SWEPT;
    links.friction = way->sliding;
    links.sticking = way->sticking;
    start(&h, &s);
    for (int k = 0; k < way->steps && !tap_failed; k++) {
        struct ledger_row row = step_both(&s, &naive, &links);
        note(record, &s, &naive, &links, &row);
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The largest difference is a matter of rounding and of the tolerance of the solver. */
static struct record compare_with(double alpha, enum way_of_detecting detection,
                                  enum time_integration integrator)
{
    struct record r = {0};
    const struct way way = {alpha, 0.0, 0.0, detection, fill, FEW_STEPS, integrator};
    for (uint64_t seed = 1; seed <= 12 && !tap_failed; seed++)
        run_both(&way, seed, &r);
    printf("# alpha %g: off by %.1e; %g links, %g held, %g merged; %.2f stages, %g unresolved\n",
           alpha, r.worst, r.links, r.loaded, r.merged, r.stages / r.steps, r.unresolved);
    check_close(r.worst, 0.0, 1e-11, "velocities");
    check(r.loaded > 300.0 && r.merged > 300.0);
    check(r.unresolved == 0.0);
    return r;
}

static struct record compare(double alpha, enum way_of_detecting detection)
{
    return compare_with(alpha, detection, INTEGRATOR_BACKWARD_EULER);
}

TEST(everything_is_given_back)
{
    struct record r = compare(1.0, DETECTION_DISCRETE);
    measured("SLIDING.JUDGE.difference", r.worst);
}

TEST(a_part_is_given_back)
{
    compare(0.4, DETECTION_DISCRETE);
}

/* Steps as long as the fluid's forces allow: some hundred links are speculative. */
TEST(what_will_touch_is_linked_before)
{
    struct record r = compare(1.0, DETECTION_SWEPT);
    printf("# %g links merged again after the move\n", r.arrived);
    check(r.arrived > 30.0);
    compare(0.4, DETECTION_SWEPT);
}

/* With Newmark's method the law of contact holds for the mean velocities, by which particles move,
 * and what still approaches at the end is stopped. */
TEST(newmark_presses_by_mean_velocities)
{
    struct record r = compare_with(1.0, DETECTION_DISCRETE, INTEGRATOR_NEWMARK);
    struct record swept = compare_with(0.4, DETECTION_SWEPT, INTEGRATOR_NEWMARK);
    printf("# %g and %g links stopped, %g and %g loaded between network and fluid\n", r.stopped,
           swept.stopped, r.foreign, swept.foreign);
    check(r.stopped > 30.0 && swept.stopped > 30.0);
    check(r.foreign > 30.0 && swept.foreign > 30.0);
}

/* A pyramid as close as spheres can be packed: loose particles on a layer of bonded ones on loose
 * ones that are fixed, with more links than ways in which their particles can move. They have
 * different masses and are thrown together. The fluid is elsewhere. */
static void fill_pockets(struct hand_scene *h, uint64_t seed)
{
    static const double closer = 1.0 - 1e-6;
    const double rise = sqrt(2.0) * R;
    hand_scene_begin(h);
    h->scene.seed = seed;
    h->scene.gravity = vec3(0.0, 0.0, -9.81);
    h->scene.solver.tolerance = 1e-14;
    add_body(h, add_peridynamics(h, 200.0, 1.8, 0.0, (double)INFINITY), R, 2e-2);
    uint32_t first = add_block(h, 3, 3, 1, vec3(-2.0 * R, -2.0 * R, rise), vec3(0.0, 0.0, -0.5));
    add_body(h, add_loose(h), R, 5e-3);
    add_block(h, 2, 2, 1, vec3(-R, -R, 2.0 * rise), vec3(0.0, 0.0, -1.0));
    add_block(h, 1, 1, 1, vec3(0.0, 0.0, 3.0 * rise), vec3(0.0, 0.0, -1.0));
    add_body(h, add_loose(h), R, 5e-3);
    fix_from(h, add_block(h, 4, 4, 1, vec3(-3.0 * R, -3.0 * R, 0.0), vec3(0.0, 0.0, 0.0)));
    add_body(h, add_fluid(h, 2e3, 0.02), R, 6e-3);
    add_block(h, 3, 3, 2, vec3(-2.0 * R, -2.0 * R, -30.0 * R), vec3(0.0, 0.0, 0.0));
    for (uint32_t i = first; i < h->particles.n; i++) {
        h->particles.position[i] = vec3_scale(closer, h->particles.position[i]);
        if (h->particles.body[i] == 3 || h->particles.state[i] != PARTICLE_FREE)
            continue;
        struct vec3 *v = &h->particles.velocity[i];
        *v = vec3_axpy(*v, 0.3, random_vector(seed, i));
        h->particles.mass[i] *= uniform(seed, i, 0.2, 5.0);
    }
}

static struct record run_pockets(double alpha, enum way_of_detecting detection)
{
    struct record r = {0};
    const struct way way = {alpha, 0.0, 0.0, detection, fill_pockets, 1, INTEGRATOR_BACKWARD_EULER};
    for (uint64_t seed = 1; seed <= 12 && !tap_failed; seed++)
        run_both(&way, seed, &r);
    printf("# alpha %g: displacements off by %.1e, velocities by %.1e; %g links, %g of them "
           "redundant, %g held, %g merged\n",
           alpha, r.moved, r.worst, r.links, r.redundant, r.loaded, r.merged);
    check_close(r.moved, 0.0, 1e-11, "displacements");
    check(r.redundant > 100.0 && r.loaded > 300.0 && r.unresolved == 0.0);
    return r;
}

/* The impulses are not unique. What they do at once is: merging, and the whole step up to the move.
 * What splitting gives back depends on them, because normals have turned in the meantime. Only the
 * first step counts: after it normals are so nearly dependent that the naive sweeps do not end. */
TEST(more_links_than_can_be_told_apart)
{
    check_close(run_pockets(0.0, DETECTION_DISCRETE).worst, 0.0, 1e-11, "velocities");
    run_pockets(1.0, DETECTION_DISCRETE);
    run_pockets(0.4, DETECTION_SWEPT);
}

/* Rounding; and the tolerance of the program, 1e-9 of the largest speed in a problem, where it does
 * not find who presses, sticks and slips, and sweeps to the end (solvers/coulomb.c). That happens
 * where what arrives rubs: with 1e-13 there, these differences of 1e-10 to 2e-9 become 1e-12. */
static const double EXACT = 1e-11, SWEPT_TO = 1e-8;

static struct record compare_friction(const struct way *way, double tolerance)
{
    struct record r = {0};
    for (uint64_t seed = 1; seed <= 6 && !tap_failed; seed++)
        run_both(way, seed, &r);
    printf("# mu %g and %g: off by %.1e; %g links stick, %g of them by more than %g, %g slip; %.2f "
           "stages, %g unresolved; %g merged again\n",
           way->sliding, way->sticking, r.worst, r.stick, r.at_rest, way->sliding, r.slip,
           r.stages / r.steps, r.unresolved, r.arrived);
    check_close(r.worst, 0.0, tolerance, "velocities");
    check(r.stick >= 15.0 && r.slip > 100.0 && r.unresolved == 0.0);
    return r;
}

/* With Coulomb's law, at rest as in motion. */
TEST(friction_is_that_of_cones)
{
    compare_friction(&(struct way){1.0, 0.3, 0.3, DETECTION_DISCRETE, fill, FEW_STEPS,
                                   INTEGRATOR_BACKWARD_EULER},
                     EXACT);
    compare_friction(&(struct way){0.4, 0.6, 0.6, DETECTION_DISCRETE, fill, FEW_STEPS,
                                   INTEGRATOR_BACKWARD_EULER},
                     EXACT);
}

/* Which links stick is the program's choice; that they may, and what follows, is the naive step's.
 */
TEST(friction_is_larger_at_rest)
{
    check(compare_friction(&(struct way){1.0, 0.2, 0.5, DETECTION_DISCRETE, fill, FEW_STEPS,
                                         INTEGRATOR_BACKWARD_EULER},
                           EXACT)
              .at_rest > 10.0);
    check(compare_friction(&(struct way){0.4, 0.3, 1.0, DETECTION_DISCRETE, fill, FEW_STEPS,
                                         INTEGRATOR_BACKWARD_EULER},
                           EXACT)
              .at_rest > 10.0);
}

/* What arrives in the middle of a step rubs twice: as it is held, and as it is merged again. */
TEST(what_will_touch_rubs)
{
    check(compare_friction(&(struct way){1.0, 0.3, 0.3, DETECTION_SWEPT, fill, FEW_STEPS,
                                         INTEGRATOR_BACKWARD_EULER},
                           SWEPT_TO)
              .arrived > 10.0);
    check(compare_friction(&(struct way){0.4, 0.6, 0.6, DETECTION_SWEPT, fill, FEW_STEPS,
                                         INTEGRATOR_BACKWARD_EULER},
                           SWEPT_TO)
              .arrived > 10.0);
}

/* A weak friction: with a stronger one, particles of the fluid get wedged between two fixed ones,
 * where the law has several solutions. */
TEST(newmark_rubs_by_velocities_at_the_end)
{
    struct way way = {1.0, 0.2, 0.2, DETECTION_DISCRETE, fill, FEW_STEPS, INTEGRATOR_NEWMARK};
    check(compare_friction(&way, EXACT).stopped > 10.0);
    way.detection = DETECTION_SWEPT;
    way.alpha = 0.4;
    check(compare_friction(&way, SWEPT_TO).stopped > 10.0);
}
