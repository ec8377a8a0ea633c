/* usage: bench_scatter EDGE REPEATS: three ways to add up the corrections of contacts, with
 * OMP_NUM_THREADS threads, in ns per pair, medians over the repeats.
 *
 *   gather   each particle adds up its own pairs, so that a pair is computed at both its ends
 *   atomics  each pair is computed once, and added to both its ends atomically
 *   colored  the same without atomic operations, color by color: no two pairs of one share an end
 *
 * EDGE^3 particles stand on a lattice a hundredth too narrow, each in touch with six others. */
#include "base/vec3.h"
#include "bench/bench.h"

#include <stdint.h>

enum { MOST_REPEATS = 1000, COLORS = 6, AROUND = 6 };
static const double RADIUS = 0.5;

struct lattice {
    size_t edge, n, n_pairs;
    struct vec3 *position, *sum;
    uint32_t (*pair)[2]; /* color by color (n_pairs) */
    size_t color[COLORS + 1];
    uint32_t (*beside)[AROUND]; /* neighbors of each particle, itself where there is none (n) */
};

static void *allocated(size_t n, size_t size)
{
    void *memory = calloc(n, size);
    if (!memory)
        exit(1);
    return memory;
}

/* A particle's coordinate along an axis. */
static size_t along(const struct lattice *l, size_t i, int axis)
{
    return axis == 0 ? i % l->edge : axis == 1 ? i / l->edge % l->edge : i / l->edge / l->edge;
}

static void create(struct lattice *l, size_t edge)
{
    const size_t stride[3] = {1, edge, edge * edge};
    *l = (struct lattice){.edge = edge, .n = edge * edge * edge};
    l->position = allocated(l->n, sizeof *l->position);
    l->sum = allocated(l->n, sizeof *l->sum);
    l->pair = allocated(3 * l->n, sizeof *l->pair);
    l->beside = allocated(l->n, sizeof *l->beside);
    for (size_t i = 0; i < l->n; i++) {
        l->position[i] =
            vec3_scale(1.98 * RADIUS, vec3((double)along(l, i, 0), (double)along(l, i, 1),
                                           (double)along(l, i, 2)));
        for (int axis = 0; axis < 3; axis++) {
            const size_t at = along(l, i, axis);
            l->beside[i][2 * axis] = (uint32_t)(at > 0 ? i - stride[axis] : i);
            l->beside[i][2 * axis + 1] = (uint32_t)(at + 1 < edge ? i + stride[axis] : i);
        }
    }
    for (int color = 0; color < COLORS; color++) {
        const int axis = color / 2;
        for (size_t i = 0; i < l->n; i++) {
            const size_t at = along(l, i, axis);
            if (at + 1 < edge && at % 2 == (size_t)color % 2) {
                l->pair[l->n_pairs][0] = (uint32_t)i;
                l->pair[l->n_pairs++][1] = (uint32_t)(i + stride[axis]);
            }
        }
        l->color[color + 1] = l->n_pairs;
    }
}

/* What moves i, half of what parts the two. */
static inline struct vec3 correction(const struct lattice *l, size_t i, size_t j)
{
    const struct vec3 x = vec3_sub(l->position[i], l->position[j]);
    const double distance = vec3_norm(x), deep = 2.0 * RADIUS - distance;
    return deep > 0.0 && distance > 0.0 ? vec3_scale(0.5 * deep / distance, x)
                                        : vec3(0.0, 0.0, 0.0);
}

static void gather(const struct lattice *l)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < l->n; i++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (int k = 0; k < AROUND; k++)
            sum = vec3_add(sum, correction(l, i, l->beside[i][k]));
        l->sum[i] = sum;
    }
}

static inline void add_atomically(struct vec3 *sum, struct vec3 v)
{
#pragma omp atomic
    sum->x += v.x;
#pragma omp atomic
    sum->y += v.y;
#pragma omp atomic
    sum->z += v.z;
}

static void clear(const struct lattice *l)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < l->n; i++)
        l->sum[i] = vec3(0.0, 0.0, 0.0);
}

static void scatter_atomically(const struct lattice *l)
{
    clear(l);
#pragma omp parallel for schedule(static)
    for (size_t p = 0; p < l->n_pairs; p++) {
        const struct vec3 v = correction(l, l->pair[p][0], l->pair[p][1]);
        add_atomically(&l->sum[l->pair[p][0]], v);
        add_atomically(&l->sum[l->pair[p][1]], vec3_scale(-1.0, v));
    }
}

static void scatter_by_color(const struct lattice *l)
{
    clear(l);
    for (int color = 0; color < COLORS; color++) {
#pragma omp parallel for schedule(static)
        for (size_t p = l->color[color]; p < l->color[color + 1]; p++) {
            const uint32_t i = l->pair[p][0], j = l->pair[p][1];
            const struct vec3 v = correction(l, i, j);
            l->sum[i] = vec3_add(l->sum[i], v);
            l->sum[j] = vec3_sub(l->sum[j], v);
        }
    }
}

/* What all ways find, but for rounding. */
static double total(const struct lattice *l)
{
    double sum = 0.0;
    for (size_t i = 0; i < l->n; i++)
        sum += vec3_norm(l->sum[i]);
    return sum;
}

/* ns per pair; *found becomes what it finds, or is compared with that. */
static double measured(const struct lattice *l, void (*way)(const struct lattice *), size_t repeats,
                       double *found)
{
    static double time[MOST_REPEATS];
    for (size_t k = 0; k < repeats; k++) {
        double begin = timing_now();
        way(l);
        time[k] = time_since(&begin);
    }
    if (*found == 0.0)
        *found = total(l);
    if (fabs(total(l) - *found) > 1e-9 * *found) {
        fputs("bench_scatter: two ways find different corrections\n", stderr);
        exit(1);
    }
    return 1e9 * median(time, repeats) / (double)l->n_pairs;
}

int main(int argc, char **argv)
{
    const size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    const size_t repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    struct lattice l;
    double found = 0.0;
    if (edge < 2 || edge > 1000 || repeats < 1 || repeats > MOST_REPEATS) {
        fputs("usage: bench_scatter EDGE REPEATS\n", stderr);
        return 2;
    }
    create(&l, edge);
    printf("gather %.17g\n", measured(&l, gather, repeats, &found));
    printf("atomics %.17g\n", measured(&l, scatter_atomically, repeats, &found));
    printf("colored %.17g\n", measured(&l, scatter_by_color, repeats, &found));
    free(l.position);
    free(l.sum);
    free(l.pair);
    free(l.beside);
    return 0;
}
