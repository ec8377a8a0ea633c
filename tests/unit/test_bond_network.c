/* Bonds, their forces and energies; breaking is in test_bond_network_breaking.c, the solve in
 * test_bond_solve.c. */
#include "networks.h"
#include "systems/bonds/bond_implicit.h"
#include "systems/bonds/bond_strip.h"

/* What the step of such a network, which is implicit, holds. */
static struct bond_implicit *step_of(struct bond_network *net)
{
    return (struct bond_implicit *)net;
}

static void prepare(struct bond_network *net, const struct particles *p, double dt)
{
    struct error error = {0};
    check_equal(net->system.class->prepare(&net->system, p, dt, &error), STATUS_OK, "prepare");
}

static size_t bonds_of_kind(const struct bond_network *net, double stiffness)
{
    size_t n = 0;
    for (size_t e = 0; e < net->n_bonds; e++)
        n += net->kinds[net->kind[e]].stiffness == stiffness;
    return n;
}

TEST(a_sheet_has_the_springs_of_the_closed_form)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, 40.0, 30.0, 20.0, 0.0), 0.01, 8e-3);
    enum { NX = 9, NY = 6 };
    add_block(&h, NX, NY, 1, vec3(0.1, 0.2, 0.3), vec3(0, 0, 0));
    struct bond_network *net = create(&h);
    check_equal(bonds_of_kind(net, 40.0), NX * (NY - 1) + NY * (NX - 1), "stretch springs");
    check_equal(bonds_of_kind(net, 30.0), 2 * (NX - 1) * (NY - 1), "shear springs");
    check_equal(bonds_of_kind(net, 20.0), NX * (NY - 2) + NY * (NX - 2), "bend springs");
    destroy(net);
    hand_scene_end(&h);
}

TEST(a_solid_block_has_the_springs_of_the_closed_form)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_body(&h, add_springs(&h, 40.0, 30.0, 0.0, 0.0), 0.01, 8e-3);
    enum { N = 5, M = N - 1 };
    add_block(&h, N, N, N, vec3(0, 0, 0), vec3(0, 0, 0));
    struct bond_network *net = create(&h);
    check_equal(bonds_of_kind(net, 40.0), 3 * N * N * M, "along the axes");
    check_equal(bonds_of_kind(net, 30.0), 6 * N * M * M + 4 * M * M * M, "along diagonals");
    check_equal(net->n_bonds, 3 * N * N * M + 6 * N * M * M + 4 * M * M * M, "no bend springs");
    destroy(net);
    hand_scene_end(&h);
}

TEST(a_horizon_of_three_spacings_holds_122_neighbors)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 100.0, 3.0, 0.0, (double)INFINITY), 0.01, 8e-3);
    uint32_t first = add_block(&h, 7, 7, 7, vec3(0.013, -0.4, 12.0), vec3(0, 0, 0));
    struct bond_network *net = create(&h);
    uint32_t center = first + 3 + 7 * (3 + 7 * 3);
    check_equal(net->n_at[center], 122, "neighbors of the center");
    check_equal(net->start[center + 1] - net->start[center], 61, "above it");
    check(net->critical_stretch == NULL);
    destroy(net);
    hand_scene_end(&h);
}

/* The stiffness of the bond between two particles by the definition of the materials; 0: none. */
static double expected_stiffness(const struct hand_scene *h, size_t i, size_t j)
{
    const struct particles *p = &h->particles;
    if (p->body[i] != p->body[j])
        return 0.0;
    const struct body *body = &h->body[p->body[i]];
    const struct material_model *model = h->material[body->material].model;
    const union hand_parameters *m = &h->parameters[body->material];
    double spacings = vec3_norm(vec3_sub(h->rest[i], h->rest[j])) / (2.0 * body->radius);
    if (model == &peridynamics_model)
        return spacings < m->bonds.horizon + 1e-5 ? m->bonds.stiffness : 0.0;
    if (model == &loose_model)
        return 0.0;
    if (fabs(spacings - 1.0) < 0.01)
        return m->springs.stretch_stiffness;
    if (fabs(spacings - sqrt(2.0)) < 0.01 || fabs(spacings - sqrt(3.0)) < 0.01)
        return m->springs.shear_stiffness;
    return fabs(spacings - 2.0) < 0.01 ? m->springs.bend_stiffness : 0.0;
}

TEST(bonds_against_all_pairs)
{
    struct hand_scene h;
    fill_mixed(&h);
    struct bond_network *net = create(&h);
    size_t n = h.particles.n, bonds = 0;
    for (size_t i = 0; i < n; i++) {
        size_t e = net->start[i];
        for (size_t j = i + 1; j < n; j++) {
            double k = expected_stiffness(&h, i, j);
            if (k == 0.0)
                continue;
            bonds++;
            if (!check(e < net->start[i + 1] && net->neighbor[e] == j))
                break;
            check_close(net->kinds[net->kind[e]].stiffness, k, 0.0, "stiffness");
            check_close(net->rest_length[e], vec3_norm(vec3_sub(h.rest[i], h.rest[j])), 1e-15,
                        "rest length");
            check(bonded_whole(&net->system.bonded, (uint32_t)i, (uint32_t)j));
            check(bonded_whole(&net->system.bonded, (uint32_t)j, (uint32_t)i));
            e++;
        }
        check_equal(net->start[i + 1], e, "row end");
    }
    check_equal(net->n_bonds, bonds, "bonds");
    destroy(net);
    hand_scene_end(&h);
}

TEST(the_force_is_minus_the_gradient_of_the_energy)
{
    struct hand_scene h;
    fill_mixed(&h);
    h.parameters[h.scene.n_materials - 1].bonds.volumes = VOLUMES_REDUCED;
    jitter(&h, 0.003, 3);
    struct bond_network *net = create(&h);
    const uint64_t broken[] = {0, 5, 17, 300};
    struct error error = {0};
    check_equal(bond_network_break(&net->system, 4, broken, &error), STATUS_OK, "break");
    double step = 1e-7, off = 0.0, largest = 0.0;
    for (size_t i = 0; i < h.particles.n; i += 7) {
        double *x = &h.particles.position[i].x;
        prepare(net, &h.particles, 1e-3);
        const struct vec3 f = net->evaluation.force[i];
        const double force[3] = {f.x, f.y, f.z};
        for (int c = 0; c < 3; c++) {
            double *coordinate = x + c, old = *coordinate;
            *coordinate = old + step;
            double up = energy(net, &h.particles);
            *coordinate = old - step;
            double down = energy(net, &h.particles);
            *coordinate = old;
            off = worse(off, fabs(force[c] + (up - down) / (2.0 * step)));
            largest = fmax(largest, fabs(force[c]));
        }
    }
    check(largest > 1.0);
    check_close(off / largest, 0.0, 1e-6, "force");
    measured("FORCES.bonds", off / largest);
    destroy(net);
    hand_scene_end(&h);
}

/* In tension nothing is left out of the matrix: its product with a displacement is the change of
 * the forces, by finite differences. */
TEST(the_matrix_is_the_derivative_of_the_force)
{
    struct hand_scene h;
    struct groups groups;
    struct error error = {0};
    fill_mixed(&h);
    size_t n = h.particles.n;
    for (size_t i = 0; i < n; i++)
        h.particles.position[i] = vec3_scale(1.5, h.particles.position[i]);
    jitter(&h, 0.001, 4);
    struct vec3 *u = calloc(n + 1, sizeof *u), *y = calloc(n, sizeof *y),
                *up = calloc(n, sizeof *up), *middle = calloc(n, sizeof *middle);
    for (size_t k = 0; k < h.scene.n_materials; k++)
        *(h.material[k].model == &peridynamics_model ? &h.parameters[k].bonds.damping
                                                     : &h.parameters[k].springs.damping) = 0.0;
    struct bond_network *net = create(&h);
    check_equal(groups_create(&groups, &h.particles, &error), STATUS_OK, "groups");
    double dt = 0.1, step = 1e-7;
    prepare(net, &h.particles, dt);
    for (size_t e = 0; e < net->n_bonds; e++)
        check(step_of(net)->block[e].t > 0.0F);
    for (size_t i = 0; i < n; i++)
        u[i] = random_vector(8, i);
    step_of(net)->groups = &groups;
    step_of(net)->turns = false; /* rotations included */
    bond_matrix_apply(net, NULL, 0, u, y);
    memcpy(middle, h.particles.position, n * sizeof *middle);
    for (size_t i = 0; i < n; i++)
        h.particles.position[i] = vec3_axpy(middle[i], step, u[i]);
    prepare(net, &h.particles, dt);
    memcpy(up, net->evaluation.force, n * sizeof *up);
    for (size_t i = 0; i < n; i++)
        h.particles.position[i] = vec3_axpy(middle[i], -step, u[i]);
    prepare(net, &h.particles, dt);
    for (size_t i = 0; i < n; i++) {
        struct vec3 change =
            vec3_scale(dt * dt / (2.0 * step), vec3_sub(up[i], net->evaluation.force[i]));
        struct vec3 product = vec3_axpy(y[i], -h.particles.mass[i], u[i]);
        check_vec3(product, vec3_scale(-1.0, change), 1e-5 * (1.0 + vec3_norm(product)),
                   "A u - M u");
    }
    groups_free(&groups);
    destroy(net);
    hand_scene_end(&h);
    free(u);
    free(y);
    free(up);
    free(middle);
}

/* What the tiles gather against a plain loop over all bonds; four of them are broken. */
TEST(the_product_with_the_matrix_against_single_bonds)
{
    struct hand_scene h;
    struct error error = {0};
    fill_mixed(&h);
    jitter(&h, 0.004, 5);
    struct bond_network *net = create(&h);
    const uint64_t broken[] = {0, 5, 17, 300};
    check_equal(bond_network_break(&net->system, 4, broken, &error), STATUS_OK, "break");
    prepare(net, &h.particles, 0.01);
    size_t n = h.particles.n;
    struct vec3 *u = calloc(n + 1, sizeof *u), *sum = calloc(n, sizeof *sum);
    for (size_t i = 0; i < n; i++)
        u[i] = random_vector(9, i);
    for (size_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const struct bond_block *b = &step_of(net)->block[e];
            uint32_t j = net->neighbor[e];
            struct vec3 g = vec3((double)b->gx, (double)b->gy, (double)b->gz);
            struct vec3 d = vec3_sub(u[i], u[j]);
            struct vec3 pull = vec3_axpy(vec3_scale(vec3_dot(g, d), g), (double)b->t, d);
            sum[i] = vec3_add(sum[i], pull);
            sum[j] = vec3_sub(sum[j], pull);
        }
    bond_matrix_pull(step_of(net), NULL, 0, u);
    for (size_t k = 0; k < net->tiles.n; k++)
        for (size_t i = net->tiles.tile[k].begin; i < net->tiles.tile[k].end; i++)
            check_vec3(bond_pull_at(&net->tiles.tile[k], i), sum[i],
                       1e-13 * (1.0 + vec3_norm(sum[i])), "B u");
    for (size_t k = 0; k < 4; k++)
        check(step_of(net)->block[broken[k]].t == 0.0F &&
              step_of(net)->block[broken[k]].gx == 0.0F);
    free(u);
    free(sum);
    destroy(net);
    hand_scene_end(&h);
}

/* Not close to zero: zero. */
TEST(both_ends_of_a_bond_are_exactly_opposite)
{
    struct hand_scene h;
    for (uint64_t k = 0; k < 500; k++) {
        hand_scene_begin(&h);
        add_body(&h, add_peridynamics(&h, 77.0, 3.0, 0.01, (double)INFINITY), 0.5, 1.0);
        add_particle(&h, random_vector(1, k), random_vector(2, k));
        add_particle(&h, random_vector(3, k), random_vector(4, k));
        jitter(&h, 0.3, k);
        struct bond_network *net = create(&h);
        check_equal(net->n_bonds, vec3_norm(vec3_sub(h.rest[0], h.rest[1])) < 3.0, "bonds");
        prepare(net, &h.particles, 0.01);
        step_of(net)->turns = false; /* the bond alone */
        const struct vec3 *f = net->evaluation.force, *v = h.particles.velocity;
        struct vec3 impulse[2], damping_force[2];
        bond_impulses(step_of(net), 0.01, v, impulse);
        bond_damping_forces(net, v, damping_force);
        check_vec3(f[0], vec3_scale(-1.0, f[1]), 0.0, "force");
        check_vec3(impulse[0], vec3_scale(-1.0, impulse[1]), 0.0, "impulse");
        check_vec3(damping_force[0], vec3_scale(-1.0, damping_force[1]), 0.0, "damping");
        destroy(net);
        hand_scene_end(&h);
    }
}

/* ---- four bonds at once, stored once, against plain loops over single bonds ---- */

/* The block of each bond by its definition, and the sums of the blocks at each particle. */
static void check_blocks(const struct bond_implicit *step, const struct vec3 *x, double dt)
{
    const struct bond_network *net = &step->net;
    const double along = dt * step->integrator.kappa, across = along * along;
    struct sym3 *sum = calloc(net->system.n, sizeof *sum);
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            const struct bond_kind kind = net->kinds[net->kind[e]];
            const struct bond_block *b = &step->block[e];
            const struct vec3 g = vec3((double)b->gx, (double)b->gy, (double)b->gz);
            const double strain = strain_of(net, x, i, e),
                         rate = kind.stiffness / net->rest_length[e];
            const double t = across * rate * fmax(strain / (1.0 + strain), 0.0);
            const double whole = (across + along * kind.damping) * rate;
            check(fabs((double)b->t - t) <= 1e-6 * whole);
            check(fabs(vec3_norm2(g) + t - whole) <= 1e-6 * whole);
            for (int end = 0; end < 2; end++) {
                struct sym3 *s = &sum[end ? net->neighbor[e] : i];
                s->xx += g.x * g.x + (double)b->t;
                s->xy += g.x * g.y;
                s->xz += g.x * g.z;
                s->yy += g.y * g.y + (double)b->t;
                s->yz += g.y * g.z;
                s->zz += g.z * g.z + (double)b->t;
            }
        }
    for (size_t i = 0; i < net->system.n; i++) {
        const struct sym3f *d = &step->diagonal[i];
        const double most = 1e-5 * (sum[i].xx + sum[i].yy + sum[i].zz);
        check(fabs((double)d->xx - sum[i].xx) <= most && fabs((double)d->xy - sum[i].xy) <= most);
        check(fabs((double)d->xz - sum[i].xz) <= most && fabs((double)d->yy - sum[i].yy) <= most);
        check(fabs((double)d->yz - sum[i].yz) <= most && fabs((double)d->zz - sum[i].zz) <= most);
    }
    free(sum);
}

static void check_against_single_bonds(const struct hand_scene *h, struct bond_network *net)
{
    struct error error = {0};
    const uint64_t broken[] = {0, 5, 17, 18, 19, 20, 300, 1000};
    size_t n = h->particles.n;
    const struct vec3 *x = h->particles.position;
    struct vec3 *force = calloc(n, sizeof *force),
                *damping_force = calloc(n, sizeof *damping_force),
                *found = calloc(n, sizeof *found), *v = calloc(n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = random_vector(5, i);
    check_equal(bond_network_break(&net->system, 8, broken, &error), STATUS_OK, "break");
    double sum = 0.0, largest = 0.0, largest_damping_force = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            uint32_t j = net->neighbor[e];
            const struct bond_kind kind = net->kinds[net->kind[e]];
            double strain = strain_of(net, x, i, e), rest = net->rest_length[e];
            struct vec3 d = vec3_sub(x[j], x[i]);
            struct vec3 along = vec3_scale(1.0 / vec3_norm(d), d);
            double rate = vec3_dot(vec3_sub(v[j], v[i]), along);
            if (!net->kind[e])
                continue;
            force[i] = vec3_axpy(force[i], kind.stiffness * strain, along);
            force[j] = vec3_axpy(force[j], -kind.stiffness * strain, along);
            damping_force[i] =
                vec3_axpy(damping_force[i], kind.stiffness * kind.damping * rate / rest, along);
            damping_force[j] =
                vec3_axpy(damping_force[j], -kind.stiffness * kind.damping * rate / rest, along);
            sum += 0.5 * kind.stiffness * rest * strain * strain;
        }
    prepare(net, &h->particles, 1e-3);
    bond_damping_forces(net, v, found);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, vec3_norm(force[i]));
        largest_damping_force = fmax(largest_damping_force, vec3_norm(damping_force[i]));
    }
    for (size_t i = 0; i < n; i++) {
        check_vec3(net->evaluation.force[i], force[i], 1e-13 * largest, "force");
        check_vec3(found[i], damping_force[i], 1e-13 * largest_damping_force, "damping force");
    }
    check_close(energy(net, &h->particles), sum, 1e-13, "energy");
    free(force);
    free(damping_force);
    free(found);
    free(v);
    check_blocks(step_of(net), x, 1e-3);
}

TEST(forces_and_blocks_against_single_bonds)
{
    struct hand_scene h;
    fill_mixed(&h);
    jitter(&h, 0.004, 3);
    struct bond_network *net = create(&h);
    check_against_single_bonds(&h, net);
    destroy(net);
    hand_scene_end(&h);
}

/* More bonds in a row than in a strip, and up to three more than in fours. */
TEST(long_rows_against_single_bonds)
{
    struct hand_scene h;
    size_t longest = 0, left[4] = {0};
    hand_scene_begin(&h);
    add_body(&h, add_peridynamics(&h, 77.0, 4.3, 0.01, (double)INFINITY), 0.01, 8e-3);
    add_block(&h, 7, 7, 7, vec3(0, 0, 0), vec3(0, 0, 0));
    jitter(&h, 0.002, 3);
    struct bond_network *net = create(&h);
    for (size_t i = 0; i < h.particles.n; i++) {
        const size_t length = net->start[i + 1] - net->start[i];
        longest = length > longest ? length : longest;
        left[length % 4]++;
    }
    check(longest > 2 * BOND_STRIP && left[0] && left[1] && left[2] && left[3]);
    check_against_single_bonds(&h, net);
    destroy(net);
    hand_scene_end(&h);
}
