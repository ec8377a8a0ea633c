#include "base/number.h"
#include "base/program.h"

#include <math.h>
#include <string.h>

void program_numbers(const char *option, const char *text, size_t n, double *value)
{
    char copy[256], *next = copy;
    if (strlen(text) >= sizeof copy)
        program_usage("--%s: too long: '%.40s...'", option, text);
    strcpy(copy, text);
    size_t count = 0;
    for (char *word; (word = strsep(&next, ",")); count++) {
        const char *fault = count < n ? number_read(word, &value[count]) : NULL;
        if (fault)
            program_usage("--%s: '%s' %s", option, word, fault);
    }
    if (count != n)
        program_usage("--%s: %zu numbers in '%s'; %zu are needed", option, count, text, n);
}

void program_positive(const char *option, const char *text, double below, double *value)
{
    program_numbers(option, text, 1, value);
    if (!(*value > 0.0 && *value < below))
        program_usage("--%s: %s is out of range; give a number above 0%s", option, text,
                      isfinite(below) ? " and below 180" : "");
}
