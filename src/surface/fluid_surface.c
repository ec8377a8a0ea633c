#include "surface/fluid_surface.h"

#include "base/machine.h"
#include "surface/fluid_field.h"
#include "surface/isosurface.h"
#include "surface/smoothing.h"
#include "surface/stretched_field.h"

/* A plane along the diagonal of the cells has the most vertices and triangles for its area: per
 * cell about 2.3 and 4.6, as a cell is six tetrahedra. A vertex takes 26 bytes while threads have
 * it and 24 in the mesh; later 24 + 24 + 24 + 24 + 16 with its normal, its places before and after
 * smoothing, and the numbers of its component. A triangle takes 12 and 12; later 12, its sides 24
 * and its neighbors 12. */
enum { BYTES_OF_CELL = 3 * 140 + 6 * 60, BYTES_OF_PARTICLE = 108, BYTES_OF_BLOCK = 72 };

double fluid_surface_memory(size_t n, size_t n_blocks, double spacing_in_radii)
{
    double of_blocks = 2.0 * BLOCK_CELLS * BLOCK_CELLS * (double)n_blocks;
    double of_balls = 16.0 * 3.1416 / (spacing_in_radii * spacing_in_radii) * (double)n;
    return BYTES_OF_CELL * fmin(of_blocks, of_balls) + BYTES_OF_PARTICLE * (double)n +
           BYTES_OF_BLOCK * (double)n_blocks;
}

static enum status check_memory(const struct fluid_field *field, const struct block_list *blocks,
                                struct error *error)
{
    double need = fluid_surface_memory(field->grid.n, blocks->n, field->spacing / field->most);
    double have = memory_available();
    if (need <= have)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "a surface with a spacing of %g m may take %.1f GiB of memory, and %.1f GiB "
                     "are left; a larger --spacing would take less",
                     field->spacing, need / (1 << 30), have / (1 << 30));
}

/* ---- the fields: FLUID_KERNELS ---- */

typedef enum status make_surface(const struct fluid_field *field, const struct block_list *blocks,
                                 struct triangle_mesh *mesh, struct error *error);

static enum status make_fluid_field(const struct fluid_field *field,
                                    const struct block_list *blocks, struct triangle_mesh *mesh,
                                    struct error *error)
{
    return isosurface(blocks, fluid_field_evaluate, field, field->spacing, mesh, error);
}

static enum status make_stretched_field(const struct fluid_field *field,
                                        const struct block_list *blocks, struct triangle_mesh *mesh,
                                        struct error *error)
{
    struct stretched_field stretched;
    enum status status = stretched_field_create(&stretched, field, error);
    if (!status)
        status =
            isosurface(blocks, stretched_field_evaluate, &stretched, field->spacing, mesh, error);
    stretched_field_free(&stretched);
    return status;
}

static enum status make_isosurface(const struct fluid_field *field, enum fluid_kernel kernel,
                                   struct triangle_mesh *mesh, struct error *error)
{
#define MAKE_(word, value, name) [value] = make_##name,
    static make_surface *const make[] = {FLUID_KERNELS(MAKE_)};
    struct block_list blocks = {0};
    enum status status = fluid_field_blocks(field, &blocks, error);
    if (!status)
        status = check_memory(field, &blocks, error);
    if (!status)
        status = make[kernel](field, &blocks, mesh, error);
    block_list_free(&blocks);
    return status;
}

enum status fluid_surface(const struct fluid_surface *options, size_t n,
                          const struct vec3 *position, const double *radius,
                          struct triangle_mesh *mesh, struct error *error)
{
    struct fluid_field field;
    double most = 0.0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, radius[i]);
    double spacing = options->spacing > 0.0 ? options->spacing * most : most;
    enum status status = fluid_field_create(&field, n, position, radius, spacing, error);
    if (!status)
        status = make_isosurface(&field, options->kernel, mesh, error);
    fluid_field_free(&field);
    if (!status)
        status = mesh_smooth(mesh, options->passes, 0.5 * most, error);
    if (!status)
        status = triangle_mesh_find_normals(mesh, error);
    return status;
}
