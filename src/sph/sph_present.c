#include "sph/sph_present.h"

#include "particles/particles.h"

#include <string.h>

struct box {
    struct vec3 low, high; /* m */
};

static bool is_free(uint8_t state)
{
    return state != PARTICLE_GONE && state != PARTICLE_PRESCRIBED;
}

/* The bounding box of the free particles, `margin` wider on each side; without any, no place is in
 * it. */
static struct box box_of_free(size_t n, const struct vec3 *position, const uint8_t *state,
                              double margin)
{
    struct box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < n; i++) {
        struct vec3 x = position[i];
        if (!is_free(state[i]))
            continue;
        box.low = vec3(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
        box.high = vec3(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    box.low = vec3_sub(box.low, vec3(margin, margin, margin));
    box.high = vec3_add(box.high, vec3(margin, margin, margin));
    return box;
}

static bool is_outside(const struct box *box, struct vec3 x)
{
    return vec3_finite(x) && (x.x < box->low.x || x.y < box->low.y || x.z < box->low.z ||
                              x.x > box->high.x || x.y > box->high.y || x.z > box->high.z);
}

size_t sph_present_find(size_t n, const struct vec3 *position, const uint8_t *state, double margin,
                        uint32_t *order)
{
    bool any_waits = margin < HUGE_VAL && memchr(state, PARTICLE_PRESCRIBED, n);
    if (!any_waits && !memchr(state, PARTICLE_GONE, n))
        return n;
    struct box box = {0};
    if (any_waits)
        box = box_of_free(n, position, state, margin);
    size_t begin = 0, end = n;
    for (size_t i = 0; i < n; i++) {
        bool waits = any_waits && state[i] == PARTICLE_PRESCRIBED && is_outside(&box, position[i]);
        bool present = state[i] != PARTICLE_GONE && !waits;
        order[present ? begin++ : --end] = (uint32_t)i;
    }
    return begin;
}
