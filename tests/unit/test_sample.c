/* Sampling: lattices in solids, sheets, thickness. */
#include "bodies.h"

static const double pi = 3.14159265358979323846;

TEST(a_ball_holds_every_lattice_point_within_its_radius)
{
    for (int diameter = 1; diameter <= 24; diameter++) { /* in spacings */
        struct body body = ball_body(0.01 * diameter, 0.01);
        steel.model = &loose_model;
        struct sample sample = make(&body, 1);
        size_t expected = 0;
        for (int i = -30; i <= 30; i++) /* twice the coordinates, in spacings */
            for (int j = -30; j <= 30; j++)
                for (int k = -30; k <= 30; k++)
                    expected += (i - diameter) % 2 && (j - diameter) % 2 && (k - diameter) % 2 &&
                                i * i + j * j + k * k <= diameter * diameter;
        check_equal(sample.particles.n, expected, "particles");
        check_equal(sample.report[0].particles, expected, "reported");
        check_close(sample.report[0].volume, 4.0 / 3 * pi * pow(0.01 * diameter, 3), 1e-15,
                    "volume");
        check_close(sample.report[0].volume_error,
                    (double)expected * 8e-6 / sample.report[0].volume - 1, 1e-12, "volume error");
        sample_free(&sample);
    }
}

TEST(a_ball_of_twelve_spacings_has_912_particles)
{
    struct body body = ball_body(0.12, 0.01);
    struct sample sample = make(&body, 1);
    check_equal(sample.particles.n, 912, "particles");
    struct vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < sample.particles.n; i++)
        sum = vec3_add(sum, sample.rest_position[i]);
    check_close(vec3_norm(sum), 0, 1e-12, "symmetric about the center");
    sample_free(&sample);
}

TEST(boxes_of_whole_spacings_are_exact)
{
    steel_bonds.horizon = 2; /* does not span the smallest, 1 x 2 x 3 */
    for (int n = 1; n <= 12; n++) {
        struct body body = ball_body(1, 0.05);
        body.shape.kind = SHAPE_BOX;
        body.shape.size = vec3(0.1 * n, 0.1 * (n + 1), 0.1 * (n + 2));
        body.shape.center = vec3(0.3, -0.7, 11);
        struct sample sample = make(&body, 1);
        check_equal(sample.particles.n, n * (n + 1) * (n + 2), "particles");
        check_close(sample.report[0].volume_error, 0, 1e-12, "volume error");
        check_close(sample.report[0].thinnest, 0.1 * n, 1e-6, "thinnest");
        sample_free(&sample);
    }
}

/* density x volume, whatever the lattice counts; by default that of the particles' cubes */
TEST(a_body_weighs_what_its_volume_does_if_asked)
{
    struct shape ball = {.kind = SHAPE_BALL, .radius = 0.06};
    struct shape torus = {.kind = SHAPE_TORUS, .radius = 0.08, .tube = 0.035};
    double volume[2] = {4.0 / 3.0 * pi * pow(0.06, 3), 2.0 * pi * pi * 0.08 * 0.035 * 0.035};
    steel.model = &loose_model;
    for (int k = 0; k < 4; k++) {
        struct body body = ball_body(1, 0.01);
        body.shape = k % 2 ? torus : ball;
        body.density = 3000.0;
        body.particle_mass = 3000.0 * 8e-6;
        body.mass_from = k < 2 ? MASS_FROM_VOLUME : MASS_FROM_SPACING;
        struct sample sample = make(&body, 1);
        double sum = 0.0, cubes = 3000.0 * 8e-6 * (double)sample.particles.n;
        for (size_t i = 0; i < sample.particles.n; i++)
            sum += sample.particles.mass[i];
        check_close(sum, k < 2 ? 3000.0 * volume[k] : cubes, 1e-12, "mass");
        check(fabs(cubes / (3000.0 * volume[k % 2]) - 1.0) > 0.005);
        sample_free(&sample);
    }
}

TEST(the_size_of_a_body_is_from_surface_to_surface)
{
    struct body body = ball_body(1, 0.05);
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(0.3, 0.4, 0.5);
    body.shape.center = vec3(7, 8, 9);
    steel.model = &loose_model;
    struct sample sample = make(&body, 1);
    struct vec3 size = sample.report[0].extent;
    check_close(size.x, 0.3, 1e-12, "x");
    check_close(size.y, 0.4, 1e-12, "y");
    check_close(size.z, 0.5, 1e-12, "z");
    sample_free(&sample);
}

TEST(the_volume_error_falls_with_the_spacing)
{
    struct shape shape[4] = {{.kind = SHAPE_CYLINDER, .radius = 0.3, .height = 0.5},
                             {.kind = SHAPE_TORUS, .radius = 0.4, .tube = 0.15},
                             {.kind = SHAPE_BOWL, .radius = 0.5, .thickness = 0.2, .height = 0.6},
                             {.kind = SHAPE_BALL, .radius = 0.4}};
    for (int s = 0; s < 4; s++) {
        struct body body = ball_body(1, 1);
        body.shape = shape[s];
        turn(body.lattice_rotation, 0.4);
        for (int level = 0; level < 3; level++) {
            body.radius = 0.02 / (1 << level);
            struct sample sample = make(&body, 1);
            /* Counting lattice points errs by far less than the surface's layer of cells. */
            check_close(sample.report[0].volume_error, 0, 0.05 / (1 << level), "volume error");
            sample_free(&sample);
        }
    }
}

TEST(turning_the_lattice_hardly_changes_the_count)
{
    struct body body = ball_body(0.12, 0.01);
    for (int i = 0; i < 20; i++) {
        turn(body.lattice_rotation, 0.3 * i);
        struct sample sample = make(&body, 1);
        check_equal(sample.particles.n, 912, "a ball looks the same from everywhere");
        sample_free(&sample);
    }
    body.shape.kind = SHAPE_BOX;
    body.shape.size = vec3(0.3, 0.2, 0.24);
    for (int i = 1; i < 20; i++) {
        turn(body.lattice_rotation, 0.3 * i);
        struct sample sample = make(&body, 1);
        check_close(sample.report[0].volume_error, 0, 0.06, "volume error of a turned box");
        for (size_t k = 0; k < sample.particles.n; k++) {
            struct vec3 x = sample.rest_position[k];
            check(fabs(x.x) < 0.15 + 1e-9 && fabs(x.y) < 0.1 + 1e-9 && fabs(x.z) < 0.12 + 1e-9);
        }
        sample_free(&sample);
    }
}

TEST(bodies_are_turned_moved_and_spun)
{
    struct body body = ball_body(0.1, 0.01);
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}; /* x to y, y to -x */
    memcpy(body.rotation, quarter, sizeof quarter);
    body.position = vec3(1, 2, 3);
    body.velocity = vec3(0, 0, -5);
    body.spin = vec3(0, 0, 2);
    struct sample sample = make(&body, 1);
    for (size_t i = 0; i < sample.particles.n; i++) {
        struct vec3 r = sample.rest_position[i], x = sample.particles.position[i];
        check_close(x.x, 1 - r.y, 1e-15, "x");
        check_close(x.y, 2 + r.x, 1e-15, "y");
        check_close(x.z, 3 + r.z, 1e-15, "z");
        struct vec3 v = sample.particles.velocity[i];
        check_close(v.x, -2 * r.x, 1e-15, "vx: spin x offset");
        check_close(v.y, -2 * r.y, 1e-15, "vy");
        check_close(v.z, -5, 0, "vz");
        check_close(sample.particles.mass[i], 8e-3, 0, "mass");
        check_close(sample.particles.radius[i], 0.01, 0, "radius");
        check_equal(sample.particles.body[i], 0, "body");
        check_equal(sample.particles.state[i], 0, "fixed");
    }
    sample_free(&sample);
}

/* Copies have the particles of the first, at their own place and angle. */
TEST(copies_are_the_first_turned_and_moved)
{
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}; /* x to y, y to -x */
    struct body body[2] = {ball_body(0.1, 0.01), ball_body(0.1, 0.01)};
    memcpy(body[1].rotation, quarter, sizeof quarter);
    body[1].position = vec3(1, 2, 3);
    body[1].copy = 1;
    struct sample sample = make(body, 2);
    size_t n = sample.report[0].particles;
    check_equal(sample.particles.n, 2 * n, "particles");
    check_equal(sample.report[1].particles, n, "reported");
    for (size_t i = 0; i < n; i++) {
        struct vec3 r = sample.particles.position[i], x = sample.particles.position[n + i];
        check_close(x.x, 1 - r.y, 1e-15, "x");
        check_close(x.y, 2 + r.x, 1e-15, "y");
        check_close(x.z, 3 + r.z, 1e-15, "z");
        check_equal(sample.particles.body[n + i], 1, "body");
        check(sample.rest_position[i].x == sample.rest_position[n + i].x);
    }
    sample_free(&sample);
}

/* Shear, stretching and spin about a body's origin, along the axes of the world. */
TEST(velocities_vary_in_space)
{
    struct body body = ball_body(0.1, 0.01);
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    const double gradient[9] = {0.5, 2, 0, 0, -0.5, 0, 0, 3, 0.25};
    memcpy(body.rotation, quarter, sizeof quarter);
    memcpy(body.velocity_gradient, gradient, sizeof gradient);
    body.position = vec3(1, 2, 3);
    body.velocity = vec3(7, 0, -5);
    body.spin = vec3(0, 0, 2);
    struct sample sample = make(&body, 1);
    for (size_t i = 0; i < sample.particles.n; i++) {
        struct vec3 r = vec3_sub(sample.particles.position[i], body.position);
        struct vec3 v = sample.particles.velocity[i];
        check_close(v.x, 7 - 2 * r.y + 0.5 * r.x + 2 * r.y, 1e-14, "vx");
        check_close(v.y, 2 * r.x - 0.5 * r.y, 1e-14, "vy");
        check_close(v.z, -5 + 3 * r.y + 0.25 * r.z, 1e-14, "vz");
    }
    sample_free(&sample);
}

TEST(neighbors_in_space_are_near_in_memory)
{
    struct body body = ball_body(0.2, 0.01);
    struct sample sample = make(&body, 1);
    double mean = 0;
    for (size_t i = 1; i < sample.particles.n; i++)
        mean += vec3_norm(vec3_sub(sample.rest_position[i], sample.rest_position[i - 1]));
    mean /= 0.02 * (double)(sample.particles.n - 1);
    check(mean < 2.5); /* spacings between successive particles */
    sample_free(&sample);
}

TEST(sheets_are_row_major_centered_and_stretched)
{
    struct body body = sheet_body(5, 3, 0.01);
    body.shape.initial_strain = 0.1;
    struct sample sample = make(&body, 1);
    check_equal(sample.particles.n, 15, "particles");
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 5; column++) {
            struct vec3 r = sample.rest_position[5 * row + column];
            struct vec3 x = sample.particles.position[5 * row + column];
            check_close(r.x, (column - 2) * 0.02, 1e-15, "x at rest");
            check_close(r.y, (row - 1) * 0.02, 1e-15, "y at rest");
            check_close(r.z, 0, 0, "z at rest");
            check_close(x.x, (column - 2) * 0.022, 1e-15, "x");
            check_close(x.y, (row - 1) * 0.022, 1e-15, "y");
        }
    }
    check_close(sample.report[0].volume, 15 * 8e-6, 1e-15, "volume");
    check_close(sample.report[0].volume_error, 0, 1e-12, "volume error");
    check_close(sample.report[0].thinnest, 0.02, 0, "thinnest");
    sample_free(&sample);
}

TEST(the_triangles_of_a_sheet_tile_it_and_face_up)
{
    struct body body[2] = {ball_body(0.05, 0.01), sheet_body(7, 4, 0.01)};
    body[0].position.z = 1;
    struct sample sample = make(body, 2);
    check_equal(sample.n_sheets, 1, "sheets");
    const struct sheet *sheet = &sample.sheet[0];
    check_equal(sheet->body, 1, "body");
    check_equal(sheet->n_triangles, 2 * 6 * 3, "triangles");
    double area = 0;
    int of_even_squares = 0, of_odd_squares = 0;
    for (size_t t = 0; t < sheet->n_triangles; t++) {
        struct vec3 v[3];
        for (int c = 0; c < 3; c++) {
            check_equal(sample.particles.body[sheet->triangle[t][c]], 1, "corner's body");
            v[c] = sample.particles.position[sheet->triangle[t][c]];
        }
        struct vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
        check_close(normal.z, 4e-4, 1e-15, "twice the area, upward");
        area += normal.z / 2;
        size_t square = t / 2, row = square / 6, column = square % 6;
        size_t first = sample.report[0].particles + row * 7 + column;
        of_even_squares += (row + column) % 2 == 0 && sheet->triangle[t][0] == first;
        of_odd_squares += (row + column) % 2 == 1 && sheet->triangle[t][0] == first + 1;
    }
    check_close(area, 6 * 3 * 4e-4, 1e-12, "area");
    check_equal(of_even_squares, 18, "triangles on the even diagonals");
    check_equal(of_odd_squares, 18, "triangles on the odd diagonals, which are the others");
    sample_free(&sample);
}

static size_t count_fixed(unsigned part)
{
    struct body body[2] = {sheet_body(6, 4, 0.01), ball_body(0.05, 0.01)};
    body[1].position.z = 1;
    body[0].fixed = part;
    struct sample sample = make(body, 2);
    size_t n = 0;
    for (size_t i = 0; i < sample.particles.n; i++) {
        if (!sample.particles.state[i])
            continue;
        n++;
        struct vec3 r = sample.rest_position[i];
        bool x_end = fabs(fabs(r.x) - 0.05) < 1e-9, y_end = fabs(fabs(r.y) - 0.03) < 1e-9;
        check(part == FIXED_ALL || (part == FIXED_RIM ? x_end || y_end : x_end && y_end));
    }
    sample_free(&sample);
    return n;
}

TEST(sheets_are_held_where_asked)
{
    check_equal(count_fixed(FIXED_NONE), 0, "none");
    check_equal(count_fixed(FIXED_CORNERS), 4, "corners");
    check_equal(count_fixed(FIXED_RIM), 16, "rim");
    check_equal(count_fixed(FIXED_ALL), 24, "all");
}

/* Column 0 and row 3 of 6 x 4 particles, the body turned and stretched: edges are its own. */
TEST(edges_are_those_of_the_bodys_frame)
{
    struct body body[2] = {sheet_body(6, 4, 0.01), ball_body(0.05, 0.01)};
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    memcpy(body[0].rotation, quarter, sizeof quarter);
    body[0].shape.initial_strain = 0.25;
    body[0].fixed = FIXED_LEFT | FIXED_BACK;
    body[0].velocity = vec3(0, 0, 4);
    body[1].position.z = 1;
    struct sample sample = make(body, 2);
    for (size_t i = 0; i < 24; i++) {
        struct vec3 r = sample.rest_position[i];
        bool held = r.x < -0.05 + 1e-9 || r.y > 0.03 - 1e-9;
        check_equal(sample.particles.state[i], held, "held");
        check_close(sample.particles.velocity[i].z, held ? 0 : 4, 0, "what is held does not move");
    }
    sample_free(&sample);
    body[0].fixed = FIXED_RIGHT | FIXED_FRONT | FIXED_CORNERS;
    sample = make(body, 2);
    for (size_t i = 0; i < 24; i++) {
        struct vec3 r = sample.rest_position[i];
        bool corner = fabs(r.x) > 0.05 - 1e-9 && fabs(r.y) > 0.03 - 1e-9;
        check_equal(sample.particles.state[i], r.x > 0.05 - 1e-9 || r.y < -0.03 + 1e-9 || corner,
                    "held");
    }
    sample_free(&sample);
}

static size_t held_of(const struct sample *sample, uint32_t body)
{
    size_t n = 0;
    for (size_t i = 0; i < sample->particles.n; i++)
        n += sample->particles.body[i] == body && sample->particles.state[i] == PARTICLE_FIXED;
    return n;
}

/* Two points of a sheet, and a slice of a box whose surface goes through lattice points. */
TEST(bodies_are_held_in_a_region)
{
    struct body body[2] = {sheet_body(6, 4, 0.01), ball_body(0.05, 0.01)};
    struct shape points[2] = {{.kind = SHAPE_BALL, .radius = 0.005, .center = {-0.05, 0.03, 0.001}},
                              {.kind = SHAPE_BALL, .radius = 0.005, .center = {0.01, 0.01, 0}}};
    struct shape both = {.kind = SHAPE_UNION, .n_children = 2, .child = points};
    struct shape slice = {.kind = SHAPE_BOX, .size = {1, 1, 1}, .center = {0, 0, -0.5}};
    body[0].fixed_in = &both;
    body[1].shape = (struct shape){.kind = SHAPE_BOX, .size = {0.1, 0.1, 0.12}};
    body[1].fixed_in = &slice;
    body[1].position = vec3(0, 0, 1);
    body[1].jitter = 0.2;
    struct sample sample = make(body, 2);
    check_equal(held_of(&sample, 0), 2, "points");
    check(sample.particles.state[18] && sample.particles.state[9 + 6]);
    check_equal(held_of(&sample, 1), 75, "three of six layers"); /* at odd multiples of r */
    sample_free(&sample);
    slice.center.z = -0.49; /* ends where a layer is */
    sample = make(body, 2);
    check_equal(held_of(&sample, 1), 100, "the layer in the surface, too");
    sample_free(&sample);
}

/* Turned by a quarter about z, so that the box is as long in y as the body is in x. */
TEST(scattered_particles_fill_the_box_around_their_places)
{
    struct body body = ball_body(1, 0.01);
    struct shape slice = {.kind = SHAPE_BOX, .size = {1, 1, 1}, .center = {0, 0, -0.53}};
    body.shape = (struct shape){.kind = SHAPE_BOX, .size = {0.4, 0.2, 0.1}};
    body.start = START_SCATTERED;
    body.fixed_in = &slice;
    body.position = vec3(0, 0, 1);
    const double quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    memcpy(body.rotation, quarter, sizeof quarter);
    struct sample sample = make(&body, 1);
    struct vec3 sum = {0, 0, 0}, most = {0, 0, 0};
    size_t n = 0;
    for (size_t i = 0; i < sample.particles.n; i++) {
        struct vec3 rest = sample.rest_position[i], x = sample.particles.position[i];
        if (sample.particles.state[i] == PARTICLE_FIXED) {
            check(x.x == -rest.y && x.y == rest.x && x.z == rest.z + 1.0);
            continue;
        }
        x.z -= 1.0;
        sum = vec3_add(sum, x);
        most = vec3(fmax(most.x, fabs(x.x)), fmax(most.y, fabs(x.y)), fmax(most.z, fabs(x.z)));
        n++;
    }
    check_equal(held_of(&sample, 0), 200, "one layer of five is held");
    check(most.x <= 0.09 && most.y <= 0.19 && most.z <= 0.04);
    check(most.x > 0.089 && most.y > 0.188 && most.z > 0.039);
    check(vec3_norm(sum) < 0.01 * (double)n);
    sample_free(&sample);
}

TEST(thin_walls_are_found)
{
    /* A plate of 0.03 m, spacing 0.02 m, in three attitudes of the lattice. */
    for (int i = 0; i < 3; i++) {
        struct body plate = ball_body(1, 0.01);
        plate.shape.kind = SHAPE_BOX;
        plate.shape.size = vec3(0.4, 0.3, 0.03);
        turn(plate.lattice_rotation, 0.5 * i);
        struct sample sample = make(&plate, 1);
        check_close(sample.report[0].thinnest, 0.03, 1e-6, "plate");
        sample_free(&sample);
    }
    struct body body = ball_body(1, 0.01);
    body.shape =
        (struct shape){.kind = SHAPE_BOWL, .radius = 0.2, .thickness = 0.05, .height = 0.2};
    struct sample sample = make(&body, 1);
    check_close(sample.report[0].thinnest, 0.05, 1e-4, "bowl");
    sample_free(&sample);
    body.shape = (struct shape){.kind = SHAPE_TORUS, .radius = 0.2, .tube = 0.06};
    sample = make(&body, 1);
    check_close(sample.report[0].thinnest, 0.12, 1e-4, "torus");
    sample_free(&sample);
    body.shape = (struct shape){.kind = SHAPE_BALL, .radius = 0.2};
    sample = make(&body, 1);
    check_close(sample.report[0].thinnest, 0.4, 1e-4, "ball");
    sample_free(&sample);
}

TEST(thin_rods_are_found_wherever_the_lattice_lies)
{
    steel.model = &loose_model;     /* the thinnest are strings of single particles */
    for (int i = 1; i <= 12; i++) { /* diameters of 0.75 to 9 spacings */
        struct body body = ball_body(1, 0.01);
        body.shape = (struct shape){.kind = SHAPE_CYLINDER, .radius = 0.0075 * i, .height = 0.4};
        for (int turned = 0; turned < 2; turned++) {
            turn(body.lattice_rotation, 0.7 * turned);
            struct sample sample = make(&body, 1);
            check_close(sample.report[0].thinnest, 0.015 * i, 1e-4, "rod");
            sample_free(&sample);
        }
    }
}

TEST(the_thin_neck_of_a_dumbbell_is_found)
{
    struct shape part[3] = {{.kind = SHAPE_BALL, .radius = 0.15, .center = {0, 0, -0.2}},
                            {.kind = SHAPE_BALL, .radius = 0.15, .center = {0, 0, 0.2}},
                            {.kind = SHAPE_CYLINDER, .radius = 0.018, .height = 0.3}};
    struct body body = ball_body(1, 0.01);
    body.shape = (struct shape){.kind = SHAPE_UNION, .n_children = 3, .child = part};
    struct sample sample = make(&body, 1);
    check_close(sample.report[0].thinnest, 0.036, 1e-4, "neck");
    sample_free(&sample);
}
