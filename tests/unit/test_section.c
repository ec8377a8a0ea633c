#include "analysis/section.h"
#include "frame_random.h"
#include "tap.h"

static void check_vector(struct vec3 a, struct vec3 b, const char *what)
{
    check_close(vec3_norm(vec3_sub(a, b)), 0.0, 1e-12, what);
}

TEST(the_axes_are_as_stated)
{
    const struct {
        struct vec3 normal, right, up, away;
    } known[] = {
        {{0, 2, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
        {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}},
        {{-3, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}},
        {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
        {{0, 0, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
    };
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        struct plane plane;
        check_equal(plane_create(known[k].normal, 0.0, &plane, NULL), STATUS_OK, "status");
        check_vector(plane.right, known[k].right, "right");
        check_vector(plane.up, known[k].up, "up");
        check_vector(plane.away, known[k].away, "away");
    }
}

TEST(the_axes_are_a_frame_of_unit_vectors_in_the_plane)
{
    for (int i = 0; i < 1000; i++) {
        struct plane p;
        struct vec3 n = vec3(random_unit() - 0.5, random_unit() - 0.5, random_unit() - 0.5);
        check_equal(plane_create(n, 0.3, &p, NULL), STATUS_OK, "status");
        check_vector(vec3_cross(p.up, p.right), p.away, "handedness");
        check_close(vec3_norm(p.right), 1.0, 1e-12, "right is a unit vector");
        check_close(vec3_norm(p.up), 1.0, 1e-12, "up is a unit vector");
        check_close(vec3_dot(p.right, p.up), 0.0, 1e-12, "right and up");
        check_close(vec3_dot(p.up, n), 0.0, 1e-12, "up lies in the plane");
        check_close(vec3_dot(p.right, n), 0.0, 1e-12, "right lies in the plane");
        check(p.up.z > 0.0 && p.right.x >= 0.0);
        struct vec3 x = vec3(random_unit(), random_unit(), random_unit());
        struct vec3 on = vec3_scale(0.3, p.normal);
        check_close(plane_depth(&p, x), vec3_dot(vec3_sub(x, on), p.away), 1e-12, "depth");
    }
}

TEST(a_plane_without_a_direction_is_refused)
{
    struct plane plane;
    struct error error = {0};
    check_equal(plane_create(vec3(0, 0, 0), 0.0, &plane, &error), STATUS_INVALID, "zero");
    check_contains(error.message, "other than 0,0,0");
    check_equal(plane_create(vec3(1, 0, 0), (double)NAN, &plane, &error), STATUS_INVALID, "nan");
}

TEST(a_section_has_the_particles_of_the_slab_the_farthest_first)
{
    struct frame frame = random_frame(2000, 0);
    struct plane plane;
    struct section section;
    frame.particles.position[17].y = (double)NAN;
    check_equal(plane_create(vec3(0, 1, 0), 0.4, &plane, NULL), STATUS_OK, "status");
    check_equal(section_create(frame.particles.position, frame.particles.n, NULL, &plane, 0.2,
                               &section, NULL),
                STATUS_OK, "status");
    size_t expected = 0;
    for (size_t i = 0; i < 2000; i++)
        expected += fabs(frame.particles.position[i].y - 0.4) <= 0.1;
    check_equal(section.n, expected, "particles");
    check_equal(section.n_not_finite, 1, "without a position");
    for (size_t k = 0; k < section.n; k++) {
        const struct section_particle *s = &section.particle[k];
        struct vec3 x = frame.particles.position[s->id];
        check(s->u == x.x && s->v == x.z && fabs(s->depth - (x.y - 0.4)) < 1e-15);
        check(k == 0 || s->depth <= section.particle[k - 1].depth);
    }
    section_free(&section);
    uint8_t *hidden = calloc(2000, 1);
    for (size_t i = 0; i < 2000; i += 2)
        hidden[i] = 1;
    check_equal(section_create(frame.particles.position, frame.particles.n, hidden, &plane, 0.2,
                               &section, NULL),
                STATUS_OK, "status");
    check(section.n > 0);
    for (size_t k = 0; k < section.n; k++)
        check_equal(section.particle[k].id % 2, 1, "hidden");
    free(hidden);
    section_free(&section);
    memory_fail_after(0);
    check_equal(section_create(frame.particles.position, frame.particles.n, NULL, &plane, 0.2,
                               &section, NULL),
                STATUS_FAILED, "memory");
    memory_fail_after(-1);
    frame_free(&frame);
}

TEST(a_section_prints_as_csv)
{
    struct frame frame = random_initial(2), initial = random_initial(2);
    struct plane plane;
    struct section section;
    char text[512] = "";
    frame.fragment = random_array(2, sizeof *frame.fragment); /* both in the first one's */
    frame.fragment[0] = frame.fragment[1] = 0;
    frame.particles.position[0] = vec3(0.5, 0.25, -1);
    frame.particles.position[1] = vec3(-0.5, 0.25, 3);
    frame.particles.velocity[0] = vec3(3, 0, 4);
    frame.particles.velocity[1] = vec3(0, 0, 0);
    initial.particles.position[0] = vec3(0.5, 0.25, 1);
    initial.particles.position[1] = vec3(-0.5, 0.25, 3);
    for (uint32_t i = 0; i < 2; i++) {
        frame.particles.radius[i] = 0.125;
        frame.particles.body[i] = i;
    }
    frame.body_name[1] = strcpy(frame.body_name[1], "a,\"b\"");
    check_equal(plane_create(vec3(0, 1, 0), 0.0, &plane, NULL), STATUS_OK, "status");
    check_equal(section_create(frame.particles.position, frame.particles.n, NULL, &plane, 0.5,
                               &section, NULL),
                STATUS_OK, "status");
    FILE *stream = fmemopen(text, sizeof text, "w");
    section_print(stream, &section, &frame, &initial);
    fclose(stream);
    const char *expected =
        "id,u,v,depth,radius,body,speed,group,fragment,damage,penetrated,displacement\n"
        "0,0.5,-1,0.25,0.125,ball,5,0,0,0,0,2\n"
        "1,-0.5,3,0.25,0.125,\"a,\"\"b\"\"\",0,1,0,0,0,0\n";
    if (!check(strcmp(text, expected) == 0))
        printf("# %s\n", text);
    section_free(&section);
    frame_free(&frame);
    frame_free(&initial);
}
