#include "files.h"
#include "frame_random.h"
#include "store/frame_digest.h"
#include "store/hdf_parts.h"

static struct files files;
static const char *const path = files.first, *const other = files.second;

static void make_folder(void)
{
    files_begin(&files, "a.hdf", "b.hdf");
}

static void remove_folder(void)
{
    files_end(&files);
}

/* Writes the frame, spoils the file through HDF5 itself (so that checksums are right), reads. */
static void check_spoiled(void (*spoil)(hid_t file), const char *complaint)
{
    make_folder();
    struct frame frame = random_initial(30), back;
    struct error error = {0};
    check_equal(frame_write(other, &frame, &error), STATUS_OK, error.message);
    hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
    spoil(file);
    H5Fclose(file);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "its sha256");
    check_contains(error.message, "is damaged: its sha256 is not the one written in it");
    check_equal(frame_digest_write(other, &error), STATUS_OK, error.message);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, complaint);
    check_contains(error.message, other);
    frame_free(&frame);
    remove_folder();
}

static void drop_velocity(hid_t file)
{
    H5Ldelete(file, "velocity", H5P_DEFAULT);
}

static void drop_rest_position(hid_t file)
{
    H5Ldelete(file, "rest_position", H5P_DEFAULT);
}

static void drop_step(hid_t file)
{
    H5Adelete(file, "step");
}

static void narrow_position(hid_t file)
{
    double value[60] = {0};
    struct hdf_array array = {ELEMENT_F64, 30, 2, value};
    H5Ldelete(file, "position", H5P_DEFAULT);
    hdf_array_write(file, "position", &array, NULL);
}

static void shorten_mass(hid_t file)
{
    double value[29] = {0};
    struct hdf_array array = {ELEMENT_F64, 29, 0, value};
    H5Ldelete(file, "mass", H5P_DEFAULT);
    hdf_array_write(file, "mass", &array, NULL);
}

static void retype_radius(hid_t file)
{
    float value[30] = {0};
    struct hdf_array array = {ELEMENT_F32, 30, 0, value};
    H5Ldelete(file, "radius", H5P_DEFAULT);
    hdf_array_write(file, "radius", &array, NULL);
}

static void repeat_id(hid_t file)
{
    uint32_t value[30] = {0};
    struct hdf_array array = {ELEMENT_U32, 30, 0, value};
    H5Ldelete(file, "id", H5P_DEFAULT);
    hdf_array_write(file, "id", &array, NULL);
}

static void unknown_body(hid_t file)
{
    uint32_t value[30] = {0};
    value[4] = 17;
    struct hdf_array array = {ELEMENT_U32, 30, 0, value};
    H5Ldelete(file, "body", H5P_DEFAULT);
    hdf_array_write(file, "body", &array, NULL);
}

static void corner_outside(hid_t file)
{
    uint32_t value[4] = {0, 1, 2, 30};
    struct hdf_array array = {ELEMENT_U32, 1, 4, value};
    H5Ldelete(file, "sheet_triangle", H5P_DEFAULT);
    hdf_array_write(file, "sheet_triangle", &array, NULL);
}

static void triangle_of_no_sheet(hid_t file)
{
    uint32_t value[4] = {3, 1, 2, 0};
    struct hdf_array array = {ELEMENT_U32, 1, 4, value};
    H5Ldelete(file, "sheet_triangle", H5P_DEFAULT);
    hdf_array_write(file, "sheet_triangle", &array, NULL);
}

static void other_format(hid_t file)
{
    H5Adelete(file, "format");
    hdf_attribute_text_write(file, ".", "format", "something else", NULL);
}

static void later_version(hid_t file)
{
    uint64_t version = 99;
    H5Adelete(file, "version");
    hdf_attribute_write(file, ".", "version", ELEMENT_U64, 0, &version, NULL);
}

#define SPOILED(name, complaint)                                                                   \
    TEST(refuses_##name)                                                                           \
    {                                                                                              \
        check_spoiled(name, complaint);                                                            \
    }
SPOILED(drop_velocity, "has no dataset velocity")
SPOILED(drop_rest_position, "has no dataset rest_position")
SPOILED(drop_step, "has no attribute step of the file")
SPOILED(narrow_position, "dataset position has the wrong shape")
SPOILED(shorten_mass, "dataset mass has 29 rows for 30 particles")
SPOILED(retype_radius, "dataset radius is not of type float64")
SPOILED(repeat_id, "row 1 of dataset id is 0; rows must be in the order of ids")
SPOILED(unknown_body, "particle 4 is of body 17, but there are 2")
SPOILED(corner_outside, "sheet 0 has a corner at particle 30 of 30")
SPOILED(triangle_of_no_sheet, "row 0 of sheet_triangle names sheet 3 of 3")
SPOILED(other_format, "not a frame")
SPOILED(later_version, "is a frame of version 99")

/* What a file of another program, or of an older one, looks like: no head before HDF5's bytes. */
TEST(a_frame_without_its_sha256_is_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2), back;
    struct error error = {0};
    bool whole;
    size_t size;
    check_equal(frame_write(path, &frame, &error), STATUS_OK, error.message);
    char *bytes = file_bytes(path, &size);
    memset(bytes, 0, FRAME_HEAD);
    file_write(other, bytes, size);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, "does not begin with its sha256");
    check_equal(frame_is_whole(other, &whole, &error), STATUS_OK, error.message);
    check(!whole);
    /* of an older version: nobody's business to remove it */
    uint64_t version = 1;
    hid_t file = H5Fopen(other, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Adelete(file, "version");
    hdf_attribute_write(file, ".", "version", ELEMENT_U64, 0, &version, NULL);
    H5Fclose(file);
    check_equal(frame_read(other, &back, &error), STATUS_INVALID, "status");
    check_contains(error.message, "is a frame of version 1; this program reads version 3");
    check_equal(frame_is_whole(other, &whole, &error), STATUS_INVALID, "another version");
    check_contains(error.message, "is a frame of version 1; this program reads version 3");
    free(bytes);
    frame_free(&frame);
    remove_folder();
}

/* The sha256 of each of these files is right. */
static void check_refused(const struct frame *frame, const char *complaint)
{
    struct frame back;
    struct error error = {0};
    check_equal(frame_write(path, frame, &error), STATUS_OK, error.message);
    check_equal(frame_read(path, &back, &error), STATUS_INVALID, complaint);
    check_contains(error.message, complaint);
    check_contains(error.message, path);
}

TEST(numbers_that_cannot_be_are_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2), initial = random_initial(30);
    struct particles *p = &frame.particles;
    struct vec3 *expected = state_data(&frame.state, "warm_start");
    float *damage = state_data(&frame.state, "damage");
    float *density = state_data(&frame.state, "density");
    double bad = (double)NAN, *number[] = {&p->position[7].y, &p->velocity[7].z, &expected[7].x,
                                           &p->mass[7], &p->radius[7]};
    static const char *const name[] = {"position", "velocity", "warm_start", "mass", "radius"};
    char complaint[64];
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        double right = *number[k];
        snprintf(complaint, sizeof complaint, "%s of particle 7 is ", name[k]);
        *number[k] = bad;
        check_refused(&frame, complaint);
        *number[k] = -(double)INFINITY;
        check_refused(&frame, complaint);
        *number[k] = right;
    }
    double mass = p->mass[3], radius = p->radius[4];
    p->mass[3] = -1.0;
    check_refused(&frame, "mass of particle 3 is -1; it should be a finite number above 0");
    p->mass[3] = mass;
    p->radius[4] = 0.0;
    check_refused(&frame, "radius of particle 4 is 0; it should be a finite number above 0");
    p->radius[4] = radius;
    float right_damage = damage[5], right_density = density[6];
    damage[5] = 1.5f;
    check_refused(&frame, "damage of particle 5 is 1.5; it should be a number from 0 to 1");
    damage[5] = right_damage;
    density[6] = -2.0f;
    check_refused(&frame, "density of particle 6 is -2; it should be a finite number from 0");
    density[6] = right_density;
    uint32_t body = p->body[9];
    p->body[9] = (uint32_t)frame.n_bodies;
    check_refused(&frame, "particle 9 is of body ");
    p->body[9] = body;
    frame.time = bad;
    check_refused(&frame, "time is nan; it should be a finite number from 0");
    initial.rest_position[8].x = bad;
    check_refused(&initial, "rest_position of particle 8 is (nan, ");
    frame_free(&frame);
    frame_free(&initial);
    remove_folder();
}

TEST(sets_and_bonds_that_cannot_be_are_refused)
{
    make_folder();
    struct frame frame = random_frame(30, 2);
    frame.group[9] = 10;
    check_refused(&frame,
                  "group of particle 9 is 10; it should be the smallest particle in its group");
    for (uint32_t i = 0; i < 30; i++)
        frame.group[i] = i;
    frame.group[8] = 7;
    frame.group[9] = 8;
    check_refused(&frame, "group of particle 9 is 8; it should be the smallest");
    frame.group[9] = 7;
    frame.fragment[1] = 30;
    check_refused(&frame, "fragment of particle 1 is 30; it should be the smallest");
    frame.fragment[1] = 1;
    for (uint32_t i = 0; i < 30; i++)
        frame.fragment[i] = i;
    state_add(&frame.state, "broken", 3);
    check_refused(&frame, "entry 1 of broken is 0 after 0; they should ascend");
    frame_free(&frame);
    remove_folder();
}

/* Entries that should ascend are compared as single numbers of 64 bits. */
TEST(fields_that_ascend_are_lists_of_u64)
{
    size_t ascending = 0;
    const struct state_field *field[MOST_STATE_FIELDS];
    const size_t n = state_fields(field);
    for (size_t k = 0; k < n; k++) {
        const struct state_field *f = field[k];
        ascending += f->ascends;
        check(!f->ascends || (f->form == STATE_LIST && f->element == ELEMENT_U64 && f->width == 1));
    }
    check(ascending > 0);
}
