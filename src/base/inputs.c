#include "base/inputs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum status inputs_add(struct inputs *inputs, const char *path, struct error *error)
{
    struct stat there;
    if (stat(path, &there) != 0 || !S_ISREG(there.st_mode))
        return STATUS_OK;
    char *copy;
    size_t size = strlen(path) + 1;
    if (array_reserve(&inputs->input, &inputs->capacity, inputs->n + 1, sizeof *inputs->input,
                      "the names of inputs", error) ||
        array_create(&copy, size, 1, "the name of an input", error))
        return STATUS_FAILED;
    memcpy(copy, path, size);
    inputs->input[inputs->n++] = (struct input){there.st_dev, there.st_ino, copy};
    return STATUS_OK;
}

void inputs_free(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->n; i++)
        free(inputs->input[i].path);
    free(inputs->input);
    *inputs = (struct inputs){0};
}

static enum status spare(const struct inputs *inputs, const struct stat *there, const char *output,
                         struct error *error)
{
    for (size_t i = 0; i < inputs->n; i++)
        if (inputs->input[i].device == there->st_dev && inputs->input[i].inode == there->st_ino)
            return error_set(error, STATUS_INVALID,
                             "%.400s: is the input %.400s itself, which would be overwritten; "
                             "write elsewhere",
                             output, inputs->input[i].path);
    return STATUS_OK;
}

enum status inputs_spare(const struct inputs *inputs, const char *output, struct error *error)
{
    struct stat there;
    return stat(output, &there) == 0 ? spare(inputs, &there, output, error) : STATUS_OK;
}

enum status inputs_spare_standard_output(const struct inputs *inputs, struct error *error)
{
    struct stat there;
    return fstat(STDOUT_FILENO, &there) == 0 ? spare(inputs, &there, "standard output", error)
                                             : STATUS_OK;
}
