#include "base/words.h"

#include <string.h>

int word_position(const char *words, const char *word)
{
    size_t n = strlen(word);
    int position = 0;
    if (n == 0 || strchr(word, '|'))
        return -1;
    for (const char *p = words; p; p = strchr(p, '|'), position++) {
        p += *p == '|';
        if (strncmp(p, word, n) == 0 && (p[n] == '|' || p[n] == '\0'))
            return position;
    }
    return -1;
}

bool words_contain(const char *words, const char *word)
{
    return word_position(words, word) >= 0;
}

bool word_is_name(const char *text, const char *punctuation)
{
    static const char alphanumeric[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789";
    size_t n = strlen(text), good = 0;
    while (good < n && (strchr(alphanumeric, text[good]) || strchr(punctuation, text[good])))
        good++;
    return n > 0 && n <= 100 && good == n && strchr(alphanumeric, text[0]);
}

enum { WORD_LIMIT = 63 }; /* longer words are near no other */

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: row by row of the table of distances between beginnings. */
size_t word_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > WORD_LIMIT || m > WORD_LIMIT)
        return n > m ? n : m;
    size_t row[3][WORD_LIMIT + 1];
    size_t *before = row[0], *last = row[1], *now = row[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            now[j] =
                least_of(last[j - 1] + (a[i - 1] != b[j - 1]), 1 + least_of(last[j], now[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least_of(now[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[m];
}

bool word_is_near(size_t distance, const char *word)
{
    size_t n = strlen(word);
    return distance <= (n < 2 ? 0 : n < 4 ? 1 : n < 9 ? 2 : n / 3);
}
