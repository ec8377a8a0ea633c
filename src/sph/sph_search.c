#include "sph/sph_search.h"

#include "base/lanes8.h"
#include "base/memory.h"
#include "particles/particles.h"

/* ---- the candidates of a run ---- */

static const size_t MOST_CANDIDATES = UINT16_MAX; /* what an entry can name */

static enum status reserve(struct sph_candidates *c, size_t n, struct error *error)
{
    if (n <= c->capacity)
        return STATUS_OK;
    size_t wanted = array_room(c->capacity, n), capacity[6] = {0};
    size_t padded = wanted + NEIGHBOR_LANES; /* written eight at a time */
    if (array_reserve(&c->slot, &capacity[0], padded, sizeof *c->slot, "neighbors", error) ||
        array_reserve(&c->number, &capacity[1], padded, sizeof *c->number, "neighbors", error) ||
        array_reserve(&c->x, &capacity[2], padded, sizeof *c->x, "neighbors", error) ||
        array_reserve(&c->y, &capacity[3], padded, sizeof *c->y, "neighbors", error) ||
        array_reserve(&c->z, &capacity[4], padded, sizeof *c->z, "neighbors", error) ||
        array_reserve(&c->distance2, &capacity[5], padded, sizeof *c->distance2, "neighbors",
                      error))
        return STATUS_FAILED;
    c->capacity = wanted;
    return STATUS_OK;
}

static const float SUPPORT2 = (float)(SPH_PLACES * SPH_PLACES); /* in places */

/* The place of the first slot of a run relative to those of eight slots, or one in all lanes: a
 * processor subtracts what it reads. */
struct eight_places {
    lanes8 x, y, z;
};

/* The place of `origin` relative to that of slot s. */
static inline struct eight_places place_from(const struct sph_neighbors *neighbors, size_t s,
                                             size_t origin)
{
    const uint32_t *x = neighbors->x, *y = neighbors->y, *z = neighbors->z;
    return (struct eight_places){
        lanes8_difference(lanes8_all_uint(x[origin]), lanes8_all_uint(x[s])),
        lanes8_difference(lanes8_all_uint(y[origin]), lanes8_all_uint(y[s])),
        lanes8_difference(lanes8_all_uint(z[origin]), lanes8_all_uint(z[s]))};
}

/* The bounding box of the slots of a run. */
struct run_box {
    struct eight_places low, high;
};

/* The smallest and the largest of differences along an axis, in all lanes. That of the first slot
 * is 0, which stands for slots behind the end, too. */
static inline void range_of_run(const uint32_t *x, size_t begin, size_t end, lanes8 *low,
                                lanes8 *high)
{
    const lanes8_int lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const lanes8_uint origin = lanes8_all_uint(x[begin]);
    *low = *high = lanes8_all(0.0f);
    for (size_t s = begin; s < end; s += LANES8) {
        const int32_t left = (int32_t)(end - s < LANES8 ? end - s : LANES8);
        lanes8 a = lanes8_difference(origin, lanes8_load_uint(x + s));
        a = (lanes8)((lanes8_int)a & (lane < (lanes8_int)lanes8_all_uint((uint32_t)left)));
        *low = lanes8_min(*low, a);
        *high = lanes8_max(*high, a);
    }
    *low = lanes8_smallest(*low);
    *high = lanes8_largest(*high);
}

static struct run_box box_of_run(const struct sph_neighbors *neighbors, size_t begin, size_t end)
{
    struct run_box box;
    range_of_run(neighbors->x, begin, end, &box.low.x, &box.high.x);
    range_of_run(neighbors->y, begin, end, &box.low.y, &box.high.y);
    range_of_run(neighbors->z, begin, end, &box.low.z, &box.high.z);
    return box;
}

/* How far a place is beyond an interval, exactly; 0 within. */
static inline lanes8 beyond(lanes8 low, lanes8 high, lanes8 x)
{
    return x - lanes8_min(lanes8_max(x, low), high);
}

/* Appends those of the candidates numbered `first` on, which are the slots of a range, that are
 * within the support of the box of the run that begins at `origin`. No neighbor of a slot in the
 * box is left out, since each product and sum in its squared distance is at least the one here, and
 * rounding keeps this order. Half of the candidates go: the others are looked at by every slot. */
static void choose(struct sph_candidates *c, const struct sph_neighbors *neighbors, size_t origin,
                   const struct run_box *box, const struct slot_range *range, uint32_t first)
{
    const lanes8_uint lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const lanes8 limit = lanes8_all(SUPPORT2);
    const uint32_t *px = neighbors->x, *py = neighbors->y, *pz = neighbors->z;
    const lanes8_uint x0 = lanes8_all_uint(px[origin]), y0 = lanes8_all_uint(py[origin]),
                      z0 = lanes8_all_uint(pz[origin]);
    float *x = c->x + c->n, *y = c->y + c->n, *z = c->z + c->n;
    uint32_t *number = c->number + c->n;
    lanes8_uint counted = lane + lanes8_all_uint(first);
    size_t n = 0;
    for (size_t s = range->begin; s < range->end; s += LANES8) {
        lanes8 ax = lanes8_difference(x0, lanes8_load_uint(px + s));
        lanes8 ay = lanes8_difference(y0, lanes8_load_uint(py + s));
        lanes8 az = lanes8_difference(z0, lanes8_load_uint(pz + s));
        lanes8 dx = beyond(box->low.x, box->high.x, ax);
        lanes8 dy = beyond(box->low.y, box->high.y, ay);
        lanes8 dz = beyond(box->low.z, box->high.z, az);
        unsigned near = lanes8_below(dx * dx + dy * dy + dz * dz, limit);
        if (range->end - s < LANES8)
            near &= (1u << (range->end - s)) - 1u;
        lanes8_int chosen = lanes8_chosen(near);
        lanes8_store(x + n, lanes8_permute(ax, chosen));
        lanes8_store(y + n, lanes8_permute(ay, chosen));
        lanes8_store(z + n, lanes8_permute(az, chosen));
        lanes8_store_uint(number + n, lanes8_permute_uint(counted, chosen));
        counted += lanes8_all_uint(LANES8);
        n += (size_t)__builtin_popcount(near);
    }
    c->n += n;
}

/* Fills up the last eight candidates with places that are nobody's neighbors: three supports from
 * the origin along each axis, and at least two from all slots in its cell. */
static void fill_up(struct sph_candidates *c)
{
    const float away = (float)(3.0 * SPH_PLACES);
    for (size_t k = c->n; k < sph_filled_up(c->n); k++)
        c->x[k] = c->y[k] = c->z[k] = away;
}

/* Finds those of the candidates in n ranges that may be neighbors of the slots begin..end-1. */
static enum status gather(const struct sph_neighbors *neighbors, size_t begin, size_t end,
                          const struct slot_range *range, size_t n, struct sph_candidates *c,
                          struct error *error)
{
    size_t all = 0;
    for (size_t r = 0; r < n; r++)
        all += range[r].end - range[r].begin;
    if (all > MOST_CANDIDATES)
        return error_set(error, STATUS_FAILED,
                         "%zu particles of the fluid are within two supports of each other; it has "
                         "collapsed, and a smaller time step would be right",
                         all);
    if (reserve(c, all, error))
        return STATUS_FAILED;
    const struct run_box box = box_of_run(neighbors, begin, end);
    uint32_t first = 0;
    c->n = 0;
    for (size_t r = 0; r < n; r++) {
        choose(c, neighbors, begin, &box, &range[r], first);
        first += range[r].end - range[r].begin;
    }
    fill_up(c);
    return STATUS_OK;
}

void sph_list_candidates(struct sph_candidates *c, const struct slot_range *range, size_t n)
{
    const lanes8_uint lane = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t *slot = c->slot;
    for (size_t r = 0; r < n; r++) {
        for (uint32_t s = range[r].begin, k = 0; s < range[r].end; s += LANES8, k += LANES8)
            lanes8_store_uint(slot + k, lane + lanes8_all_uint(s));
        slot += range[r].end - range[r].begin;
    }
}

/* The number of a slot among the candidates. */
static uint32_t number_of(const struct slot_range *range, size_t slot)
{
    uint32_t before = 0;
    for (; slot < range->begin || slot >= range->end; range++)
        before += range->end - range->begin;
    return before + (uint32_t)slot - range->begin;
}

/* ---- the neighbors of a slot ---- */

/* Writes the numbers of the candidates within the support of a place to `entry`, and their squared
 * distances to those of the candidates; returns how many. Eight at a time and without a branch,
 * since the outcome of a test cannot be predicted: all eight are written, and the next eight begin
 * after those that are wanted. */
static size_t test_candidates(const struct sph_candidates *c, const struct eight_places *at,
                              uint16_t *entry)
{
    const float *cx = c->x, *cy = c->y, *cz = c->z;
    const uint32_t *number = c->number;
    const lanes8 limit = lanes8_all(SUPPORT2);
    float *kept = c->distance2;
    size_t n = 0, all = c->n;
    for (size_t k = 0; k < all; k += LANES8) {
        lanes8 dx = at->x - lanes8_load(cx + k);
        lanes8 dy = at->y - lanes8_load(cy + k);
        lanes8 dz = at->z - lanes8_load(cz + k);
        lanes8 distance2 = dx * dx + dy * dy + dz * dz;
        unsigned within = lanes8_below(distance2, limit);
        lanes8_int chosen = lanes8_chosen(within);
        lanes8_store(kept + n, lanes8_permute(distance2, chosen));
        lanes8_store_short(
            entry + n, lanes8_narrow(lanes8_permute_uint(lanes8_load_uint(number + k), chosen)));
        n += (size_t)__builtin_popcount(within);
    }
    return n;
}

/* Appends the neighbors of slot s, which is the candidate `own` of the run that begins at `origin`;
 * returns their number in *n. */
static enum status find_neighbors(const struct sph_search *search, struct sph_part *part, size_t s,
                                  size_t origin, uint32_t own, size_t *n, struct error *error)
{
    struct sph_neighbors *neighbors = search->neighbors;
    struct sph_candidates *c = &part->candidates;
    size_t most = part->n_entries + c->n + 2 * NEIGHBOR_LANES; /* written ahead, and padded */
    if (most > part->entry_capacity && array_reserve(&part->entry, &part->entry_capacity, most,
                                                     sizeof *part->entry, "neighbors", error))
        return STATUS_FAILED;
    const struct eight_places at = place_from(neighbors, s, origin);
    uint16_t *entry = part->entry + part->n_entries;
    *n = test_candidates(c, &at, entry);
    lanes8_store(c->distance2 + *n, lanes8_all(SUPPORT2));
    lanes8_store_short(entry + *n, lanes8_all_short((uint16_t)own));
    part->n_entries += sph_filled_up(*n);
    neighbors->n_found[s] = (uint16_t)*n;
    return STATUS_OK;
}

/* ---- points that are not of the fluid ---- */

/* Like fmin and fmax, which are function calls because of their rules for NaN. */
static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Lists the points of a grid (NULL: none) that may be near one of the slots begin..end-1. */
static enum status find_candidates(const struct sph_search *search, const struct cell_grid *grid,
                                   struct sph_beside *beside, size_t begin, size_t end,
                                   struct error *error)
{
    beside->candidates.n = 0;
    if (!grid)
        return STATUS_OK;
    const uint32_t *point = search->neighbors->grid.point;
    struct vec3 low = search->position[point[begin]], high = low;
    for (size_t s = begin + 1; s < end; s++) {
        struct vec3 x = search->position[point[s]];
        low = vec3(smaller(low.x, x.x), smaller(low.y, x.y), smaller(low.z, x.z));
        high = vec3(larger(high.x, x.x), larger(high.y, x.y), larger(high.z, x.z));
    }
    struct vec3 half = vec3_scale(0.5, vec3_sub(high, low));
    double reach = (search->support + vec3_norm(half)) * (1.0 + 1e-9); /* more than any rounding */
    return cell_grid_append(grid, vec3_add(low, half), reach, &beside->candidates, error);
}

/* Appends those of these points within the support of slot s, and the slot if there are any. */
static enum status find_points(const struct sph_search *search, const struct cell_grid *grid,
                               struct sph_beside *beside, size_t s, struct sph_beside_slot *found,
                               struct error *error)
{
    const struct slot_list *candidates = &beside->candidates;
    struct slot_list *points = &beside->points;
    uint32_t i = search->neighbors->grid.point[s];
    if (search->state[i] == PARTICLE_PRESCRIBED)
        return STATUS_OK;
    if (array_reserve(&points->slot, &points->capacity, points->n + candidates->n,
                      sizeof *points->slot, "points beside a fluid", error) ||
        array_reserve(&beside->near, &beside->capacity, beside->n + 1, sizeof *beside->near,
                      "particles beside points", error))
        return STATUS_FAILED;
    double support2 = search->support * search->support;
    size_t before = points->n;
    for (size_t k = 0; k < candidates->n; k++) {
        uint32_t j = candidates->slot[k];
        struct vec3 x = vec3(grid->x[j], grid->y[j], grid->z[j]);
        points->slot[points->n] = j;
        points->n += vec3_norm2(vec3_sub(x, search->position[i])) < support2;
    }
    size_t n = points->n - before;
    if (n == 0)
        return STATUS_OK;
    beside->near[beside->n] = (struct sph_near){.slot = (uint32_t)s, .n_points = (uint32_t)n};
    *found = (struct sph_beside_slot){n, points->slot + before, &beside->near[beside->n++]};
    return STATUS_OK;
}

/* ---- the run ---- */

static enum status add_run(struct sph_part *part, size_t begin, size_t end, size_t n_ranges,
                           struct error *error)
{
    if (array_reserve(&part->run, &part->run_capacity, part->n_runs + 1, sizeof *part->run,
                      "neighbors", error))
        return STATUS_FAILED;
    part->run[part->n_runs++] =
        (struct sph_run){(uint32_t)begin, (uint32_t)end, (uint32_t)n_ranges};
    return STATUS_OK;
}

enum status sph_search_run(const struct sph_search *search, struct sph_part *part, size_t begin,
                           size_t end, struct error *error)
{
    const struct sph_neighbors *neighbors = search->neighbors;
    const struct cell_grid *solids = search->visitor ? search->visitor->solids : NULL;
    size_t before = part->ranges.n;
    if (cell_grid_around(&neighbors->grid, search->position, begin, &part->ranges, error))
        return STATUS_FAILED;
    const struct slot_range *range = part->ranges.range + before;
    size_t n_ranges = part->ranges.n - before;
    if (add_run(part, begin, end, n_ranges, error) ||
        gather(neighbors, begin, end, range, n_ranges, &part->candidates, error) ||
        find_candidates(search, search->walls, &part->walls, begin, end, error) ||
        find_candidates(search, solids, &part->solids, begin, end, error))
        return STATUS_FAILED;
    const bool walls = part->walls.candidates.n > 0, others = part->solids.candidates.n > 0;
    uint32_t own = number_of(range, begin);
    for (size_t s = begin; s < end; s++, own++) {
        struct sph_found found = {.slot = s, .distance2 = part->candidates.distance2};
        if (find_neighbors(search, part, s, begin, own, &found.n, error) ||
            (walls && find_points(search, search->walls, &part->walls, s, &found.walls, error)) ||
            (others && find_points(search, solids, &part->solids, s, &found.solids, error)))
            return STATUS_FAILED;
        if (search->visitor)
            search->visitor->visit(search->visitor, &found);
    }
    return STATUS_OK;
}
