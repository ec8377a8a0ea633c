/* Tests that a step wakes no other thread for each of many small corotated bodies. */
#include "scenes.h"

#include <omp.h>

enum { FEW = 3, MANY = 12 };

static int woken;

/* What gcc calls for a parallel region, in place of libgomp's: with one thread, but counted if the
 * region asks for several. */
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    (void)flags;
    woken += threads != 1;
    body(data);
}

/* How many regions of several threads there are in a step of so many bodies of 27 particles. */
static int regions_of_a_step(int bodies)
{
    struct hand_scene h;
    struct simulation s;
    hand_scene_begin(&h);
    omp_set_num_threads(2);
    h.scene.contact.method = CONTACT_NONE;
    h.scene.time.max_step = 2e-3;
    add_corotated(&h, 1e6, 0.3, 0.1);
    for (int k = 0; k < bodies; k++) {
        add_body(&h, 0, 0.025, 0.125);
        add_block(&h, 3, 3, 3, vec3(k, 0, 0), vec3(0, 0, k));
    }
    start(&h, &s);
    step_once(&s);
    woken = 0;
    step_once(&s);
    simulation_free(&s);
    hand_scene_end(&h);
    return woken;
}

TEST(small_bodies_are_left_to_one_thread)
{
#ifdef __clang__
    skip("gcc's regions alone can be counted");
#endif
    check_equal(regions_of_a_step(MANY), regions_of_a_step(FEW), "regions of more bodies");
}
