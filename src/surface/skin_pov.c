/* POV-Ray 3.7, section 2.4.2.3 "Mesh2": textures are numbered, and faces name one for each corner.
 */
#include "surface/skin_pov.h"

#include "surface/coloring.h"
#include "surface/creases.h"
#include "surface/mesh_formats.h"

#include <stdlib.h>

static const double crease = 40.0; /* degrees */

/* Prints a texture for each color that vertices have; `number` (COLORS) gets their places in the
 * list. */
static void print_textures(FILE *stream, const struct triangle_mesh *mesh, const uint8_t *color,
                           unsigned *number)
{
    bool used[COLORS] = {false};
    unsigned n = 0;
    for (size_t v = 0; v < mesh->n_vertices; v++)
        used[color[v]] = true;
    for (unsigned c = 0; c < COLORS; c++)
        number[c] = used[c] ? n++ : 0;
    fprintf(stream, "texture_list { %u", n);
    for (uint8_t c = 0; c < COLORS; c++) {
        unsigned rgb = color_rgb(c);
        if (used[c])
            fprintf(stream,
                    ",\ntexture { pigment { srgb <%u, %u, %u> / 255 } finish { Skin_Finish } }",
                    rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
    }
    fputs("\n}\n", stream);
}

static void print_mesh(FILE *stream, const struct triangle_mesh *creased, const uint32_t *origin,
                       const struct triangle_mesh *mesh, const uint8_t *color)
{
    unsigned number[COLORS];
    fputs("mesh2 {\n", stream);
    pov_print_vectors(stream, "vertex_vectors", creased->n_vertices, creased->vertex, 7);
    pov_print_vectors(stream, "normal_vectors", creased->n_vertices, creased->normal, 3);
    print_textures(stream, mesh, color, number);
    fprintf(stream, "face_indices { %zu", creased->n_triangles);
    for (size_t t = 0; t < creased->n_triangles; t++) {
        const uint32_t *v = creased->triangle[t];
        fprintf(stream, ",\n<%u,%u,%u>,%u,%u,%u", v[0], v[1], v[2], number[color[origin[v[0]]]],
                number[color[origin[v[1]]]], number[color[origin[v[2]]]]);
    }
    fputs("\n}\ninside_vector <0, 0, 1>\n}\n", stream);
}

/* An empty mesh is left out, because POV-Ray refuses empty lists. */
enum status skin_print_pov(FILE *stream, const struct triangle_mesh *mesh, const uint8_t *color,
                           struct error *error)
{
    struct triangle_mesh creased;
    uint32_t *origin;
    fputs("#ifndef (Skin_Finish)\n#declare Skin_Finish = "
          "finish { ambient 0.22 diffuse 0.75 specular 0.1 roughness 0.05 }\n#end\n",
          stream);
    if (mesh->n_triangles == 0)
        return STATUS_OK;
    enum status status = mesh_creased(mesh, crease, &creased, &origin, error);
    if (status)
        return status;
    print_mesh(stream, &creased, origin, mesh, color);
    triangle_mesh_free(&creased);
    free(origin);
    return STATUS_OK;
}
