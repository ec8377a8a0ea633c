/* Eight lanes against the same arithmetic one by one: the same bits. */
#include "base/lanes8.h"
#include "tap.h"

static uint64_t state = 1;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

/* Of any size that occurs, and of either sign. */
static float draw_float(void)
{
    float fraction = (float)draw() * 0x1p-32f;
    return ldexpf(fraction, (int)(draw() % 40) - 20) * (draw() % 2 ? 1.0f : -1.0f);
}

static bool same(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

TEST(arithmetic_is_that_of_single_numbers)
{
    for (int again = 0; again < 1000; again++) {
        float a[8], b[8], root[8], largest[8], least[8];
        unsigned below = 0;
        for (int k = 0; k < 8; k++) {
            a[k] = again == 0 ? 0.0f : draw_float();
            b[k] = k == again % 8 ? a[k] : draw_float();
            root[k] = sqrtf(a[k] * a[k]);
            largest[k] = a[k] > b[k] ? a[k] : b[k];
            least[k] = a[k] < b[k] ? a[k] : b[k];
            below |= a[k] < b[k] ? 1u << k : 0u;
        }
        lanes8 x = lanes8_load(a), y = lanes8_load(b);
        lanes8 r = lanes8_sqrt(x * x), m = lanes8_max(x, y), l = lanes8_min(x, y);
        check(same(&r, root, sizeof r));
        check(same(&m, largest, sizeof m));
        check(same(&l, least, sizeof l));
        check_equal(lanes8_below(x, y), below, "below");
    }
}

TEST(differences_of_places_wrap_around)
{
    const uint32_t a[8] = {5, 3, 0, 0xffffffffu, 0x80000000u, 0x7fffffffu, 1u << 24, 0};
    const uint32_t b[8] = {3, 5, 0xffffffffu, 0, 0x7fffffffu, 0x80000000u, 0, 1u << 24};
    const float expected[8] = {2.0f, -2.0f, 1.0f, -1.0f, 1.0f, -1.0f, 0x1p24f, -0x1p24f};
    lanes8 d = lanes8_difference(lanes8_load_uint(a), lanes8_load_uint(b));
    check(same(&d, expected, sizeof d));
}

TEST(chosen_lanes_come_first_and_in_order)
{
    float a[8], to[8];
    const lanes8_uint lane = {0, 1, 2, 3, 4, 5, 6, 7}, far = lanes8_all_uint(UINT16_MAX - 7);
    uint16_t number[8];
    for (unsigned bits = 0; bits < 256; bits++) {
        for (int k = 0; k < 8; k++)
            a[k] = draw_float();
        lanes8_int chosen = lanes8_chosen(bits);
        lanes8_store_short(number, lanes8_narrow(far + lanes8_permute_uint(lane, chosen)));
        lanes8_store(to, lanes8_permute(lanes8_load(a), chosen));
        for (unsigned k = 0, n = 0; k < 8; k++)
            if (bits >> k & 1) {
                check_equal(number[n], UINT16_MAX - 7 + k, "lane");
                check(same(&to[n], &a[k], sizeof a[k]));
                n++;
            }
    }
}

TEST(sums_are_in_double_precision)
{
    const float a[8] = {1.0f, 0x1p-40f, -0x1p-41f, 3.0f, 0x1p-30f, 5.0f, -0x1p-50f, 7.0f};
    lanes sum[2] = {{1.0, 2.0, 3.0, 4.0}, {5.0, 6.0, 7.0, 8.0}};
    lanes8_add_to(sum, lanes8_load(a));
    for (int k = 0; k < 8; k++)
        check_close(sum[k / 4][k % 4], (double)(k + 1) + (double)a[k], 0.0, "lane");
    double low = (double)a[0] + (double)a[4], second = (double)a[1] + (double)a[5];
    double third = (double)a[2] + (double)a[6], last = (double)a[3] + (double)a[7];
    check_close(lanes8_sum(lanes8_load(a)), (low + second) + (third + last), 0.0, "sum");
}

TEST(rows_become_columns)
{
    float a[8][8];
    lanes8 row[8];
    for (int k = 0; k < 8; k++)
        for (int l = 0; l < 8; l++)
            a[k][l] = draw_float();
    memcpy(row, a, sizeof row);
    lanes8_transpose(row);
    for (int k = 0; k < 8; k++)
        for (int l = 0; l < 8; l++)
            check(row[k][l] == a[l][k]);
}

TEST(three_sums_are_as_one_by_one)
{
    double a[3][4];
    lanes v[3];
    for (int k = 0; k < 12; k++)
        a[k / 4][k % 4] = (double)draw_float() / 3.0;
    for (int k = 0; k < 3; k++)
        v[k] = lanes_load(a[k]);
    const struct vec3 sum = lanes_sums(v[0], v[1], v[2]);
    check(sum.x == lanes_sum(v[0]) && sum.y == lanes_sum(v[1]) && sum.z == lanes_sum(v[2]));
}

TEST(whole_numbers_are_modulo_a_power_of_two)
{
    const lanes a = {0x1p31, -0x1p31, 0.5, -1.5}, b = {2147483646.5, -0.5, 1.5, -7.0};
    const lanes_index whole_a = lanes_to_index(a), whole_b = lanes_to_index(b);
    for (int k = 0; k < 4; k++) {
        check(lanes_rint(a)[k] == rint(a[k]) && lanes_rint(b)[k] == rint(b[k]));
        check_equal(whole_a[k], (uint32_t)lrint(a[k]), "whole number");
        check_equal(whole_b[k], (uint32_t)lrint(b[k]), "whole number");
    }
}
