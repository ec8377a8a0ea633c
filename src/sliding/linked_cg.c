/* Conjugate gradients under the constraints of links. With D the block diagonal of A, the
 * preconditioner solves
 *
 *     [ D  J^T ] [ z ]   [ r ]
 *     [ J   0  ] [ y ] = [ 0 ]
 *
 * so that J z = 0: y = (J D^-1 J^T)^-1 J D^-1 r, z = D^-1 (r - J^T y). Every iteration replaces the
 * residual by r - J^T y and adds y to the impulses. So the residual at the end is the error alone,
 * and is not swamped by impulses, which are much larger. Each projection is done twice, because
 * rounding and the larger diagonal of the factor (COMPLEMENTARITY_MORE) leave a remainder.
 *
 * With N = 1 - D^-1 J^T (J D^-1 J^T)^-1 J this is z = N D^-1 N^T r. Where a system knows a P that
 * is nearer to A than D is, it is z = N P^-1 N^T r: iterations then depend on how stiff contact
 * makes the few particles at links, and not on how stiff bodies are. */
#include "base/blocks.h"
#include "sliding/linked.h"

static struct vec3 at_end(const struct linked *l, size_t c, uint32_t end, const struct vec3 *x)
{
    if (end == LINK_WALL || l->unknown[end] == NO_UNKNOWN)
        return vec3(0.0, 0.0, 0.0);
    if (linked_body_at(l, end) != LINK_NO_BODY)
        return linked_body_velocity(l, c, end, x);
    return x[l->unknown[end]];
}

void linked_look(const struct linked *l, const struct vec3 *x)
{
    link_pieces_look(&l->links->turning, x);
}

struct vec3 linked_apart_ends(const struct linked *l, size_t c, const struct vec3 *x)
{
    const struct links *links = l->links;
    return vec3_sub(at_end(l, c, links->end_j[c], x), at_end(l, c, links->end_i[c], x));
}

struct vec3 linked_apart(const struct linked *l, size_t c, const struct vec3 *x)
{
    const struct vec3 apart = linked_apart_ends(l, c, x);
    return l->links->turning.n > 0 ? links_slip(l->links, c, apart) : apart;
}

double linked_speed(const struct linked *l, uint32_t row, const struct vec3 *x)
{
    size_t c = links_of_row(l->links, row);
    return vec3_dot(links_direction(l->links, row), linked_apart(l, c, x));
}

static struct vec3 response_at(const struct linked *l, size_t c, uint32_t end, const struct vec3 *r)
{
    if (end == LINK_WALL || l->unknown[end] == NO_UNKNOWN)
        return vec3(0.0, 0.0, 0.0);
    if (linked_body_at(l, end) != LINK_NO_BODY)
        return linked_body_response(l, c, end, r);
    return sym3_mul(l->mobility[end], r[l->unknown[end]]);
}

struct vec3 linked_response_at(const struct linked *l, size_t c, const struct vec3 *r)
{
    return vec3_sub(response_at(l, c, l->links->end_j[c], r),
                    response_at(l, c, l->links->end_i[c], r));
}

double linked_response(const struct linked *l, uint32_t row, const struct vec3 *r)
{
    return vec3_dot(links_direction(l->links, row),
                    linked_response_at(l, links_of_row(l->links, row), r));
}

static void push_at(const struct linked *l, size_t c, uint32_t end, double sign,
                    struct vec3 impulse, struct vec3 *r)
{
    if (end == LINK_WALL || l->unknown[end] == NO_UNKNOWN)
        return;
    if (linked_body_at(l, end) != LINK_NO_BODY) {
        linked_body_push(l, c, end, vec3_scale(sign, impulse), r);
        return;
    }
    struct vec3 *value = &r[l->unknown[end]];
    *value = vec3_axpy(*value, sign, impulse);
}

void linked_push_ends(const struct linked *l, size_t c, struct vec3 impulse, struct vec3 *r)
{
    push_at(l, c, l->links->end_i[c], -1.0, impulse, r);
    push_at(l, c, l->links->end_j[c], 1.0, impulse, r);
}

void linked_push(const struct linked *l, size_t c, struct vec3 impulse, struct vec3 *r)
{
    linked_push_ends(l, c, impulse, r);
    if (l->links->turning.n > 0)
        links_twist(l->links, c, impulse);
}

void linked_push_row(const struct linked *l, uint32_t row, double impulse, struct vec3 *r)
{
    struct vec3 given = vec3_scale(impulse, links_direction(l->links, row));
    linked_push(l, links_of_row(l->links, row), given, r);
}

void linked_turn(const struct linked *l, struct vec3 *r)
{
    link_pieces_spread(&l->links->turning, r, NULL);
}

void linked_apply(const struct linked *l, const struct vec3 *x, struct vec3 *y)
{
    for (size_t k = 0; k < l->n_systems; k++) {
        const struct linked_system *of = &l->system[k];
        const struct linear_operator *A = &of->step.matrix;
        A->apply(A->context, &x[of->begin].x, &y[of->begin].x);
    }
    for (size_t k = 0; k < l->n_foreign; k++)
        y[l->n_own + k] = vec3_scale(l->foreign_mass[k], x[l->n_own + k]);
    linked_bodies_apply(l, x, y);
}

void linked_precondition(const struct linked *l, const struct vec3 *r, struct vec3 *z)
{
    for (size_t k = 0; k < l->n_systems; k++) {
        const struct linked_system *of = &l->system[k];
        const struct linear_operator *A = &of->step.matrix;
        A->precondition(A->context, &r[of->begin].x, &z[of->begin].x);
    }
    for (size_t k = 0; k < l->n_foreign; k++)
        z[l->n_own + k] = vec3_scale(1.0 / l->foreign_mass[k], r[l->n_own + k]);
    linked_bodies_invert(l, r, z);
}

bool linked_inverts(const struct linked *l)
{
    bool inverts = false;
    for (size_t k = 0; k < l->n_systems; k++)
        inverts = inverts || l->system[k].step.invert;
    return inverts;
}

void linked_invert(const struct linked *l, const struct vec3 *r, struct vec3 *z)
{
    for (size_t k = 0; k < l->n_systems; k++) {
        const struct linked_system *of = &l->system[k];
        const struct linear_operator *A = &of->step.matrix;
        (of->step.invert ? of->step.invert : A->precondition)(A->context, &r[of->begin].x,
                                                              &z[of->begin].x);
    }
    for (size_t k = 0; k < l->n_foreign; k++)
        z[l->n_own + k] = vec3_scale(1.0 / l->foreign_mass[k], r[l->n_own + k]);
    linked_bodies_invert(l, r, z);
}

struct product {
    const struct vec3 *a, *b;
};

static double product_of_block(size_t begin, size_t end, const void *context)
{
    const struct product *p = context;
    double sum = 0.0;
    for (size_t i = begin; i < end; i++)
        sum += vec3_dot(p->a[i], p->b[i]);
    return sum;
}

double linked_dot(const struct linked *l, const struct vec3 *a, const struct vec3 *b)
{
    return blocks_sum(l->n, product_of_block, &(struct product){a, b});
}

/* to = a + s b */
static void combine(const struct linked *l, const struct vec3 *a, double s, const struct vec3 *b,
                    struct vec3 *to)
{
#pragma omp parallel for schedule(static) if (l->n > LINKED_MANY)
    for (size_t i = 0; i < l->n; i++)
        to[i] = vec3_axpy(a[i], s, b[i]);
}

/* Removes from the residual the part that the rows that hold can bear, and adds it to their
 * impulses. */
static void project(struct linked *l)
{
    const struct sparse_factor *factor = &l->solver.normals.factor;
    const uint32_t *part = l->solver.normals.part;
    double *y = l->solver.normals.change;
    for (int twice = 0; twice < 2; twice++) {
        for (size_t k = 0; k < factor->n; k++)
            y[k] = linked_response(l, part[k], l->residual);
        sparse_factor_solve(factor, y);
        for (size_t k = 0; k < factor->n; k++) {
            linked_push_row(l, part[k], -y[k], l->residual);
            l->impulse[part[k]] -= y[k];
        }
    }
}

void linked_add_response(const struct linked *l, const struct vec3 *r, struct vec3 *z)
{
    for (size_t e = 0; e < l->links->n_ends; e++) {
        const uint32_t u = l->unknown[e];
        if (u != NO_UNKNOWN && linked_body_at(l, (uint32_t)e) == LINK_NO_BODY)
            z[u] = vec3_add(z[u], sym3_mul(l->mobility[e], r[u]));
    }
    linked_bodies_respond(l, r, z);
}

/* z -= D^-1 J^T (J D^-1 J^T)^-1 J z: afterwards, J z = 0 in the rows that hold. */
static void hold(struct linked *l)
{
    const struct sparse_factor *factor = &l->solver.normals.factor;
    const uint32_t *part = l->solver.normals.part;
    double *y = l->solver.normals.change;
    for (int twice = 0; twice < 2; twice++) {
        for (size_t k = 0; k < factor->n; k++)
            y[k] = linked_speed(l, part[k], l->z);
        sparse_factor_solve(factor, y);
        for (size_t i = 0; i < l->n; i++)
            l->image[i] = vec3(0.0, 0.0, 0.0);
        for (size_t k = 0; k < factor->n; k++)
            linked_push_row(l, part[k], -y[k], l->image);
        linked_add_response(l, l->image, l->z);
    }
}

/* Applies the preconditioner to a residual that is projected. */
static void find_z(struct linked *l)
{
    if (!linked_inverts(l)) {
        linked_precondition(l, l->residual, l->z);
        return;
    }
    linked_invert(l, l->residual, l->z);
    hold(l);
}

/* Changes x by D^-1 J^T y, so that J x is the goal. */
static void reach_goal(struct linked *l)
{
    const struct sparse_factor *factor = &l->solver.normals.factor;
    const uint32_t *part = l->solver.normals.part;
    double *y = l->solver.normals.change;
    for (int thrice = 0; thrice < 3 && factor->n > 0; thrice++) {
        for (size_t i = 0; i < l->n; i++)
            l->direction[i] = vec3(0.0, 0.0, 0.0);
        for (size_t k = 0; k < factor->n; k++)
            y[k] = l->goal[part[k]] - linked_speed(l, part[k], l->x);
        sparse_factor_solve(factor, y);
        for (size_t k = 0; k < factor->n; k++)
            linked_push_row(l, part[k], y[k], l->direction);
        linked_precondition(l, l->direction, l->z);
        combine(l, l->x, 1.0, l->z, l->x);
    }
}

/* Finds the residual of x without the part that the rows that hold bear; returns its squared norm.
 * Their impulses begin with the expected ones: directions that move no particle keep these, and so
 * do not come to pull where the expected impulses did not. */
static double begin(struct linked *l)
{
    reach_goal(l);
    linked_apply(l, l->x, l->image);
    combine(l, l->b, -1.0, l->image, l->residual);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->impulse[row] = l->held[row] ? l->expected[row] : 0.0;
        linked_push_row(l, row, l->impulse[row], l->residual);
    }
    project(l);
    return linked_dot(l, l->residual, l->residual);
}

/* The norm to which the residual is compared: that of the right side or, where it is small, of the
 * residual that the goals alone cause. A guess whose residual is larger than the right side is
 * dropped. */
static double find_scale(struct linked *l, double *rr)
{
    double scale = linked_dot(l, l->b, l->b);
    if (*rr <= scale)
        return sqrt(scale);
    for (size_t i = 0; i < l->n; i++)
        l->x[i] = vec3(0.0, 0.0, 0.0);
    *rr = begin(l);
    return sqrt(fmax(scale, *rr));
}

static enum status not_solved(const struct linked_report *report, double tolerance,
                              struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "the solver stopped at a relative residual of %.3g after %zu iterations, %.3g "
                     "was asked for; raise solver.max_iterations or lower time.max_step",
                     report->residual, report->iterations, tolerance);
}

enum status linked_solve(struct linked *l, struct linked_report *report, struct error *error)
{
    double rr = begin(l), scale = find_scale(l, &rr), old_rz = 0.0;
    double unit = scale > 0.0 ? scale : 1.0;
    *report = (struct linked_report){0, sqrt(rr) / unit};
    while (!(report->residual <= l->tolerance)) {
        if (report->iterations == l->max_iterations || !isfinite(rr))
            return not_solved(report, l->tolerance, error);
        find_z(l);
        double rz = linked_dot(l, l->residual, l->z);
        if (report->iterations == 0)
            combine(l, l->z, 0.0, l->z, l->direction);
        else
            combine(l, l->z, rz / old_rz, l->direction, l->direction);
        linked_apply(l, l->direction, l->image);
        double alpha = rz / linked_dot(l, l->direction, l->image);
        combine(l, l->x, alpha, l->direction, l->x);
        combine(l, l->residual, -alpha, l->image, l->residual);
        project(l);
        rr = linked_dot(l, l->residual, l->residual);
        old_rz = rz;
        report->residual = sqrt(rr) / unit;
        report->iterations++;
    }
    return STATUS_OK;
}
