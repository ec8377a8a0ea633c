#include "solvers/prefactored_parts.h"

#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>

static enum status fill_plan(struct prefactored_plan *plan, const struct sparse_rows *a,
                             struct error *error)
{
    uint32_t *parent = NULL;
    enum status status = array_create(&plan->row, plan->n, sizeof *plan->row, "a factor", error);
    if (!status)
        status = array_create(&plan->place, plan->n, sizeof *plan->place, "a factor", error);
    if (!status)
        status = array_create(&parent, plan->n, sizeof *parent, "a factor", error);
    if (!status)
        status = prefactored_order(plan, a, parent, error);
    if (!status)
        status = prefactored_find_fronts(plan, a, parent, error);
    if (!status)
        status = prefactored_schedule(plan, error);
    free(parent);
    return status;
}

enum status prefactored_plan_create(struct prefactored_plan **plan, const struct sparse_rows *a,
                                    struct error *error)
{
    struct prefactored_plan *fresh = NULL;
    *plan = NULL;
    enum status status = array_create(&fresh, 1, sizeof *fresh, "a factor", error);
    if (status)
        return status;
    fresh->n = a->n;
    status = fill_plan(fresh, a, error);
    if (status)
        prefactored_plan_free(fresh);
    else
        *plan = fresh;
    return status;
}

void prefactored_plan_free(struct prefactored_plan *plan)
{
    if (!plan)
        return;
    free(plan->row);
    free(plan->place);
    free(plan->front);
    free(plan->below);
    free(plan->in_parent);
    free(plan->subtree);
    free(plan->top);
    free(plan->level);
    free(plan->rows.job);
    free(plan->rows.start);
    free(plan->columns.job);
    free(plan->columns.start);
    free(plan);
}

struct prefactored_need prefactored_need_of(const struct prefactored_plan *plan)
{
    return plan->need;
}

static enum status create_lanes(lanes8 **array, void **memory, size_t n, struct error *error)
{
    return array_create_large(array, memory, n, sizeof **array, "the panels of a factor", error);
}

static enum status check_memory(const struct prefactored_plan *plan, struct error *error)
{
    const double need = plan->need.peak_bytes, available = memory_available();
    if (!(need > available))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "a factor of %zu rows, with %.3g entries, needs %.4g MB of memory, but only "
                     "%.4g MB are available",
                     plan->n, plan->need.entries, need / 1e6, available / 1e6);
}

static enum status reserve(struct prefactored *factor, struct error *error)
{
    const struct prefactored_plan *plan = factor->plan;
    enum status status = create_lanes(&factor->panel, &factor->memory[0], plan->panel_size, error);
    if (!status)
        status = create_lanes(&factor->local, &factor->memory[1], plan->local_size, error);
    if (!status)
        status = array_create(&factor->vector, plan->n, sizeof *factor->vector, "a factor", error);
    if (!status)
        status = array_create(&factor->left, plan->n, sizeof *factor->left, "a factor", error);
    if (!status)
        status = array_create(&factor->change, plan->n, sizeof *factor->change, "a factor", error);
    return status;
}

enum status prefactored_create(struct prefactored **factor, const struct prefactored_plan *plan,
                               const struct sparse_rows *a, struct error *error)
{
    struct prefactored *fresh = NULL;
    *factor = NULL;
    enum status status = check_memory(plan, error);
    if (!status)
        status = array_create(&fresh, 1, sizeof *fresh, "a factor", error);
    if (status)
        return status;
    fresh->plan = plan;
    status = reserve(fresh, error);
    if (!status)
        status = prefactored_fill(fresh, a, error);
    if (status)
        prefactored_free(fresh);
    else
        *factor = fresh;
    return status;
}

void prefactored_free(struct prefactored *factor)
{
    if (!factor)
        return;
    free(factor->memory[0]);
    free(factor->memory[1]);
    free(factor->vector);
    free(factor->left);
    free(factor->change);
    free(factor);
}
