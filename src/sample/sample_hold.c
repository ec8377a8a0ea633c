#include "sample/sample_hold.h"

#include "sample/sample_sheet.h"

/* A distance in radii that is above rounding: points on the surface of fixed_in count as inside. */
static const double ON_SURFACE = 1e-6;

static const struct body *body_of(const struct hold *hold)
{
    return &hold->motions->scene->body[hold->body];
}

static bool is_in(const struct hold *hold, struct vec3 point)
{
    return hold->fixed_in &&
           solid_distance(hold->fixed_in, point) <= ON_SURFACE * body_of(hold)->radius;
}

/* Refuses a region that contains no particle: it was meant to be elsewhere. */
static enum status check_held(const struct hold *hold, size_t n, const struct vec3 *point,
                              struct error *error)
{
    const struct body *body = body_of(hold);
    const struct origin *at = &body->fixed_in->origin;
    for (size_t i = 0; i < n; i++)
        if (is_in(hold, point[i]))
            return STATUS_OK;
    return error_set(
        error, STATUS_INVALID,
        "%s:%d:%d: no particle of body '%s' is in its fixed_in; a shape around some of "
        "its lattice points, in the body's own frame, would be right",
        at->file, at->line, at->column, body->name);
}

enum status hold_create(struct hold *hold, const struct prescribed_regions *motions, size_t b,
                        size_t n, const struct vec3 *point, struct error *error)
{
    const struct body *body = &motions->scene->body[b];
    *hold = (struct hold){.motions = motions, .body = b};
    if (!body->fixed_in)
        return STATUS_OK;
    enum status status = solid_create(&hold->fixed_in, body->fixed_in, error);
    return status ? status : check_held(hold, n, point, error);
}

void hold_free(struct hold *hold)
{
    solid_free(hold->fixed_in);
    hold->fixed_in = NULL;
}

static bool motion_holds(const struct hold *hold, struct vec3 rest)
{
    for (size_t m = 0; m < hold->motions->scene->n_prescribed; m++)
        if (prescribed_holds(hold->motions, m, hold->body, rest))
            return true;
    return false;
}

bool hold_has(const struct hold *hold, size_t i, struct vec3 point, struct vec3 rest)
{
    const struct body *body = body_of(hold);
    bool whole =
        body->shape.kind == SHAPE_SHEET ? sheet_is_fixed(body, i) : (body->fixed & FIXED_ALL) != 0;
    return whole || motion_holds(hold, rest) || is_in(hold, point);
}
