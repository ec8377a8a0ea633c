#include "solvers/prefactored_groups.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void prefactored_groups_free(struct prefactored_groups *groups)
{
    free(groups->start);
    free(groups->member);
    free(groups->stiffness);
    free(groups->row);
    free(groups->solution);
    cg_workspace_free(&groups->work);
    *groups = (struct prefactored_groups){0};
}

static enum status reserve_work(struct prefactored_groups *g, struct error *error)
{
    if (g->n <= g->work_capacity)
        return STATUS_OK;
    cg_workspace_free(&g->work);
    g->work_capacity = 0;
    enum status status = cg_workspace_create(&g->work, g->n, 3, error);
    g->work_capacity = status ? 0 : g->n;
    return status;
}

static enum status reserve(struct prefactored_groups *g, struct error *error)
{
    const size_t rows = g->a->n;
    if (array_reserve(&g->start, &g->start_capacity, g->n + 2, sizeof *g->start, "groups", error) ||
        array_reserve(&g->member, &g->member_capacity, rows, sizeof *g->member, "groups", error) ||
        array_reserve(&g->stiffness, &g->stiffness_capacity, g->n, sizeof *g->stiffness, "groups",
                      error) ||
        array_reserve(&g->row, &g->row_capacity, rows, sizeof *g->row, "groups", error) ||
        array_reserve(&g->solution, &g->solution_capacity, rows, sizeof *g->solution, "groups",
                      error))
        return STATUS_FAILED;
    return reserve_work(g, error);
}

/* By counting: start[g + 1] is first where the next member of g goes. */
static void list_members(struct prefactored_groups *g)
{
    memset(g->start, 0, (g->n + 2) * sizeof *g->start);
    for (size_t i = 0; i < g->a->n; i++)
        if (g->group[i] != PREFACTORED_GIVEN)
            g->start[g->group[i] + 2]++;
    for (size_t k = 2; k <= g->n; k++)
        g->start[k] += g->start[k - 1];
    for (size_t i = 0; i < g->a->n; i++)
        if (g->group[i] != PREFACTORED_GIVEN)
            g->member[g->start[g->group[i] + 1]++] = (uint32_t)i;
}

enum status prefactored_groups_set(struct prefactored_groups *groups, struct prefactored *factor,
                                   const struct sparse_rows *a, size_t n, const uint32_t *group,
                                   const double *more, struct error *error)
{
    groups->factor = factor;
    groups->a = a;
    groups->n = n;
    groups->group = group;
    groups->more = more;
    enum status status = reserve(groups, error);
    if (status)
        return status;
    list_members(groups);
    for (size_t k = 0; k < n; k++) {
        groups->stiffness[k] = more[k];
        for (size_t e = groups->start[k]; e < groups->start[k + 1]; e++)
            groups->stiffness[k] += a->diagonal[groups->member[e]];
        if (!(groups->stiffness[k] > 0.0))
            return error_set(error, STATUS_FAILED, "group %zu has neither rows nor mass", k);
    }
    return STATUS_OK;
}

/* y = (P^T A P + D) x */
static void apply(void *context, const double *x, double *y)
{
    struct prefactored_groups *g = context;
    const struct vec3 *by_group = (const struct vec3 *)x;
    struct vec3 *result = (struct vec3 *)y;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < g->a->n; i++)
        g->row[i] = g->group[i] == PREFACTORED_GIVEN ? vec3(0.0, 0.0, 0.0) : by_group[g->group[i]];
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < g->n; k++) {
        result[k] = vec3_scale(g->more[k], by_group[k]);
        for (size_t e = g->start[k]; e < g->start[k + 1]; e++)
            result[k] = vec3_add(result[k], sparse_rows_times_vec3(g->a, g->member[e], g->row));
    }
}

/* z = (W^T A^-1 W + diag(w^2 / m)) r */
static void precondition(void *context, const double *r, double *z)
{
    struct prefactored_groups *g = context;
    const struct vec3 *by_group = (const struct vec3 *)r;
    struct vec3 *result = (struct vec3 *)z;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < g->a->n; i++) {
        const uint32_t own = g->group[i];
        g->row[i] = own == PREFACTORED_GIVEN
                        ? vec3(0.0, 0.0, 0.0)
                        : vec3_scale(g->a->diagonal[i] / g->stiffness[own], by_group[own]);
    }
    prefactored_solve(g->factor, g->row, g->solution);
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < g->n; k++) {
        const double s = g->stiffness[k];
        result[k] = vec3_scale(g->more[k] / (s * s), by_group[k]);
        for (size_t e = g->start[k]; e < g->start[k + 1]; e++) {
            const size_t i = g->member[e];
            result[k] = vec3_axpy(result[k], g->a->diagonal[i] / s, g->solution[i]);
        }
    }
}

void prefactored_groups_guess(struct prefactored_groups *groups, const struct vec3 *b,
                              struct vec3 *x)
{
    precondition(groups, &b->x, &x->x);
}

enum status prefactored_groups_solve(struct prefactored_groups *groups, const struct vec3 *b,
                                     double tolerance, size_t max_iterations, struct vec3 *x,
                                     struct cg_report *report, struct error *error)
{
    const struct linear_operator A = {.n = groups->n,
                                      .width = 3,
                                      .context = groups,
                                      .apply = apply,
                                      .precondition = precondition};
    return cg_solve(&A, &b->x, &x->x, tolerance, max_iterations, &groups->work, report, error);
}
