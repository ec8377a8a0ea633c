#include "measure/penetration.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "measure/crossing.h"
#include "particles/random.h"

#include <stdlib.h>
#include <string.h>

/* Both in radii of the particle. Regular lattices put particles exactly above the vertices and
 * edges of a sheet; the tested point is moved aside by up to OFFSET in each coordinate, always the
 * same for a particle, so that such ties do not occur. The boxes are widened by MARGIN, so that
 * rounding cannot hide a triangle from the exact test. */
static const double OFFSET = 1e-6;
static const double MARGIN = 1e-6;

static enum status sheet_check(const struct sheet *sheet, size_t number, size_t n,
                               struct error *error)
{
    for (size_t k = 0; k < sheet->n_triangles; k++) {
        const uint32_t *v = sheet->triangle[k];
        for (int corner = 0; corner < 3; corner++) {
            if (v[corner] >= n)
                return error_set(error, STATUS_INVALID,
                                 "sheet %zu, triangle %zu: vertex %u is no particle; there are %zu",
                                 number, k, v[corner], n);
            if (v[corner] == v[(corner + 1) % 3])
                return error_set(error, STATUS_INVALID,
                                 "sheet %zu, triangle %zu: vertex %u is used twice; a triangle has "
                                 "three different ones",
                                 number, k, v[corner]);
        }
    }
    return STATUS_OK;
}

static enum status arrays_create(struct penetration *p, struct error *error)
{
    enum status status = array_create(&p->penetrated, p->n, sizeof *p->penetrated,
                                      "penetrations of the particles", error);
    if (status == STATUS_OK)
        status = array_create(&p->here, p->n, sizeof *p->here, "states of the particles", error);
    if (status == STATUS_OK)
        status = array_create(&p->near, p->n, sizeof *p->near, "particles near a sheet", error);
    if (status == STATUS_OK)
        status = array_create(&p->n_near, block_count(p->n), sizeof *p->n_near,
                              "particles near a sheet", error);
    if (status == STATUS_OK)
        status = array_create(&p->events, p->n, sizeof *p->events, "crossings", error);
    if (status == STATUS_OK)
        status = array_create(&p->sheet_body, p->n_sheets, sizeof *p->sheet_body, "sheets", error);
    if (status == STATUS_OK)
        status = array_create(&p->tree, p->n_sheets, sizeof *p->tree, "sheets", error);
    return status;
}

enum status penetration_create(struct penetration *penetration, const struct particles *particles,
                               size_t n_sheets, const struct sheet *sheet, struct error *error)
{
    *penetration = (struct penetration){.n = particles->n,
                                        .body = particles->body,
                                        .radius = particles->radius,
                                        .state = particles->state};
    if (n_sheets > PENETRATION_SHEETS)
        return error_set(error, STATUS_INVALID,
                         "%zu sheets; penetration can be measured for at most %d", n_sheets,
                         PENETRATION_SHEETS);
    penetration->n_sheets = n_sheets;
    enum status status = arrays_create(penetration, error);
    for (size_t i = 0; i < particles->n && status == STATUS_OK; i++)
        penetration->here[i] = particle_is_here(particles->state[i]);
    for (size_t s = 0; s < n_sheets && status == STATUS_OK; s++) {
        status = sheet_check(&sheet[s], s, particles->n, error);
        if (status == STATUS_OK)
            status =
                sweep_tree_create(&penetration->tree[s], &sheet[s], particles->position, error);
        penetration->sheet_body[s] = sheet[s].body;
    }
    return status;
}

void penetration_free(struct penetration *penetration)
{
    for (size_t s = 0; penetration->tree && s < penetration->n_sheets; s++)
        sweep_tree_free(&penetration->tree[s]);
    free(penetration->tree);
    free(penetration->sheet_body);
    free(penetration->penetrated);
    free(penetration->here);
    free(penetration->near);
    free(penetration->n_near);
    free(penetration->events);
    *penetration = (struct penetration){0};
}

/* Three times 21 bits of one draw, each centered on zero: between -OFFSET and OFFSET radii. */
static struct vec3 tested_offset(const struct penetration *p, uint32_t i)
{
    uint64_t bits = random_bits(0, 0, i, RANDOM_CROSSING_OFFSET);
    double unit = OFFSET * p->radius[i] * 0x1p-20;
    struct vec3 offset;
    offset.x = unit * ((double)(bits & 0x1fffff) - 0x1p20 + 0.5);
    offset.y = unit * ((double)(bits >> 21 & 0x1fffff) - 0x1p20 + 0.5);
    offset.z = unit * ((double)(bits >> 42 & 0x1fffff) - 0x1p20 + 0.5);
    return offset;
}

static struct box particle_box(const struct penetration *p, uint32_t i, const struct vec3 *from,
                               const struct vec3 *to)
{
    return box_of_sweep(from[i], to[i], (OFFSET + MARGIN) * p->radius[i]);
}

/* Lists the particles of [begin, end) whose paths meet the box of the whole sheet, from near[begin]
 * on; returns their number. */
static size_t near_in_block(struct penetration *p, size_t sheet, const struct vec3 *from,
                            const struct vec3 *to, size_t begin, size_t end)
{
    const struct box *all = &p->tree[sheet].box[1];
    size_t n = 0;
    for (size_t i = begin; i < end; i++) {
        if (!p->here[i] || p->body[i] == p->sheet_body[sheet])
            continue;
        struct box box = particle_box(p, (uint32_t)i, from, to);
        if (box_meets(&box, all))
            p->near[begin + n++] = (uint32_t)i;
    }
    return n;
}

/* Lists all particles near the sheet, in index order; returns their number. */
static size_t find_near(struct penetration *p, size_t sheet, const struct vec3 *from,
                        const struct vec3 *to)
{
    size_t n = 0, blocks = block_count(p->n);
#pragma omp parallel for schedule(static) if (blocks > 1)
    for (size_t b = 0; b < blocks; b++)
        p->n_near[b] = near_in_block(p, sheet, from, to, b * BLOCK_LENGTH, block_end(b, p->n));
    for (size_t b = 0; b < blocks; b++) {
        memmove(p->near + n, p->near + b * BLOCK_LENGTH, p->n_near[b] * sizeof *p->near);
        n += p->n_near[b];
    }
    return n;
}

/* Crossings of one particle through one sheet. */
static uint32_t count_events(const struct penetration *p, size_t sheet, uint32_t i,
                             const struct vec3 *from, const struct vec3 *to)
{
    const struct sweep_tree *tree = &p->tree[sheet];
    struct box box = particle_box(p, i, from, to);
    struct vec3 offset = tested_offset(p, i);
    struct moving_point point = {vec3_add(from[i], offset), vec3_add(to[i], offset)};
    uint32_t events = 0;
    for (size_t leaf = sweep_tree_first(tree, &box); leaf;
         leaf = sweep_tree_next(tree, leaf, &box)) {
        for (size_t k = sweep_tree_begin(tree, leaf); k < sweep_tree_end(tree, leaf); k++) {
            struct moving_triangle triangle;
            for (int corner = 0; corner < 3; corner++) {
                uint32_t v = tree->vertex[k][corner];
                triangle.id[corner] = v;
                triangle.vertex[corner] = (struct moving_point){from[v], to[v]};
            }
            events += crossing_count(&point, &triangle);
        }
    }
    return events;
}

/* A particle counts in every step that it began as a free or fixed one; one that is gone has
 * penetrated no sheet. Returns how many particles have penetrated any. */
static double forget_the_gone(size_t begin, size_t end, void *context)
{
    struct penetration *p = context;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        p->here[i] = particle_is_here(p->state[i]);
        if (p->state[i] == PARTICLE_GONE)
            p->penetrated[i] = 0;
        count += p->penetrated[i] != 0;
    }
    return (double)count;
}

struct penetration_count penetration_update(struct penetration *penetration,
                                            const struct vec3 *from, const struct vec3 *to)
{
    struct penetration_count count = {0, 0};
    for (size_t s = 0; s < penetration->n_sheets; s++) {
        sweep_tree_follow(&penetration->tree[s], from, to);
        size_t n = find_near(penetration, s, from, to);
#pragma omp parallel for schedule(static, 16) if (n >= 128)
        for (size_t k = 0; k < n; k++)
            penetration->events[k] = count_events(penetration, s, penetration->near[k], from, to);
        for (size_t k = 0; k < n; k++) {
            penetration->penetrated[penetration->near[k]] ^= (penetration->events[k] & 1) << s;
            count.crossings += penetration->events[k];
        }
    }
    count.penetrated = (size_t)blocks_change(penetration->n, forget_the_gone, penetration);
    return count;
}
