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
#include "bench/bench_positions_scenes.h"
#include "constraints/density_parts.h"
#include "diffuse/diffuse_parts.h"
#include "schemes/position_based.h"

#include <omp.h>
#include <string.h>

enum { MOST_STEPS = 1000 };

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
