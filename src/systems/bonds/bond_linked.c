/* The implicit step with links (struct link_response). Which links hold is guessed, the linear
 * system is solved with these as equations (bond_linked_cg.c), and a better guess follows from the
 * solution x by one step of a method that is exact where particles feel nothing but links:
 *
 *     least |y - x|_D^2 / 2 + (A x - b).(y - x)  with  J (V + y) + offset >= 0
 *
 * a complementarity problem of J D^-1 J^T, with D the block diagonal of A. Its impulses `expected`
 * say who holds next; x is the solution if it is y, and then they are those of x. The first guess
 * comes in the same way from what the last step expects of this one, so that nothing else has to be
 * remembered of who held.
 *
 * With friction the local problem is that of cones (solvers/coulomb.h), from which follows who
 * presses, sticks and slips (bond_linked_friction.c). */
#include "base/memory.h"
#include "systems/bonds/bond_implicit.h"

#include <stdlib.h>
#include <string.h>

void bond_linked_free(struct bond_linked *l)
{
    free(l->x);
    free(l->b);
    free(l->residual);
    free(l->z);
    free(l->direction);
    free(l->image);
    free(l->foreign_mass);
    free(l->foreign_particle);
    free(l->unknown);
    free(l->mobility);
    free(l->scope);
    free(l->goal);
    free(l->q);
    free(l->impulse);
    free(l->expected);
    free(l->held);
    free(l->known);
    free(l->along);
    free(l->tilt);
    free(l->shift);
    free(l->upright);
    free(l->drag);
    free(l->diagonal);
    free(l->bears);
    free(l->normal_row);
    free(l->tied);
    free(l->tied_sum);
    free(l->tied_mass);
    links_matrix_free(&l->matrix);
    links_matrix_free(&l->normals);
    links_matrix_free(&l->turned);
    coulomb_free(&l->solver);
    *l = (struct bond_linked){0};
}

/* ---- room ---- */

static enum status grow(void *array, size_t from, size_t to, size_t size, struct error *error)
{
    return array_reserve(array, &from, to, size, "links", error);
}

static size_t larger_room(size_t room, size_t needed)
{
    return needed > 2 * room ? needed : 2 * room;
}

static enum status reserve_unknowns(struct bond_linked *l, size_t n, struct error *error)
{
    size_t from = l->capacity, to = from == 0 ? n : larger_room(from, n), size = sizeof *l->x;
    if (n <= from)
        return STATUS_OK;
    if (grow(&l->x, from, to, size, error) || grow(&l->b, from, to, size, error) ||
        grow(&l->residual, from, to, size, error) || grow(&l->z, from, to, size, error) ||
        grow(&l->direction, from, to, size, error) || grow(&l->image, from, to, size, error))
        return STATUS_FAILED;
    l->capacity = to;
    return STATUS_OK;
}

/* There are at most as many foreign particles as ends. */
static enum status reserve_ends(struct bond_linked *l, size_t n, struct error *error)
{
    size_t from = l->end_capacity, to = larger_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (grow(&l->unknown, from, to, sizeof *l->unknown, error) ||
        grow(&l->mobility, from, to, sizeof *l->mobility, error) ||
        grow(&l->foreign_mass, from, to, sizeof *l->foreign_mass, error) ||
        grow(&l->foreign_particle, from, to, sizeof *l->foreign_particle, error))
        return STATUS_FAILED;
    l->end_capacity = to;
    return STATUS_OK;
}

static enum status reserve_rows(struct bond_linked *l, size_t n, struct error *error)
{
    size_t from = l->link_capacity, to = larger_room(from, n);
    if (n <= from)
        return STATUS_OK;
    if (grow(&l->scope, from, to, sizeof *l->scope, error) ||
        grow(&l->goal, from, to, sizeof *l->goal, error) ||
        grow(&l->q, from, to, sizeof *l->q, error) ||
        grow(&l->impulse, from, to, sizeof *l->impulse, error) ||
        grow(&l->expected, from, to, sizeof *l->expected, error) ||
        grow(&l->held, from, to, sizeof *l->held, error) ||
        grow(&l->known, from, to, sizeof *l->known, error) ||
        grow(&l->along, from, to, sizeof *l->along, error) ||
        grow(&l->tilt, from, to, sizeof *l->tilt, error) ||
        grow(&l->shift, from, to, sizeof *l->shift, error) ||
        grow(&l->upright, from, to, sizeof *l->upright, error) ||
        grow(&l->drag, from, to, sizeof *l->drag, error) ||
        grow(&l->diagonal, from, to, sizeof *l->diagonal, error) ||
        grow(&l->bears, from, to, sizeof *l->bears, error) ||
        grow(&l->normal_row, from, to, sizeof *l->normal_row, error))
        return STATUS_FAILED;
    l->link_capacity = to;
    return STATUS_OK;
}

/* ---- unknowns ---- */

/* A step at work. */
struct linked_step {
    struct bond_implicit *step;
    struct bond_linked *l;
    const struct particles *particles;
    struct links *links;
    double dt;
    const struct motion *motion;
    struct link_response *response;
    double largest;    /* speed in the problem, m/s */
    double speed_left; /* speeds along normals that the tolerance of the solver leaves, m/s */
    double off;        /* how far normals are from the solution at x, m/s */
    size_t rubbing;    /* links whose friction another stage would change */
    double near;       /* bounds of friction are known from the stage before if normals were less
                          than this off in it, m/s */
    enum bond_friction_stage friction_stage;
};

static bool is_own(const struct linked_step *s, uint32_t particle)
{
    size_t first = s->step->net.system.first;
    return particle >= first && particle < first + s->step->net.system.n;
}

static bool is_free(const struct linked_step *s, uint32_t particle)
{
    return s->particles->state[particle] == PARTICLE_FREE;
}

static bool is_free_own(const struct linked_step *s, uint32_t particle)
{
    return particle != LINK_WALL && is_own(s, particle) && is_free(s, particle);
}

/* The rows of components that a free particle of the network belongs to. */
static void find_scope(struct linked_step *s)
{
    const struct links *links = s->links;
    size_t each = links->rows_each;
    s->l->n_scope = 0;
    for (size_t c = 0; c < links->n; c++)
        if (is_free_own(s, links->link[c].i) || is_free_own(s, links->link[c].j))
            s->response->solved[links->component[c]] = 1;
    for (size_t part = 0; part < links->n_components; part++)
        for (size_t m = links->start[part]; s->response->solved[part] && m < links->start[part + 1];
             m++)
            for (size_t k = 0; k < each; k++)
                s->l->scope[s->l->n_scope++] = links->row[each * m + k];
}

static bool in_scope(const struct linked_step *s, size_t end)
{
    uint32_t c = s->links->link_of[s->links->link_start[end]];
    return s->response->solved[s->links->component[c]];
}

static void add_foreign(struct linked_step *s, size_t end)
{
    struct bond_linked *l = s->l;
    uint32_t i = s->links->particle[end];
    double per_mass = 1.0 / s->particles->mass[i];
    l->unknown[end] = (uint32_t)(s->step->net.system.n + l->n_foreign);
    l->mobility[end] = (struct sym3){per_mass, 0.0, 0.0, per_mass, 0.0, per_mass};
    l->foreign_mass[l->n_foreign] = s->particles->mass[i];
    l->foreign_particle[l->n_foreign++] = i;
}

/* A free end that belongs to several components does not exist; a fixed one is no unknown. */
static void find_unknowns(struct linked_step *s)
{
    struct bond_linked *l = s->l;
    l->n_foreign = 0;
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t i = s->links->particle[e];
        l->unknown[e] = BOND_NO_UNKNOWN;
        l->mobility[e] = (struct sym3){0};
        if (!is_free(s, i) || !in_scope(s, e))
            continue;
        if (!is_own(s, i)) {
            add_foreign(s, e);
            continue;
        }
        l->unknown[e] = (uint32_t)(i - s->step->net.system.first);
        l->mobility[e] = bond_precondition_block(s->step, l->unknown[e]);
    }
    l->n = s->step->net.system.n + l->n_foreign;
}

/* Right side and first guess: of the network's particles as without links; the others would change
 * as their own systems found. */
static void fill_unknowns(struct linked_step *s)
{
    struct bond_linked *l = s->l;
    const struct vec3 *before = s->motion->before + s->step->net.system.first;
    const struct vec3 *guess = s->step->warm_start;
    size_t own = s->step->net.system.n;
    if (s->response->guess)
        guess = s->response->guess + s->step->net.system.first;
    bond_right_side(s->step, s->particles, s->dt, before);
    memcpy(l->b, s->step->right_side, own * sizeof *l->b);
    for (size_t i = 0; i < own; i++)
        l->x[i] = s->step->weight[i] ? vec3_sub(guess[i], before[i]) : vec3(0.0, 0.0, 0.0);
    for (size_t e = 0; e < s->links->n_ends; e++) {
        uint32_t u = l->unknown[e];
        if (u == BOND_NO_UNKNOWN || u < own)
            continue;
        l->x[u] = vec3_sub(s->response->after[e], s->motion->before[s->links->particle[e]]);
        l->b[u] = vec3_scale(l->foreign_mass[u - own], l->x[u]);
    }
}

static void set_goals(struct linked_step *s)
{
    const struct links *links = s->links;
    for (size_t k = 0; k < s->l->n_scope; k++) {
        uint32_t row = s->l->scope[k];
        size_t c = links_of_row(links, row);
        uint32_t j = links->link[c].j;
        struct vec3 v = s->motion->before[links->link[c].i];
        struct vec3 apart = vec3_scale(-1.0, v);
        if (j != LINK_WALL)
            apart = vec3_sub(s->motion->before[j], v);
        double offset = row == links_normal_row(links, c) ? links->link[c].offset : 0.0;
        s->l->goal[row] = -(vec3_dot(links_direction(links, row), apart) + offset);
    }
}

/* ---- who holds ---- */

static void set_tolerances(struct linked_step *s)
{
    static const double near = 1e-3;
    const struct bond_linked *l = s->l;
    double largest = 0.0;
    for (size_t k = 0; k < l->n_scope; k += s->links->rows_each) {
        uint32_t row = l->scope[k];
        largest = fmax(largest, fabs(bond_linked_response(l, row, l->b)) + fabs(l->goal[row]));
    }
    s->largest = largest;
    s->speed_left = s->step->tolerance * largest;
    s->near = near * largest;
}

/* The local problem of normals, of which q is filled, and a guess in `expected`: its impulses go
 * there, who has one to `held`. Only `held` goes on, and the normal impulses that bound friction,
 * but it has to be right: with a rough solution, links take turns until the last stage. */
static enum status solve_locally(struct linked_step *s, struct error *error)
{
    static const double of_left = 1e-2;
    const struct links *links = s->links;
    struct bond_linked *l = s->l;
    struct complementarity_report report;
    double tolerance = of_left * s->speed_left;
    for (size_t k = 0; k < links->n_components; k++) {
        if (!s->response->solved[k])
            continue;
        enum status status = complementarity_approach(
            &l->solver.normals, &l->normals.rows, links->start[k + 1] - links->start[k],
            l->normal_row + links->start[k], l->q, tolerance, l->held, l->expected, &report, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status approach_cones(struct linked_step *s, size_t most_sweeps, size_t *wrong,
                                  struct error *error)
{
    static const double rounding = 1e-14;
    const struct link_response *r = s->response;
    return bond_linked_approach_friction(s->l, &r->friction, r->solved, rounding * s->largest,
                                         most_sweeps, wrong, error);
}

/* The local problem with friction, in which whoever is pressed sticks at first. Where sweeps end,
 * bounds are known. */
static enum status solve_cones(struct linked_step *s, struct error *error)
{
    enum { MOST_SWEEPS = 400 };
    struct bond_linked *l = s->l;
    const struct link_response *r = s->response;
    size_t wrong = 0;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        size_t c = links_of_row(s->links, row), normal = links_normal_row(s->links, c);
        l->held[row] = l->q[normal] < 0.0 || (row != normal && r->friction.pressed[c] > 0.0);
    }
    enum status status = approach_cones(s, MOST_SWEEPS, &wrong, error);
    s->friction_stage =
        wrong > 0 || r->most_stages == 1 ? BOND_FRICTION_TILTED : BOND_FRICTION_KNOWN;
    if (!status)
        bond_linked_plan_friction(l, &r->friction, s->friction_stage);
    return status;
}

/* From the guess x: q = J (V + x + D^-1 (b - A x)) + offset. */
static enum status guess_who_holds(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    bond_linked_apply(s->step, l->x, l->image);
    for (size_t i = 0; i < l->n; i++)
        l->residual[i] = vec3_sub(l->b[i], l->image[i]);
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = bond_linked_speed(l, row, l->x) + bond_linked_response(l, row, l->residual) -
                    l->goal[row];
        l->expected[row] = 0.0;
    }
    return s->links->rows_each > 1 ? solve_cones(s, error) : solve_locally(s, error);
}

/* How far normals are from the solution at x, in speeds: approach at links, and impulses that pull
 * or that act on links that open. */
static double speed_off(const struct bond_linked *l)
{
    double off = 0.0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        uint32_t row = l->scope[k];
        double opens = bond_linked_speed(l, row, l->x) - l->goal[row];
        off = fmax(off, fabs(fmin(opens, l->impulse[row] * l->matrix.rows.diagonal[row])));
    }
    return off;
}

/* The next stage with friction, from the local problem. Sweeps are few: where the network gives way
 * more than particles alone, its solution is too far. */
static enum status judge_cones(struct linked_step *s, struct error *error)
{
    enum { MOST_SWEEPS = 100 };
    static const double nearer = 0.1;
    size_t wrong;
    if (s->friction_stage == BOND_FRICTION_KNOWN && s->off > s->near)
        s->near *= nearer;
    s->friction_stage = s->off < s->near ? BOND_FRICTION_KNOWN : BOND_FRICTION_TILTED;
    enum status status = approach_cones(s, MOST_SWEEPS, &wrong, error);
    if (!status)
        bond_linked_plan_friction(s->l, &s->response->friction, s->friction_stage);
    return status;
}

/* `held` from the local problem at x, whose impulses are what is left of b - A x: q = J
 * (V + x) + offset - J D^-1 J^T impulse. */
static enum status judge_locally(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    for (size_t k = 0; k < l->n_scope; k++) {
        uint32_t row = l->scope[k];
        l->q[row] = bond_linked_speed(l, row, l->x) - l->goal[row] -
                    sparse_rows_times(&l->matrix.rows, row, l->impulse);
    }
    if (s->links->rows_each == 1)
        return solve_locally(s, error);
    return judge_cones(s, error);
}

/* Whether x is the solution; otherwise `held` is new. */
static enum status judge(struct linked_step *s, bool *settled, struct error *error)
{
    static const double little = 1e-6; /* of the largest speed */
    struct bond_linked *l = s->l;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < l->n_scope; k++)
        l->expected[l->scope[k]] = l->impulse[l->scope[k]];
    if (s->links->rows_each > 1)
        s->rubbing = bond_linked_judge_friction(l, &s->response->friction, little * s->largest);
    s->off = speed_off(l);
    *settled = s->off <= s->speed_left && s->rubbing == 0;
    if (!*settled)
        status = judge_locally(s, error);
    return status;
}

/* ---- stages ---- */

/* Of normals. */
static size_t count_changed(const struct bond_linked *l, bool to_held)
{
    size_t n = 0;
    for (size_t k = 0; k < l->n_scope; k += l->links->rows_each) {
        uint32_t row = l->scope[k];
        bool was = l->impulse[row] != 0.0, is = l->held[row];
        n += to_held ? !was && is : was != is;
    }
    return n;
}

static enum status solve_stage(struct linked_step *s, struct error *error)
{
    struct bond_linked *l = s->l;
    struct link_response *r = s->response;
    struct bond_linked_report report;
    if (s->links->rows_each > 1) {
        bond_linked_turn(l);
        set_goals(s);
        if (links_matrix_build(&l->turned, s->links, l->mobility, error))
            return STATUS_FAILED;
    }
    enum status status = bond_linked_factor(l, error);
    if (!status)
        status = bond_linked_solve(s->step, &report, error);
    if (status)
        return status;
    if (s->links->rows_each > 1) {
        bond_linked_turn_back(l);
        set_goals(s);
    }
    *(r->stages == 1 ? &r->iterations_first : &r->iterations_later) += report.iterations;
    r->residual = report.residual;
    return STATUS_OK;
}

static enum status solve_in_stages(struct linked_step *s, struct error *error)
{
    struct link_response *r = s->response;
    for (size_t k = 0; k < s->l->n_scope; k++)
        s->l->drag[s->l->scope[k]] = s->l->known[s->l->scope[k]] = 0.0;
    enum status status = guess_who_holds(s, error);
    bool settled = false;
    while (!status && !settled) {
        r->stages++;
        status = solve_stage(s, error);
        if (!status)
            status = judge(s, &settled, error);
        if (status || settled)
            break;
        if (r->stages == r->most_stages) {
            r->unresolved = count_changed(s->l, false) + s->rubbing;
            break;
        }
        r->late += count_changed(s->l, true);
        if (r->stages == 1)
            r->later(r->context);
    }
    return status;
}

static void report_ends(struct linked_step *s)
{
    const struct bond_linked *l = s->l;
    for (size_t e = 0; e < s->links->n_ends; e++)
        if (l->unknown[e] != BOND_NO_UNKNOWN)
            s->response->after[e] =
                vec3_add(s->motion->before[s->links->particle[e]], l->x[l->unknown[e]]);
    for (size_t k = 0; k < l->n_scope; k++)
        s->response->impulse[l->scope[k]] = l->impulse[l->scope[k]];
}

enum status bond_implicit_integrate_linked(struct system *system, const struct particles *p,
                                           const struct groups *groups, struct links *links,
                                           double dt, struct motion *motion,
                                           struct link_response *response, struct error *error)
{
    struct bond_implicit *step = (struct bond_implicit *)system;
    struct bond_linked *l = &step->linked;
    struct linked_step s = {.step = step,
                            .l = l,
                            .particles = p,
                            .links = links,
                            .dt = dt,
                            .motion = motion,
                            .response = response};
    if (reserve_rows(l, links->rows_each * links->n, error) ||
        reserve_ends(l, links->n_ends, error))
        return STATUS_FAILED;
    step->groups = groups;
    l->links = links;
    bond_groups_choose_unknowns(step);
    bond_groups_add_foreign_mass(step, p);
    bond_precondition_build(step);
    find_scope(&s);
    find_unknowns(&s);
    if (reserve_unknowns(l, l->n, error) ||
        links_matrix_build(&l->matrix, links, l->mobility, error) ||
        links_matrix_take_normals(&l->normals, &l->matrix, links->rows_each, error))
        return STATUS_FAILED;
    for (size_t m = 0; m < links->n; m++)
        l->normal_row[m] = (uint32_t)links_normal_row(links, links->member[m]);
    fill_unknowns(&s);
    set_goals(&s);
    set_tolerances(&s);
    enum status status = solve_in_stages(&s, error);
    if (status)
        return status;
    status = bond_linked_correct_momentum(step, p, error);
    if (status)
        return status;
    report_ends(&s);
    memcpy(step->change, l->x, system->n * sizeof *step->change);
    memcpy(step->work.residual, l->residual, system->n * sizeof *l->residual);
    bond_implicit_report_motion(step, dt, motion);
    return STATUS_OK;
}
