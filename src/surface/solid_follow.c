/* Moves the surface of a solid with its particles. */
#include "surface/solid_skin.h"

static struct vec3 seen_by_owners(const struct solid_skin *skin, size_t v, const struct vec3 *rest,
                                  const struct vec3 *position, size_t first,
                                  const struct gradient *gradient)
{
    struct vec3 sum = vec3(0, 0, 0);
    for (size_t k = 0; k < skin->n_owners[v]; k++) {
        size_t i = skin->owner[v][k];
        struct vec3 offset = vec3_sub(skin->mesh.vertex[v], rest[i]);
        sum = vec3_add(sum, position[i]);
        sum = vec3_add(sum, gradient_times(&gradient[i - first], offset));
    }
    return vec3_scale(1.0 / skin->n_owners[v], sum);
}

void solid_skin_follow(struct solid_skin *skin, const struct vec3 *rest,
                       const struct vec3 *position, size_t first, const struct gradient *gradient)
{
#pragma omp parallel for schedule(static)
    for (size_t v = 0; v < skin->mesh.n_vertices; v++)
        skin->mesh.vertex[v] = seen_by_owners(skin, v, rest, position, first, gradient);
}
