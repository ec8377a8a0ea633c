#include "shape/sheet.h"

#include "base/memory.h"

enum status sheet_triangles(struct sheet *sheet, const uint32_t cells[2], size_t first,
                            struct error *error)
{
    size_t nx = cells[0], ny = cells[1];
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
