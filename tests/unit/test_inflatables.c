/* Bodies at the vertices of surfaces: their springs, the volumes that they keep, and tears. */
#include "soup.h"
#include "systems/bonds/bond_surface.h"
#include "trials.h"

static const char scene_text[] =
    "name: balloon\n"
    "gravity: [0, 0, 0]\n"
    "time: {end: 100, max_step: 2e-3, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based}\n"
    "position: {iterations: %d, averaging: mass-splitting, stiffness: %s}\n"
    "materials:\n"
    "  skin: {model: mass-spring, stretch_stiffness: %g, shear_stiffness: 0, bend_stiffness: "
    "%g%s}\n"
    "bodies:\n"
    "  balloon: {material: skin, radius: %.17g, particle_mass: 0.01,\n"
    "            shape: {ball: {radius: %.17g}}, sampling: {method: vertices}%s}\n";

static const double R = 0.1, STIFFNESS = 50.0;

/* A balloon whose edges are those of an icosahedron in f parts. */
static void blow(struct trial *t, int f, int iterations, const char *stiffness, double bend,
                 const char *material, const char *body)
{
    char text[sizeof scene_text + 500];
    const double each = 4.0 * M_PI * R * R / (10.0 * f * f + 2.0);
    snprintf(text, sizeof text, scene_text, iterations, stiffness, STIFFNESS, bend, material,
             0.5 * sqrt(each / (0.5 * sqrt(3.0))), R, body);
    trial_create(t, text);
    check_equal(t->s.particles.n, 10 * f * f + 2, "vertices");
}

static double volume_of(const struct trial *t, const struct vec3 *x)
{
    const struct sheet *sheet = &t->sample.sheet[0];
    double volume = 0.0;
    for (size_t k = 0; k < sheet->n_triangles; k++) {
        const uint32_t *c = sheet->triangle[k];
        volume += vec3_dot(vec3_sub(x[c[0]], x[0]),
                           vec3_cross(vec3_sub(x[c[1]], x[0]), vec3_sub(x[c[2]], x[0])));
    }
    return volume / 6.0;
}

/* ---- springs ---- */

/* The 30 edges of an icosahedron of edge a, and as many pairs across them, (1 + sqrt(5)) a / 2
 * apart. */
TEST(springs_go_along_edges_and_across_them)
{
    const double a = R / sin(0.4 * M_PI);
    for (int bends = 0; bends < 2; bends++) {
        struct trial t;
        int along = 0, across = 0;
        blow(&t, 1, 4, "material", bends ? 10.0 : 0.0, "", "");
        const struct bonded *bonds = t.s.bonded;
        const struct vec3 *x = t.s.particles.position;
        for (uint32_t i = 0; i < 12; i++)
            for (size_t e = bonds->start[i]; e < bonds->start[i + 1]; e++) {
                const double length = vec3_norm(vec3_sub(x[bonds->neighbor[e]], x[i]));
                along += fabs(length / a - 1.0) < 1e-12;
                across += fabs(length / (0.5 * (1.0 + sqrt(5.0)) * a) - 1.0) < 1e-12;
            }
        check_equal(bonded_count(bonds), bends ? 60 : 30, "springs");
        check(along == 30 && across == (bends ? 30 : 0));
        trial_free(&t);
    }
}

/* A spring that is both along an edge and across one, as in a tetrahedron, is one along it. */
TEST(a_tetrahedron_has_its_six_edges_for_springs)
{
    uint32_t triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    const struct sheet sheet = {.n_triangles = 4, .triangle = triangle};
    struct surface_spring *spring = NULL;
    struct error error = {0};
    size_t n;
    check_equal(surface_springs_create(&spring, &n, &sheet, &error), STATUS_OK, error.message);
    check_equal(n, 6, "springs");
    for (size_t k = 0; k < n; k++)
        check(spring[k].spring == SPRING_STRETCH && spring[k].i < spring[k].j);
    free(spring);
}

/* ---- volumes ---- */

/* The springs of an icosahedron stretch alike, with s^3 = the inflation, and nothing moves. */
TEST(an_icosahedron_stores_the_energy_of_its_springs)
{
    const double s = cbrt(1.3), a = R / sin(0.4 * M_PI);
    struct trial t;
    struct ledger_row row;
    blow(&t, 1, 64, "material", 0.0, ", inflation: 1.3", "");
    for (int k = 0; k < 100; k++) {
        row = step_once(&t.s);
        for (size_t i = 0; i < t.s.particles.n; i++)
            t.s.particles.velocity[i] = vec3_scale(0.9, t.s.particles.velocity[i]);
    }
    check_close(volume_of(&t, t.s.particles.position) / volume_of(&t, t.sample.rest_position), 1.3,
                1e-12, "volume");
    check_close(row.elastic / (30.0 * 0.5 * STIFFNESS * a * (s - 1.0) * (s - 1.0)), 1.0, 1e-9,
                "energy");
    trial_free(&t);
}

/* U96, free: with bonds that are rigid, and so cannot fit the volume, and with springs. */
TEST(a_free_balloon_has_the_volume_that_it_keeps)
{
    static const char *const stiffness[] = {"rigid", "material"};
    double worst = 0.0;
    for (int k = 0; k < 8; k++) {
        char inflation[40];
        struct trial t;
        struct ledger_row row;
        const double share = 0.5 * (k / 2 + 1);
        snprintf(inflation, sizeof inflation, ", inflation: %g", share);
        blow(&t, 4, 4, stiffness[k % 2], 5.0, inflation, ", self_contact: ignored");
        double energy = 0.0, momentum = 0.0;
        for (int step = 0; step < 100; step++) {
            row = step_once(&t.s);
            energy = fmax(energy, row.kinetic + row.elastic);
            check_close(row.energy_imbalance / energy, 0.0, 1e-12, "energy");
            momentum = fmax(momentum, sqrt(2.0 * row.kinetic * (double)t.s.particles.n * 0.01));
        }
        const struct vec3 drift = vec3(row.momentum_x, row.momentum_y, row.momentum_z);
        check_close(vec3_norm(drift) / momentum, 0.0, 1e-12, "momentum");
        const double volume = volume_of(&t, t.s.particles.position);
        worst = fmax(worst, fabs(volume / volume_of(&t, t.sample.rest_position) / share - 1.0));
        trial_free(&t);
    }
    check(worst < 0.05);
    measured("UPP.inflated.free", worst);
}

/* ---- a load ---- */

static const char loaded_text[] =
    "name: loaded\n"
    "gravity: [0, 0, -10]\n"
    "time: {end: 100, max_step: 1e-3, courant: never, frame_interval: 100}\n"
    "contact: {method: position-based}\n"
    "position: {iterations: 32, averaging: mass-splitting, stiffness: material}\n"
    "materials:\n"
    "  skin: {model: mass-spring, stretch_stiffness: 50, shear_stiffness: 0, bend_stiffness: 0,\n"
    "         inflation: 1.3}\n"
    "bodies:\n"
    "  balloon: {material: skin, radius: 0.01, particle_mass: %g, shape: {ball: {radius: 0.1}},\n"
    "            sampling: {method: vertices, initial_strain: 0.09}, self_contact: ignored}\n"
    "walls:\n"
    "  floor: {keep: outside, holds: all, position: [0, 0, -1.12], shape: {box: {size: [9, 9, "
    "2]}}}\n";

/* What springs pull each of n particles with, N. */
static void pulls(const struct trial *t, size_t n, struct vec3 *force)
{
    const struct bonded *bonds = t->s.bonded;
    const struct vec3 *x = t->s.particles.position, *rest = t->sample.rest_position;
    memset(force, 0, n * sizeof *force);
    for (uint32_t i = 0; i < n; i++)
        for (size_t e = bonds->start[i]; e < bonds->start[i + 1]; e++) {
            const uint32_t j = bonds->neighbor[e];
            const struct vec3 d = vec3_sub(x[j], x[i]);
            const double length = vec3_norm(d), l0 = vec3_norm(vec3_sub(rest[j], rest[i]));
            const struct vec3 f = vec3_scale(STIFFNESS * (length / l0 - 1.0) / length, d);
            force[i] = vec3_add(force[i], f);
            force[j] = vec3_sub(force[j], f);
        }
}

static void areas(const struct trial *t, size_t n, struct vec3 *area)
{
    const struct sheet *sheet = &t->sample.sheet[0];
    const struct vec3 *x = t->s.particles.position;
    memset(area, 0, n * sizeof *area);
    for (size_t k = 0; k < 3 * sheet->n_triangles; k++) {
        const uint32_t *c = sheet->triangle[k / 3];
        const struct vec3 a = vec3_cross(vec3_sub(x[c[1]], x[c[0]]), vec3_sub(x[c[2]], x[c[0]]));
        area[c[k % 3]] = vec3_axpy(area[c[k % 3]], 1.0 / 6.0, a);
    }
}

/* The area on which n particles lie at this height. A membrane leaves a plane along it, so that the
 * root of its height above goes linearly to zero with the distance from the middle. */
static double contact_area(const struct vec3 *x, size_t n, double height)
{
    static const double low = 1e-3, high = 1e-2; /* m: what counts as just above */
    double count = 0.0, r = 0.0, s = 0.0, rs = 0.0, ss = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double above = x[i].z - height, from = hypot(x[i].x, x[i].y),
                     root = sqrt(fmax(above, 0));
        if (above < low || above > high)
            continue;
        count += 1.0;
        r += from;
        s += root;
        rs += from * root;
        ss += root * root;
    }
    const double slope = (count * rs - r * s) / (count * ss - s * s);
    const double radius = (r - slope * s) / count;
    return M_PI * radius * radius;
}

/* How much of its weight is the pressure times the area on which it lies. The pressure is what
 * balances the pull of springs around the equator, across the weight, where nothing else does. */
static double borne(const struct trial *t, double weight)
{
    enum { N = 362 };
    struct vec3 force[N], area[N];
    const struct vec3 *x = t->s.particles.position;
    double along = 0.0, square = 0.0;
    check_equal(t->s.particles.n, N, "particles");
    pulls(t, N, force);
    areas(t, N, area);
    for (size_t i = 0; i < N; i++)
        if (fabs(x[i].z) < 0.03) {
            const struct vec3 across = vec3(area[i].x, area[i].y, 0.0);
            along -= vec3_dot(force[i], across);
            square += vec3_norm2(across);
        }
    return along / square * contact_area(x, N, -0.11) / weight;
}

/* U96, under load: a heavy balloon that keeps its volume lies on a floor. */
TEST(a_load_rests_on_pressure_times_area)
{
    static const double g = 10.0, mass[2] = {1.2e-2, 2.4e-2};
    double volume = 0.0, worst = 0.0;
    for (int heavy = 0; heavy < 2; heavy++) {
        char text[sizeof loaded_text + 40];
        struct trial t;
        struct ledger_row row = {0};
        snprintf(text, sizeof text, loaded_text, mass[heavy]);
        trial_create(&t, text);
        const double weight = mass[heavy] * g * (double)t.s.particles.n;
        for (int k = 0; k < 600; k++) {
            row = step_once(&t.s);
            for (size_t i = 0; i < t.s.particles.n; i++)
                t.s.particles.velocity[i] = vec3_scale(0.95, t.s.particles.velocity[i]);
        }
        const double bears = row.support_impulse_z / t.scene.time.max_step / weight;
        check_close(bears, 1.0, 1e-3, "rests");
        volume = fmax(volume, fabs(volume_of(&t, t.s.particles.position) /
                                       volume_of(&t, t.sample.rest_position) / 1.3 -
                                   1.0));
        worst = fmax(worst, fabs(borne(&t, weight) - 1.0));
        trial_free(&t);
    }
    check(volume < 0.05 && worst < 0.05);
    measured("UPP.inflated.loaded", volume);
    measured("UPP.inflated.load", worst);
}

/* ---- tears ---- */

/* A balloon whose halves part keeps no volume from then on; with any threads, and after a restart
 * from the middle of the tear, in which it is known to be open. */
TEST(a_torn_balloon_is_the_same_with_any_threads_and_after_a_restart)
{
    struct trial t;
    struct simulation again;
    struct error error = {0};
    struct particles copy;
    struct state state;
    struct ledger_row row;
    blow(&t, 6, 8, "material", 0.0, ", inflation: 1.1, critical_stretch: 0.4",
         ", velocity_gradient: {vz: [0, 0, 60]}");
    const double rest = volume_of(&t, t.sample.rest_position);
    double kept = 0.0;
    int begun = 0;
    do {
        kept = volume_of(&t, t.s.particles.position);
        row = step_once(&t.s);
        check_close(row.energy_imbalance / row.kinetic, 0.0, 1e-12, "energy");
        begun++;
    } while (ledger_value(&row, "broken_bonds") < 20 && begun < 200);
    check(begun > 2 && begun < 200 && kept > rest);
    check_equal(state_create(&state, &error), STATUS_OK, error.message);
    check_equal(simulation_take_state(&t.s, &state, &error), STATUS_OK, error.message);
    copy_particles(&copy, &t.s.particles);
    const struct restart restart = {t.s.time, t.s.step, &state, 1, t.sample.sheet, false};
    check_equal(
        simulation_create(&again, &t.scene, &copy, t.sample.rest_position, &restart, &error),
        STATUS_OK, error.message);
    for (int k = 0; k < 15; k++) {
        omp_set_num_threads(1);
        row = step_once(&t.s);
        omp_set_num_threads(3);
        struct ledger_row other = step_once(&again);
        check(memcmp(&row, &other, sizeof row) == 0);
        check_close(ledger_value(&row, "volume_work"), 0.0, 0.0, "work of the volume");
    }
    check(fabs(volume_of(&t, t.s.particles.position) / rest - 1.1) > 0.1);
    check(memcmp(t.s.particles.position, again.particles.position, copy.n * sizeof(struct vec3)) ==
          0);
    simulation_free(&again);
    state_free(&state);
    trial_free(&t);
}

/* ---- what is sampled, and what is refused ---- */

static const char mesh_text[] = "name: m\n"
                                "time: {end: 1, max_step: 1e-3, frame_interval: 1}\n"
                                "contact: {method: %s}\n"
                                "materials: {a: {model: %s}}\n"
                                "bodies: {b: {material: a, radius: 0.1, density: 10,\n"
                                "             shape: {%s}, mass_from: volume, sampling: {%s}}}\n";
enum { MESSAGE = 1100 };
#define AT "method: vertices"
#define SPRINGS "mass-spring, stretch_stiffness: 1, shear_stiffness: 0, bend_stiffness: 1"

/* Reads and samples; writes the first complaint, or nothing. */
static void sample_text(const char *method, const char *model, const char *shape, const char *more,
                        struct sample *sample, char message[MESSAGE])
{
    char text[2000];
    struct scene scene = {0};
    struct error error = {0};
    snprintf(text, sizeof text, mesh_text, method, model, shape, more);
    struct outcome o = outcome_of_text(text);
    message[0] = '\0';
    *sample = (struct sample){0};
    if (o.status)
        snprintf(message, MESSAGE, "%s", o.complaints.line[0]);
    else if (config_scene(o.config, &scene, &error) || sample_scene(&scene, sample, &error))
        snprintf(message, MESSAGE, "%s", error.message);
    scene_free(&scene);
    outcome_free(&o);
}

static void check_no_body(const char *method, const char *model, const char *shape,
                          const char *more, const char *place, const char *part)
{
    struct sample sample;
    char message[MESSAGE];
    sample_text(method, model, shape, more, &sample, message);
    if (!check(strncmp(message, place, strlen(place)) == 0))
        printf("#   %s\n", message);
    check_contains(message, part);
    sample_free(&sample);
}

/* Half of a square pyramid, 2 m wide. */
TEST(a_mesh_has_a_particle_at_each_vertex_and_may_be_open)
{
    char shape[200], message[MESSAGE];
    struct sample s;
    write_text(".obj", "v 0 0 1\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n");
    snprintf(shape, sizeof shape, "mesh: {file: %s, scale: 2, center: [5, 0, 0]}", path_of(".obj"));
    sample_text("sliding", SPRINGS, shape, AT ", initial_strain: 0.5", &s, message);
    check_contains(message, "");
    check(s.particles.n == 4 && s.n_sheets == 1 && s.sheet[0].n_triangles == 2);
    check_close(s.rest_position[1].x, 7.0, 1e-15, "scale and center");
    check_close(s.particles.position[0].z, 3.0, 1e-15, "scale and strain");
    check_close(s.rest_position[0].z, 2.0, 1e-15, "at rest");
    check_close(s.particles.mass[0], 10.0 * 0.2 * 8.0 * sqrt(2.0) / 4.0, 1e-13, "mass");
    sample_free(&s);
    check_no_body("position-based", SPRINGS ", inflation: 1", shape, AT,
                  "f:5:13: ", "the surface of body 'b' is open");
    write_text(".obj", "v 0 0 1\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 4 3\n");
    check_no_body("sliding", SPRINGS, shape, AT, "f:6:", "not oriented");
    unlink(path_of(".obj"));
}

TEST(what_has_no_vertices_or_no_volume_is_refused)
{
    static const char ball[] = "ball: {radius: 1}", box[] = "box: {size: [1, 1, 1]}";
    check_no_body("sliding", SPRINGS, box, AT, "f:6:", "has no vertices");
    check_no_body("sliding", SPRINGS, box, "initial_strain: 0.1", "f:6:", "begins unstressed");
    check_no_body("sliding", SPRINGS, ball, AT "}, lattice_rotation: {degrees: 3, axis: [0, 0, 1]",
                  "f:6:", "no jitter and no lattice_rotation");
    check_no_body("sliding", "loose", ball, AT, "f:6:", "give mass-spring");
    check_no_body("sliding",
                  "mass-spring, stretch_stiffness: 1, shear_stiffness: 2, bend_stiffness: 1", ball,
                  AT, "f:4:76: ", "a surface whose particles are at vertices has none; give 0");
    check_no_body("sliding", SPRINGS, box, AT ", start: 0.95", "f:6:", "has no vertices");
    check_no_body("sliding", SPRINGS, ball, AT ", start: 0.9",
                  "f:6:97: ", "'bodies.b.sampling.start' is the spacing of a lattice");
    check_no_body("sliding", SPRINGS ", inflation: 1", ball, AT,
                  "f:4:", "give contact.method: position-based");
    check_no_body("position-based", SPRINGS ", inflation: 1", ball, "method: lattice",
                  "f:4:", "give the body sampling: {method: vertices}");
    check_no_body("sliding", SPRINGS, "ball: {radius: 1e5}", AT, "f:6:22: ", "can be numbered");
}
