#include "solvers/prefactored_parts.h"

#include "base/blocks.h"
#include "base/memory.h"
#include "solvers/sparse_factor.h"

#include <stdlib.h>
#include <string.h>

struct prefactored_plan {
    size_t n;
    uint32_t *row, *place;
};

struct prefactored {
    const struct prefactored_plan *plan;
    struct sparse_factor factor;
    double *work;               /* (n) */
    struct vec3 *left, *change; /* of solve_to (n each) */
};

enum status prefactored_plan_create(struct prefactored_plan **plan, const struct sparse_rows *a,
                                    struct error *error)
{
    struct prefactored_plan *p = NULL;
    *plan = NULL;
    enum status status = array_create(&p, 1, sizeof *p, "a factor", error);
    if (status)
        return status;
    p->n = a->n;
    status = array_create(&p->row, a->n, sizeof *p->row, "a factor", error);
    if (!status)
        status = array_create(&p->place, a->n, sizeof *p->place, "a factor", error);
    if (!status)
        status = prefactored_order(a, p->row, p->place, error);
    if (status)
        prefactored_plan_free(p);
    else
        *plan = p;
    return status;
}

void prefactored_plan_free(struct prefactored_plan *plan)
{
    if (!plan)
        return;
    free(plan->row);
    free(plan->place);
    free(plan);
}

enum status prefactored_create(struct prefactored **factor, const struct prefactored_plan *plan,
                               const struct sparse_rows *a, struct error *error)
{
    struct prefactored *f = NULL;
    *factor = NULL;
    enum status status = array_create(&f, 1, sizeof *f, "a factor", error);
    if (status)
        return status;
    f->plan = plan;
    status = array_create(&f->work, plan->n, sizeof *f->work, "a factor", error);
    if (!status)
        status = array_create(&f->left, plan->n, sizeof *f->left, "a factor", error);
    if (!status)
        status = array_create(&f->change, plan->n, sizeof *f->change, "a factor", error);
    if (!status)
        status = sparse_factor_of(&f->factor, a, plan->n, plan->row, plan->place, 0.0, error);
    if (status)
        prefactored_free(f);
    else
        *factor = f;
    return status;
}

void prefactored_free(struct prefactored *factor)
{
    if (!factor)
        return;
    sparse_factor_free(&factor->factor);
    free(factor->work);
    free(factor->left);
    free(factor->change);
    free(factor);
}

static double *component(struct vec3 *v, int c)
{
    return c == 0 ? &v->x : c == 1 ? &v->y : &v->z;
}

void prefactored_solve(struct prefactored *f, const struct vec3 *b, struct vec3 *x)
{
    if (x != b)
        memcpy(x, b, f->plan->n * sizeof *x);
    for (int c = 0; c < 3; c++) {
        for (size_t k = 0; k < f->plan->n; k++)
            f->work[k] = *component(&x[f->plan->row[k]], c);
        sparse_factor_solve(&f->factor, f->work);
        for (size_t k = 0; k < f->plan->n; k++)
            *component(&x[f->plan->row[k]], c) = f->work[k];
    }
}

struct vec3 *prefactored_left(struct prefactored *factor)
{
    return factor->left;
}

struct vec3 *prefactored_change(struct prefactored *factor)
{
    return factor->change;
}
