#include "base/words.h"
#include "tap.h"

TEST(distances_count_edits)
{
    const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = {{"", "", 0},          {"alpha", "alpha", 0},      {"alpha", "alfa", 2},
                 {"alpha", "alph", 1}, {"alpha", "aalpha", 1},     {"alpha", "alhpa", 1},
                 {"", "abc", 3},       {"stages", "stiffness", 5}, {"kitten", "sitting", 3},
                 {"ab", "ba", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        check_equal(word_distance(cases[k].a, cases[k].b), cases[k].distance, cases[k].b);
        check_equal(word_distance(cases[k].b, cases[k].a), cases[k].distance, "the other way");
    }
    char a[200], b[200];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[199] = b[150] = '\0';
    check_equal(word_distance(a, b), 199, "beyond the limit");
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
    check_equal((size_t)word_position("a|bc|def", "a"), 0, "the first");
    check_equal((size_t)word_position("a|bc|def", "def"), 2, "the last");
    check(word_position("a|bc|def", "d") == -1);
    check(word_position("a|bc|def", "a|bc") == -1);
}
