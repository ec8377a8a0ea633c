#include "surface/surface_pov.h"

#include "surface/mesh_formats.h"

static void print_material(FILE *stream, unsigned rgb)
{
    fprintf(stream,
            "#ifdef (Surface_Material) material { Surface_Material }\n"
            "#else texture { pigment { srgb <%u, %u, %u> / 255 }\n"
            "  finish { ambient 0.12 diffuse 0.7 specular 0.5 roughness 0.008 } }\n#end\n}\n",
            rgb >> 16, rgb >> 8 & 0xff, rgb & 0xff);
}

/* POV-Ray's planes keep what is behind their normal. */
void pov_print_surface(FILE *stream, const struct triangle_mesh *m, unsigned rgb,
                       const struct cut *cut)
{
    if (m->n_triangles == 0)
        return;
    fputs(cut ? "intersection {\n" : "object {\n", stream);
    pov_print_mesh(stream, m);
    if (cut)
        fprintf(stream, "plane { <%.9g, %.9g, %.9g>, %.9g }\n", -cut->normal.x, -cut->normal.y,
                -cut->normal.z, -cut->offset);
    print_material(stream, rgb);
}
