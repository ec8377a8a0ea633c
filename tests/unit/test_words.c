#include "base/words.h"
#include "tap.h"

TEST(distances_count_edits)
{
    const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {{"", "", 0},          {"alpha", "alpha", 0},     {"alpha", "alfa", 2},
                 {"alpha", "alph", 1}, {"alpha", "aalpha", 1},    {"alpha", "alhpa", 1},
                 {"", "abc", 3},       {"stages", "stiffness", 5}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        check_equal(word_distance(cases[k].a, cases[k].b), cases[k].distance, cases[k].b);
        check_equal(word_distance(cases[k].b, cases[k].a), cases[k].distance, "the other way");
    }
}

TEST(a_slip_is_near_and_another_word_is_not)
{
    check(word_is_near(word_distance("stifness", "stiffness"), "stiffness"));
    check(word_is_near(word_distance("methd", "method"), "method"));
    check(!word_is_near(word_distance("gravity", "method"), "method"));
}

TEST(a_list_contains_its_words_and_no_parts_of_them)
{
    check(words_contain("penalty|sph|impulse", "sph"));
    check(words_contain("penalty|sph|impulse", "penalty"));
    check(words_contain("penalty|sph|impulse", "impulse"));
    check(!words_contain("penalty|sph|impulse", "pulse"));
    check(!words_contain("penalty|sph|impulse", "sp"));
    check(!words_contain("penalty|sph|impulse", "sph|impulse"));
    check(!words_contain("penalty|sph|impulse", ""));
}
