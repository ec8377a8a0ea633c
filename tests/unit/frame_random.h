/* Frames of random contents for tests: every kind of value, every field. */
#ifndef TESTS_FRAME_RANDOM_H
#define TESTS_FRAME_RANDOM_H

#include "base/memory.h"
#include "ledger_rows.h"
#include "measure/measures.h"
#include "state_values.h"
#include "store/frame.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

/* splitmix64 */
static uint64_t random_bits(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double random_unit(void)
{
    return (double)(random_bits() >> 11) * 0x1p-53;
}

/* A value that is mostly ordinary, but now and then one that breaks sloppy code. */
static double random_value(void)
{
    static const double odd[] = {0.0, -0.0, DBL_MIN / 8, DBL_MAX, -DBL_MAX, DBL_EPSILON};
    uint64_t choice = random_bits() % 40;
    if (choice < sizeof odd / sizeof odd[0])
        return odd[choice];
    return (random_unit() - 0.5) * pow(10.0, (double)(random_bits() % 13) - 6.0);
}

static void random_fill(double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        value[i] = random_value();
}

__attribute__((unused)) static void *random_array(size_t n, size_t size)
{
    void *array;
    if (array_create(&array, n, size, "a random array", NULL))
        abort();
    return array;
}

/* Sets of particles, each named by its smallest member. */
static void random_sets(uint32_t *smallest, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t other = random_bits() % (i + 1);
        smallest[i] = other < i ? smallest[other] : (uint32_t)i;
    }
}

static struct table random_table(size_t rows, size_t columns, const struct column *column)
{
    struct table table = {columns, column, rows, random_array(rows * columns, sizeof(double))};
    random_fill(table.value, rows * columns);
    return table;
}

/* Two bodies in a box of 1 m. */
static void random_particles(struct frame *frame, size_t n)
{
    struct particles *p = &frame->particles;
    if (particles_create(p, n, NULL))
        abort();
    for (size_t i = 0; i < n; i++) {
        p->position[i] = vec3(random_unit(), random_unit(), random_unit());
        p->velocity[i] = vec3(random_value(), random_value(), random_value());
        p->mass[i] = 1e-3 + random_unit();
        p->radius[i] = 0.01 + 0.01 * random_unit();
        p->body[i] = (uint32_t)(random_bits() % 2);
        p->state[i] = (uint8_t)(random_bits() % PARTICLE_STATES);
    }
    frame->n_bodies = 2;
    const char *name[] = {"ball", "cloth_2"};
    frame->body_name = random_array(2, sizeof(char *) + 16);
    for (size_t i = 0; i < 2; i++)
        frame->body_name[i] = strcpy((char *)(frame->body_name + 2) + 16 * i, name[i]);
}

static struct frame random_head(size_t n)
{
    struct frame frame = {
        .number = random_bits(), .step = random_bits(), .time = fabs(random_value())};
    random_particles(&frame, n);
    frame.config = strdup("seed: 1\nname: \"a test\"\n");
    return frame;
}

__attribute__((unused)) static struct frame random_frame(size_t n, size_t rows)
{
    struct frame frame = random_head(n);
    struct vec3 *expected = state_add(&frame.state, "warm_start", n);
    frame.group = random_array(n, sizeof *frame.group);
    frame.fragment = random_array(n, sizeof *frame.fragment);
    frame.penetrated = random_array(n, sizeof *frame.penetrated);
    float *damage = state_add(&frame.state, "damage", n);
    float *density = state_add(&frame.state, "density", n);
    for (size_t i = 0; i < n; i++) {
        expected[i] = vec3(random_value(), random_value(), random_value());
        frame.penetrated[i] = (uint32_t)random_bits();
        damage[i] = (float)random_unit();
        density[i] = (float)(1e3 * random_unit());
    }
    random_sets(frame.group, n);
    random_sets(frame.fragment, n);
    size_t n_broken = random_bits() % 50;
    uint64_t *broken = state_add(&frame.state, "broken", n_broken);
    for (size_t i = 0; i < n_broken; i++)
        broken[i] = (i > 0 ? broken[i - 1] : 0) + 1 + random_bits() % (UINT64_MAX / 64);
    frame.ledger = random_table(rows, test_columns()->n, test_columns()->column);
    frame.measure = random_table(rows, MEASURE_WIDTH, measure_columns);
    if (rows > 0) { /* the last row is of the step after which the frame was written */
        double *last = frame.ledger.value + (rows - 1) * frame.ledger.n_columns;
        last[0] = (double)frame.step;
        last[1] = frame.time;
    }
    return frame;
}

__attribute__((unused)) static struct frame random_initial(size_t n)
{
    struct frame frame = random_head(n);
    frame.rest_position = random_array(n, sizeof *frame.rest_position);
    random_fill((double *)frame.rest_position, 3 * n);
    frame.n_sheets = 3;
    frame.sheet = random_array(3, sizeof *frame.sheet);
    for (size_t s = 0; s < 3; s++) {
        struct sheet *sheet = &frame.sheet[s];
        sheet->body = (uint32_t)(s % 2);
        sheet->n_triangles = s == 1 ? 0 : 1 + random_bits() % 20;
        sheet->triangle = random_array(sheet->n_triangles, sizeof *sheet->triangle);
        for (size_t t = 0; t < sheet->n_triangles; t++)
            for (size_t k = 0; k < 3; k++)
                sheet->triangle[t][k] = (uint32_t)(random_bits() % n);
    }
    return frame;
}

#endif
