/* Sums over bonds that are stored once, against plain loops. */
#include "particles/random.h"
#include "systems/bonds/bond_tiles.h"
#include "tap.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct graph {
    size_t n, n_bonds;
    size_t *start;
    uint32_t *neighbor;
    double *value; /* of each bond */
};

/* Every particle i is bonded to about `most` of the `span` above it; some to none. */
static void grow(struct graph *g, size_t n, size_t span, size_t most)
{
    *g = (struct graph){.n = n};
    g->start = calloc(n + 1, sizeof *g->start);
    g->neighbor = calloc(n * most + 1, sizeof *g->neighbor);
    g->value = calloc(n * most + 1, sizeof *g->value);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n && j <= i + span; j++)
            if (random_uniform(1, i, j, RANDOM_TEST) * (double)span < (double)most &&
                g->n_bonds < g->start[i] + most && i % 11 != 0) {
                g->value[g->n_bonds] = random_uniform(2, i, j, RANDOM_TEST) - 0.5;
                g->neighbor[g->n_bonds++] = (uint32_t)j;
            }
        g->start[i + 1] = g->n_bonds;
    }
}

static void wither(struct graph *g)
{
    free(g->start);
    free(g->neighbor);
    free(g->value);
}

static bool sum_tile(struct bond_tile *tile, void *context)
{
    const struct graph *g = context;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++)
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
            *bond_tile_at(tile, i) += (lanes){g->value[e], 1.0, 0.0, 0.0};
            *bond_tile_other(tile, e) -= (lanes){g->value[e], 0.0, -1.0, 0.0};
        }
    return true;
}

static bool least_tile(struct bond_tile *tile, void *context)
{
    const struct graph *g = context;
    bond_tile_clear(tile, (double)INFINITY);
    for (size_t i = tile->begin; i < tile->end; i++)
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
            double *own = (double *)bond_tile_at(tile, i);
            double *other = (double *)bond_tile_other(tile, e);
            *own = fmin(*own, g->value[e]);
            *other = fmin(*other, g->value[e]);
        }
    return true;
}

static bool floats_tile(struct bond_tile *tile, void *context)
{
    const struct graph *g = context;
    bond_tile_clear(tile, 0.0);
    for (size_t i = tile->begin; i < tile->end; i++)
        for (size_t e = g->start[i]; e < g->start[i + 1]; e++) {
            float *own = (float *)bond_tile_at(tile, i);
            float *other = (float *)bond_tile_other(tile, e);
            own[7] += 1.0F;
            other[0] += 2.0F;
        }
    return true;
}

/* Copies what the tiles have to `out`, four doubles for each particle. */
static void take(const struct bond_tiles *tiles, lanes *out)
{
    for (size_t k = 0; k < tiles->n; k++)
        for (size_t i = tiles->tile[k].begin; i < tiles->tile[k].end; i++)
            out[i] = bond_tile_sum(&tiles->tile[k], i);
}

static lanes *run(struct bond_tiles *tiles, struct graph *g, bond_tile_kernel *kernel,
                  bond_combine *combine, int threads)
{
    void *memory = aligned_alloc(sizeof(lanes), (g->n + 1) * sizeof(lanes));
    int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    bond_tiles_run(tiles, kernel, combine, g);
    omp_set_num_threads(before);
    take(tiles, memory);
    return memory;
}

static void check_graph(size_t n, size_t span, size_t most)
{
    struct graph g;
    struct bond_tiles tiles;
    struct error error = {0};
    grow(&g, n, span, most);
    check_equal(bond_tiles_create(&tiles, n, g.start, g.neighbor, &error), STATUS_OK, "create");
    double *sum = calloc(n + 1, sizeof *sum), *least = calloc(n + 1, sizeof *least);
    size_t *above = calloc(n + 1, sizeof *above), *below = calloc(n + 1, sizeof *below);
    for (size_t i = 0; i < n; i++)
        least[i] = (double)INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t e = g.start[i]; e < g.start[i + 1]; e++) {
            uint32_t j = g.neighbor[e];
            sum[i] += g.value[e];
            sum[j] -= g.value[e];
            above[i]++;
            below[j]++;
            least[i] = fmin(least[i], g.value[e]);
            least[j] = fmin(least[j], g.value[e]);
        }
    lanes *one = run(&tiles, &g, sum_tile, bond_combine_sums, 1);
    lanes *seven = run(&tiles, &g, sum_tile, bond_combine_sums, 7);
    lanes *smallest = run(&tiles, &g, least_tile, bond_combine_least, 3);
    lanes *floats = run(&tiles, &g, floats_tile, bond_combine_floats, 3);
    check(memcmp(one, seven, n * sizeof *one) == 0);
    for (size_t i = 0; i < n; i++) {
        const float *counts = (const float *)&floats[i];
        check_close(one[i][0], sum[i], 1e-13, "sum");
        check_equal((size_t)one[i][1], above[i], "bonds above");
        check_equal((size_t)one[i][2], below[i], "bonds below");
        check(smallest[i][0] == least[i]);
        check_equal((size_t)counts[7], above[i], "single precision");
        check_equal((size_t)counts[0], 2 * below[i], "single precision, other end");
    }
    free(one);
    free(seven);
    free(smallest);
    free(floats);
    free(sum);
    free(least);
    free(above);
    free(below);
    bond_tiles_free(&tiles);
    wither(&g);
}

TEST(few_particles_are_one_tile)
{
    check_graph(0, 5, 3);
    check_graph(1, 5, 3);
    check_graph(200, 30, 8);
}

TEST(bonds_reach_into_the_next_tiles)
{
    check_graph(2000, 40, 10);
    check_graph(2000, 300, 10);  /* beyond the next tile */
    check_graph(1500, 1500, 20); /* everywhere */
}

TEST(long_tiles)
{
    check_graph(40000, 200, 3); /* of 625 */
}

TEST(no_bonds_at_all)
{
    check_graph(1000, 0, 0);
}
