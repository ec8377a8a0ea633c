/* What a crack costs: the sum over the lattice against bonds counted one by one, and against blocks
 * that are cut. */
#include "networks.h"
#include "systems/bonds/bond_fracture.h"

static const double D = 0.02, K = 50.0, S0 = 0.01; /* spacing, m; N per unit strain */

static struct peridynamics bonds(double horizon, enum neighbor_volumes volumes)
{
    return (struct peridynamics){.stiffness = K,
                                 .horizon = horizon,
                                 .volumes = volumes,
                                 .fracture_energy = (double)INFINITY,
                                 .critical_stretch = S0};
}

/* The fraction of a neighbor that counts, by the formula of PDLAMMPS (Parks et al. 2008); lengths
 * in spacings. */
static double fraction(double length, double horizon, enum neighbor_volumes volumes)
{
    if (volumes == VOLUMES_WHOLE || length < horizon - 0.5)
        return 1.0;
    return -length + (horizon + 0.5);
}

/* The energy of all bonds that cross the square of one spacing between the layers x = 0 and x = 1
 * of a big lattice: bond by bond, wherever its ends are, if its middle is above the square. */
static double counted(double horizon, enum neighbor_volumes volumes, int dimension)
{
    const int n = (int)horizon + 2, ny = dimension > 1 ? n : 0, nz = dimension > 2 ? n : 0;
    double energy = 0.0;
    for (int x = -n; x <= 0; x++)
        for (int X = 1; X <= n; X++)
            for (int y = -ny; y <= ny; y++)
                for (int Y = -ny; Y <= ny; Y++)
                    for (int z = -nz; z <= nz; z++)
                        for (int Z = -nz; Z <= nz; Z++) {
                            double length = sqrt((X - x) * (X - x) + (Y - y) * (Y - y) +
                                                 (double)((Z - z) * (Z - z)));
                            /* middles on a side of the square belong to one of two squares */
                            bool here = (y + Y == 0 || y + Y == 1) && (z + Z == 0 || z + Z == 1);
                            if (here && length <= horizon + 1e-6)
                                energy += 0.5 * K * fraction(length, horizon, volumes) * length *
                                          D * S0 * S0;
                        }
    return energy / (D * D);
}

TEST(the_sum_is_that_of_bonds_counted_one_by_one)
{
    static const double horizons[] = {1.0, 1.5, 2.0, 2.5, 3.0, 3.3, 4.0, 5.0};
    for (size_t k = 0; k < sizeof horizons / sizeof horizons[0]; k++)
        for (int volumes = VOLUMES_WHOLE; volumes <= VOLUMES_REDUCED; volumes++)
            for (int dimension = 1; dimension <= 3; dimension++) {
                struct peridynamics m = bonds(horizons[k], (enum neighbor_volumes)volumes);
                double expected = counted(horizons[k], (enum neighbor_volumes)volumes, dimension);
                check_close(bond_fracture_energy(&m, D, dimension, S0), expected, 1e-12 * expected,
                            "energy");
                m.fracture_energy = expected;
                m.critical_stretch = (double)INFINITY;
                check_close(bond_critical_stretch(&m, D, dimension), S0, 1e-12 * S0, "stretch");
            }
}

/* The continuum's formula, by which critical stretches are usually found. */
TEST(the_integral_is_not_the_sum)
{
    static const double horizons[] = {2.0, 3.0, 4.0}, off[] = {-0.13, 0.15, -0.09};
    for (int k = 0; k < 3; k++) {
        struct peridynamics m = bonds(horizons[k], VOLUMES_WHOLE);
        double delta = horizons[k] * D, micromodulus = K / pow(D, 6);
        double integral = acos(-1.0) * micromodulus * pow(delta, 5) * S0 * S0 / 10.0;
        check_close(bond_fracture_energy(&m, D, 3, S0) / integral - 1.0, off[k], 0.005, "off by");
    }
}

/* Cuts a block between two layers by moving all behind it away, until no bond crosses; returns what
 * the bonds released, J. `report` is of the whole block. */
static double cut(const struct peridynamics *m, int n, int nz, struct fracture_report *report)
{
    enum { LENGTH = 14 };
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t material = add_peridynamics(&h, K, m->horizon, 0.0, (double)INFINITY);
    h.parameters[material].bonds = *m;
    add_body(&h, material, 0.5 * D, 1e-3);
    add_block(&h, LENGTH, n, nz, vec3(0, 0, 0), vec3(0, 0, 0));
    struct error error = {0};
    check_equal(
        bond_fracture_report(&h.body[0], &h.material[0], h.particles.n, h.rest, report, &error),
        STATUS_OK, "report");
    struct bond_network *net = create(&h);
    const double increment = 0.002 * report->critical_stretch * D;
    double released = 0.0;
    for (int step = 0; step < 6000; step++) {
        struct term_value term[MOST_TERMS] = {{0}};
        for (size_t i = 0; i < h.particles.n; i++)
            if (h.rest[i].x > 0.5 * LENGTH * D - 0.5 * D)
                h.particles.position[i].x += increment;
        check_equal(net->system.class->finish(&net->system, &h.particles, term, &error), STATUS_OK,
                    "finish");
        released += term[BOND_RELEASED].value;
    }
    check_close(energy(net, &h.particles), 0.0, 1e-12 * released, "nothing crosses any more");
    destroy(net);
    hand_scene_end(&h);
    return released;
}

/* What a cut releases is that of all particles less what bonds lack at edges and corners, a
 * polynomial of the width n of the block: its second difference is twice the energy of a square
 * spacing in a body without surfaces. */
static void check_cut(double horizon, enum neighbor_volumes volumes)
{
    const double asked = 7.0;
    struct peridynamics m = bonds(horizon, volumes);
    struct fracture_report report;
    double released[3];
    m.critical_stretch = (double)INFINITY;
    m.fracture_energy = asked;
    for (int k = 0; k < 3; k++) {
        int n = (int)horizon + 2 + k;
        released[k] = cut(&m, n, n, &report);
        double area = n * n * D * D;
        check_close(released[k] / area, report.energy[0], 0.005 * report.energy[0], "as reported");
        check(report.energy[0] < asked);
    }
    double inside = 0.5 * (released[0] - 2.0 * released[1] + released[2]) / (D * D);
    check_close(inside, asked, 0.01 * asked, "as asked for");
}

TEST(a_block_that_is_cut_releases_the_energy_times_the_area)
{
    check_cut(2.0, VOLUMES_WHOLE);
    check_cut(2.5, VOLUMES_REDUCED);
    check_cut(3.0, VOLUMES_WHOLE);
}

TEST(a_plate_of_one_layer_is_one_spacing_thick)
{
    const double asked = 7.0;
    struct peridynamics m = bonds(3.0, VOLUMES_WHOLE);
    struct fracture_report report;
    m.critical_stretch = (double)INFINITY;
    m.fracture_energy = asked;
    /* linear in the width, as soon as that is beyond the horizon */
    double more = cut(&m, 9, 1, &report) - cut(&m, 8, 1, &report);
    check_close(more / (D * D), asked, 0.005 * asked, "as asked for");
    check_close(report.energy[2], 0.0, 0.0, "no bonds across the layer");
}

/* Bonds break at the smaller of the critical stretches of their ends. */
TEST(the_spread_of_critical_stretches_is_allowed_for)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t m = add_peridynamics(&h, K, 1.0, 0.0, (double)INFINITY);
    h.parameters[m].bonds.critical_stretch_spread = 0.3;
    h.parameters[m].bonds.fracture_energy = 7.0;
    add_body(&h, m, 0.5 * D, 1e-3);
    add_block(&h, 25, 25, 25, vec3(0, 0, 0), vec3(0, 0, 0));
    struct bond_network *net = create(&h);
    double sum = 0.0;
    for (size_t i = 0; i < net->system.n; i++)
        for (size_t e = net->start[i]; e < net->start[i + 1]; e++) {
            double s = fmin(net->critical_stretch[i], net->critical_stretch[net->neighbor[e]]);
            sum += 0.5 * K * D * s * s / (D * D);
        }
    /* a particle is an end of six bonds: four standard errors of 15625 / 2 independent ones */
    check_close(sum / (double)net->n_bonds, 7.0, 4.0 * 7.0 * 0.2 / sqrt(7800.0), "energy");
    destroy(net);
    hand_scene_end(&h);
}

/* They follow from the unstressed body, whatever has become of it when a run goes on. */
TEST(critical_stretches_are_the_same_after_a_restart)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    size_t m = add_peridynamics(&h, K, 3.0, 0.0, (double)INFINITY);
    h.parameters[m].bonds.fracture_energy = 7.0;
    for (int layers = 1; layers <= 4; layers += 3) {
        add_body(&h, m, 0.5 * D, 1e-3);
        add_block(&h, 8, 8, layers, vec3(0, 0, layers), vec3(0, 0, 0));
    }
    struct bond_network *net = create(&h);
    jitter(&h, 0.1, 3);
    struct bond_network *again = create(&h);
    size_t n = net->system.n;
    check(memcmp(net->critical_stretch, again->critical_stretch,
                 n * sizeof *net->critical_stretch) == 0);
    struct peridynamics flat = h.parameters[m].bonds;
    check_close(net->critical_stretch[0], bond_critical_stretch(&flat, D, 2), 1e-15, "plate");
    check_close(net->critical_stretch[n - 1], bond_critical_stretch(&flat, D, 3), 1e-15, "block");
    destroy(net);
    destroy(again);
    hand_scene_end(&h);
}

static int dimension_of_block(int nx, int ny, int nz, double off)
{
    struct hand_scene h;
    hand_scene_begin(&h);
    add_body(&h, add_loose(&h), 0.5 * D, 1e-3);
    add_block(&h, nx, ny, nz, vec3(3, 4, 5), vec3(0, 0, 0));
    jitter(&h, off * D, 4);
    /* turned, so that no axis is special */
    for (size_t i = 0; i < h.particles.n; i++) {
        struct vec3 x = h.particles.position[i];
        x = vec3(0.6 * x.x - 0.8 * x.y, 0.8 * x.x + 0.6 * x.y, x.z);
        h.particles.position[i] = vec3(x.x, 0.6 * x.y - 0.8 * x.z, 0.8 * x.y + 0.6 * x.z);
    }
    int dimension = bond_fracture_dimension(h.particles.n, h.particles.position, D);
    hand_scene_end(&h);
    return dimension;
}

TEST(sheets_and_lines_have_fewer_dimensions)
{
    static const double off[] = {0.0, 0.1};
    for (int k = 0; k < 2; k++) {
        check_equal(dimension_of_block(7, 5, 4, off[k]), 3, "block");
        check_equal(dimension_of_block(7, 5, 2, off[k]), 3, "plate of two layers");
        check_equal(dimension_of_block(7, 1, 5, off[k]), 2, "plate of one layer");
        check_equal(dimension_of_block(1, 9, 1, off[k]), 1, "line");
        check_equal(dimension_of_block(1, 1, 1, off[k]), 1, "particle");
    }
}
