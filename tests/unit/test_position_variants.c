/* What the paper mentions beside what it does, made of the scheme's own parts: all groups at once
 * and in other orders, masses that are scaled in the last iteration alone, and other masses in the
 * denominator of density. Values that claims about unified particle physics are about. */
#include "constraints/contacts_parts.h"
#include "constraints/density_parts.h"
#include "theory_scenes.h"

static const double R = 0.05; /* of all particles, m */

static struct wall box = {.name = "box",
                          .region = {.shape = {.kind = SHAPE_BOX, .size = {0.8, 0.8, 8.0}},
                                     .position = {0.0, 0.0, 4.0},
                                     .rotation = UPRIGHT},
                          .keep = KEEP_INSIDE,
                          .holds = HOLDS_ALL};

static void begin_box(struct hand_scene *h, uint32_t iterations)
{
    begin(h, iterations, 1.0 / 120.0);
    add_gravity(h);
    h->scene.position.solid_weight = 1.0;
    h->scene.n_walls = 1;
    h->scene.wall = &box;
}

static struct position_based *scheme_of(const struct simulation *s)
{
    return (struct position_based *)s->scheme;
}

/* ---- groups at once, and in other orders ---- */

enum way_of_groups { IN_TURN, AVERAGED, SUMMED, WAYS };
struct trial {
    enum way_of_groups way;
    enum constraint_kind order[CONSTRAINT_KINDS];
};

/* What is left of each group, the mean over all particles in radii, and of all together. */
struct left {
    double of[CONSTRAINT_KINDS], all;
};

static void find_near(const struct simulation *s)
{
    struct error error = {0};
    struct position_based *p = scheme_of(s);
    struct particles predicted = s->particles;
    struct pair_list *near = &p->near.list;
    size_t n = 0;
    predicted.position = p->at;
    check_equal(near_pairs_find(&p->near, &predicted, s->bonded, p->margin * R, &error), STATUS_OK,
                error.message);
    for (size_t k = 0; k < near->n; k++)
        if (!p->flows[near->pair[k].i] || !p->flows[near->pair[k].j])
            near->pair[n++] = near->pair[k];
    near->n = n;
    p->candidates.near = near;
    for (int g = 0; g < CONSTRAINT_KINDS; g++)
        if (p->set.group[g] && p->set.group[g]->class->find)
            check_equal(p->set.group[g]->class->find(p->set.group[g], &p->candidates, &error),
                        STATUS_OK, error.message);
}

static void solve(struct position_based *p, enum constraint_kind kind)
{
    p->set.group[kind]->class->solve(p->set.group[kind], &p->candidates, &p->corrections);
}

/* How many constraints of the group that was just solved act on a particle. */
static double number_of(const struct simulation *s, enum constraint_kind kind, uint32_t i)
{
    const struct position_based *p = scheme_of(s);
    double bonds = 0.0;
    if (kind == CONSTRAINT_CONTACTS)
        return ((const struct contacts *)p->set.group[kind])->number[i];
    if (kind != CONSTRAINT_DISTANCES)
        return vec3_norm(p->corrections.shift[i]) > 0.0;
    for (uint32_t j = 0; j < s->particles.n; j++)
        bonds += j != i && bonded_whole(s->bonded, i, j);
    return bonds;
}

static void iterate_in_turn(const struct simulation *s, const struct trial *trial)
{
    struct position_based *p = scheme_of(s);
    for (int g = 0; g < CONSTRAINT_KINDS; g++) {
        if (!p->set.group[trial->order[g]])
            continue;
        solve(p, trial->order[g]);
        for (size_t i = 0; i < s->particles.n; i++)
            p->at[i] = vec3_add(p->at[i], p->corrections.shift[i]);
    }
}

/* All groups see the same positions, and a particle's corrections are averaged over all of its
 * constraints, or each group's average is added. */
static void iterate_at_once(const struct simulation *s, enum way_of_groups way)
{
    struct position_based *p = scheme_of(s);
    static struct vec3 sum[SCENE_PARTICLES];
    static double number[SCENE_PARTICLES];
    memset(sum, 0, sizeof sum);
    memset(number, 0, sizeof number);
    for (enum constraint_kind g = 0; g < CONSTRAINT_KINDS; g++) {
        if (!p->set.group[g])
            continue;
        solve(p, g);
        for (uint32_t i = 0; i < s->particles.n; i++) {
            const double n = way == SUMMED ? 1.0 : number_of(s, g, i);
            sum[i] = vec3_axpy(sum[i], n, p->corrections.shift[i]);
            number[i] += n;
        }
    }
    for (size_t i = 0; i < s->particles.n; i++)
        p->at[i] = vec3_axpy(p->at[i], way == SUMMED ? 1.0 : 1.0 / fmax(number[i], 1.0), sum[i]);
}

/* What is left of the constraints of the next step after so many iterations of it; the simulation
 * stays as it is. */
static void try_step(const struct simulation *s, const struct trial *trial, int iterations,
                     struct left *left)
{
    struct position_based *p = scheme_of(s);
    const double dt = s->scene->time.max_step;
    p->candidates.dt = dt;
    for (size_t i = 0; i < s->particles.n; i++) {
        const struct vec3 v = vec3_axpy(s->particles.velocity[i], dt, s->scene->gravity);
        p->weight[i] = 1.0 / s->particles.mass[i];
        p->start[i] = s->particles.position[i];
        p->at[i] = vec3_axpy(p->start[i], dt, v);
    }
    find_near(s);
    for (int k = 0; k < iterations; k++) {
        if (trial->way == IN_TURN)
            iterate_in_turn(s, trial);
        else
            iterate_at_once(s, trial->way);
    }
    for (enum constraint_kind g = 0; g < CONSTRAINT_KINDS; g++) {
        if (!p->set.group[g])
            continue;
        solve(p, g);
        for (size_t i = 0; i < s->particles.n; i++) {
            double part = p->corrections.violation[i] / R / (double)s->particles.n;
            left->of[g] += part;
            left->all += part;
        }
    }
}

enum { CLOTH_ON_PILE, EVERYTHING, SCENES };
static const char *const scene_name[] = {"pile", "everything"};

/* A cloth falls on grains in a box; a cube falls on a cloth on water. */
static void begin_scene(struct hand_scene *h, int kind)
{
    const struct vec3 still = vec3(0.0, 0.0, 0.0), falls = vec3(0.0, 0.0, -1.0);
    const bool pile = kind == CLOTH_ON_PILE;
    const int n = pile ? 8 : 6;
    begin_box(h, 4);
    add_body(h, add_peridynamics(h, 1e3, 1.5, 0.0, (double)INFINITY), R, 0.2);
    add_block(h, n, n, 1, vec3(-0.1 * (n - 1) / 2.0, -0.1 * (n - 1) / 2.0, pile ? 0.75 : 0.56),
              falls);
    if (!pile) {
        add_body(h, add_fluid(h, 2e4, 0.0), R, 1.0);
        add_block(h, 8, 8, 5, vec3(-0.35, -0.35, R), still);
        add_body(h, add_rigid(h), R, 0.5);
        add_block(h, 3, 3, 3, vec3(-0.08, -0.1, 0.68), falls);
        return;
    }
    add_body(h, add_loose(h), R, 0.2);
    for (int i = 0; i < 216; i++)
        add_particle(h,
                     vec3_axpy(vec3(0.11 * (i % 6) - 0.275, 0.11 * (i / 6 % 6) - 0.275,
                                    0.06 + 0.11 * (i / 36)),
                               0.005, random_vector(5, (uint64_t)i)),
                     still);
}

/* The mean of that over steps of half a second, in which everything comes to touch. */
static struct left left_after(int kind, const struct trial *trial, int iterations)
{
    enum { BEFORE = 24, STEPS = 60, EVERY = 6 };
    struct hand_scene h;
    struct simulation s;
    struct left left = {{0.0}, 0.0};
    begin_scene(&h, kind);
    start(&h, &s);
    for (int k = 0; k < BEFORE + STEPS; k++) {
        if (k >= BEFORE && (k - BEFORE) % EVERY == 0)
            try_step(&s, trial, iterations, &left);
        step_once(&s);
    }
    leave(&h, &s);
    for (int g = 0; g < CONSTRAINT_KINDS; g++)
        left.of[g] /= STEPS / EVERY;
    left.all /= STEPS / EVERY;
    return left;
}

static const enum constraint_kind usual[] = {CONSTRAINT_DENSITY, CONSTRAINT_CONTACTS,
                                             CONSTRAINT_TETHERS, CONSTRAINT_DISTANCES,
                                             CONSTRAINT_VOLUMES, CONSTRAINT_SHAPES};

TEST(groups_in_turn_leave_less_than_groups_at_once)
{
    static const char *const way_name[] = {"in_turn", "averaged", "summed"};
    for (int kind = 0; kind < SCENES; kind++) {
        double all[WAYS];
        for (int way = 0; way < WAYS; way++) {
            char name[80];
            struct trial trial = {.way = (enum way_of_groups)way};
            memcpy(trial.order, usual, sizeof usual);
            snprintf(name, sizeof name, "UPP.groups.%s.%s", scene_name[kind], way_name[way]);
            all[way] = left_after(kind, &trial, 8).all;
            measured(name, all[way]);
        }
        check(all[IN_TURN] < all[AVERAGED] && all[IN_TURN] < all[SUMMED]);
    }
}

/* What is left of a group if it is the last, over that if another one follows. */
static double precedence(int kind, enum constraint_kind group, enum constraint_kind other)
{
    struct left left[2];
    for (int first = 0; first < 2; first++) {
        struct trial trial = {.way = IN_TURN};
        int n = 0;
        for (int g = 0; g < CONSTRAINT_KINDS; g++)
            if (usual[g] != group && usual[g] != other)
                trial.order[n++] = usual[g];
        trial.order[n++] = first ? group : other;
        trial.order[n] = first ? other : group;
        left[first] = left_after(kind, &trial, 8);
    }
    return left[0].of[group] / left[1].of[group];
}

TEST(the_last_group_has_the_smaller_rest)
{
    double contacts = precedence(EVERYTHING, CONSTRAINT_CONTACTS, CONSTRAINT_DENSITY),
           density = precedence(EVERYTHING, CONSTRAINT_DENSITY, CONSTRAINT_CONTACTS),
           cloth = precedence(CLOTH_ON_PILE, CONSTRAINT_DISTANCES, CONSTRAINT_CONTACTS);
    measured("UPP.last.contacts", contacts);
    measured("UPP.last.density", density);
    measured("UPP.last.cloth", cloth);
    check(contacts < 1.0 && density < 1.0 && cloth < 1.0);
}

/* ---- masses that are scaled in the last iteration alone ---- */

enum way_of_scaling { UNSCALED, SCALED, SCALED_AT_LAST, SCALINGS };

/* The group of contacts with a class of its own, which passes iterations on. */
static struct {
    struct constraint_class class;
    const struct constraint_class *own;
    const double *weight;
    size_t iterations, calls;
} last;

static void solve_unscaled_but_last(struct constraint *constraint,
                                    const struct candidates *candidates,
                                    struct corrections *corrections)
{
    struct candidates seen = *candidates;
    if (++last.calls % last.iterations != 0)
        seen.scaled = last.weight;
    last.own->solve(constraint, &seen, corrections);
}

static void scale_at_last(struct simulation *s)
{
    struct position_based *p = scheme_of(s);
    struct constraint *contacts = p->set.group[CONSTRAINT_CONTACTS];
    last.own = contacts->class;
    last.class = *contacts->class;
    last.class.solve = solve_unscaled_but_last;
    last.weight = p->weight;
    last.iterations = s->scene->position.iterations;
    last.calls = 0;
    contacts->class = &last.class;
}

static void begin_stack(struct hand_scene *h, struct simulation *s, enum way_of_scaling way,
                        double k, bool hit)
{
    begin_box(h, 4);
    h->scene.position.mass_scaling = way == UNSCALED ? 0.0 : k;
    const size_t stone = add_rigid(h);
    for (int b = 0; b < (hit ? 11 : 10); b++) {
        add_body(h, stone, 0.03125, 0.25);
        add_block(h, 4, 4, 4, vec3(-0.09375, -0.09375, 0.03125 + 0.25 * b + (b < 10 ? 0.0 : 0.5)),
                  vec3(0.0, 0.0, 0.0));
    }
    start(h, s);
    if (way == SCALED_AT_LAST)
        scale_at_last(s);
}

/* Compression of the stack of ten at rest, from 3 s to 4 s. */
static double compression(enum way_of_scaling way, double k)
{
    enum { STEPS = 480, FROM = 360 };
    struct hand_scene h;
    struct simulation s;
    double sum = 0.0;
    begin_stack(&h, &s, way, k, false);
    for (int step = 0; step < STEPS; step++) {
        step_once(&s);
        sum += step >= FROM ? s.particles.position[s.particles.n - 1].z : 0.0;
    }
    leave(&h, &s);
    return 1.0 - sum / (STEPS - FROM) / 2.46875;
}

/* How far the lowest cube gives way to one that falls on the highest: the largest difference of its
 * height in a second. */
static double response(enum way_of_scaling way, double k)
{
    enum { STEPS = 120 };
    struct hand_scene h;
    struct simulation s;
    double height[STEPS], most = 0.0;
    for (int hit = 0; hit < 2; hit++) {
        begin_stack(&h, &s, way, k, hit);
        for (int step = 0; step < STEPS; step++) {
            step_once(&s);
            if (hit)
                most = fmax(most, fabs(s.particles.position[0].z - height[step]));
            height[step] = s.particles.position[0].z;
        }
        leave(&h, &s);
    }
    return most;
}

TEST(masses_may_be_scaled_in_the_last_iteration_alone)
{
    static const char *const name[] = {"no", "all", "last"};
    double compressed[SCALINGS], felt[SCALINGS];
    for (int way = 0; way < SCALINGS; way++) {
        char text[60];
        compressed[way] = compression((enum way_of_scaling)way, 3.0);
        felt[way] = response((enum way_of_scaling)way, 20.0);
        snprintf(text, sizeof text, "UPP.scaled.%s.compression", name[way]);
        measured(text, compressed[way]);
        snprintf(text, sizeof text, "UPP.scaled.%s.response", name[way]);
        measured(text, felt[way]);
    }
    check(compressed[SCALED] < compressed[SCALED_AT_LAST]);
    check(compressed[SCALED_AT_LAST] < compressed[UNSCALED]);
    check(felt[SCALED] < 0.1 * felt[SCALED_AT_LAST]);
}

/* ---- the denominator of density ---- */

/* A fluid on one of a quarter of its density, let go: the largest kinetic energy in two seconds,
 * over what both would set free if they changed places; `mass` stands in the denominator. */
static double energy_of_layers(double mass)
{
    struct hand_scene h;
    struct simulation s;
    enum { LAYERS = 4 };
    const double heavy = 1.0, light = 0.25, high = 2.0 * R * LAYERS;
    double most = 0.0;
    begin_box(&h, 4);
    for (int fluid = 0; fluid < 2; fluid++) {
        add_body(&h, add_fluid(&h, 2e4, 0.0), R, fluid ? heavy : light);
        add_block(&h, 8, 8, LAYERS, vec3(-0.35, -0.35, R + high * fluid), vec3(0.0, 0.0, 0.0));
    }
    start(&h, &s);
    struct density *d = (struct density *)scheme_of(&s)->set.group[CONSTRAINT_DENSITY];
    d->denominator *= light / mass;
    for (int k = 0; k < 240; k++)
        most = fmax(most, step_once(&s).kinetic);
    leave(&h, &s);
    return most / (8 * 8 * LAYERS * (heavy - light) * G * high);
}

TEST(a_larger_mass_than_the_smallest_in_the_denominator_makes_energy)
{
    double smallest = energy_of_layers(0.25), mean = energy_of_layers(0.625),
           largest = energy_of_layers(1.0);
    measured("UPP.denominator.smallest", smallest);
    measured("UPP.denominator.mean", mean);
    measured("UPP.denominator.largest", largest);
    check(smallest < 1.0 && mean > 1.0 && largest > 1.0);
}
