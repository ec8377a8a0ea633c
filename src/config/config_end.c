/* The end of the simulated time in an effective configuration, by which two parts of one run may
 * differ. */
#include "base/memory.h"
#include "base/number.h"
#include "config/config.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a text. */
struct span {
    const char *begin, *end;
};

/* The value of time.end. An effective configuration has each key in a line of its own, indented by
 * its depth, so that the first "end" behind the line "time:" is that one. */
static struct span find_end(const char *text)
{
    static const char group[] = "\ntime:\n", key[] = "\n  end: ";
    const char *time =
        strncmp(text, group + 1, strlen(group + 1)) == 0 ? text : strstr(text, group);
    const char *line = time ? strstr(time, key) : NULL;
    if (!line)
        return (struct span){NULL, NULL};
    const char *value = line + strlen(key);
    return (struct span){value, value + strcspn(value, "\n")};
}

enum status config_with_end(const char *text, double end, char **other, struct error *error)
{
    struct span old = find_end(text);
    char number[NUMBER_TEXT];
    number_write(end, number);
    *other = NULL;
    if (!old.begin)
        return error_set(error, STATUS_INVALID, "the configuration has no time.end");
    size_t before = (size_t)(old.begin - text), length = strlen(number);
    if (array_create(other, before + length + strlen(old.end) + 1, 1, "the configuration", error))
        return STATUS_FAILED;
    memcpy(*other, text, before);
    memcpy(*other + before, number, length);
    strcpy(*other + before + length, old.end);
    return STATUS_OK;
}
