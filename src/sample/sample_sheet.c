#include "sample/sample_sheet.h"

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

bool sheet_is_fixed(const struct body *body, size_t index)
{
    size_t nx = body->shape.cells[0], ny = body->shape.cells[1];
    size_t column = index % nx, row = index / nx;
    unsigned edges = (column == 0 ? FIXED_LEFT : 0u) | (column == nx - 1 ? FIXED_RIGHT : 0u) |
                     (row == 0 ? FIXED_FRONT : 0u) | (row == ny - 1 ? FIXED_BACK : 0u);
    bool corner = (edges & (FIXED_LEFT | FIXED_RIGHT)) && (edges & (FIXED_FRONT | FIXED_BACK));
    return (body->fixed & (FIXED_ALL | edges)) || ((body->fixed & FIXED_CORNERS) && corner);
}
