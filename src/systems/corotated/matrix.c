/* The matrix is assembled like that of finite elements: the neighborhood of particle i is an
 * element over i and its neighbors. Its matrix acts on the differences x_k - x_i; between neighbors
 * k and l it has the entry
 *
 *     c_k [k = l] + a_k . y_l + y_k . u_l,    u_k = c_k X_ik,  a_k = u_k + S y_k,
 *     S = 2 dt^2 mu V_i 1 + sum_j c_j X_ij X_ij^T,
 *
 * with c_k = dt^2 c_ik and y_k = y_ik; entries of i itself follow from sums, because translations
 * cost nothing. Row k gathers from all elements that k belongs to: its own, and those of its
 * neighbors. */
#include "systems/corotated/matrix.h"

#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>

/* The quantities of a pair of particles i and k. */
struct pair {
    struct vec3 y, a, u;
    double c;
};

/* The elements; `sum` has the sums over the neighbors of each i. */
struct elements {
    const struct corotated_matrix_setting *setting;
    const struct rest *rest;
    struct pair *pair; /* (rest->start[n]) */
    struct pair *sum;  /* (n) */
    uint32_t *scratch; /* (2 n of each thread) */
};

static bool is_held(const struct elements *el, size_t k)
{
    return el->setting->held && el->setting->held[k];
}

static struct vec3 from_neighbor(const struct rest *rest, size_t i, size_t e)
{
    return vec3_sub(rest->position[i], rest->position[rest->neighbor[e]]);
}

/* S of particle i, from the u of its pairs. */
static struct sym3 stiffness(const struct elements *el, size_t i)
{
    const struct rest *rest = el->rest;
    const double dt = el->setting->dt;
    const double diagonal = 2.0 * dt * dt * el->setting->mu * rest->volume[i];
    struct sym3 s = {.xx = diagonal, .yy = diagonal, .zz = diagonal};
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct vec3 x = from_neighbor(rest, i, e), u = el->pair[e].u;
        s.xx += u.x * x.x;
        s.xy += u.x * x.y;
        s.xz += u.x * x.z;
        s.yy += u.y * x.y;
        s.yz += u.y * x.z;
        s.zz += u.z * x.z;
    }
    return s;
}

static void find_element(const struct elements *el, size_t i)
{
    const struct rest *rest = el->rest;
    const double dt = el->setting->dt;
    const double scale = dt * dt * el->setting->control * el->setting->mu;
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        el->pair[e].c = scale * rest->control[e];
        el->pair[e].u = vec3_scale(el->pair[e].c, from_neighbor(rest, i, e));
        el->pair[e].y = rest_corrected(rest, i, e);
    }
    const struct sym3 s = stiffness(el, i);
    struct pair sum = {0};
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++) {
        struct pair *p = &el->pair[e];
        p->a = vec3_add(p->u, sym3_mul(s, p->y));
        sum.y = vec3_add(sum.y, p->y);
        sum.a = vec3_add(sum.a, p->a);
        sum.u = vec3_add(sum.u, p->u);
        sum.c += p->c;
    }
    el->sum[i] = sum;
}

/* The pair of i with its neighbor k. */
static size_t pair_with(const struct rest *rest, size_t i, size_t k)
{
    size_t low = rest->start[i], high = rest->start[i + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rest->neighbor[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Row k while it is assembled. */
struct row {
    size_t k, n;      /* entries beside the diagonal */
    uint32_t *slot;   /* 1 + the place of the entry in each column, 0: none; all 0 between rows
                         (n of the matrix) */
    uint32_t *column; /* (n) */
    double *value;    /* (n) */
    double diagonal;
};

static struct row row_of_thread(const struct elements *el)
{
    return (struct row){.slot = el->scratch + 2 * el->rest->n * (size_t)omp_get_thread_num()};
}

static void touch(const struct elements *el, struct row *row, size_t l)
{
    if (l == row->k || row->slot[l] || is_held(el, l))
        return;
    row->column[row->n++] = (uint32_t)l;
    row->slot[l] = (uint32_t)row->n;
}

/* Lists the columns of row k: neighbors, then neighbors of neighbors. */
static void begin_row(const struct elements *el, struct row *row, size_t k, uint32_t *column)
{
    const struct rest *rest = el->rest;
    row->k = k;
    row->n = 0;
    row->column = column;
    if (is_held(el, k))
        return;
    for (size_t e = rest->start[k]; e < rest->start[k + 1]; e++)
        touch(el, row, rest->neighbor[e]);
    for (size_t e = rest->start[k]; e < rest->start[k + 1]; e++) {
        const size_t i = rest->neighbor[e];
        for (size_t f = rest->start[i]; f < rest->start[i + 1]; f++)
            touch(el, row, rest->neighbor[f]);
    }
}

static void end_row(struct row *row)
{
    for (size_t e = 0; e < row->n; e++)
        row->slot[row->column[e]] = 0;
}

static void add(struct row *row, size_t l, double value)
{
    if (l == row->k)
        row->diagonal += value;
    else if (row->slot[l])
        row->value[row->slot[l] - 1] += value;
}

/* Adds the element of k itself. */
static void add_own(const struct elements *el, struct row *row)
{
    const struct rest *rest = el->rest;
    const struct pair *all = &el->sum[row->k];
    for (size_t e = rest->start[row->k]; e < rest->start[row->k + 1]; e++) {
        const struct pair *p = &el->pair[e];
        add(row, rest->neighbor[e], -(p->c + vec3_dot(all->a, p->y) + vec3_dot(all->y, p->u)));
    }
    add(row, row->k, all->c + vec3_dot(all->a, all->y) + vec3_dot(all->y, all->u));
}

/* Adds the element of neighbor i. */
static void add_neighbor(const struct elements *el, struct row *row, size_t i)
{
    const struct rest *rest = el->rest;
    const struct pair *own = &el->pair[pair_with(rest, i, row->k)], *all = &el->sum[i];
    for (size_t e = rest->start[i]; e < rest->start[i + 1]; e++)
        add(row, rest->neighbor[e],
            vec3_dot(own->a, el->pair[e].y) + vec3_dot(own->y, el->pair[e].u));
    add(row, row->k, own->c);
    add(row, i, -(own->c + vec3_dot(own->a, all->y) + vec3_dot(own->y, all->u)));
}

static void fill_row(const struct elements *el, struct sparse_rows *a, struct row *row, size_t k)
{
    const struct rest *rest = el->rest;
    begin_row(el, row, k, a->column + a->start[k]);
    row->value = a->value + a->start[k];
    row->diagonal = el->setting->mass[k];
    add_own(el, row);
    for (size_t e = rest->start[k]; e < rest->start[k + 1]; e++)
        add_neighbor(el, row, rest->neighbor[e]);
    a->diagonal[k] = row->diagonal;
    end_row(row);
}

static enum status find_rows(const struct elements *el, struct sparse_rows *a, struct error *error)
{
#pragma omp parallel
    {
        struct row row = row_of_thread(el);
#pragma omp for schedule(dynamic, 256)
        for (size_t k = 0; k < a->n; k++) {
            begin_row(el, &row, k, row.slot + a->n);
            a->start[k + 1] = row.n;
            end_row(&row);
        }
    }
    for (size_t k = 0; k < a->n; k++)
        a->start[k + 1] += a->start[k];
    if (array_create(&a->column, a->start[a->n], sizeof *a->column, "a matrix", error) ||
        array_create(&a->value, a->start[a->n], sizeof *a->value, "a matrix", error))
        return STATUS_FAILED;
#pragma omp parallel
    {
        struct row row = row_of_thread(el);
#pragma omp for schedule(dynamic, 256)
        for (size_t k = 0; k < a->n; k++)
            fill_row(el, a, &row, k);
    }
    return STATUS_OK;
}

static enum status assemble(struct elements *el, struct sparse_rows *a, struct error *error)
{
    const size_t n = el->rest->n, threads = (size_t)omp_get_max_threads();
    if (array_create(&a->start, n + 1, sizeof *a->start, "a matrix", error) ||
        array_create(&a->diagonal, n, sizeof *a->diagonal, "a matrix", error) ||
        array_create(&el->pair, el->rest->start[n], sizeof *el->pair, "elements", error) ||
        array_create(&el->sum, n, sizeof *el->sum, "elements", error) ||
        array_create(&el->scratch, 2 * n * threads, sizeof *el->scratch, "elements", error))
        return STATUS_FAILED;
    a->n = n;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        find_element(el, i);
    return find_rows(el, a, error);
}

enum status corotated_matrix_create(struct sparse_rows *a,
                                    const struct corotated_matrix_setting *setting,
                                    struct error *error)
{
    struct elements el = {.setting = setting, .rest = setting->rest};
    *a = (struct sparse_rows){0};
    enum status status = assemble(&el, a, error);
    free(el.pair);
    free(el.sum);
    free(el.scratch);
    if (status)
        corotated_matrix_free(a);
    return status;
}

void corotated_matrix_free(struct sparse_rows *a)
{
    free(a->start);
    free(a->column);
    free(a->value);
    free(a->diagonal);
    *a = (struct sparse_rows){0};
}
