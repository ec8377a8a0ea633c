/* Local problems of the step with links (linked.c). About a guess x with residual r =
 * b + J^T impulse - A x, a local problem finds y and the impulses `expected` with
 *
 *     y = x + D^-1 (r + J^T (expected - impulse))
 *
 * that obey the law of contact. If y also solves the linear system, up to the solver's tolerance,
 * it is the solution of the step. Where particles feel nothing but links it always does; where they
 * have bonds it does once x is near enough. Which contacts press, stick and slip is not part of the
 * criterion: a link with hardly a force that changes sides is no reason for another stage.
 *
 * Solving local problems repeatedly, with x = y of the last one, is a descent: the eigenvalues of
 * D^-1 A are below 2, because a bond's part of A is at most twice its diagonal. It is slow by
 * itself. With conjugate directions and restarts (Silcowitz, Niebe and Erleben, "A nonsmooth
 * nonlinear conjugate gradient method for interactive contact force problems", The Visual Computer
 * 26, 2010) it leads to the solution, or at least to a place from which the next stage finds which
 * contacts press, stick and slip. */
#include "base/blocks.h"
#include "base/memory.h"
#include "sliding/linked_parts.h"

/* Contacts are solved to this fraction of the largest q where the guess settles the step, because
 * the speeds that are left add up over the steps of rest; it takes hardly longer. Below it,
 * directions in the null space of W cannot be told from others. */
static const double ROUNDING = 1e-12;

/* Contacts in motion are solved to this fraction of the speeds that the solver's tolerance allows,
 * which is less than what counts as coming nearer (docs/measures.md). */
static const double FURTHER = 1e-4;

/* ... once a solution is known to settle the step. Until then they are solved to this fraction of
 * the error of the last local problem, because the x they are about is no better. */
static const double ROUGH = 0.03;

static double norm2_of_block(size_t begin, size_t end, const void *context)
{
    const struct vec3 *a = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += vec3_norm2(a[i]);
    return sum;
}

static double norm(const struct linked *l, const struct vec3 *a)
{
    return sqrt(blocks_sum(l->n, norm2_of_block, a));
}

/* ---- one local problem ---- */

bool linked_by_motion(const struct linked *l)
{
    return l->links->rigid.n > 0;
}

/* Prepares own_speed. */
static void give(struct linked *l, const double *impulse)
{
    if (!linked_by_motion(l))
        return;
    for (size_t i = 0; i < l->n; i++)
        l->image[i] = vec3(0.0, 0.0, 0.0);
    for (size_t k = 0; k < l->n_scope; k++) {
        const uint32_t row = l->scope[k];
        linked_push_ends(l, links_of_row(l->links, row),
                         vec3_scale(impulse[row], links_direction(l->links, row)), l->image);
    }
}

/* J D^-1 J^T impulse. */
static double own_speed(const struct linked *l, uint32_t row, const double *impulse)
{
    return linked_by_motion(l) ? linked_response(l, row, l->image)
                               : sparse_rows_times(&l->matrix.rows, row, impulse);
}

void linked_fill_local(struct linked_step *s)
{
    struct linked *l = s->l;
    linked_look(l, l->x);
    give(l, l->impulse);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = linked_speed(l, row, l->x) + linked_response(l, row, l->residual) -
                    l->goal[row] - own_speed(l, row, l->impulse);
    }
}

enum status linked_take_matrix(struct linked_step *s, struct error *error)
{
    struct linked *l = s->l;
    if (linked_by_motion(l)) {
        if (array_reserve(&l->side, &l->side_capacity, 2 * s->links->n, sizeof *l->side, "links",
                          error))
            return STATUS_FAILED;
        links_find_sides(s->links, l->mobility, l->side);
        return links_matrix_take_diagonal(&l->matrix, s->links, l->side, error);
    }
    if (links_matrix_build(&l->matrix, s->links, l->mobility, error))
        return STATUS_FAILED;
    if (s->links->rows_each > 1)
        return STATUS_OK;
    return projected_gradients_take(&l->solver.normals.gradients, &l->matrix.rows, l->n_parts,
                                    l->part, l->scope, error);
}

static double finest(const struct linked_step *s)
{
    const struct linked *l = s->l;
    double largest = 0.0;
    if (s->response->stages > 0)
        return FURTHER * s->speed_left;
    for (size_t k = 0; k < l->n_scope; k++)
        largest = fmax(largest, fabs(l->q[l->scope[k]]));
    return ROUNDING * largest;
}

static void approach_normals(struct linked_step *s, double tolerance)
{
    struct linked *l = s->l;
    s->wrong = 0;
    for (size_t k = 0; k < l->n_parts; k++) {
        struct complementarity_report report =
            complementarity_approach(&l->solver.normals, k, l->q, tolerance, l->held, l->expected);
        s->wrong += report.wrong;
    }
}

/* Sweeps over the contacts of a component cost little, but do not always lead to the solution. */
static enum status approach_contacts(struct linked_step *s, struct error *error)
{
    enum { MOST_SWEEPS = 100 };
    struct linked *l = s->l;
    const struct links *links = s->links;
    const struct link_friction *friction = &s->response->friction;
    const struct coulomb_tolerance tolerance = {s->speed_left, finest(s), MOST_SWEEPS};
    enum status status = STATUS_OK;
    s->wrong = 0;
    for (size_t k = 0; k < links->n_components && !status; k++) {
        struct coulomb_problem problem = {.w = &l->matrix.rows,
                                          .side = linked_by_motion(l) ? l->side : NULL,
                                          .n_numbers = links->n_ends,
                                          .rows_each = links->rows_each,
                                          .rows_apart = links->rows_each,
                                          .n = links->start[k + 1] - links->start[k],
                                          .row = links->row + links->rows_each * links->start[k],
                                          .q = l->q,
                                          .sliding = friction->sliding,
                                          .sticking = friction->sticking,
                                          .pressed = friction->pressed};
        struct complementarity_report report;
        if (!s->response->solved[k])
            continue;
        status = coulomb_approach(&l->solver, &problem, &tolerance, l->held, l->expected, &report,
                                  error);
        s->wrong += report.wrong;
    }
    return status;
}

/* Fills l->z with y. */
static void find_y(struct linked_step *s)
{
    struct linked *l = s->l;
    for (size_t i = 0; i < l->n; i++)
        l->direction[i] = l->residual[i];
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        linked_push_row(l, row, l->expected[row] - l->impulse[row], l->direction);
    }
    linked_turn(l, l->direction);
    linked_precondition(s->l, l->direction, l->z);
    for (size_t i = 0; i < l->n; i++)
        l->z[i] = vec3_add(l->x[i], l->z[i]);
}

/* Fills l->direction with the residual b + J^T expected - A y; returns its norm over that of the
 * larger of b and A y. */
static double find_residual(struct linked_step *s)
{
    struct linked *l = s->l;
    linked_apply(s->l, l->z, l->image);
    for (size_t i = 0; i < l->n; i++)
        l->direction[i] = vec3_sub(l->b[i], l->image[i]);
    for (size_t k = 0; k < l->n_scope; k++)
        linked_push_row(l, l->scope[k], l->expected[l->scope[k]], l->direction);
    linked_turn(l, l->direction);
    double scale = fmax(norm(l, l->b), norm(l, l->image));
    return scale > 0.0 ? norm(l, l->direction) / scale : 0.0;
}

/* The largest difference between the slip by y and that of the local problem, which leaves out how
 * pieces turn, m/s. */
static double slip_off(const struct linked_step *s)
{
    const struct linked *l = s->l;
    double largest = 0.0;
    if (s->links->turning.n == 0)
        return 0.0;
    linked_look(l, l->z);
    give(s->l, l->expected);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        double local = l->q[row] + own_speed(l, row, l->expected);
        largest = fmax(largest, fabs(linked_speed(l, row, l->z) - l->goal[row] - local));
    }
    return largest;
}

/* Finds y from the impulses, and whether it is the solution of the step. */
static bool settles(struct linked_step *s)
{
    find_y(s);
    s->local_residual = find_residual(s);
    return s->wrong == 0 && s->local_residual <= s->l->tolerance && slip_off(s) <= s->speed_left;
}

static bool solve_normals(struct linked_step *s)
{
    double fine = finest(s), rough = ROUGH * s->local_residual * s->largest;
    approach_normals(s, fmax(rough, fine));
    bool settled = settles(s);
    if (!settled || rough <= fine)
        return settled;
    approach_normals(s, fine);
    return settles(s);
}

enum status linked_solve_local(struct linked_step *s, bool *settled, struct error *error)
{
    if (s->links->rows_each == 1 && !linked_by_motion(s->l)) {
        *settled = solve_normals(s);
        return STATUS_OK;
    }
    enum status status = approach_contacts(s, error);
    *settled = !status && settles(s);
    return status;
}

void linked_take_local(struct linked_step *s)
{
    struct linked *l = s->l;
    for (size_t i = 0; i < l->n; i++) {
        l->x[i] = l->z[i];
        l->residual[i] = l->direction[i];
    }
    for (size_t k = 0; k < l->n_scope; k++)
        l->impulse[l->scope[k]] = l->expected[l->scope[k]];
    s->response->residual = s->local_residual;
}

/* ---- a descent by local problems ---- */

/* Moves x to y and on along the conjugate direction, for which y - x plays the part of the
 * gradient, and finds the residual of x with the impulses of y. Returns how far y was from x. */
static double go_on(struct linked_step *s, double before)
{
    struct linked *l = s->l;
    for (size_t i = 0; i < l->n; i++)
        l->x[i] = vec3_sub(l->z[i], l->x[i]);
    double now = norm(l, l->x), share = now < before ? now * now / (before * before) : 0.0;
    for (size_t i = 0; i < l->n; i++) {
        struct vec3 farther = vec3_scale(share, l->conjugate[i]);
        l->conjugate[i] = vec3_add(farther, l->x[i]);
        l->x[i] = vec3_add(l->z[i], farther);
    }
    linked_apply(s->l, l->x, l->image);
    for (size_t i = 0; i < l->n; i++)
        l->residual[i] = vec3_sub(l->b[i], l->image[i]);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->impulse[row] = l->expected[row];
        linked_push_row(l, row, l->impulse[row], l->residual);
    }
    return now;
}

enum status linked_descend(struct linked_step *s, bool *settled, struct error *error)
{
    enum { MOST = 40 };
    struct linked *l = s->l;
    double before = (double)INFINITY;
    for (size_t i = 0; i < l->n; i++)
        l->conjugate[i] = vec3(0.0, 0.0, 0.0);
    for (int k = 0; k < MOST && !*settled; k++) {
        before = go_on(s, before);
        linked_fill_local(s);
        enum status status = linked_solve_local(s, settled, error);
        if (status)
            return status;
    }
    linked_take_local(s);
    return STATUS_OK;
}

size_t linked_count_unresolved(const struct linked_step *s)
{
    const struct linked *l = s->l;
    size_t each = s->links->rows_each, n = 0;
    for (size_t k = 0; k < l->n_scope; k += each) {
        double largest = 0.0;
        for (size_t d = 0; d < each; d++)
            largest = fmax(largest, fabs(linked_response(l, l->scope[k + d], l->residual)));
        n += largest > s->speed_left;
    }
    return n + s->wrong > 0 ? n + s->wrong : 1;
}
