/* A textbook step of FLIP for particles alone in a box whose walls run along faces of the grid. The
 * grid is dense, every particle is weighed against every face, and the pressure is found by
 * Gaussian elimination. */
#ifndef TESTS_NAIVE_FLIP_H
#define TESTS_NAIVE_FLIP_H

#include "flip_scenes.h"

enum { NAIVE_EDGE = 7, NAIVE_CELLS = NAIVE_EDGE * NAIVE_EDGE * NAIVE_EDGE };

/* A cell holds its lower face along each axis. The box has the cells [0, n) along each axis; one
 * more layer holds the faces of its upper walls. */
struct naive_flip {
    double edge;
    int n[3];
    double mass[3][NAIVE_CELLS], fall[3][NAIVE_CELLS], after[3][NAIVE_CELLS];
    double filled[NAIVE_CELLS];
    bool fluid[NAIVE_CELLS];
    double pressure[NAIVE_CELLS];
};

static inline int naive_index(const int c[3])
{
    return c[0] + NAIVE_EDGE * (c[1] + NAIVE_EDGE * c[2]);
}

static inline bool naive_inside(const struct naive_flip *g, const int c[3])
{
    for (int a = 0; a < 3; a++)
        if (c[a] < 0 || c[a] >= g->n[a])
            return false;
    return true;
}

/* The weight of a particle at x, in edges, for the face `c` along `axis`, or for the center of cell
 * `c` if `axis` is 3. Across the axis of a face, layers beyond a wall give their weight to the
 * nearest layer inside; along it there are none beyond. */
static inline double naive_weight(const struct naive_flip *g, const double x[3], const int c[3],
                                  int axis)
{
    double w = 1.0;
    for (int a = 0; a < 3; a++) {
        double own = 0.0;
        if (a == axis) {
            own = fmax(1.0 - fabs(x[a] - c[a]), 0.0);
        } else {
            for (int layer = -1; layer <= g->n[a]; layer++) {
                int to = axis == 3 || (layer >= 0 && layer < g->n[a]) ? layer
                         : layer < 0                                  ? 0
                                                                      : g->n[a] - 1;
                own += to == c[a] ? fmax(1.0 - fabs(x[a] - layer - 0.5), 0.0) : 0.0;
            }
        }
        w *= own;
    }
    return w;
}

/* A loop over all faces along an axis; those of the upper walls are at n[axis]. Axis 3: over all
 * cells. */
#define NAIVE_FACES(g, axis, c)                                                                    \
    for (int c[3] = {0, 0, 0}; c[2] < (g)->n[2] + ((axis) == 2); c[2]++)                           \
        for (c[1] = 0; c[1] < (g)->n[1] + ((axis) == 1); c[1]++)                                   \
            for (c[0] = 0; c[0] < (g)->n[0] + ((axis) == 0); c[0]++)

static inline void naive_place(const struct naive_flip *g, struct vec3 x, double place[3])
{
    for (unsigned a = 0; a < 3; a++)
        place[a] = component(x, a) / g->edge;
}

static inline void naive_deposit(struct naive_flip *g, const struct particles *p,
                                 struct vec3 gravity, double dt)
{
    for (int a = 0; a < 3; a++)
        NAIVE_FACES(g, a, c)
        {
            double mass = 0.0, momentum = 0.0, x[3];
            for (size_t i = 0; i < p->n; i++) {
                struct vec3 fall = vec3_axpy(p->velocity[i], dt, gravity);
                naive_place(g, p->position[i], x);
                double w = naive_weight(g, x, c, a) * p->mass[i];
                mass += w;
                momentum += w * component(fall, (unsigned)a);
            }
            g->mass[a][naive_index(c)] = mass;
            g->fall[a][naive_index(c)] = mass > 0.0 ? momentum / mass : 0.0;
        }
    NAIVE_FACES(g, 3, c)
    {
        int k = naive_index(c);
        double walls = 1.0, x[3];
        for (size_t i = 0; i < p->n; i++) {
            naive_place(g, p->position[i], x);
            g->fluid[k] |= c[0] == (int)x[0] && c[1] == (int)x[1] && c[2] == (int)x[2];
            g->filled[k] += 0.125 * naive_weight(g, x, c, 3);
        }
        for (int a = 0; a < 3; a++) /* an eighth of a cell's space is beyond a wall beside it */
            walls *= 1.0 - (c[a] == 0) / 8.0 - (c[a] == g->n[a] - 1) / 8.0;
        g->filled[k] += 1.0 - walls;
    }
}

/* Solves a x = b (n x n) by elimination; b becomes x. */
static inline void naive_solve(size_t n, double *a, double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (size_t j = k; f != 0.0 && j < n; j++)
                a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

/* The face of a cell along an axis, up or down: its coordinates, and the cell behind it. */
static inline void naive_face(const int c[3], int a, int up, int face[3], int behind[3])
{
    for (int k = 0; k < 3; k++)
        face[k] = behind[k] = c[k];
    face[a] += up;
    behind[a] += up ? 1 : -1;
}

static inline void naive_project(struct naive_flip *g, double crowding, double dt)
{
    static double matrix[NAIVE_CELLS * NAIVE_CELLS];
    double h = g->edge;
    memset(matrix, 0, sizeof matrix);
    for (size_t k = 0; k < NAIVE_CELLS; k++)
        matrix[k * NAIVE_CELLS + k] = 1.0; /* of cells without pressure */
    NAIVE_FACES(g, 3, c)
    {
        size_t k = (size_t)naive_index(c);
        if (!g->fluid[k])
            continue;
        double diagonal = 0.0, out = 0.0, surplus = fmin(g->filled[k] - 1.0, 0.5);
        bool inside = true;
        for (int a = 0; a < 3; a++)
            for (int up = 0; up < 2; up++) {
                int face[3], behind[3];
                naive_face(c, a, up, face, behind);
                if (!naive_inside(g, behind))
                    continue;
                inside &= g->fluid[naive_index(behind)];
                double inverse = h * h * h * h / g->mass[a][naive_index(face)];
                diagonal += inverse;
                out += (up ? h * h : -h * h) * g->fall[a][naive_index(face)];
                if (g->fluid[naive_index(behind)])
                    matrix[k * NAIVE_CELLS + (size_t)naive_index(behind)] = -inverse;
            }
        if (surplus < 0.0)
            surplus = inside ? 0.25 * fmax(surplus, -0.5) : 0.0;
        matrix[k * NAIVE_CELLS + k] = diagonal;
        g->pressure[k] = (crowding * h * h * h * surplus / dt - out) / dt;
    }
    naive_solve(NAIVE_CELLS, matrix, g->pressure);
    for (int a = 0; a < 3; a++)
        NAIVE_FACES(g, a, c)
        {
            int below[3] = {c[0], c[1], c[2]}, k = naive_index(c);
            below[a]--;
            bool closed = !naive_inside(g, c) || !naive_inside(g, below);
            double push = closed ? 0.0 : g->pressure[naive_index(below)] - g->pressure[k];
            g->after[a][k] = closed ? 0.0
                             : g->mass[a][k] > 0.0
                                 ? g->fall[a][k] + dt * h * h * push / g->mass[a][k]
                                 : 0.0;
        }
}

/* Finds the velocity of particle i after the step, and the one with which it moves. */
static inline void naive_read(const struct naive_flip *g, const struct particles *p, size_t i,
                              struct vec3 gravity, double dt, double blend, struct vec3 *after,
                              struct vec3 *mean)
{
    double x[3], pic[3] = {0.0, 0.0, 0.0}, change[3] = {0.0, 0.0, 0.0};
    naive_place(g, p->position[i], x);
    for (int a = 0; a < 3; a++)
        NAIVE_FACES(g, a, c)
        {
            int k = naive_index(c);
            double w = naive_weight(g, x, c, a);
            pic[a] += w * g->after[a][k];
            change[a] += w * (g->after[a][k] - g->fall[a][k]);
        }
    struct vec3 flip =
        vec3_axpy(vec3_add(p->velocity[i], vec3(change[0], change[1], change[2])), dt, gravity);
    *mean = vec3(pic[0], pic[1], pic[2]);
    *after = vec3_add(vec3_scale(blend, flip), vec3_scale(1.0 - blend, *mean));
}

#endif
