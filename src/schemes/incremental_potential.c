/* Contact as a part of the implicit step (Li et al., "Incremental potential contact", ACM
 * Transactions on Graphics 39, 2020, Algorithm 1): the velocity v after a step of backward Euler,
 * at the places x + dt v, is the minimum of
 *
 *     E(v) = Q(v) + B(x + dt v),    dQ/dv = M (v - v^n) - dt (f(v) + f_out)
 *
 * where B is the potential of contact, and Q is quadratic, because bodies are linearized at the
 * start of the step as in every other scheme here; Li et al. linearize them anew in every
 * iteration. The minimum is found by Newton's method: B is replaced by a parabola around the
 * iterate, and the systems solve for the minimum. On the straight path to it, a line search stops
 * before any two particles touch, at a point where E is smaller than before. The first iterate is
 * at rest, at the positions at the start of the step.
 *
 * Iterations are the stages of this scheme. They end when particles move by less than `settled`
 * times the smallest radius. It is an error if contact.stages iterations are not enough. */
#include "base/blocks.h"
#include "base/memory.h"
#include "contact/minimized.h"
#include "schemes/by_systems.h"

#include <stdlib.h>
#include <string.h>

static const double settled = 1e-6;
/* The fraction of the path to the first touch that an iteration may go; Li et al. leave a fifth as
 * well. */
static const double clear = 0.8;
/* Halvings until a line search gives up, and the relative error of an energy by rounding. */
enum { MOST_HALVINGS = 40 };
static const double rounding = 1e-13;

struct minimum {
    struct scheme scheme; /* must be first */
    double travel;        /* relative displacement for which near pairs have been searched, m */
    struct vec3 *at;      /* velocity of the iterate, m/s (n) */
    struct vec3 *found;   /* ... that the system found from it */
    struct vec3 *slope;   /* dQ/dv at `at`, N s (n) */
    struct vec3 *found_slope;
    struct vec3 *place; /* x + dt at, m (n) */
    struct vec3 *trial; /* m (n) */
};

/* A step in progress. */
struct descent {
    struct minimum *m;
    const struct step_view *view;
    const struct incremental_potential_contact *contact;
    struct scheme_report *report;
    struct timing *timing;
    struct error *error;
};

static bool moves(const struct step_view *view, size_t i)
{
    return !view->particles->state[i];
}

/* dQ/dv of particles that move, 0 of all others. */
static void find_slope(const struct step_view *view, const struct vec3 *velocity,
                       struct vec3 *slope)
{
    const struct particles *p = view->particles;
    for (size_t k = 0; k < view->owners.n_systems; k++)
        view->system[k]->class->impulses(view->system[k], view->dt, velocity, slope);
    for (size_t i = 0; i < p->n; i++) {
        struct vec3 change = vec3_sub(velocity[i], p->velocity[i]);
        struct vec3 impulse = vec3_axpy(slope[i], view->dt, p->force[i]);
        slope[i] = moves(view, i) ? vec3_sub(vec3_scale(p->mass[i], change), impulse)
                                  : vec3(0.0, 0.0, 0.0);
    }
}

/* ---- near pairs ---- */

/* Twice the largest deviation from the center of the velocities' bounding box: no two particles
 * move relative to each other by more than dt times that. */
static double relative_speed(const struct step_view *view, const struct vec3 *velocity)
{
    struct vec3 low = velocity[0], high = velocity[0];
    double largest2 = 0.0;
    for (size_t i = 1; i < view->particles->n; i++) {
        struct vec3 v = velocity[i];
        low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    struct vec3 middle = vec3_scale(0.5, vec3_add(low, high));
    for (size_t i = 0; i < view->particles->n; i++)
        largest2 = fmax(largest2, vec3_norm2(vec3_sub(velocity[i], middle)));
    return 2.0 * sqrt(largest2);
}

/* Makes sure that all pairs that may come near at these velocities are known. A search goes half as
 * far again, so that the next iterates need none. */
static enum status look_around(const struct descent *d, const struct vec3 *velocity)
{
    double travel = d->view->dt * relative_speed(d->view, velocity);
    if (travel <= d->m->travel)
        return STATUS_OK;
    d->m->travel = 1.5 * travel;
    phase(d->timing, PHASE_DETECTION);
    return d->contact->find_near(d->view->contact, d->view->particles, d->m->travel, d->error);
}

/* ---- an iteration ---- */

/* Finds the velocity at which E is least with contact linearized at m->place. */
static enum status solve(const struct descent *d)
{
    const struct step_view *view = d->view;
    struct scheme_report *report = d->report;
    phase(d->timing, PHASE_MERGING);
    if (d->contact->linearize(view->contact, view->particles, d->m->place, d->error))
        return STATUS_FAILED;
    phase(d->timing, report->stages == 1 ? PHASE_FIRST_STAGE : PHASE_LATER_STAGES);
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        struct solve_report solved;
        struct system *system = view->system[k];
        if (system->class->integrate(system, view->particles, view->groups, view->dt, view->motion,
                                     &solved, d->error))
            return STATUS_FAILED;
        *(report->stages == 1 ? &report->iterations_first : &report->iterations_later) +=
            solved.iterations;
        report->residual = fmax(report->residual, solved.residual);
    }
    memcpy(d->m->found, view->motion->after, view->particles->n * sizeof *d->m->found);
    return STATUS_OK;
}

/* The derivatives of Q along the way from `at` to `found`, at both ends. */
static void add_slopes(size_t begin, size_t end, const void *context, double *sum)
{
    const struct minimum *m = context;
    for (size_t i = begin; i < end; i++) {
        struct vec3 way = vec3_sub(m->found[i], m->at[i]);
        sum[0] += vec3_dot(m->slope[i], way);
        sum[1] += vec3_dot(m->found_slope[i], way);
    }
}

static double contact_energy(const struct descent *d, const struct vec3 *place)
{
    return d->contact->energy(d->view->contact, d->view->particles, place);
}

/* Sets m->trial to the positions at this fraction of the path from m->at to m->found. */
static void try_places(const struct descent *d, double fraction)
{
    const struct step_view *view = d->view;
    for (size_t i = 0; i < view->particles->n; i++) {
        struct vec3 way = vec3_sub(d->m->found[i], d->m->at[i]);
        d->m->trial[i] =
            vec3_axpy(view->particles->position[i], view->dt,
                      fraction == 1.0 ? d->m->found[i] : vec3_axpy(d->m->at[i], fraction, way));
    }
}

/* Finds the fraction of the path to m->found up to which no particles touch, and at which E is
 * smaller. Of a path that `is_short` energies say nothing: it is what the solver's residual leaves
 * open. */
static enum status search_line(const struct descent *d, bool is_short, double *fraction)
{
    const struct minimum *m = d->m;
    double end[2], before = contact_energy(d, m->place);
    blocks_sums(d->view->particles->n, 2, add_slopes, m, end);
    try_places(d, 1.0);
    double touch = d->contact->touch(d->view->contact, d->view->particles, m->place, m->trial);
    *fraction = touch > 1.0 ? 1.0 : clear * touch;
    if (is_short && touch > 1.0)
        return STATUS_OK;
    for (int halvings = 0; halvings < MOST_HALVINGS; halvings++, *fraction *= 0.5) {
        double f = *fraction, rise = f * end[0] + 0.5 * f * f * (end[1] - end[0]);
        try_places(d, f);
        double after = contact_energy(d, m->trial);
        double slack = rounding * (fabs(before) + fabs(f * end[0]) + fabs(after));
        if (after - before + rise <= slack)
            return STATUS_OK;
    }
    return error_set(d->error, STATUS_FAILED,
                     "the incremental potential does not fall along the direction that the solver "
                     "found; lower solver.tolerance");
}

static void go(const struct descent *d, double fraction)
{
    struct minimum *m = d->m;
    for (size_t i = 0; i < d->view->particles->n; i++) {
        m->at[i] = fraction == 1.0 ? m->found[i]
                                   : vec3_axpy(m->at[i], fraction, vec3_sub(m->found[i], m->at[i]));
        m->slope[i] =
            vec3_axpy(vec3_scale(1.0 - fraction, m->slope[i]), fraction, m->found_slope[i]);
        m->place[i] = m->trial[i];
    }
}

static double largest_way2(size_t begin, size_t end, const void *context)
{
    const struct minimum *m = context;
    double largest = 0.0;
    for (size_t i = begin; i < end; i++)
        largest = fmax(largest, vec3_norm2(vec3_sub(m->found[i], m->at[i])));
    return largest;
}

static double smallest_radius(const struct particles *p)
{
    double smallest = (double)INFINITY;
    for (size_t i = 0; i < p->n; i++)
        smallest = fmin(smallest, p->radius[i]);
    return smallest;
}

/* Makes one iteration. It is the last one if m->found is the minimum: if particles hardly moved on
 * the path to it, or if contact played no part in the solve and has no energy at its result. */
static enum status iterate(const struct descent *d, bool *done)
{
    struct minimum *m = d->m;
    const struct step_view *view = d->view;
    if (solve(d) || look_around(d, m->found))
        return STATUS_FAILED;
    double way = view->dt * sqrt(blocks_max(view->particles->n, largest_way2, m)), fraction;
    bool alone = !stiff_pairs_any(view->particles->stiff);
    bool is_short = way <= settled * smallest_radius(view->particles);
    phase(d->timing, PHASE_SYNCHRONIZING);
    find_slope(view, m->found, m->found_slope);
    if (search_line(d, is_short, &fraction))
        return STATUS_FAILED;
    go(d, fraction);
    *done = fraction == 1.0 && (is_short || (alone && contact_energy(d, m->place) == 0.0));
    return STATUS_OK;
}

static enum status begin(const struct descent *d)
{
    struct minimum *m = d->m;
    const struct step_view *view = d->view;
    m->travel = -1.0;
    phase(d->timing, PHASE_MERGING);
    d->report->approaching = count_approaching(view->particles, view->meeting);
    phase(d->timing, PHASE_FIRST_STAGE);
    enum status status = prepare_systems(view, d->error);
    if (status)
        return status;
    memcpy(view->motion->before, view->particles->velocity,
           view->particles->n * sizeof *view->motion->before);
    memset(m->at, 0, view->particles->n * sizeof *m->at);
    memcpy(m->place, view->particles->position, view->particles->n * sizeof *m->place);
    find_slope(view, m->at, m->slope);
    return look_around(d, view->motion->before);
}

static enum status advance(struct scheme *scheme, const struct step_view *view,
                           struct timing *timing, struct scheme_report *report, struct error *error)
{
    struct minimum *m = (struct minimum *)scheme;
    const struct descent d = {
        .m = m,
        .view = view,
        .contact = (const struct incremental_potential_contact *)view->contact->class,
        .report = report,
        .timing = timing,
        .error = error};
    bool done = false;
    if (begin(&d))
        return STATUS_FAILED;
    while (!done) {
        if (report->stages == view->scene->contact.stages)
            return error_set(error, STATUS_FAILED,
                             "the incremental potential has no minimum after %zu iterations "
                             "(contact.stages); lower solver.tolerance or time.max_step",
                             report->stages);
        report->stages++;
        if (iterate(&d, &done))
            return STATUS_FAILED;
    }
    report->contact_iterations = report->stages;
    phase(timing, PHASE_SPLITTING);
    memcpy(view->velocity, view->motion->after, view->particles->n * sizeof *view->velocity);
    return STATUS_OK;
}

/* ---- what it declares ---- */

static const struct energy_term *const terms[] = {COUPLING_TERMS};

/* Nothing is lost between systems that take part in one minimum. */
static void account(struct scheme *scheme, const struct step_view *view, struct step_work *work)
{
    account_for_systems(scheme, view, &(struct synchronize_report){0}, work);
}

/* ---- creating and freeing ---- */

static void minimum_free(struct scheme *scheme)
{
    struct minimum *m = (struct minimum *)scheme;
    free(m->at);
    free(m->found);
    free(m->slope);
    free(m->found_slope);
    free(m->place);
    free(m->trial);
    free(m);
}

/* Only with backward Euler does the velocity at the end of the step also move the particles. */
static enum status check_systems(const struct step_view *view, struct error *error)
{
    if (view->scene->solver.integrator != INTEGRATOR_BACKWARD_EULER)
        return error_set(
            error, STATUS_INVALID,
            "contact.method needs solver.integrator: backward-euler, whose incremental "
            "potential it minimizes");
    for (size_t k = 0; k < view->owners.n_systems; k++)
        if (!view->system[k]->class->impulses)
            return error_set(
                error, STATUS_INVALID,
                "contact.method minimizes one potential of everything that moves, in "
                "which \"%s\" cannot take part; give another contact.method for scenes "
                "with fluids",
                view->system[k]->class->declares.name);
    return STATUS_OK;
}

static enum status create(struct scheme **scheme, const struct step_view *view, struct error *error)
{
    struct minimum *m;
    size_t n = view->particles->n;
    *scheme = NULL;
    enum status status = check_systems(view, error);
    if (status)
        return status;
    if (array_create(&m, 1, sizeof *m, "the scheme", error))
        return STATUS_FAILED;
    m->scheme = (struct scheme){.class = &incremental_potential, .seen = view->groups};
    if (motion_create(view->motion, n, error) ||
        array_create(&m->at, n, sizeof *m->at, "velocities", error) ||
        array_create(&m->found, n, sizeof *m->found, "velocities", error) ||
        array_create(&m->slope, n, sizeof *m->slope, "impulses", error) ||
        array_create(&m->found_slope, n, sizeof *m->found_slope, "impulses", error) ||
        array_create(&m->place, n, sizeof *m->place, "positions", error) ||
        array_create(&m->trial, n, sizeof *m->trial, "positions", error)) {
        minimum_free(&m->scheme);
        return STATUS_FAILED;
    }
    *scheme = &m->scheme;
    return STATUS_OK;
}

const struct scheme_class incremental_potential = {
    .declares = {"incremental-potential", 0, NULL, N_COUPLING_TERMS, terms},
    .create = create,
    .limit = limit_by_systems,
    .advance = advance,
    .account = account,
    .free = minimum_free,
};
