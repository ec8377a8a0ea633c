#include "systems/corotated/corotated_volume_passes.h"

void volume_guess(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double dt2 = at->factor;
    double square = 0.0, most = 0.0, unit = 0.0;
    for (size_t i = at->begin; i < at->end; i++) {
        const double compliance = at->volume[i - at->begin] / c->lambda;
        const double stiffness = dt2 * v->diagonal[i];
        const double impulse = c->unknown[i] ? vec3_norm2(c->right_side[i]) : 0.0;
        c->preconditioner[i] = 1.0 / (compliance + stiffness);
        v->weight[i] = stiffness / (compliance * compliance);
        c->next_pressure[i] = 2.0 * c->last_pressure[i] - c->earlier_pressure[i];
        v->pressure[i] = c->next_pressure[i];
        unit += impulse;
        square += c->inverse_mass[i] * impulse;
        most = fmax(most, stiffness / compliance);
    }
    at->sum[SUM_UNIT] = unit;
    at->sum[SUM_SQUARE] = square;
    at->sum[SUM_MOST] = most;
}

void volume_find_direction(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double beta = at->factor;
    for (size_t i = at->begin; i < at->end; i++)
        v->pressure[i] = c->preconditioner[i] * v->missing[i] + beta * v->pressure[i];
}

void volume_set_in_motion(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double dt2 = at->factor;
    double stored = 0.0, kinetic = 0.0;
    for (size_t i = at->begin; i < at->end; i++) {
        const double p = v->pressure[i];
        c->x[i] = c->inverse_mass[i] * lanes_of_vec3(v->pressing[i]);
        stored += at->volume[i - at->begin] * p * p;
        if (c->unknown[i])
            kinetic += c->inverse_mass[i] * vec3_norm2(v->pressing[i]);
    }
    at->sum[SUM_CURVATURE] = stored / c->lambda + dt2 * kinetic;
}

static void measure(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    double residual = 0.0, rz = 0.0;
    for (size_t i = at->begin; i < at->end; i++) {
        const double square = v->missing[i] * v->missing[i];
        residual += v->weight[i] * square;
        rz += c->preconditioner[i] * square;
    }
    at->sum[SUM_RESIDUAL] = residual;
    at->sum[SUM_RZ] = rz;
}

void volume_find_residual(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double dt2 = at->factor;
    double whole = 0.0;
    for (size_t i = at->begin; i < at->end; i++) {
        const double volume = at->volume[i - at->begin], gain = volume * v->gain[i];
        v->missing[i] = gain - volume * (c->next_pressure[i] / c->lambda - dt2 * v->widening[i]);
        whole += v->weight[i] * gain * gain;
    }
    at->sum[SUM_WHOLE] = whole;
    measure(at);
}

void volume_forget_guess(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    for (size_t i = at->begin; i < at->end; i++) {
        c->next_pressure[i] = 0.0;
        v->missing[i] = at->volume[i - at->begin] * v->gain[i];
    }
    measure(at);
}

void volume_advance(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double alpha = at->factor;
    const double dt2 = c->dt * c->dt;
    for (size_t i = at->begin; i < at->end; i++) {
        const double p = v->pressure[i];
        c->next_pressure[i] += alpha * p;
        v->missing[i] -= alpha * at->volume[i - at->begin] * (p / c->lambda - dt2 * v->widening[i]);
    }
    measure(at);
}

/* ---- the change of velocity, and what it leaves ---- */

void volume_take_solution(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    for (size_t i = at->begin; i < at->end; i++)
        v->pressure[i] = c->next_pressure[i];
}

void volume_take_residual(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    for (size_t i = at->begin; i < at->end; i++)
        v->pressure[i] = c->lambda * v->missing[i] / at->volume[i - at->begin];
}

void volume_change_velocity(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double dt = at->factor;
    for (size_t i = at->begin; i < at->end; i++)
        c->change[i] = vec3_scale(dt * c->inverse_mass[i], v->pressing[i]);
}

void volume_square_forces(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    double sum = 0.0;
    for (size_t i = at->begin; i < at->end; i++)
        sum += c->unknown[i] ? vec3_norm2(v->pressing[i]) : 0.0;
    at->sum[SUM_FORCES] = sum;
}

/* By the gradients of the change of velocity: those of positions would have larger rounding
 * errors. */
void volume_find_exact_residual(const struct place *at)
{
    const struct corotated *c = at->c;
    const struct corotated_volume *v = at->v;
    const double dt = at->factor;
    for (size_t i = at->begin; i < at->end; i++) {
        const double gain = v->gain[i] + dt * mat3_dot(&c->volume_turn[i], &c->gradient[i]);
        v->missing[i] = at->volume[i - at->begin] * (gain - c->next_pressure[i] / c->lambda);
    }
    measure(at);
}

/* ---- by all threads ---- */

static struct place place_of(const struct corotated *c, double factor, size_t k)
{
    const struct stretch *at = &c->volume.stretch[k];
    const size_t first = at->solid->begin;
    return (struct place){.c = c,
                          .v = &c->volume,
                          .factor = factor,
                          .begin = first + at->begin,
                          .end = first + at->end,
                          .volume = at->solid->rest->volume + at->begin,
                          .sum = c->volume.sums[k].of};
}

void volume_run(const struct corotated *c, volume_pass *use, double factor)
{
#pragma omp for schedule(static)
    for (size_t k = 0; k < c->volume.n_stretches; k++) {
        const struct place at = place_of(c, factor, k);
        use(&at);
    }
}

void volume_push(struct corotated *c, volume_pass *use, double factor)
{
    const struct corotated_volume *v = &c->volume;
    const bool grouped = c->groups->n_groups > 0;
#pragma omp for schedule(static)
    for (size_t k = 0; k < v->n_stretches; k++) {
        const struct place at = place_of(c, factor, k);
        corotated_volume_reactions(c, &v->stretch[k], v->pressing);
        if (!grouped)
            use(&at);
    }
    if (!grouped)
        return;
#pragma omp single
    corotated_groups_gather(c, v->pressing);
    volume_run(c, use, factor);
}

void volume_widen(const struct corotated *c, volume_pass *use, double factor)
{
    const struct corotated_volume *v = &c->volume;
#pragma omp for schedule(static)
    for (size_t k = 0; k < v->n_stretches; k++) {
        const struct place at = place_of(c, factor, k);
        corotated_volume_widening(c, &v->stretch[k], v->widening);
        use(&at);
    }
}
