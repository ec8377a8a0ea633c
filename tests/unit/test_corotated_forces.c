/* Compares forces of corotated solids with differences of energies. Tests that forces have neither
 * momentum nor torque, and that rigid motions cost no energy. */
#include "scenes.h"
#include "systems/corotated/corotated_parts.h"

static const double YOUNG = 1e6, SPACING = 0.1;

/* A block of 4 x 4 x 5 and a smaller one of the same material, outside a simulation. */
struct solids {
    struct hand_scene scene;
    struct corotated *c;
    size_t n;
};

static void solids_create(struct solids *s, double poisson, double control, uint32_t quadrature)
{
    struct error error = {0};
    struct system *system;
    hand_scene_begin(&s->scene);
    size_t rubber = add_corotated(&s->scene, YOUNG, poisson, control);
    s->scene.parameters[rubber].corotated.quadrature = quadrature;
    add_body(&s->scene, rubber, 0.5 * SPACING, 1.0);
    add_block(&s->scene, 4, 4, 5, vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    add_body(&s->scene, rubber, 0.5 * SPACING, 1.0);
    add_block(&s->scene, 3, 2, 2, vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
    s->n = s->scene.particles.n;
    struct system_setting setting = {.scene = &s->scene.scene,
                                     .particles = &s->scene.particles,
                                     .rest = s->scene.rest,
                                     .n = s->n};
    if (corotated_class.create(&system, &setting, &error)) {
        printf("#   %s\n", error.message);
        abort();
    }
    s->c = (struct corotated *)system;
}

static void solids_free(struct solids *s)
{
    corotated_class.free(&s->c->system);
    hand_scene_end(&s->scene);
}

static struct rotation tilt(void)
{
    static const double angle = 1.1;
    double s = sin(0.5 * angle) / sqrt(14.0);
    return (struct rotation){cos(0.5 * angle), s, 2.0 * s, 3.0 * s};
}

/* Turned, stretched by a tenth along x, and every particle displaced by up to 0.15 spacings. */
static void deform(const struct solids *s, struct vec3 *x)
{
    const struct mat3 turn = rotation_matrix(tilt());
    for (size_t i = 0; i < s->n; i++) {
        struct vec3 at = vec3_axpy(s->scene.rest[i], 0.15 * SPACING, random_vector(3, i));
        at.x *= 1.1;
        x[i] = vec3_add(mat3_mul_vec3(&turn, at), vec3(0.3, -2.0, 0.7));
    }
}

static void find_rotations(struct solids *s, const struct vec3 *x, struct mat3 *r)
{
    corotated_gradients(s->c, x);
    for (size_t i = 0; i < s->n; i++)
        r[i] = rotation_matrix(rotation_nearest(&s->c->gradient[i]));
}

static double shape_energy(struct solids *s, const struct vec3 *x, const struct mat3 *r)
{
    corotated_gradients(s->c, x);
    return corotated_shape_energy(s->c, s->c->gradient, r) + corotated_control_energy(s->c);
}

static double volume_energy(struct solids *s, const struct vec3 *x, const struct mat3 *r)
{
    corotated_gradients(s->c, x);
    return corotated_volume_energy(s->c, s->c->gradient, r);
}

/* Shape and volume forces at x, with the rotations there. */
static void find_forces(struct solids *s, const struct vec3 *x, struct mat3 *r, struct vec3 *shape,
                        struct vec3 *volume)
{
    find_rotations(s, x, r);
    corotated_shape_forces(s->c, r, shape);
    corotated_volume_forces(s->c, r, 1.0, volume);
}

enum { MOST = 128 };

/* The energy that moving particle i by `step` along an axis takes, over the step, by central
 * differences. */
static double difference(struct solids *s, struct vec3 *x, size_t i, int axis, const struct mat3 *r,
                         double (*energy)(struct solids *, const struct vec3 *,
                                          const struct mat3 *))
{
    static const double step = 1e-6;
    double *at = &x[i].x + axis, was = *at;
    *at = was + step;
    double above = energy(s, x, r);
    *at = was - step;
    double below = energy(s, x, r);
    *at = was;
    return (above - below) / (2.0 * step);
}

static void check_differences(struct solids *s, const char *name)
{
    struct vec3 x[MOST], shape[MOST], volume[MOST];
    static struct mat3 r[MOST];
    double largest = 0.0, off = 0.0, off_volume = 0.0;
    char id[64];
    deform(s, x);
    find_forces(s, x, r, shape, volume);
    for (size_t i = 0; i < s->n; i++)
        for (int axis = 0; axis < 3; axis++) {
            double f = *(&shape[i].x + axis), v = *(&volume[i].x + axis);
            largest = fmax(largest, fmax(fabs(f), fabs(v)));
            off = worse(off, fabs(f + difference(s, x, i, axis, r, shape_energy)));
            off_volume = worse(off_volume, fabs(v + difference(s, x, i, axis, r, volume_energy)));
        }
    snprintf(id, sizeof id, "C03.forces.%s", name);
    measured(id, off / largest);
    snprintf(id, sizeof id, "C04.forces.%s", name);
    measured(id, off_volume / largest);
    check(largest > 1.0);
    check_close(off / largest, 0.0, 1e-6, "shape");
    check_close(off_volume / largest, 0.0, 1e-6, "volume");
}

TEST(forces_are_differences_of_energies)
{
    struct solids s;
    solids_create(&s, 0.3, 1.0, REST_VOLUME_UNIFORM);
    check_differences(&s, "uniform");
    solids_free(&s);
    solids_create(&s, 0.45, 0.1, REST_VOLUME_SUMMED);
    check_differences(&s, "kernel");
    solids_free(&s);
}

/* R minimizes |F - R|: the energy of shape changes by the forces even if rotations follow. */
TEST(shape_forces_need_no_derivative_of_rotations)
{
    static const double step = 1e-5;
    struct solids s;
    struct vec3 x[MOST], y[MOST], shape[MOST], volume[MOST];
    static struct mat3 r[MOST], moved[MOST];
    solids_create(&s, 0.3, 1.0, REST_VOLUME_UNIFORM);
    deform(&s, x);
    find_forces(&s, x, r, shape, volume);
    double energy[2], work = 0.0;
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < s.n; i++)
            y[i] = vec3_axpy(x[i], side ? step : -step, random_vector(9, i));
        find_rotations(&s, y, moved);
        energy[side] = shape_energy(&s, y, moved);
    }
    for (size_t i = 0; i < s.n; i++)
        work += vec3_dot(shape[i], random_vector(9, i));
    check_close((energy[1] - energy[0]) / (2.0 * step) / -work, 1.0, 1e-6, "energy over work");
    solids_free(&s);
}

TEST(rigid_motion_costs_nothing)
{
    struct solids s;
    struct vec3 x[MOST], shape[MOST], volume[MOST];
    static struct mat3 r[MOST];
    const struct mat3 turn = rotation_matrix(tilt());
    solids_create(&s, 0.3, 1.0, REST_VOLUME_UNIFORM);
    for (size_t i = 0; i < s.n; i++)
        x[i] = vec3_add(mat3_mul_vec3(&turn, s.scene.rest[i]), vec3(0.2, 0.3, -0.4));
    find_forces(&s, x, r, shape, volume);
    double unit = s.c->mu * SPACING * SPACING, most = 0.0;
    for (size_t i = 0; i < s.n; i++)
        most = worse(most, fmax(vec3_norm(shape[i]), vec3_norm(volume[i])) / unit);
    measured("C06.rigid", most);
    check_close(most, 0.0, 1e-12, "forces");
    check_close(shape_energy(&s, x, r) + volume_energy(&s, x, r), 0.0, 1e-20 * unit * SPACING,
                "energy");
    solids_free(&s);
}

TEST(forces_have_neither_momentum_nor_torque)
{
    struct solids s;
    struct vec3 x[MOST], shape[MOST], volume[MOST];
    static struct mat3 r[MOST];
    solids_create(&s, 0.4, 1.0, REST_VOLUME_SUMMED);
    deform(&s, x);
    find_forces(&s, x, r, shape, volume);
    struct vec3 sum[2] = {0}, torque[2] = {0};
    double size = 0.0;
    for (size_t i = 0; i < s.n; i++) {
        sum[0] = vec3_add(sum[0], shape[i]);
        sum[1] = vec3_add(sum[1], volume[i]);
        torque[0] = vec3_add(torque[0], vec3_cross(x[i], shape[i]));
        torque[1] = vec3_add(torque[1], vec3_cross(x[i], volume[i]));
        size += vec3_norm(shape[i]) + vec3_norm(volume[i]);
    }
    for (int k = 0; k < 2; k++) {
        check_close(vec3_norm(sum[k]) / size, 0.0, 1e-14, "sum of forces");
        check_close(vec3_norm(torque[k]) / size, 0.0, 1e-9, "torque, m");
    }
    measured("C06.torque", fmax(vec3_norm(torque[0]), vec3_norm(torque[1])) / size);
    solids_free(&s);
}

/* f(x + v) - f(x) for fixed rotations is what solvers multiply by. */
TEST(linear_parts_are_linear_parts)
{
    struct solids s;
    struct vec3 x[MOST], y[MOST], v[MOST], at_x[2][MOST], at_y[2][MOST], part[2][MOST];
    static struct mat3 r[MOST];
    solids_create(&s, 0.3, 0.5, REST_VOLUME_UNIFORM);
    deform(&s, x);
    find_forces(&s, x, r, at_x[0], at_x[1]);
    for (size_t i = 0; i < s.n; i++) {
        v[i] = random_vector(17, i);
        y[i] = vec3_add(x[i], v[i]);
    }
    corotated_gradients(s.c, y);
    corotated_shape_forces(s.c, r, at_y[0]);
    corotated_volume_forces(s.c, r, 1.0, at_y[1]);
    corotated_gradients(s.c, v);
    corotated_shape_forces(s.c, NULL, part[0]);
    corotated_volume_forces(s.c, r, 0.0, part[1]);
    double unit = s.c->mu * SPACING;
    for (size_t i = 0; i < s.n; i++)
        for (int k = 0; k < 2; k++)
            check_vec3(vec3_sub(at_y[k][i], at_x[k][i]), part[k][i], 1e-11 * unit, "linear part");
    solids_free(&s);
}

/* ... of their own body: detection leaves these pairs out. */
TEST(neighbors_at_rest_count_as_bonded)
{
    struct solids s;
    solids_create(&s, 0.3, 0.5, REST_VOLUME_UNIFORM);
    const uint32_t *body = s.scene.particles.body;
    for (uint32_t i = 0; i < s.n; i++)
        for (uint32_t j = i + 1; j < s.n; j++) {
            double distance = vec3_norm(vec3_sub(s.scene.rest[i], s.scene.rest[j]));
            bool near = body[i] == body[j] && distance < 1.99 * SPACING;
            check(bonded_whole(&s.c->system.bonded, i, j) == near);
            if (body[i] == body[j])
                check(bonded_at_rest(&s.c->system.bonded, i, j) == (distance < 3.01 * SPACING));
        }
    solids_free(&s);
}

/* f(lambda t(v)) */
static void multiply_volume(struct corotated *c, const struct vec3 *v, struct vec3 *product)
{
    for (size_t i = 0; i < c->system.n; i++)
        c->x[i] = lanes_of_vec3(v[i]);
    for (size_t k = 0; k < c->volume.n_stretches; k++)
        corotated_volume_widening(c, &c->volume.stretch[k], c->volume.widening);
    for (size_t i = 0; i < c->system.n; i++)
        c->volume.pressure[i] = c->lambda * c->volume.widening[i];
    for (size_t k = 0; k < c->volume.n_stretches; k++)
        corotated_volume_reactions(c, &c->volume.stretch[k], product);
}

/* The solve for volume multiplies with vectors of pairs instead, in single precision. */
TEST(products_for_volume_are_its_forces)
{
    static const enum rest_volume quadrature[] = {REST_VOLUME_UNIFORM, REST_VOLUME_SUMMED};
    struct vec3 x[MOST], v[MOST], force[MOST], product[MOST];
    for (size_t k = 0; k < 2; k++) {
        struct solids s;
        solids_create(&s, 0.3, 0.5, quadrature[k]);
        deform(&s, x);
        find_rotations(&s, x, s.c->volume_turn);
        for (size_t i = 0; i < s.n; i++)
            v[i] = random_vector(19, i);
        corotated_gradients(s.c, v);
        corotated_volume_forces(s.c, s.c->volume_turn, 0.0, force);
        corotated_volume_begin(s.c, product);
        multiply_volume(s.c, v, product);
        for (size_t i = 0; i < s.n; i++)
            check_vec3(product[i], force[i], 1e-6 * s.c->lambda * SPACING, "force");
        solids_free(&s);
    }
}

/* ... whose forces come from these vectors before they are rounded. */
TEST(vectors_for_volume_have_its_forces)
{
    struct solids s;
    struct vec3 x[MOST], force[MOST], found[MOST];
    solids_create(&s, 0.3, 0.5, REST_VOLUME_SUMMED);
    deform(&s, x);
    find_rotations(&s, x, s.c->volume_turn);
    corotated_gradients(s.c, x);
    corotated_volume_forces(s.c, s.c->volume_turn, 1.0, force);
    corotated_volume_begin(s.c, found);
    for (size_t i = 0; i < s.n; i++)
        check_vec3(found[i], force[i], 1e-12 * s.c->lambda * SPACING * SPACING, "force");
    solids_free(&s);
}

/* Pressures exert the same forces if they are those of the gradients. */
TEST(forces_of_pressures_are_those_of_volume)
{
    struct solids s;
    struct vec3 x[MOST], force[MOST], found[MOST];
    double pressure[MOST];
    static struct mat3 r[MOST];
    solids_create(&s, 0.3, 0.5, REST_VOLUME_SUMMED);
    deform(&s, x);
    find_rotations(&s, x, r);
    corotated_volume_forces(s.c, r, 1.0, force);
    for (size_t i = 0; i < s.n; i++)
        pressure[i] = s.c->lambda * (mat3_dot(&r[i], &s.c->gradient[i]) - 3.0);
    corotated_pressure_forces(s.c, r, pressure, found);
    for (size_t i = 0; i < s.n; i++)
        check_vec3(found[i], force[i], 1e-12 * s.c->lambda * SPACING * SPACING, "force");
    solids_free(&s);
}

/* -V t(M^-1 f(p)) of one pressure, where some particles never move. */
TEST(the_diagonal_of_pressures_is_that_of_their_matrix)
{
    struct solids s;
    struct vec3 x[MOST], force[MOST];
    solids_create(&s, 0.3, 0.5, REST_VOLUME_SUMMED);
    deform(&s, x);
    find_rotations(&s, x, s.c->volume_turn);
    for (size_t i = 0; i < s.n; i++)
        s.c->inverse_mass[i] = i % 5 == 0 ? 0.0 : 1.0 + (double)(i % 3);
    corotated_volume_begin(s.c, force);
    for (size_t i = 0; i < s.n; i++) {
        for (size_t k = 0; k < s.n; k++)
            s.c->volume.pressure[k] = k == i ? 1.0 : 0.0;
        for (size_t k = 0; k < s.c->volume.n_stretches; k++)
            corotated_volume_reactions(s.c, &s.c->volume.stretch[k], force);
        for (size_t k = 0; k < s.n; k++)
            s.c->x[k] = s.c->inverse_mass[k] * lanes_of_vec3(force[k]);
        for (size_t k = 0; k < s.c->volume.n_stretches; k++)
            corotated_volume_widening(s.c, &s.c->volume.stretch[k], s.c->volume.widening);
        const struct solid *solid = &s.c->solid[i < s.c->solid[1].begin ? 0 : 1];
        double diagonal = -solid->rest->volume[i - solid->begin] * s.c->volume.widening[i];
        check_close(diagonal / s.c->volume.diagonal[i], 1.0, 1e-6, "diagonal");
    }
    solids_free(&s);
}

/* By unit vectors; of volume, the mean over the axes. */
TEST(diagonals_are_those_of_the_matrices)
{
    struct solids s;
    struct vec3 unit[MOST], x[MOST], force[MOST];
    static struct mat3 r[MOST];
    solids_create(&s, 0.3, 0.7, REST_VOLUME_UNIFORM);
    deform(&s, x);
    find_rotations(&s, x, r);
    for (size_t i = 0; i < s.n; i++) {
        double volume = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            memset(unit, 0, sizeof unit);
            *(&unit[i].x + axis) = 1.0;
            corotated_gradients(s.c, unit);
            corotated_shape_forces(s.c, NULL, force);
            check_close(-*(&force[i].x + axis) / s.c->shape_diagonal[i], 1.0, 1e-12, "shape");
            corotated_volume_forces(s.c, r, 0.0, force);
            volume -= *(&force[i].x + axis) / 3.0;
        }
        check_close(volume / (s.c->whole_diagonal[i] - s.c->shape_diagonal[i]), 1.0, 1e-12,
                    "volume");
    }
    solids_free(&s);
}

/* A linear deformation without rotation has known stresses: the energy of a homogeneous body. */
TEST(homogeneous_strain_has_the_energy_of_the_continuum)
{
    struct solids s;
    struct vec3 x[MOST];
    static struct mat3 r[MOST];
    static const double strain[3] = {0.03, -0.02, 0.01};
    solids_create(&s, 0.3, 1.0, REST_VOLUME_UNIFORM);
    for (size_t i = 0; i < s.n; i++) {
        struct vec3 at = s.scene.rest[i];
        x[i] = vec3(at.x * (1.0 + strain[0]), at.y * (1.0 + strain[1]), at.z * (1.0 + strain[2]));
    }
    find_rotations(&s, x, r);
    double trace = strain[0] + strain[1] + strain[2], volume = pow(SPACING, 3) * (double)s.n;
    double square = strain[0] * strain[0] + strain[1] * strain[1] + strain[2] * strain[2];
    check_close(shape_energy(&s, x, r) / (s.c->mu * square * volume), 1.0, 1e-10, "shape");
    check_close(volume_energy(&s, x, r) / (0.5 * s.c->lambda * trace * trace * volume), 1.0, 1e-10,
                "volume");
    solids_free(&s);
}
