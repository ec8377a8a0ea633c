#include "air/air.h"

#include "base/blocks.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool is_solid_sheet(const struct scene *scene, size_t body)
{
    return scene->body[body].shape.kind == SHAPE_SHEET && !scene_body_flows(scene, body);
}

static uint32_t first_of_body(const struct particles *p, size_t body)
{
    uint32_t first = 0;
    while (first < p->n && p->body[first] != body)
        first++;
    return first;
}

static enum status add_sheet(struct air *air, const struct scene *scene, const struct particles *p,
                             size_t body, struct error *error)
{
    const uint32_t *cells = scene->body[body].shape.cells, first = first_of_body(p, body);
    const size_t more = (size_t)(cells[0] - 1) * (cells[1] - 1);
    enum status status = array_grow(&air->corner, air->n_squares, air->n_squares + more,
                                    sizeof *air->corner, "squares in the air", error);
    if (status)
        return status;
    for (uint32_t row = 0; row + 1 < cells[1]; row++)
        for (uint32_t column = 0; column + 1 < cells[0]; column++) {
            uint32_t *corner = air->corner[air->n_squares++];
            corner[0] = first + row * cells[0] + column;
            corner[1] = corner[0] + 1;
            corner[2] = corner[1] + cells[0];
            corner[3] = corner[0] + cells[0];
        }
    return STATUS_OK;
}

/* Lists the squares around each particle. */
static enum status list_around(struct air *air, size_t n, struct error *error)
{
    const char *what = "squares in the air";
    if (array_create(&air->start, n + 1, sizeof *air->start, what, error) ||
        array_create(&air->around, 4 * air->n_squares, sizeof *air->around, what, error))
        return STATUS_FAILED;
    for (size_t t = 0; t < air->n_squares; t++)
        for (size_t k = 0; k < 4; k++)
            air->start[air->corner[t][k]]++;
    for (size_t i = 0; i < n; i++)
        air->start[i + 1] += air->start[i];
    for (size_t t = air->n_squares; t-- > 0;)
        for (size_t k = 0; k < 4; k++)
            air->around[--air->start[air->corner[t][k]]] = (uint32_t)t;
    return STATUS_OK;
}

enum status air_create(struct air *air, const struct scene *scene, const struct particles *p,
                       struct error *error)
{
    *air = (struct air){.settings = scene->air};
    if (!(scene->air.density > 0.0))
        return STATUS_OK;
    enum status status = STATUS_OK;
    for (size_t b = 0; b < scene->n_bodies && !status; b++)
        if (is_solid_sheet(scene, b))
            status = add_sheet(air, scene, p, b, error);
    const size_t n = air->n_squares;
    if (!status)
        status = array_create(&air->quarter, n, sizeof *air->quarter, "forces of air", error);
    if (!status)
        status = array_create(&air->resistance, n, sizeof *air->resistance, "forces of air", error);
    if (!status)
        status = list_around(air, p->n, error);
    return status ? status
                  : array_create(&air->force, p->n, sizeof *air->force, "forces of air", error);
}

void air_free(struct air *air)
{
    free(air->corner);
    free(air->quarter);
    free(air->resistance);
    free(air->start);
    free(air->around);
    free(air->force);
    *air = (struct air){0};
}

static struct vec3 mean_velocity(const struct particles *p, const uint32_t corner[4])
{
    const struct vec3 *v = p->velocity;
    return vec3_scale(
        0.25, vec3_add(vec3_add(v[corner[0]], v[corner[1]]), vec3_add(v[corner[2]], v[corner[3]])));
}

/* Finds a quarter of the force on a square: none if it has no area, or moves as the wind does. */
static void press(struct air *air, const struct particles *p, size_t k)
{
    const struct air_settings *settings = &air->settings;
    const uint32_t *at = air->corner[k];
    const struct vec3 *x = p->position;
    const struct vec3 v = vec3_sub(mean_velocity(p, at), settings->wind);
    const struct vec3 area =
        vec3_scale(0.5, vec3_cross(vec3_sub(x[at[2]], x[at[0]]), vec3_sub(x[at[3]], x[at[1]])));
    const double size = vec3_norm(area), speed = vec3_norm(v);
    const double momentum = settings->density * size * speed; /* kg/s */
    air->quarter[k] = vec3(0.0, 0.0, 0.0);
    air->resistance[k] = 0.25 * momentum * (settings->drag + settings->lift);
    if (!(momentum > 0.0))
        return;
    const struct vec3 along = vec3_scale(1.0 / speed, v);
    const double through = vec3_dot(area, along), c = fabs(through) / size;
    const struct vec3 normal = vec3_scale(copysign(1.0 / size, through), area);
    const struct vec3 across = vec3_axpy(normal, -c, along);
    const struct vec3 way = vec3_axpy(vec3_scale(settings->drag, along), settings->lift, across);
    air->quarter[k] = vec3_scale(-0.125 * momentum * speed * c, way);
}

void air_find(struct air *air, const struct particles *p)
{
    if (!air->force)
        return;
#pragma omp parallel for schedule(static)
    for (size_t t = 0; t < air->n_squares; t++)
        press(air, p, t);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 sum = vec3(0.0, 0.0, 0.0);
        for (size_t k = air->start[i]; k < air->start[i + 1]; k++)
            sum = vec3_add(sum, air->quarter[air->around[k]]);
        air->force[i] = sum;
    }
}

struct air_context {
    const struct air *air;
    const struct particles *particles;
    const struct vec3 *mean;
};

/* The largest rate at which air changes the velocity of a free particle, 1/s. */
static double largest_rate(size_t begin, size_t end, const void *context)
{
    const struct air_context *c = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++) {
        double sum = 0.0;
        for (size_t k = c->air->start[i]; k < c->air->start[i + 1]; k++)
            sum += c->air->resistance[c->air->around[k]];
        if (c->particles->state[i] == PARTICLE_FREE)
            largest = fmax(largest, sum / c->particles->mass[i]);
    }
    return largest;
}

double air_longest_step(const struct air *air, const struct particles *p)
{
    const struct air_context context = {.air = air, .particles = p};
    return air->force ? 0.5 / blocks_max(p->n, largest_rate, &context) : (double)INFINITY;
}

static void add_terms(size_t begin, size_t end, const void *context, double *sum)
{
    const struct air_context *c = context;
    for (size_t i = begin; i < end; i++) {
        if (c->particles->state[i] != PARTICLE_FREE)
            continue;
        const struct vec3 force = c->air->force[i];
        sum[AIR_WORK] += vec3_dot(force, c->mean[i]);
        sum[AIR_IMPULSE] += force.x;
        sum[AIR_IMPULSE + 1] += force.y;
        sum[AIR_IMPULSE + 2] += force.z;
    }
}

void air_account(const struct air *air, const struct particles *p, const struct vec3 *mean,
                 double dt, struct term_value term[AIR_TERMS])
{
    const struct air_context context = {air, p, mean};
    double sum[AIR_TERMS] = {0};
    if (air->force)
        blocks_sums(p->n, AIR_TERMS, add_terms, &context, sum);
    for (size_t k = 0; k < AIR_TERMS; k++)
        term[k] = (struct term_value){.value = dt * sum[k]};
}

const struct energy_term air_work = {.name = "air_work",
                                     .unit = "J",
                                     .sentence = "work of air on free particles",
                                     .after = "support_work",
                                     .sign = TERM_ENTERS};
#define AIR_IMPULSE_TERM(column, before)                                                           \
    {                                                                                              \
        .name = column, .unit = "kg m/s", .sentence = "impulse of air on free particles",          \
        .after = before                                                                            \
    }
const struct energy_term air_impulse[3] = {
    AIR_IMPULSE_TERM("air_impulse_x", "support_impulse_z"),
    AIR_IMPULSE_TERM("air_impulse_y", "air_impulse_x"),
    AIR_IMPULSE_TERM("air_impulse_z", "air_impulse_y"),
};
static const struct energy_term *const terms[AIR_TERMS] = {&air_work, &air_impulse[0],
                                                           &air_impulse[1], &air_impulse[2]};

const struct declaration air_declaration = {.name = "air", .n_energy = AIR_TERMS, .energy = terms};
