/* usage: bench_positions SCENE EDGE STEPS: what a position-based step costs, with OMP_NUM_THREADS
 * threads. SCENE:
 *
 *   pile    EDGE^3 rigid bodies of 44 particles each fall into a box; 2 iterations
 *   fields  the same bodies, which know how deep their particles lie in them (field: one-sided)
 *   castle  a block of EDGE^3 loose grains on a floor falls apart; 12 iterations
 *   shuffled  the same grains in an order in which neighbors are far apart in memory
 *   layers  EDGE^3 particles of two fluids in a closed box, the heavy one above; 10 iterations
 *   balloons  eight skins of 10 EDGE^2 + 2 particles, full of water, lie in a box; 12 iterations
 *   sheet   a sheet of EDGE^2 particles with springs, held along an edge, hangs; 4 iterations
 *   splash  a fluid of EDGE^3 particles with 0.6 as many of spray falls apart; 4 iterations
 *   smoke   gas of EDGE^3 particles with ten of smoke for each rises; 6 iterations
 *
 * Steps of 8 ms, of layers 3.2 ms and of balloons 5.3 ms, whatever the displacements (time.courant:
 * never); as many as are timed come first, until contacts are there. Prints lines "name value". In
 * ns per particle and step, the first and the last medians over the steps, the others means:
 *
 *   step        a whole time step; with one thread, in processor time
 *   search      pairs that may touch, for the scheme and for the ledger, and what groups find
 *   iterations  all of them
 *   scheme      what else the scheme does: prediction, velocities
 *   rest        ledger, moving, and what all schemes share
 *   find        what groups find, once more
 *
 * In ns per particle of spray or smoke and step, the median over the steps of one more move:
 *
 *   diffuse
 *
 * and how many of these there are, `spray`.
 *
 * In ns per particle and iteration, medians of one more iteration at the end of each step:
 *
 *   density, contacts, distances, volumes, shapes
 *
 * What contacts, density, distances and the moving of spray at least move and calculate for each of
 * these times: contacts_operations (their bytes are `stream`), density_bytes, density_operations,
 * and so on.
 *
 * Then:
 *
 *   acting      contacts of a particle, without those at walls
 *   candidates  pairs of a particle that may touch
 *   stream      what an iteration of contacts has to move at least, bytes per particle: each array
 *               once, and the pairs at both ends
 *   streaming   that over the time it takes, bytes per second
 *   copy        what a copy of large arrays reads and writes, bytes per second
 *   particles   of the scene
 *   memory      of everything at its peak, bytes per particle */
#include "base/blocks.h"
#include "base/memory.h"
#include "bench/bench_block.h"
#include "constraints/density_parts.h"
#include "constraints/fields.h"
#include "diffuse/diffuse_parts.h"
#include "schemes/position_based.h"
#include "shape/surface.h"
#include "systems/bonds/bond_models.h"
#include "systems/constrained/rigid_model.h"
#include "systems/sph/fluid_model.h"

#include <omp.h>
#include <string.h>

static const double SPACING = 2.0 * RADIUS;
/* Bodies of the pile are half a meter large, which is a matter of gravity alone. */
static const double PILE_GRAVITY = 9.81 / 6.0;

enum { MOST_STEPS = 1000 };

static void stop(const struct error *error)
{
    bench_stop("bench_positions", error);
}

/* ---- scenes ---- */

struct bench {
    struct scene scene;
    struct material material[2];
    union {
        struct rigid_material rigid;
        struct mass_spring springs;
        struct fluid_material fluid;
    } parameters;
    struct fluid_material water;
    struct wall wall;
    struct particles particles;
    size_t n_sheets;
    struct sheet sheet[8];
    struct diffuse_source spray;
};

static void begin(struct bench *b, const struct material_model *model, size_t bodies, size_t n,
                  uint32_t iterations)
{
    struct error error;
    struct body *body = calloc(bodies, sizeof *body);
    if (!body || particles_create(&b->particles, n, &error))
        exit(1);
    b->material[0] = b->material[1] =
        (struct material){.name = model->name, .model = model, .parameters = &b->parameters};
    for (size_t k = 0; k < bodies; k++)
        body[k] = (struct body){.name = "body", .radius = RADIUS, .particle_mass = MASS};
    b->scene = bench_scene(b->material, body, 8e-3);
    b->scene.n_bodies = bodies;
    b->scene.time.end = 1e3;
    b->scene.time.courant = (double)INFINITY;
    b->scene.contact.method = CONTACT_POSITION_BASED;
    b->scene.contact.friction = 0.6;
    b->scene.contact.static_friction = 0.7;
    b->scene.position = (struct position_settings){
        .iterations = iterations, .omega = 1.0, .averaging = AVERAGING_PARTICLE};
    b->scene.n_walls = 1;
    b->scene.wall = &b->wall;
    for (size_t i = 0; i < n; i++) {
        b->particles.radius[i] = RADIUS;
        b->particles.mass[i] = MASS;
        b->particles.body[i] = (uint32_t)(i * bodies / n);
    }
}

/* A box from z = 0 on around x = y = 0. */
static void put_into_box(struct bench *b, double width)
{
    b->wall = (struct wall){.name = "box",
                            .keep = KEEP_INSIDE,
                            .holds = HOLDS_ALL,
                            .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, 100.0}},
                                       .position = {0.0, 0.0, 50.0},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
}

static double shaken(uint64_t axis, uint64_t k, double most)
{
    return most * (2.0 * random_uniform(1, axis, k, RANDOM_TEST) - 1.0);
}

/* A place of a lattice of edge x edge x ... whose axis is x = y = 0. */
static struct vec3 place(size_t k, size_t edge, double spacing, double jitter)
{
    const double half = 0.5 * (double)(edge - 1);
    return vec3(spacing * ((double)(k % edge) - half) + shaken(0, k, jitter),
                spacing * ((double)(k / edge % edge) - half) + shaken(1, k, jitter),
                spacing * ((double)(k / edge / edge) + 0.5) + shaken(2, k, jitter));
}

/* Blocks of 4 x 4 x 3 particles without the corners of the middle layer; as shapes they have them.
 */
static void make_pile(struct bench *b, size_t edge)
{
    enum { EACH = 44 };
    const size_t bodies = edge * edge * edge;
    size_t i = 0;
    b->parameters.rigid.stiffness = 1.0;
    begin(b, &rigid_model, bodies, EACH * bodies, 2);
    put_into_box(b, 4.2 * SPACING * (double)edge);
    b->scene.gravity = vec3(0.0, 0.0, -PILE_GRAVITY);
    for (size_t k = 0; k < bodies; k++) {
        const struct vec3 at = place(k, edge, 4.2 * SPACING, 0.1 * SPACING);
        b->scene.body[k].shape = (struct shape){
            .kind = SHAPE_BOX, .center = at, .size = vec3_scale(SPACING, vec3(4.0, 4.0, 3.0))};
        for (int x = 0; x < 4; x++)
            for (int y = 0; y < 4; y++)
                for (int z = 0; z < 3; z++)
                    if (x % 3 != 0 || y % 3 != 0 || z != 1)
                        b->particles.position[i++] =
                            vec3_axpy(at, SPACING, vec3(x - 1.5, y - 1.5, z - 1.0));
    }
}

static void make_fields(struct bench *b, size_t edge)
{
    b->parameters.rigid.field = FIELD_ONE_SIDED;
    make_pile(b, edge);
}

static void make_castle(struct bench *b, size_t edge)
{
    begin(b, &loose_model, 1, edge * edge * edge, 12);
    put_into_box(b, 10.0 * SPACING * (double)edge);
    for (size_t k = 0; k < b->particles.n; k++)
        b->particles.position[k] = place(k, edge, SPACING, 0.01 * SPACING);
}

static size_t common_factor(size_t a, size_t b)
{
    return b == 0 ? a : common_factor(b, a % b);
}

/* Places a golden section apart follow each other, so that neighbors are far apart in memory. */
static void make_shuffled(struct bench *b, size_t edge)
{
    const size_t n = edge * edge * edge;
    size_t step = (size_t)(0.618 * (double)n);
    make_castle(b, edge);
    while (common_factor(step, n) != 1)
        step++;
    for (size_t k = 0; k < n; k++)
        b->particles.position[k] = place(k * step % n, edge, SPACING, 0.01 * SPACING);
}

/* The heavy fluid lies on one of a quarter of its density. */
static void make_layers(struct bench *b, size_t edge)
{
    const double width = SPACING * (double)edge;
    b->parameters.fluid.pressure = 1e4;
    b->parameters.fluid.support = 2.0;
    begin(b, &fluid_model, 2, edge * edge * edge, 10);
    b->scene.n_materials = 2;
    b->scene.time.max_step = 3.2e-3;
    b->scene.body[1].material = 1;
    b->scene.body[0].particle_mass = 0.25 * MASS;
    b->scene.position.solid_weight = 1.0;
    b->wall = (struct wall){.name = "box",
                            .keep = KEEP_INSIDE,
                            .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, width}},
                                       .position = {0.0, 0.0, 0.5 * width},
                                       .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    for (size_t k = 0; k < b->particles.n; k++) {
        b->particles.position[k] = place(k, edge, SPACING, 0.05 * SPACING);
        b->particles.mass[k] = b->scene.body[b->particles.body[k]].particle_mass;
    }
}

/* What fills a ball of this radius with a cubic lattice, less its center; at most n places. */
static size_t fill_ball(double radius, size_t n, struct vec3 *at)
{
    const int reach = (int)(radius / SPACING);
    size_t found = 0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                const struct vec3 own = vec3_scale(SPACING, vec3(x, y, z));
                if (vec3_norm(own) <= radius && found++ < n && at)
                    at[found - 1] = own;
            }
    return found;
}

static void place_skin(struct bench *b, size_t k, const struct surface *skin, struct vec3 center)
{
    struct sheet *sheet = &b->sheet[k];
    struct error error;
    *sheet = (struct sheet){.body = (uint32_t)k, .n_triangles = skin->n_triangles};
    if (array_create(&sheet->triangle, skin->n_triangles, sizeof *sheet->triangle, "skin", &error))
        stop(&error);
    for (size_t t = 0; t < 3 * skin->n_triangles; t++)
        sheet->triangle[t / 3][t % 3] = (uint32_t)(k * skin->n) + skin->triangle[t / 3][t % 3];
    for (size_t i = 0; i < skin->n; i++) {
        b->particles.position[k * skin->n + i] = vec3_add(center, skin->position[i]);
        b->particles.body[k * skin->n + i] = (uint32_t)k;
    }
}

/* Two by two by two, on the floor. */
static void make_balloons(struct bench *b, size_t edge)
{
    enum { SKINS = 8 };
    const double f = (double)edge, each = 0.5 * sqrt(3.0) * SPACING * SPACING;
    const double radius = sqrt((10.0 * f * f + 2.0) * each / (4.0 * acos(-1.0)));
    const double apart = 2.0 * radius + 1.1 * SPACING, within = radius - SPACING;
    const struct shape ball = {.kind = SHAPE_BALL, .radius = radius};
    struct surface skin;
    struct error error;
    if (surface_create(&skin, &ball, SPACING, &error))
        stop(&error);
    const size_t water = fill_ball(within, 0, NULL);
    b->parameters.springs = (struct mass_spring){.stretch_stiffness = 400.0,
                                                 .bend_stiffness = 20.0,
                                                 .critical_stretch = 0.6,
                                                 .inflation = (double)INFINITY};
    begin(b, &mass_spring_model, SKINS + 1, SKINS * (skin.n + water), 12);
    b->water = (struct fluid_material){.pressure = 1e4, .support = 2.0};
    b->material[1] =
        (struct material){.name = "water", .model = &fluid_model, .parameters = &b->water};
    b->scene.n_materials = 2;
    b->scene.time.max_step = 16e-3 / 3.0;
    b->scene.position.solid_weight = 1.0;
    b->n_sheets = SKINS;
    put_into_box(b, 2.0 * apart + SPACING);
    b->wall.region.shape.size.z = 4.0 * apart;
    b->wall.region.position.z = 2.0 * apart;
    b->scene.body[SKINS].material = 1;
    for (size_t k = 0; k < SKINS; k++) {
        const struct vec3 center = place(k, 2, apart, 0.0);
        struct vec3 *at = b->particles.position + SKINS * skin.n + k * water;
        b->scene.body[k].shape = ball;
        b->scene.body[k].sampling.method = SAMPLING_VERTICES;
        place_skin(b, k, &skin, center);
        fill_ball(within, water, at);
        for (size_t i = 0; i < water; i++) {
            at[i] = vec3_add(center, at[i]);
            b->particles.body[SKINS * skin.n + k * water + i] = SKINS;
        }
    }
    surface_free(&skin);
}

static void make_sheet(struct bench *b, size_t edge)
{
    b->parameters.springs = (struct mass_spring){
        .stretch_stiffness = 400.0, .shear_stiffness = 400.0, .bend_stiffness = 20.0};
    begin(b, &mass_spring_model, 1, edge * edge, 4);
    put_into_box(b, 1e3);
    for (size_t k = 0; k < b->particles.n; k++) {
        b->particles.position[k] = vec3_add(place(k, edge, SPACING, 0.0), vec3(0.0, 0.0, 50.0));
        b->particles.state[k] = k < edge ? PARTICLE_FIXED : PARTICLE_FREE;
    }
}

/* Fluid that falls apart, with so many diffuse particles for each of its own. */
static void make_fluid(struct bench *b, size_t edge, uint32_t iterations, double each)
{
    const double width = SPACING * (double)edge;
    b->parameters.fluid = (struct fluid_material){.pressure = (double)INFINITY, .support = 2.0};
    begin(b, &fluid_model, 1, edge * edge * edge, iterations);
    put_into_box(b, 2.0 * width);
    b->wall.region.shape.size.z = 4.0 * width;
    b->wall.region.position.z = 2.0 * width;
    b->scene.position.solid_weight = 1.0;
    for (size_t k = 0; k < b->particles.n; k++)
        b->particles.position[k] = place(k, edge, SPACING, 0.05 * SPACING);
    b->spray = (struct diffuse_source){
        .name = "spray",
        .number = (uint32_t)(each * (double)b->particles.n),
        .stop = (double)INFINITY,
        .lifetime = (double)INFINITY,
        .region = {.shape = {.kind = SHAPE_BOX, .size = {width, width, width}},
                   .position = {0.0, 0.0, 0.5 * width},
                   .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}}};
    b->scene.n_diffuse = 1;
    b->scene.diffuse = &b->spray;
}

static void make_splash(struct bench *b, size_t edge)
{
    make_fluid(b, edge, 4, 0.6);
}

static void make_smoke(struct bench *b, size_t edge)
{
    make_fluid(b, edge, 6, 10.0);
    b->parameters.fluid.buoyancy = 1.2;
    b->parameters.fluid.drag = 10.0;
    b->parameters.fluid.baroclinity = 2.0;
    b->scene.n_walls = 0;
}

/* ---- measurement ---- */

enum { FIND = CONSTRAINT_KINDS, STEP, ACTIVE, CANDIDATES, DIFFUSE, N_VALUES };

/* How many contacts act on particles, at both ends, without those at walls. */
static size_t acting(const struct position_based *p, const double *radius)
{
    size_t n = 0;
    for (size_t k = 0; k < p->near.list.n; k++) {
        const struct pair pair = p->near.list.pair[k];
        n += vec3_norm(vec3_sub(p->at[pair.j], p->at[pair.i])) < radius[pair.i] + radius[pair.j];
    }
    return 2 * n;
}

/* With one thread, processor time, which other programs disturb less. */
static double now(void)
{
    return omp_get_max_threads() == 1 ? cpu_now() : timing_now();
}

static double since(double *begin)
{
    const double end = now(), elapsed = end - *begin;
    *begin = end;
    return elapsed;
}

static void measure(struct simulation *s, double value[N_VALUES])
{
    struct error error;
    struct ledger_row row;
    struct position_based *p = (struct position_based *)s->scheme;
    double begin = now();
    if (simulation_step(s, 1e3, &row, &error))
        stop(&error);
    value[STEP] = since(&begin);
    value[ACTIVE] = (double)acting(p, s->particles.radius);
    value[CANDIDATES] = 2.0 * (double)p->near.list.n;
    since(&begin);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        if (p->set.group[k] &&
            p->set.group[k]->class->find(p->set.group[k], &p->candidates, &error))
            stop(&error);
    value[FIND] = since(&begin);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++) {
        if (p->set.group[k])
            p->set.group[k]->class->solve(p->set.group[k], &p->candidates, &p->corrections);
        value[k] = since(&begin);
    }
    const struct diffuse_step still = {.particles = &s->particles, .mean = s->motion.mean};
    since(&begin);
    if (diffuse_move(&s->diffuse, &still, &error))
        stop(&error);
    value[DIFFUSE] = since(&begin);
}

/* What a copy of large arrays reads and writes, bytes per second. */
static double copy_speed(void)
{
    enum { BYTES = 1 << 28, REPEATS = 5 };
    static double time[REPEATS];
    char *from = calloc(BYTES, 1), *to = calloc(BYTES, 1);
    if (!from || !to)
        exit(1);
    memset(from, 1, BYTES);
    blocks_copy(to, from, BYTES);
    for (int k = 0; k < REPEATS; k++) {
        double begin = timing_now();
        blocks_copy(to, from, BYTES);
        time[k] = time_since(&begin);
    }
    free(from);
    free(to);
    return 2.0 * BYTES / median(time, REPEATS);
}

/* Bytes that an iteration of contacts cannot but move, per particle: places, those at the start,
 * weight and radius, corrections and violation; 4 of each pair at each end. */
static double stream(double candidates)
{
    return (2.0 + 2.0) * sizeof(struct vec3) + 3.0 * sizeof(double) + 4.0 * candidates;
}

/* Of a pair (contact_chunk.c) whether it is near 11; of one that acts distance and depth 13, normal
 * 4, way 22, friction 8, and at each of both ends 20. */
static double contact_operations(double candidates, double acts)
{
    return 11.0 * 0.5 * candidates + (13.0 + 4.0 + 22.0 + 8.0 + 2.0 * 20.0) * 0.5 * acts;
}

static double listed(const struct density *d)
{
    double n = 0.0;
    for (size_t s = 0; s < d->grid.n; s++)
        for (int k = 0; k < NEAR_KINDS; k++)
            n += d->row[s].n[k];
    return n;
}

/* An iteration reads places and writes them as rows, which two passes read, with rows of neighbors
 * and their entries; writes C, as a number and in the row, and reads it; and writes shifts and
 * violations. */
static double density_bytes(const struct density *d)
{
    return (double)d->grid.n *
               (sizeof(struct vec3) + 4 * sizeof(struct place) + 2 * sizeof(struct near_row) +
                3 * sizeof(double) + sizeof(struct vec3) + sizeof(double)) +
           2.0 * sizeof(uint32_t) * listed(d);
}

/* Of a neighbor (density_parts.h, density.c) what it looks like 14, twice; kernel and sum 6; slope,
 * push and sums 12. */
static double density_operations(const struct density *d)
{
    return (2.0 * 14.0 + 6.0 + 12.0) * listed(d);
}

/* Of a particle place, weight, number and where its row begins; a correction and its violation are
 * written. Of a pair its ends, length and kind, and an entry in both their rows; what it looks like
 * (struct look) is written and read. */
static double distances_bytes(double pairs)
{
    const double look = sizeof(struct vec3) + 2.0 * sizeof(double);
    return 3.0 * sizeof(struct vec3) + 3.0 * sizeof(double) + sizeof(size_t) +
           (sizeof(struct pair) + sizeof(double) + sizeof(uint8_t) + 4.0 * sizeof(uint32_t) +
            2.0 * look) *
               pairs;
}

/* Of a rigid pair (distances.c) distance, excess and direction 14, and at each of both ends its
 * share 4, shift and sum 6, and the largest violation 1; of a particle the mean 4. */
static double distances_operations(double pairs)
{
    return (14.0 + 2.0 * (4.0 + 6.0 + 1.0)) * pairs + 4.0;
}

/* Place and velocity of one of the spray are read and written, its birth and source read, and the
 * middle of its cube written and read. */
static double diffuse_bytes(void)
{
    return 6.0 * sizeof(struct vec3) + sizeof(double) + sizeof(uint32_t);
}

/* Of a particle of fluid with the place in its support, of which one in 16 is asked
 * (fluid_around.c): nearness 11, weight 2, sums 7. */
static double diffuse_operations(const struct simulation *s)
{
    struct fluid_near near = {0};
    struct error error;
    double found = 0.0, asked = 0.0;
    for (size_t k = 0; k < s->diffuse.n; k += 16, asked += 1.0) {
        if (fluid_near_find(&near, &s->diffuse.around, s->diffuse.position[k], 0.0, &error))
            stop(&error);
        found += (double)fluid_near_count(&near, s->diffuse.position[k]);
    }
    fluid_near_free(&near);
    return 20.0 * found / asked;
}

static void print_limits(const struct simulation *s, double candidates, double acts)
{
    const struct position_based *p = (const struct position_based *)s->scheme;
    const struct density *d = (const struct density *)p->set.group[CONSTRAINT_DENSITY];
    const double n = (double)s->particles.n;
    printf("contacts_operations %.17g\n", contact_operations(candidates, acts));
    if (d) {
        printf("density_bytes %.17g\n", density_bytes(d) / n);
        printf("density_operations %.17g\n", density_operations(d) / n);
    }
    if (p->set.group[CONSTRAINT_DISTANCES]) {
        const double pairs = (double)bonded_count(s->bonded) / n;
        printf("distances_bytes %.17g\n", distances_bytes(pairs));
        printf("distances_operations %.17g\n", distances_operations(pairs));
    }
    if (s->diffuse.n > 0) {
        printf("diffuse_bytes %.17g\n", diffuse_bytes());
        printf("diffuse_operations %.17g\n", diffuse_operations(s));
    }
}

static double sum(const double *value, size_t n)
{
    double all = 0.0;
    for (size_t k = 0; k < n; k++)
        all += value[k];
    return all;
}

static void print(const struct simulation *s, double (*value)[MOST_STEPS], size_t steps,
                  const double *spent, double memory)
{
    static const char *const group[CONSTRAINT_KINDS] = {"density",   "contacts", "tethers",
                                                        "distances", "volumes",  "shapes"};
    const double n = (double)s->particles.n, each = 1e9 / n / (double)steps;
    const struct position_based *p = (const struct position_based *)s->scheme;
    const double search = spent[PHASE_DETECTION];
    const double iterations = spent[PHASE_FIRST_STAGE] + spent[PHASE_LATER_STAGES];
    const double scheme =
        spent[PHASE_MERGING] + spent[PHASE_SYNCHRONIZING] + spent[PHASE_SPLITTING];
    const double rest = sum(value[STEP], steps) - search - iterations - scheme;
    printf("step %.17g\n", 1e9 * median(value[STEP], steps) / n);
    printf("search %.17g\niterations %.17g\n", each * search, each * iterations);
    printf("scheme %.17g\nrest %.17g\n", each * scheme, each * rest);
    printf("find %.17g\n", 1e9 * median(value[FIND], steps) / n);
    for (size_t k = 0; k < CONSTRAINT_KINDS; k++)
        if (p->set.group[k])
            printf("%s %.17g\n", group[k], 1e9 * median(value[k], steps) / n);
    if (s->diffuse.n > 0)
        printf("diffuse %.17g\nspray %zu\n",
               1e9 * median(value[DIFFUSE], steps) / (double)s->diffuse.n, s->diffuse.n);
    const double candidates = median(value[CANDIDATES], steps) / n;
    printf("acting %.17g\ncandidates %.17g\n", median(value[ACTIVE], steps) / n, candidates);
    printf("stream %.17g\n", stream(candidates));
    print_limits(s, candidates, median(value[ACTIVE], steps) / n);
    printf("streaming %.17g\n", stream(candidates) * n / median(value[CONSTRAINT_CONTACTS], steps));
    printf("copy %.17g\n", copy_speed());
    printf("particles %zu\nmemory %.17g\n", s->particles.n, memory / n);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : "";
    size_t edge = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    size_t steps = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
    void (*make)(struct bench *, size_t) = strcmp(scene, "pile") == 0       ? make_pile
                                           : strcmp(scene, "fields") == 0   ? make_fields
                                           : strcmp(scene, "castle") == 0   ? make_castle
                                           : strcmp(scene, "shuffled") == 0 ? make_shuffled
                                           : strcmp(scene, "layers") == 0   ? make_layers
                                           : strcmp(scene, "balloons") == 0 ? make_balloons
                                           : strcmp(scene, "sheet") == 0    ? make_sheet
                                           : strcmp(scene, "splash") == 0   ? make_splash
                                           : strcmp(scene, "smoke") == 0    ? make_smoke
                                                                            : NULL;
    if (!make || edge < 2 || edge > 1000 || steps < 1 || steps > MOST_STEPS) {
        fputs("usage: bench_positions "
              "pile|fields|castle|shuffled|layers|balloons|sheet|splash|smoke EDGE "
              "STEPS\n",
              stderr);
        return 2;
    }
    static struct bench bench;
    static double value[N_VALUES][MOST_STEPS];
    double idle = peak_memory(), spent[N_PHASES];
    struct simulation s;
    struct error error;
    struct ledger_row row;
    make(&bench, edge);
    const struct restart fresh = {.n_sheets = bench.n_sheets, .sheet = bench.sheet};
    if (simulation_create(&s, &bench.scene, &bench.particles, bench.particles.position, &fresh,
                          &error))
        stop(&error);
    for (size_t k = 0; k < steps; k++)
        if (simulation_step(&s, 1e3, &row, &error))
            stop(&error);
    memcpy(spent, s.timing.spent, sizeof spent);
    for (size_t k = 0; k < steps; k++) {
        double one[N_VALUES];
        measure(&s, one);
        for (int t = 0; t < N_VALUES; t++)
            value[t][k] = one[t];
    }
    for (int k = 0; k < N_PHASES; k++)
        spent[k] = s.timing.spent[k] - spent[k];
    print(&s, value, steps, spent, peak_memory() - idle);
    simulation_free(&s);
    free(bench.scene.body);
    return 0;
}
