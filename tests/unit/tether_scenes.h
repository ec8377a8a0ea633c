/* Scenes with tethered particles, and the table of classes of the programs that test them. */
#ifndef TESTS_TETHER_SCENES_H
#define TESTS_TETHER_SCENES_H

#include "config_reader.h"
#include "sample/sample.h"
#include "step/simulation.h"
#include "systems/bonds/bond_network.h"
#include "systems/sph/sph.h"
#include "tap.h"
#include "tethers.h"

#include <omp.h>

const struct system_class *const system_classes[] = {&bond_network_class, &tethers_class,
                                                     &sph_class, NULL};

/* A layer of tethered particles, on which a block of bonds and a block of fluid fall side by side.
 * The two also move towards each other. A stiffer tethered ball comes from the other side. */
static const char layer_text[] =
    "name: layer\n"
    "gravity: [0, 0.3, -9.81]\n"
    "time: {end: 0.03, max_step: 1e-3, frame_interval: 0.01}\n"
    "contact: {synchronization: %s, alpha: %g, beta: %g}\n"
    "solver: {tolerance: 1e-13}\n"
    "materials:\n"
    "  soft: {model: tether, tether_stiffness: 40, tether_damping: 0.05}\n"
    "  stiff: {model: tether, tether_stiffness: 900}\n"
    "  block: {model: peridynamics, stiffness: 60, horizon: 2, damping: 1e-3}\n"
    "  water: {model: fluid, pressure: 1e4, viscosity: 0.01}\n"
    "bodies:\n"
    "  layer: {material: soft, radius: 0.01, particle_mass: 8e-3,\n"
    "          shape: {sheet: {cells: [66, 66]}}}\n"
    "  ball: {material: stiff, radius: 0.01, particle_mass: 2e-2, position: [0, 0.2, -0.065],\n"
    "         velocity: [0, 0, 3], shape: {ball: {radius: 0.04}}}\n"
    "  block: {material: block, radius: 0.01, particle_mass: 8e-3,\n"
    "          position: [-0.053, 0, 0.063], velocity: [0.3, 0, -2],\n"
    "          shape: {box: {size: [0.1, 0.1, 0.08]}}}\n"
    "  water: {material: water, radius: 0.01, particle_mass: 8e-3,\n"
    "          position: [0.053, 0.003, 0.063], velocity: [-0.3, 0, -2],\n"
    "          shape: {box: {size: [0.1, 0.1, 0.08]}}}\n";

static inline void give_up(const struct error *error)
{
    printf("#   %s\n", error->message);
    fflush(stdout);
    _exit(1);
}

/* A configuration and what follows from it. */
struct setup {
    struct config *config;
    struct scene scene;
    struct sample sample;
};

static inline void setup_create(struct setup *setup, const char *text)
{
    struct outcome o = outcome_of_text(text);
    struct error error = {0};
    omp_set_num_threads(1); /* tests run side by side */
    outcome_print(&o);
    *setup = (struct setup){.config = o.config};
    if (o.status || config_scene(o.config, &setup->scene, &error) ||
        sample_scene(&setup->scene, &setup->sample, &error))
        give_up(&error);
    complaints_free(&o.complaints);
}

static inline void setup_free(struct setup *setup)
{
    sample_free(&setup->sample);
    scene_free(&setup->scene);
    config_free(setup->config);
}

static inline void start(struct setup *setup, struct simulation *s)
{
    const struct restart fresh = {0};
    struct error error = {0};
    if (simulation_create(s, &setup->scene, &setup->sample.particles, setup->sample.rest_position,
                          &fresh, &error))
        give_up(&error);
}

static inline void layer_setup(struct setup *setup, const char *way, double alpha, double beta)
{
    char text[4096];
    snprintf(text, sizeof text, layer_text, way, alpha, beta);
    setup_create(setup, text);
}

#endif
