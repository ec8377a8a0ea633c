/* Groups of constraints of positions, one iteration at a time, against what is known about them. */
#include "constraint_stage.h"

/* UPP, Figure 2: m equal constraints on one particle. Jacobi's iteration with their sum jumps m
 * times too far; averaged, one iteration is enough. */
TEST(equal_constraints_are_one_if_they_are_averaged)
{
    for (uint32_t m = 2; m <= 32; m *= 2)
        for (int split = 0; split < 2; split++) {
            struct stage *s = stage_begin(m + 1, split);
            struct pair_list pairs = {0};
            for (uint32_t k = 1; k <= m; k++) {
                add_pair(&pairs, 0, k);
                s->length[k - 1] = 1.0;
                s->weight[k] = 0.0;
            }
            s->at[0] = vec3(3.0, 0.0, 0.0);
            add_distances(s, pairs, 0.0);
            find(s, CONSTRAINT_DISTANCES);
            iterate(s, CONSTRAINT_DISTANCES);
            check_close(s->at[0].x, 1.0, 1e-14, "after one iteration");
            stage_end(s);
        }
}

/* Two planes through the origin at an angle theta: each iteration leaves cos^2(theta / 2) of the
 * error along the line that bisects them, and sin^2 across. */
TEST(two_constraints_at_an_angle_converge_by_its_cosine)
{
    const double theta = 1.1, far = 1e6;
    struct stage *s = stage_begin(3, false);
    struct pair_list pairs = {0};
    add_pair(&pairs, 0, 1);
    add_pair(&pairs, 0, 2);
    s->weight[1] = s->weight[2] = 0.0;
    s->at[1] = vec3(far * cos(theta / 2), far * sin(theta / 2), 0.0);
    s->at[2] = vec3(far * cos(theta / 2), -far * sin(theta / 2), 0.0);
    s->length[0] = s->length[1] = far;
    s->at[0] = vec3(0.5, 0.25, 0.0);
    add_distances(s, pairs, 0.0);
    find(s, CONSTRAINT_DISTANCES);
    iterate(s, CONSTRAINT_DISTANCES);
    check_close(s->at[0].x, 0.5 * pow(sin(theta / 2), 2), 1e-6, "along the bisecting line");
    check_close(s->at[0].y, 0.25 * pow(cos(theta / 2), 2), 1e-6, "across");
    stage_end(s);
}

static double lost_momentum(const struct stage *s)
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    double scale = 0.0;
    for (size_t i = 0; i < s->candidates.n; i++) {
        sum = vec3_axpy(sum, 1.0 / s->weight[i], s->shift[i]);
        scale += vec3_norm(s->shift[i]) / s->weight[i];
    }
    return vec3_norm(sum) / scale;
}

TEST(mass_splitting_keeps_momentum_and_averages_do_not)
{
    for (int split = 0; split < 2; split++) {
        struct pair_list pairs;
        struct stage *s = soup(split, &pairs);
        check(pairs.n > 500);
        s->near = (struct pair_list){0};
        for (size_t k = 0; k < pairs.n; k++)
            add_pair(&s->near, pairs.pair[k].i, pairs.pair[k].j);
        add_distances(s, pairs, 0.0);
        add_contacts(s, NULL, 0.3, 0.5);
        for (enum constraint_kind kind = CONSTRAINT_CONTACTS; kind <= CONSTRAINT_DISTANCES;
             kind += CONSTRAINT_DISTANCES - CONSTRAINT_CONTACTS) {
            find(s, kind);
            iterate(s, kind);
            double lost = lost_momentum(s);
            check(split ? lost < 1e-14 : lost > 1e-3);
        }
        stage_end(s);
    }
}

/* A chain of compliant distances converges to the elongation of springs, whatever the averaging. */
TEST(compliant_distances_converge_to_the_springs_of_the_material)
{
    enum { LINKS = 6 };
    const double a = 1e-5, m = 0.5, g = 10.0, dt = 0.01;
    for (int split = 0; split < 2; split++) {
        struct stage *s = stage_begin(LINKS + 1, split);
        struct pair_list pairs = {0};
        for (uint32_t k = 0; k < LINKS; k++) {
            add_pair(&pairs, k, k + 1);
            s->length[k] = 0.1;
        }
        for (uint32_t k = 0; k <= LINKS; k++) {
            s->weight[k] = k == 0 ? 0.0 : 1.0 / m;
            s->at[k] = s->start[k] = vec3(0.0, 0.0, -0.1 * k - (k > 0 ? g * dt * dt : 0.0));
        }
        add_distances(s, pairs, a);
        find(s, CONSTRAINT_DISTANCES);
        for (int k = 0; k < 4000; k++)
            iterate(s, CONSTRAINT_DISTANCES);
        /* backward Euler from rest: (M / dt^2 + K) u = M g */
        double u[LINKS + 1] = {0};
        for (int sweep = 0; sweep < 20000; sweep++)
            for (int k = 1; k <= LINKS; k++) {
                double next = k < LINKS ? u[k + 1] : 0.0, n = k < LINKS ? 2.0 : 1.0;
                u[k] = (m * g + (u[k - 1] + next) / a) / (m / (dt * dt) + n / a);
            }
        check_close(-s->at[LINKS].z - 0.1 * LINKS, u[LINKS], 1e-9, "elongation");
        check_close(s->corrections.support.z, 0.0, 1e-9, "the last iteration asks for nothing");
        stage_end(s);
    }
}

TEST(a_broken_distance_does_not_act)
{
    struct stage *s = stage_begin(3, false);
    struct pair_list pairs = {0};
    add_pair(&pairs, 0, 1);
    add_pair(&pairs, 1, 2);
    s->length[0] = s->length[1] = 1.0;
    s->whole[1] = 0;
    s->at[1] = vec3(2.0, 0.0, 0.0);
    s->at[2] = vec3(7.0, 0.0, 0.0);
    add_distances(s, pairs, 0.0);
    find(s, CONSTRAINT_DISTANCES);
    iterate(s, CONSTRAINT_DISTANCES);
    check_close(distance(s, 0, 1), 1.0, 1e-15, "the whole one");
    check_close(s->at[2].x, 7.0, 0.0, "behind the broken one");
    stage_end(s);
}

TEST(contacts_push_apart_by_their_weights_and_never_pull)
{
    struct stage *s = stage_begin(4, false);
    add_pair(&s->near, 0, 1);
    add_pair(&s->near, 2, 3);
    s->weight[0] = 3.0;
    s->at[1] = vec3(0.6, 0.0, 0.0);
    s->at[2] = vec3(10.0, 0.0, 0.0);
    s->at[3] = vec3(11.0 + 1e-13, 0.0, 0.0);
    add_contacts(s, NULL, 0.0, 0.0);
    find(s, CONSTRAINT_CONTACTS);
    iterate(s, CONSTRAINT_CONTACTS);
    check_close(s->at[0].x, -0.3, 1e-15, "the lighter");
    check_close(s->at[1].x, 0.7, 1e-15, "the heavier");
    check_close(s->at[2].x, 10.0, 0.0, "not in touch");
    stage_end(s);
}

/* UPP 23 and 24 for a particle on a fixed one: it moved across by `slip` and is `depth` deep. */
static double slip_after(double depth, double slip, double friction, double static_friction)
{
    struct stage *s = stage_begin(2, false);
    add_pair(&s->near, 0, 1);
    s->weight[0] = 0.0;
    s->velocity[0] = vec3(0.0, 0.0, 0.0);
    /* from where the normal at the end is along z */
    s->at[1] = vec3(0.0, 0.0, 1.0 - depth);
    s->start[1] = vec3(-slip, 0.0, 1.0);
    add_contacts(s, NULL, friction, static_friction);
    find(s, CONSTRAINT_CONTACTS);
    iterate(s, CONSTRAINT_CONTACTS);
    double left = s->at[1].x - s->start[1].x;
    check_close(s->at[1].z, 1.0, 1e-15, "depth");
    check_close(s->rubbed[1].x, left - slip, 1e-15, "the part that is friction");
    check_close(s->corrections.support.x, (left - slip) / 0.01, 1e-12, "impulse of the support");
    stage_end(s);
    return left;
}

TEST(friction_holds_what_sticks_and_slows_what_slips)
{
    check_close(slip_after(0.01, 0.0049, 0.3, 0.5), 0.0, 1e-15, "below static friction");
    check_close(slip_after(0.01, 0.0051, 0.3, 0.5), 0.0051 - 0.003, 1e-15, "above");
    check_close(slip_after(0.01, 0.002, 0.3, 0.0), 0.0, 1e-15, "never backwards");
    check_close(slip_after(0.01, 0.02, 0.0, 0.0), 0.02, 1e-15, "without friction");
}

/* A body that was turned by any angle, moved and strained: the goals are those of the rotation
 * nearest to its deformation, here the one that it was turned by, as the strain is along its axes.
 * Their center is that of the particles. */
TEST(a_shape_returns_to_its_place_and_angle)
{
    enum { N = 27 };
    struct stage *s = stage_begin(N, false);
    struct error error = {0};
    struct vec3 rest[N], sum = vec3(0.0, 0.0, 0.0), shifts = sum;
    const double angle = 2.5, c = cos(angle), d = sin(angle);
    for (int i = 0; i < N; i++) {
        rest[i] = vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
        struct vec3 x = vec3(1.2 * rest[i].x, 0.9 * rest[i].y, 1.1 * rest[i].z);
        s->at[i] = vec3(c * x.x - d * x.y + 7.0, d * x.x + c * x.y - 3.0, x.z + 1.0);
    }
    const struct shape_body body = {.n = N, .stiffness = 1.0};
    check_equal(shapes_add(&s->set, 1, &body, rest, &error), STATUS_OK, error.message);
    find(s, CONSTRAINT_SHAPES);
    iterate(s, CONSTRAINT_SHAPES);
    for (int i = 0; i < N; i++) {
        struct vec3 x = rest[i];
        struct vec3 right = vec3(c * x.x - d * x.y + 7.0, d * x.x + c * x.y - 3.0, x.z + 1.0);
        check_close(vec3_norm(vec3_sub(s->at[i], right)), 0.0, 1e-13, "distance from its goal");
        shifts = vec3_add(shifts, s->shift[i]);
    }
    check_close(vec3_norm(shifts), 0.0, 1e-12, "sum of corrections");
    stage_end(s);
}

TEST(bits_do_not_depend_on_the_number_of_threads)
{
    struct vec3 first[MOST];
    for (int threads = 1; threads <= 3; threads++) {
        struct pair_list pairs;
        omp_set_num_threads(threads);
        struct stage *s = soup(true, &pairs);
        add_distances(s, pairs, 1e-5);
        find(s, CONSTRAINT_DISTANCES);
        for (int k = 0; k < 5; k++)
            iterate(s, CONSTRAINT_DISTANCES);
        if (threads == 1)
            memcpy(first, s->at, sizeof first);
        check(memcmp(first, s->at, sizeof first) == 0);
        stage_end(s);
    }
}
