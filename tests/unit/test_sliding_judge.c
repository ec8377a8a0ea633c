/* The step with sliding meta-particles against the naive one of naive_sliding.h, on small random
 * scenes in which a cloth, a block, loose particles and a fluid run into each other. */
#include "naive_sliding.h"

#include "judge_scenes.h"

/* What happened in all steps of all scenes; a comparison without contact would prove nothing. */
struct record {
    double worst; /* largest difference in velocity, over the largest speed */
    double links, loaded, merged, steps;
    double arrived; /* links that were merged again after the move */
    double stages, unresolved;
    double stick, slip; /* links with friction */
};

static void note(struct record *record, const struct simulation *s, const struct naive *naive,
                 const struct naive_links *links, const struct ledger_row *row)
{
    double worst = 0.0, scale = 0.0;
    for (size_t i = 0; i < naive->n; i++) {
        struct vec3 apart = vec3_sub(s->particles.velocity[i], naive->v[i]);
        struct vec3 moved_apart = vec3_sub(s->particles.position[i], naive->x[i]);
        worst = fmax(worst, vec3_norm(apart));
        worst = fmax(worst, vec3_norm(moved_apart) / naive->dt);
        scale = fmax(scale, vec3_norm(naive->v[i]));
    }
    check_equal(row->links, links->n, "links");
    record->worst = fmax(record->worst, worst / scale);
    record->links += row->links;
    record->stages += row->stages;
    record->unresolved += row->unresolved;
    for (size_t c = 0; c < links->n; c++) {
        record->loaded += links->link[c].hold > 0.0;
        record->merged += links->link[c].merge > 0.0;
        record->arrived += links->link[c].arrival > 0.0;
        if (links->link[c].rub > 0.0)
            *(links->link[c].slip < 1e-6 ? &record->stick : &record->slip) += 1.0;
    }
    record->steps++;
}

static void run_both(double alpha, double friction, enum way_of_detecting detection, uint64_t seed,
                     struct record *record)
{
    static const struct variant variant = {"index", "sequential", "integrated", 8, 8, 64, 1.0, 0.0};
    static struct naive naive;
    static struct naive_links links;
    struct hand_scene h;
    struct simulation s;
    enum { FEW_STEPS = 4 };
    fill(&h, seed);
    choose(&h, &variant);
    h.scene.contact.method = CONTACT_SLIDING;
    h.scene.contact.detection = detection;
    h.scene.time.courant = detection == DETECTION_SWEPT ? 2.5 : 1.0;
    h.scene.time.max_step = detection == DETECTION_SWEPT ? 5e-3 : 1e-3;
    h.scene.contact.alpha = alpha;
    h.scene.contact.friction = h.scene.contact.static_friction = friction;
    prepare_naive(&naive, &h, &variant);
    naive.alpha = alpha;
    links.swept = detection == DETECTION_SWEPT;
    links.friction = friction;
    start(&h, &s);
    for (int k = 0; k < FEW_STEPS && !tap_failed; k++) {
        memcpy(naive.x, s.particles.position, naive.n * sizeof *naive.x);
        memcpy(naive.v, s.particles.velocity, naive.n * sizeof *naive.v);
        struct ledger_row row = step_once(&s);
        naive_sliding_step(&naive, row.dt, &links);
        note(record, &s, &naive, &links, &row);
    }
    simulation_free(&s);
    hand_scene_end(&h);
}

/* The largest difference is a matter of rounding and of the tolerance of the solver. */
static struct record compare(double alpha, enum way_of_detecting detection)
{
    struct record r = {0};
    for (uint64_t seed = 1; seed <= 12 && !tap_failed; seed++)
        run_both(alpha, 0.0, detection, seed, &r);
    printf("# alpha %g: off by %.1e; %g links, %g held, %g merged; %.2f stages, %g unresolved\n",
           alpha, r.worst, r.links, r.loaded, r.merged, r.stages / r.steps, r.unresolved);
    check_close(r.worst, 0.0, 1e-11, "velocities");
    check(r.loaded > 300.0 && r.merged > 300.0);
    check(r.unresolved == 0.0);
    return r;
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

/* With Coulomb's law, at rest as in motion. */
TEST(friction_is_that_of_cones)
{
    static const double friction[] = {0.3, 0.6};
    for (int k = 0; k < 2; k++) {
        struct record r = {0};
        for (uint64_t seed = 1; seed <= 6 && !tap_failed; seed++)
            run_both(k == 0 ? 1.0 : 0.4, friction[k], DETECTION_DISCRETE, seed, &r);
        printf("# mu %g: off by %.1e; %g links stick, %g slip; %.2f stages, %g unresolved\n",
               friction[k], r.worst, r.stick, r.slip, r.stages / r.steps, r.unresolved);
        check_close(r.worst, 0.0, 1e-11, "velocities");
        check(r.stick > 20.0 && r.slip > 100.0 && r.unresolved == 0.0);
    }
}

TAP_MAIN(TAP_ENTRY(everything_is_given_back), TAP_ENTRY(a_part_is_given_back),
         TAP_ENTRY(what_will_touch_is_linked_before), TAP_ENTRY(friction_is_that_of_cones))
