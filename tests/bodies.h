/* Scenes of balls and sheets for the tests of sampling. */
#ifndef TESTS_BODIES_H
#define TESTS_BODIES_H

#include "sample/sample.h"
#include "systems/bonds/bond_models.h"
#include "tap.h"

#define BODIES_UNUSED __attribute__((unused))
#define IDENTITY                                                                                   \
    {                                                                                              \
        1, 0, 0, 0, 1, 0, 0, 0, 1                                                                  \
    }
static const struct origin here = {"scene.yaml", 4, 5};

static struct peridynamics steel_bonds = {
    .stiffness = 100, .horizon = 3, .fracture_energy = HUGE_VAL, .critical_stretch = HUGE_VAL};
static struct material steel = {.name = "steel",
                                .model = &peridynamics_model,
                                .parameters = &steel_bonds,
                                .origin = {"scene.yaml", 9, 1}};

BODIES_UNUSED static struct body ball_body(double radius, double particle_radius)
{
    return (struct body){
        .name = "ball",
        .shape = {.kind = SHAPE_BALL, .radius = radius, .origin = {"b.yaml", 2, 1}},
        .radius = particle_radius,
        .particle_mass = 8e-3,
        .rotation = IDENTITY,
        .lattice_rotation = IDENTITY,
        .origin = here};
}

BODIES_UNUSED static struct body sheet_body(uint32_t nx, uint32_t ny, double particle_radius)
{
    return (struct body){.name = "cloth",
                         .shape = {.kind = SHAPE_SHEET, .cells = {nx, ny}, .origin = here},
                         .radius = particle_radius,
                         .particle_mass = 8e-3,
                         .rotation = IDENTITY,
                         .lattice_rotation = IDENTITY,
                         .origin = here};
}

BODIES_UNUSED static enum status try(struct body *body, size_t n, struct sample *sample,
                                     struct error *error)
{
    struct scene scene = {.name = "trial",
                          .seed = 7,
                          .n_materials = 1,
                          .material = &steel,
                          .n_bodies = n,
                          .body = body};
    return sample_scene(&scene, sample, error);
}

BODIES_UNUSED static struct sample make(struct body *body, size_t n)
{
    struct sample sample;
    struct error error = {0};
    if (try(body, n, &sample, &error)) {
        printf("# %s\n", error.message);
        check(false);
        exit(1);
    }
    return sample;
}

/* Turns by an angle about (1, 2, 3): Rodrigues' formula. */
BODIES_UNUSED static void turn(double matrix[9], double angle)
{
    double u[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, c = cos(angle), s = sin(angle);
    const double cross[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    for (int i = 0; i < 9; i++)
        matrix[i] = c * (i % 4 == 0) + (1 - c) * u[i / 3] * u[i % 3] + s * cross[i];
}

#endif
