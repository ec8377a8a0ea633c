/* The links of a step: pairs in touch, and solids in touch with walls that hold them. */
#ifndef CONTACT_LINK_SEARCH_H
#define CONTACT_LINK_SEARCH_H

#include "base/error.h"
#include "config/scene.h"
#include "particles/links.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/walls.h"

/* Where links are looked for. */
struct link_view {
    double dt; /* s */
    const struct particles *particles;
    const struct pair_list *touching; /* at the positions of now, ascending */
    const struct walls *walls;        /* that hold solids; NULL: none */
};

/* Memory that is used again. */
struct link_search {
    const struct scene *scene;
    uint8_t *near; /* a solid within a radius of a wall (n) */
};

/* Release with link_search_free, also after a failure. The scene must outlive it. */
enum status link_search_create(struct link_search *search, const struct scene *scene,
                               size_t n_particles, struct error *error);
void link_search_free(struct link_search *search);

/* Replaces the contents of `links`, connected. STATUS_FAILED for two particles at the same place,
 * which have no direction, and for want of memory. */
enum status link_search_find(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error);

#endif
