/* usage: bench_skin EDGE REPEATS: what it costs to let a mesh follow the particles of a corotated
 * solid (surface/kernel_skin.h), with OMP_NUM_THREADS threads.
 *
 * A cube of EDGE^3 particles, with as many vertices at random places in it as EDGE^3 / 2, which is
 * what a mesh of a body of that resolution has. Prints lines "name value":
 *   particles  of the cube
 *   vertices   of the mesh
 *   create     neighbors and weights, s
 *   follow     the mesh in a frame, s, the median over the repeats */
#include "bench/bench.h"
#include "particles/random.h"
#include "surface/kernel_skin.h"

static void stop(const char *message)
{
    fprintf(stderr, "bench_skin: %s\n", message);
    exit(1);
}

static double random_between(uint64_t draw, double high)
{
    return high * random_uniform(1, 0, draw, RANDOM_TEST);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_follow(struct kernel_skin *skin, const struct vec3 *position,
                            struct vec3 *vertex, size_t repeats)
{
    double *time = calloc(repeats, sizeof *time);
    if (!time)
        stop("out of memory");
    for (size_t k = 0; k < repeats; k++) {
        double begin = timing_now();
        kernel_skin_follow(skin, position, vertex);
        time[k] = time_since(&begin);
    }
    qsort(time, repeats, sizeof *time, by_size);
    double median = time[repeats / 2];
    free(time);
    return median;
}

int main(int argc, char **argv)
{
    const double spacing = 0.01;
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    size_t repeats = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (edge < 2 || edge > 100 || repeats < 1 || repeats > 10000) {
        fputs("usage: bench_skin EDGE REPEATS\n", stderr);
        return 2;
    }
    const size_t n = edge * edge * edge, n_vertices = n / 2;
    struct vec3 *rest = calloc(n, sizeof *rest), *vertex = calloc(n_vertices, sizeof *vertex);
    struct kernel_skin *skin;
    struct error error;
    if (!rest || !vertex)
        stop("out of memory");
    for (size_t i = 0; i < n; i++)
        rest[i] = vec3(spacing * (double)(i % edge), spacing * (double)(i / edge % edge),
                       spacing * (double)(i / edge / edge));
    for (uint64_t k = 0; k < n_vertices; k++)
        vertex[k] = vec3(random_between(3 * k, spacing * (double)edge),
                         random_between(3 * k + 1, spacing * (double)edge),
                         random_between(3 * k + 2, spacing * (double)edge));
    double begin = timing_now();
    if (kernel_skin_create(&skin, n_vertices, vertex, n, rest, spacing, &error))
        stop(error.message);
    printf("particles %zu\nvertices %zu\ncreate %.6f\n", n, n_vertices, time_since(&begin));
    printf("follow %.6f\n", median_follow(skin, rest, vertex, repeats));
    kernel_skin_free(skin);
    free(rest);
    free(vertex);
    return 0;
}
