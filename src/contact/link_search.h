/* The links of a step: pairs in touch, and solids in touch with walls that hold them. With
 * contact.detection: swept, speculative links as well, of who will touch within the step: what is
 * left of their distance is the link's offset. */
#ifndef CONTACT_LINK_SEARCH_H
#define CONTACT_LINK_SEARCH_H

#include "base/error.h"
#include "config/scene.h"
#include "contact/swept_pairs.h"
#include "particles/links.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/walls.h"

/* Where links are looked for. */
struct link_view {
    double dt; /* s */
    const struct particles *particles;
    const struct pair_list *meeting; /* at the positions of now, ascending */
    const struct bonded *bonded;     /* who never collides; NULL: all may */
    const struct walls *walls;       /* that hold solids; NULL: none */
};

/* Memory that is used again. */
struct link_search {
    const struct scene *scene;
    double *way;            /* how far beyond its radius a particle may come to a wall, m (n) */
    uint8_t *near;          /* a solid that may reach a wall (n) */
    struct pair_list pairs; /* that have a link in this step, ascending */
    struct pair_list later; /* scratch */
    struct swept_pairs swept;
};

/* Release with link_search_free, also after a failure. The scene must outlive it. */
enum status link_search_create(struct link_search *search, const struct scene *scene,
                               size_t n_particles, struct error *error);
void link_search_free(struct link_search *search);

/* Replaces the contents of `links`, connected: those of the pairs of view->meeting and, swept, of
 * all walls within the way that a particle goes by its velocity. Walls are planes that touch their
 * surface where it is nearest: they are exact for flat walls. STATUS_FAILED for two particles at
 * the same place, which have no direction, and for want of memory. */
enum status link_search_find(struct link_search *search, const struct link_view *view,
                             struct links *links, struct error *error);

/* After that, for the same view: finds who comes into overlap if particles move by `velocity`, m/s
 * (n), and has no link yet; `found`: how many pairs and particles at walls. Not swept, there are
 * none. */
enum status link_search_meet(struct link_search *search, const struct link_view *view,
                             const struct vec3 *velocity, size_t *found, struct error *error);

/* Replaces the contents of `links`, connected: by the links of before, and those of whoever was
 * found since. */
enum status link_search_again(struct link_search *search, const struct link_view *view,
                              struct links *links, struct error *error);

#endif
