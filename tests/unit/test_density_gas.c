/* What air and vortices do to gas (UPP 7.2), at the end of a step, against what is known. */
#include "constraints/density_parts.h"
#include "density_stage.h"
#include "sph/sph_kernel.h"

static const struct vec3 GRAVITY = {0.0, 0.0, -10.0};

static void check_vector(struct vec3 actual, struct vec3 expected, double within, const char *what)
{
    check_close(vec3_norm(vec3_sub(actual, expected)), 0.0, within, what);
}

static struct density *density_of(const struct stage *s)
{
    return (struct density *)group(s);
}

static size_t slot_of(const struct stage *s, size_t i)
{
    const struct density *d = density_of(s);
    size_t slot = 0;
    while (d->grid.point[slot] != i)
        slot++;
    return slot;
}

/* What particle i sees where particles are now. */
static struct gas_view view_of(const struct stage *s, size_t i)
{
    density_fill(density_of(s), s->candidates.at);
    return density_gas_view(density_of(s), slot_of(s, i), s->particles.velocity);
}

static double drag_shift(const struct stage *s, size_t i)
{
    return vec3_norm(s->shift[i]);
}

/* A cube of n^3 in a lattice, each displaced by up to `jitter` spacings each way. */
static struct stage *cube(int n, double jitter, struct gas_setting gas)
{
    struct stage *s = stage_begin();
    uint64_t draw = 0;
    add_lattice(s, (const int[3]){n, n, n}, 1.0, 2.0);
    for (size_t i = 0; i < s->particles.n; i++) {
        double x = uniform(&draw), y = uniform(&draw), z = uniform(&draw);
        s->particles.position[i] = vec3_axpy(s->particles.position[i], jitter,
                                             vec3(2.0 * x - 1.0, 2.0 * y - 1.0, 2.0 * z - 1.0));
    }
    begin_gas(s, s->particles.n, 0.0, NULL, gas);
    find(s);
    return s;
}

static size_t at(int n, int x, int y, int z)
{
    return (size_t)(x + n * (y + n * z));
}

/* ---- UPP 29 ---- */

TEST(air_slows_a_lone_particle_by_the_closed_form)
{
    const struct vec3 wind = {1.0, -2.0, 0.5}, v = {3.0, 1.0, 0.0};
    for (int far = 0; far < 3; far++) {
        const double k = far == 0 ? 0.5 : far == 1 ? 50.0 : 1e6;
        struct stage *s = stage_begin();
        add(s, vec3(0.0, 0.0, 0.0), 2.0, PARTICLE_FREE);
        begin_gas(s, 1, 0.0, NULL, (struct gas_setting){.drag = k, .wind = wind});
        s->particles.velocity[0] = v;
        find(s);
        const double rate = k * DT * (1.0 - 1.0 / density_of(s)->lattice.kernel);
        for (int step = 1; step <= 10; step++) {
            change(s, CHANGE_VISCOUS);
            change(s, CHANGE_AIR);
            s->particles.velocity[0] = vec3_axpy(s->particles.velocity[0], 1.0 / DT, s->shift[0]);
            const struct vec3 left = vec3_axpy(wind, pow(1.0 + rate, -step), vec3_sub(v, wind));
            check_vector(s->particles.velocity[0], left, 1e-13, "velocity");
        }
        stage_end(s);
    }
}

TEST(air_slows_the_surface_of_gas_and_nothing_inside)
{
    enum { N = 9 };
    struct stage *s = cube(N, 0.0, (struct gas_setting){.drag = 50.0});
    for (size_t i = 0; i < s->particles.n; i++)
        s->particles.velocity[i] = vec3(0.0, 0.0, 1.0);
    change(s, CHANGE_VISCOUS);
    change(s, CHANGE_AIR);
    double inside = 0.0, surface = drag_shift(s, at(N, 0, 4, 4));
    for (int z = 2; z < N - 2; z++)
        for (int y = 2; y < N - 2; y++)
            for (int x = 2; x < N - 2; x++)
                inside = fmax(inside, drag_shift(s, at(N, x, y, z)));
    printf("# a lattice: inside %.2g of the surface, a layer below it %.3f\n", inside / surface,
           drag_shift(s, at(N, 1, 4, 4)) / surface);
    check(drag_shift(s, at(N, 0, 0, 0)) > surface);
    check(inside < 0.01 * surface);
    measured("U81.inside", inside / surface);
    stage_end(s);
}

/* ---- UPP 30 ---- */

/* The mean normal of particles three layers and more below the surface, over that of the middle of
 * a face. */
static double inside_over_surface(struct stage *s, int n)
{
    double inside = 0.0, surface = 0.0;
    const double wide = n - 6;
    for (int z = 3; z < n - 3; z++)
        for (int y = 3; y < n - 3; y++) {
            const struct vec3 normal = view_of(s, at(n, 0, y, z)).normal;
            check(normal.x > 0.7 * vec3_norm(normal)); /* into the gas */
            surface += vec3_norm(normal) / (wide * wide);
            for (int x = 3; x < n - 3; x++)
                inside += vec3_norm(view_of(s, at(n, x, y, z)).normal) / (wide * wide * wide);
        }
    printf("# normals: inside %.3g, surface %.3f 1/spacing\n", inside, surface);
    return inside / surface;
}

TEST(normals_are_long_at_the_surface_alone)
{
    enum { N = 11 };
    const struct gas_setting gas = {.drag = 1.0};
    struct stage *s = cube(N, 0.0, gas);
    const double lattice = inside_over_surface(s, N);
    check_close(lattice, 0.0, 1e-13, "inside a lattice");
    measured("U86.lattice", lattice);
    stage_end(s);
    s = cube(N, 0.1, gas);
    const double disordered = inside_over_surface(s, N);
    check(disordered > 0.1 && disordered < 0.5);
    measured("U86.disordered", disordered);
    stage_end(s);
}

/* ---- the gradient of the velocity ---- */

static void check_gradient(const struct gas_view *view, const double expected[3][3], double within)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            check_close(view->gradient.a[r][c], expected[r][c], within, "gradient");
}

TEST(gradients_of_linear_fields_and_vorticity_of_a_rotation)
{
    enum { N = 9 };
    static const double slope[3][3] = {{0.5, -1.0, 2.0}, {0.3, 0.7, -0.2}, {1.1, 0.4, -1.2}};
    static const struct vec3 turn = {0.3, -0.5, 2.0};
    for (int k = 0; k < 2; k++) {
        struct stage *s = cube(N, 0.1 * k, (struct gas_setting){.drag = 1.0});
        for (size_t i = 0; i < s->particles.n; i++) {
            const struct vec3 x = s->particles.position[i];
            s->particles.velocity[i] = mat3_mul_vec3((const struct mat3 *)slope, x);
        }
        struct gas_view view = view_of(s, at(N, 4, 4, 4));
        check_gradient(&view, slope, k ? 0.15 : 1e-13);
        for (size_t i = 0; i < s->particles.n; i++)
            s->particles.velocity[i] = vec3_cross(turn, s->particles.position[i]);
        view = view_of(s, at(N, 4, 4, 4));
        const struct vec3 curl = gas_curl(&view);
        check_vector(curl, vec3_scale(2.0, turn), k ? 0.2 : 1e-12, "curl");
        change(s, CHANGE_VISCOUS);
        change(s, CHANGE_VORTICAL);
        const struct enstrophy all = density_enstrophy(group(s));
        check_close(all.n, N * N * N, 0.0, "particles of gas");
        check(all.sum / all.n < 4.4 * vec3_norm2(turn) && all.sum / all.n > vec3_norm2(turn));
        stage_end(s);
    }
}

/* ---- UPP 31 ---- */

static struct vec3 vortex_of(const struct stage *s, size_t i)
{
    const bool *is_gas;
    return density_vortices(group(s), &is_gas)[i];
}

TEST(velocities_stretch_and_turn_vortices)
{
    enum { N = 7 };
    static const double slope[3][3] = {{0.5, -1.0, 2.0}, {0.3, 0.7, -0.2}, {1.1, 0.4, -1.2}};
    struct stage *s = cube(N, 0.0, (struct gas_setting){.baroclinity = 1e-9});
    const bool *is_gas;
    const size_t middle = at(N, 3, 3, 3);
    for (size_t i = 0; i < s->particles.n; i++)
        s->particles.velocity[i] =
            mat3_mul_vec3((const struct mat3 *)slope, s->particles.position[i]);
    density_vortices(group(s), &is_gas)[middle] = vec3(1.0, 2.0, -1.0);
    change(s, CHANGE_VISCOUS);
    change(s, CHANGE_VORTICAL);
    /* (1, 2, -1) and DT times slope (1, 2, -1) = (-3.5, 1.9, 3.1) */
    check_vector(vortex_of(s, middle), vec3(1.0 - 3.5 * DT, 2.0 + 1.9 * DT, -1.0 + 3.1 * DT), 1e-14,
                 "vortex");
    stage_end(s);
}

TEST(weight_makes_vortices_at_the_sides_of_gas_which_lift_it)
{
    enum { N = 9 };
    const double beta = 2.0;
    const struct gas_setting gas = {.baroclinity = beta, .gravity = GRAVITY};
    struct stage *s = cube(N, 0.0, gas);
    struct vec3 momentum = vec3(0.0, 0.0, 0.0);
    double scale = 0.0;
    change(s, CHANGE_VISCOUS);
    change(s, CHANGE_VORTICAL);
    const size_t side = at(N, 0, 4, 4);
    const struct vec3 normal = view_of(s, side).normal;
    check(normal.x > 0.1);
    check_vector(vortex_of(s, side), vec3(0.0, -10.0 * normal.x * beta * DT, 0.0), 1e-14, "side");
    check_vector(vortex_of(s, at(N, 4, 4, 4)), vec3(0.0, 0.0, 0.0), 1e-14, "middle");
    check_vector(vortex_of(s, at(N, 4, 4, 8)), vec3(0.0, 0.0, 0.0), 1e-14, "top");
    check(s->shift[at(N, 1, 4, 4)].z > 0.0);
    for (size_t i = 0; i < s->particles.n; i++) {
        momentum = vec3_axpy(momentum, 2.0 / DT, s->shift[i]);
        scale += 2.0 / DT * vec3_norm(s->shift[i]);
    }
    check(momentum.z > 0.1 * scale);
    check_close(momentum.x / scale, 0.0, 1e-14, "along x");
    check_close(momentum.y / scale, 0.0, 1e-14, "along y");
    printf("# lift over the sum of impulses: %.3f\n", momentum.z / scale);
    stage_end(s);
}

/* ---- UPP 32 ---- */

/* One vortex turns what is around it: no momentum inside a lattice, and that of a turn by the
 * lattice's second moment. */
TEST(a_vortex_turns_what_is_around_it)
{
    enum { N = 9 };
    const struct vec3 vortex = {3.0, 0.0, 4.0};
    double lost_inside = 0.0, lost_at_a_face = 0.0;
    for (int face = 0; face < 2; face++) {
        struct stage *s = cube(N, 0.0, (struct gas_setting){.baroclinity = 1e-9});
        const bool *is_gas;
        const size_t middle = at(N, face ? 0 : 4, 4, 4);
        struct vec3 momentum = vec3(0.0, 0.0, 0.0), spin = momentum;
        double scale = 0.0;
        density_vortices(group(s), &is_gas)[middle] = vortex;
        change(s, CHANGE_VISCOUS);
        change(s, CHANGE_VORTICAL);
        for (size_t i = 0; i < s->particles.n; i++) {
            const struct vec3 impulse = vec3_scale(2.0 / DT, s->shift[i]);
            const struct vec3 x = vec3_sub(s->particles.position[i], s->particles.position[middle]);
            momentum = vec3_add(momentum, impulse);
            spin = vec3_add(spin, vec3_cross(x, impulse));
            scale += vec3_norm(impulse);
        }
        *(face ? &lost_at_a_face : &lost_inside) = vec3_norm(momentum) / scale;
        if (!face)
            check_vector(spin,
                         vec3_scale(2.0 * DT * 4.0 * density_of(s)->lattice.spread * H * H, vortex),
                         1e-12, "angular momentum");
        stage_end(s);
    }
    printf("# momentum over the sum of impulses: %.2g inside, %.2f at a face\n", lost_inside,
           lost_at_a_face);
    check_close(lost_inside, 0.0, 1e-14, "momentum");
    check(lost_at_a_face > 0.1);
    measured("UPP.vortex.face", lost_at_a_face);
}

/* ---- with everything ---- */

/* Solids, and fluid upstream of an inlet, feel nothing of it. */
TEST(air_and_vortices_change_gas_alone)
{
    const struct gas_setting gas = {
        .drag = 5.0, .baroclinity = 1.0, .gravity = GRAVITY, .wind = {1.0, 0.0, 0.0}};
    struct stage *s = soup_of_gas(0.0, gas);
    double of_gas = 0.0, of_others = 0.0;
    find(s);
    change(s, CHANGE_VISCOUS);
    for (int kind = CHANGE_VORTICAL; kind <= CHANGE_AIR; kind++) {
        change(s, kind);
        for (size_t i = 0; i < s->particles.n; i++) {
            const bool is_gas = i < 300 && s->particles.state[i] == PARTICLE_FREE;
            *(is_gas ? &of_gas : &of_others) += vec3_norm(s->shift[i]);
        }
        check(of_gas > 0.0);
        check_close(of_others, 0.0, 0.0, "shift of what is not gas");
        check_close(vec3_norm(s->corrections.inflow), 0.0, 0.0, "inflow");
    }
    stage_end(s);
}

TEST(what_surrounds_gas_bears_a_part_of_its_weight)
{
    struct stage *s = stage_begin();
    struct error error = {0};
    add(s, vec3(0.0, 0.0, 0.0), 2.0, PARTICLE_FREE);
    add(s, vec3(3.0, 0.0, 0.0), 2.0, PARTICLE_FREE);
    begin_fluid(s, 1, 0.0, NULL);
    check(!s->set.lift);
    const struct density_fluid light = {.first = 1,
                                        .n = 1,
                                        .spacing = 2.0 * R,
                                        .support = H,
                                        .gas = {.buoyancy = 1.25, .gravity = GRAVITY}};
    check_equal(density_add(&s->set, &s->particles, &light, &error), STATUS_OK, error.message);
    check_vector(s->set.lift[0], vec3(0.0, 0.0, 0.0), 0.0, "water");
    check_vector(s->set.lift[1], vec3(0.0, 0.0, 12.5), 1e-15, "gas");
    stage_end(s);
}
