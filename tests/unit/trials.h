/* The simulation that follows from a configuration. */
#ifndef TESTS_TRIALS_H
#define TESTS_TRIALS_H

#include "config_reader.h"
#include "sample/sample.h"
#include "scenes.h"

struct trial {
    struct config *config;
    struct scene scene;
    struct sample sample;
    struct simulation s;
};

static void give_up(const char *message)
{
    printf("#   %s\n", message);
    fflush(stdout);
    _exit(1);
}

static void trial_create(struct trial *t, const char *text)
{
    struct outcome o = outcome_of_text(text);
    struct error error = {0};
    omp_set_num_threads(1); /* tests run side by side */
    outcome_print(&o);
    *t = (struct trial){.config = o.config};
    if (o.status || config_scene(o.config, &t->scene, &error) ||
        sample_scene(&t->scene, &t->sample, &error))
        give_up(error.message);
    const struct restart fresh = {.n_sheets = t->sample.n_sheets, .sheet = t->sample.sheet};
    if (simulation_create(&t->s, &t->scene, &t->sample.particles, t->sample.rest_position, &fresh,
                          &error))
        give_up(error.message);
    complaints_free(&o.complaints);
}

static void trial_free(struct trial *t)
{
    simulation_free(&t->s);
    sample_free(&t->sample);
    scene_free(&t->scene);
    config_free(t->config);
}

#endif
