/* Where shape matching moves particles, UPP 15 and 16: values that claims about unified particle
 * physics are about. */
#include "constraint_stage.h"

#include <gsl/gsl_linalg.h>

/* The rotation nearest to A from its singular values. */
static void nearest_by_svd(const double a[9], double q[9])
{
    double u_data[9], v_data[9], s_data[3];
    memcpy(u_data, a, sizeof u_data);
    gsl_matrix_view u = gsl_matrix_view_array(u_data, 3, 3),
                    v = gsl_matrix_view_array(v_data, 3, 3);
    gsl_vector_view s = gsl_vector_view_array(s_data, 3);
    gsl_linalg_SV_decomp_jacobi(&u.matrix, &v.matrix, &s.vector);
    for (int turn = 0; turn < 2;
         turn++) { /* where it is a reflection, the least value changes sign */
        for (int i = 0; i < 9; i++)
            q[i] = 0.0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    q[3 * i + j] +=
                        (k == 2 && turn ? -1.0 : 1.0) * u_data[3 * i + k] * v_data[3 * j + k];
        double det = q[0] * (q[4] * q[8] - q[5] * q[7]) - q[1] * (q[3] * q[8] - q[5] * q[6]) +
                     q[2] * (q[3] * q[7] - q[4] * q[6]);
        if (det > 0.0)
            return;
    }
}

enum { BODY = 10, RANDOM_BODY, FLAT_BODY, INVERTED_BODY, TURNED_BODY, BODY_KINDS };

static void draw_body(int kind, uint64_t *draw, struct vec3 rest[BODY], struct vec3 at[BODY])
{
    struct vec3 column[3], shift = drawn_vector(draw);
    for (int k = 0; k < 3; k++)
        column[k] = drawn_vector(draw);
    for (int i = 0; i < BODY; i++) {
        rest[i] = drawn_vector(draw);
        if (kind == FLAT_BODY)
            rest[i].z = 0.0;
        struct vec3 r = rest[i], noise = vec3_scale(0.1, drawn_vector(draw));
        if (kind == INVERTED_BODY) /* mirrored, with three different widths */
            at[i] = vec3(-r.x, 0.7 * r.y, 0.4 * r.z);
        else if (kind == TURNED_BODY) /* by half a turn about x */
            at[i] = vec3(1.1 * r.x, -0.8 * r.y, -0.9 * r.z);
        else
            at[i] =
                vec3_axpy(vec3_axpy(vec3_scale(r.x, column[0]), r.y, column[1]), r.z, column[2]);
        at[i] = vec3_add(vec3_add(at[i], noise), shift);
    }
}

static struct vec3 mean_of(const struct vec3 x[BODY])
{
    struct vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < BODY; i++)
        sum = vec3_axpy(sum, 1.0 / BODY, x[i]);
    return sum;
}

TEST(shapes_go_where_singular_values_say)
{
    double off = 0.0, length = 0.0;
    uint64_t draw = 0;
    for (int k = 0; k < 400; k++) {
        struct error error = {0};
        struct stage *s = stage_begin(BODY, false);
        struct vec3 rest[BODY];
        double a[9] = {0}, q[9];
        draw_body(RANDOM_BODY + k % (BODY_KINDS - RANDOM_BODY), &draw, rest, s->at);
        struct vec3 center = mean_of(s->at), middle = mean_of(rest);
        for (int i = 0; i < BODY; i++) {
            struct vec3 x = vec3_sub(s->at[i], center), r = vec3_sub(rest[i], middle);
            const double xs[] = {x.x, x.y, x.z}, rs[] = {r.x, r.y, r.z};
            for (int e = 0; e < 9; e++)
                a[e] += xs[e / 3] * rs[e % 3];
        }
        nearest_by_svd(a, q);
        check_equal(
            shapes_add(&s->set, 1, &(struct shape_body){.n = BODY, .stiffness = 1.0}, rest, &error),
            STATUS_OK, error.message);
        find(s, CONSTRAINT_SHAPES);
        iterate(s, CONSTRAINT_SHAPES);
        for (int i = 0; i < BODY; i++) {
            struct vec3 r = vec3_sub(rest[i], middle);
            struct vec3 goal =
                vec3(q[0] * r.x + q[1] * r.y + q[2] * r.z, q[3] * r.x + q[4] * r.y + q[5] * r.z,
                     q[6] * r.x + q[7] * r.y + q[8] * r.z);
            off = worse(off, vec3_norm(vec3_sub(vec3_sub(s->at[i], center), goal)));
            length = worse(length,
                           fabs(distance(s, 0, (size_t)i) - vec3_norm(vec3_sub(rest[i], rest[0]))));
        }
        stage_end(s);
    }
    measured("UPP.shape.distance", off);
    measured("UPP.shape.length", length);
    check(off < 1e-9 && length < 1e-12);
}

/* A plate that is dented at one side, and what it is matched to. */
TEST(a_dented_shape_is_matched)
{
    enum { EDGE = 9, PLATE = EDGE * EDGE };
    struct error error = {0};
    struct stage *s = stage_begin(PLATE, false);
    struct vec3 rest[PLATE];
    char name[60];
    for (int i = 0; i < PLATE; i++) {
        const double x = i % EDGE - 4.0, y = i / EDGE - 4.0;
        rest[i] = vec3(x, y, 0.0);
        s->at[i] =
            vec3(x, y - 2.5 * fmax(0.0, 1.0 - pow((x - 1.5) / 2.6, 2)) * (y + 4.0) / 8.0, 0.0);
        snprintf(name, sizeof name, "UPP.dent.before.x-%02d", i);
        measured(name, s->at[i].x);
        snprintf(name, sizeof name, "UPP.dent.before.y-%02d", i);
        measured(name, s->at[i].y);
    }
    check_equal(
        shapes_add(&s->set, 1, &(struct shape_body){.n = PLATE, .stiffness = 1.0}, rest, &error),
        STATUS_OK, error.message);
    find(s, CONSTRAINT_SHAPES);
    iterate(s, CONSTRAINT_SHAPES);
    for (int i = 0; i < PLATE; i++) {
        check_close(distance(s, 0, (size_t)i), vec3_norm(vec3_sub(rest[i], rest[0])), 1e-13,
                    "distance");
        snprintf(name, sizeof name, "UPP.dent.after.x-%02d", i);
        measured(name, s->at[i].x);
        snprintf(name, sizeof name, "UPP.dent.after.y-%02d", i);
        measured(name, s->at[i].y);
    }
    stage_end(s);
}
