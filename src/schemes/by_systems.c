#include "schemes/by_systems.h"

enum status limit_by_systems(struct scheme *scheme, const struct step_view *view, double *dt,
                             struct error *error)
{
    (void)scheme;
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        struct system *system = view->system[k];
        double limit = (double)INFINITY;
        enum status status = STATUS_OK;
        if (system->class->limit)
            status = system->class->limit(system, view->particles, &limit, error);
        if (status)
            return status;
        if (!(limit > 0.0))
            return error_set(error, STATUS_FAILED, "%s: no time step is short enough",
                             system->class->declares.name);
        *dt = limit < *dt ? limit : *dt;
    }
    return STATUS_OK;
}

enum status prepare_systems(const struct step_view *view, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < view->owners.n_systems && !status; k++) {
        struct system *system = view->system[k];
        if (system->class->prepare)
            status = system->class->prepare(system, view->particles, view->dt, error);
    }
    return status;
}

void carry_systems(const struct step_view *view)
{
    for (size_t k = 0; k < view->owners.n_systems; k++) {
        struct system *system = view->system[k];
        if (system->class->carry)
            system->class->carry(system, view->particles, view->dt, view->motion);
    }
}

enum { WORK, COUPLED, STORED, DISSIPATED, IMPULSE };

#define COUPLING_IMPULSE(column, behind)                                                           \
    {                                                                                              \
        .name = column, .unit = "kg m/s",                                                          \
        .sentence = "what synchronization adds to the sum of the systems' impulses",               \
        .after = behind                                                                            \
    }

const struct energy_term coupling_term[N_COUPLING_TERMS] = {
    [WORK] = {.name = "coupling",
              .unit = "J",
              .sentence = "work of forces inside systems that synchronization does not pass on",
              .after = "support_work",
              .sign = TERM_LEAVES},
    [COUPLED] = {.name = "coupled",
                 .unit = "1",
                 .sentence = "of these, groups with members of several systems",
                 .after = "groups"},
    [STORED] = {.name = "sync_stored",
                .unit = "J",
                .sentence = "put into virtual bonds by synchronizing, MS 19",
                .after = "sync_dissipated",
                .sign = TERM_ENTERS},
    [DISSIPATED] = {.name = "sync_dissipated",
                    .unit = "J",
                    .sentence = "kept back by beta < 1",
                    .after = "merge_dissipated",
                    .sign = TERM_LEAVES},
    [IMPULSE] = COUPLING_IMPULSE("coupling_impulse_x", "support_impulse_z"),
    [IMPULSE + 1] = COUPLING_IMPULSE("coupling_impulse_y", "coupling_impulse_x"),
    [IMPULSE + 2] = COUPLING_IMPULSE("coupling_impulse_z", "coupling_impulse_y"),
};

static void add_system(const struct scheme *scheme, const struct step_view *view,
                       struct system *system, struct step_work *work)
{
    struct work_report report;
    system->class->account(system, view->particles, scheme->seen, view->dt, view->motion, &report);
    energy_add(&work->sums, &system->class->declares, report.term);
    work->damping += report.damping;
    work->linearization += report.linear_elastic;
    work->wall_dissipation += report.wall_dissipation;
    work->support = vec3_sub(work->support, report.on_supports);
    work->support_work += report.support_work;
    work->prescribed = vec3_sub(work->prescribed, report.on_prescribed);
    work->prescribed_work += report.prescribed_work;
}

void account_for_systems(const struct scheme *scheme, const struct step_view *view,
                         const struct synchronize_report *synchronized, struct step_work *work)
{
    for (size_t k = 0; k < view->owners.n_systems; k++)
        add_system(scheme, view, view->system[k], work);
    const struct vec3 impulse = vec3_scale(-1.0, synchronized->withheld);
    work->term[WORK].value = synchronized->work;
    work->term[COUPLED].value = (double)synchronized->groups;
    work->term[STORED].value = synchronized->energy;
    work->term[DISSIPATED].value = synchronized->kept_back;
    work->term[IMPULSE].value = impulse.x;
    work->term[IMPULSE + 1].value = impulse.y;
    work->term[IMPULSE + 2].value = impulse.z;
}
