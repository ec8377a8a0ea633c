#include "sample/sample_sheet.h"

#include "base/memory.h"

void sheet_positions(const struct body *body, struct vec3 *position)
{
    size_t nx = body->shape.cells[0], ny = body->shape.cells[1];
    double spacing = 2 * body->radius;
    for (size_t row = 0; row < ny; row++) {
        for (size_t column = 0; column < nx; column++) {
            double x = ((double)column - (double)(nx - 1) / 2) * spacing;
            double y = ((double)row - (double)(ny - 1) / 2) * spacing;
            position[row * nx + column] = vec3(x, y, 0);
        }
    }
}

enum status sheet_triangles(struct sheet *sheet, const struct body *body, size_t first,
                            struct error *error)
{
    size_t nx = body->shape.cells[0], ny = body->shape.cells[1];
    sheet->n_triangles = 2 * (nx - 1) * (ny - 1);
    enum status status = array_create(&sheet->triangle, sheet->n_triangles, sizeof *sheet->triangle,
                                      "sheet triangles", error);
    if (status)
        return status;
    uint32_t(*triangle)[3] = sheet->triangle;
    for (size_t row = 0; row + 1 < ny; row++) {
        for (size_t column = 0; column + 1 < nx; column++) {
            /* Corners counter-clockwise, starting at one end of the diagonal. */
            uint32_t c = (uint32_t)(first + row * nx + column), n = (uint32_t)nx;
            uint32_t corner[4] = {c, c + 1, c + n + 1, c + n};
            size_t s = (row + column) % 2;
            for (size_t t = 0; t < 2; t++, triangle++) {
                (*triangle)[0] = corner[s];
                (*triangle)[1] = corner[(s + 1 + t) % 4];
                (*triangle)[2] = corner[(s + 2 + t) % 4];
            }
        }
    }
    return STATUS_OK;
}

bool sheet_is_fixed(const struct body *body, size_t index)
{
    size_t nx = body->shape.cells[0], ny = body->shape.cells[1];
    size_t column = index % nx, row = index / nx;
    unsigned edges = (column == 0 ? FIXED_LEFT : 0u) | (column == nx - 1 ? FIXED_RIGHT : 0u) |
                     (row == 0 ? FIXED_FRONT : 0u) | (row == ny - 1 ? FIXED_BACK : 0u);
    bool corner = (edges & (FIXED_LEFT | FIXED_RIGHT)) && (edges & (FIXED_FRONT | FIXED_BACK));
    return (body->fixed & (FIXED_ALL | edges)) || ((body->fixed & FIXED_CORNERS) && corner);
}
