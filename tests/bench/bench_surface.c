/* usage: bench_surface EDGE [PASSES]: what the surface of a fluid costs, with OMP_NUM_THREADS
 * threads.
 *
 * EDGE^3 particles of a lattice, displaced from it at random. Prints lines "name value":
 *   surface    from particles to a mesh with normals, s
 *   triangles  of the mesh
 *   memory     of everything at its peak, MiB
 *   expected   of it, by the estimate beforehand, for the blocks of a full cube, MiB */
#include "bench/bench_block.h"
#include "surface/fluid_surface.h"

int main(int argc, char **argv)
{
    size_t edge = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    unsigned passes = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    if (edge < 2 || edge > 200 || passes > 1000) {
        fputs("usage: bench_surface EDGE [PASSES]\n", stderr);
        return 2;
    }
    struct particles p;
    struct triangle_mesh mesh = {0};
    struct error error;
    bench_block("bench_surface", &p, edge, 0.1);
    double idle = peak_memory(), begin = timing_now();
    struct fluid_surface options = {.passes = passes};
    if (fluid_surface(&options, p.n, p.position, p.radius, &mesh, &error))
        bench_stop("bench_surface", &error);
    double blocks = pow((double)edge / 4.0 + 2.0, 3.0);
    printf("surface %.3f\n", time_since(&begin));
    printf("triangles %zu\n", mesh.n_triangles);
    printf("memory %.1f\n", (peak_memory() - idle) / (1 << 20));
    printf("expected %.1f\n", fluid_surface_memory(p.n, (size_t)blocks, 1.0) / (1 << 20));
    triangle_mesh_free(&mesh);
    particles_free(&p);
    return 0;
}
