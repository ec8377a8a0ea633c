#include "store/frame_list.h"
#include "base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum status path_join(const char *folder, const char *name, char **path, struct error *error)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    if (array_create(path, size, 1, "a file name", error))
        return STATUS_FAILED;
    snprintf(*path, size, "%s/%s", folder, name);
    return STATUS_OK;
}

/* <digits>.hdf; temporary files and everything else are not frames. */
static bool frame_number(const char *name, uint64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)name[0]))
        return false;
    errno = 0;
    *number = strtoull(name, &end, 10);
    return errno == 0 && strcmp(end, ".hdf") == 0;
}

static int compare_numbers(const void *left, const void *right)
{
    const struct frame_entry *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static enum status add_frame(struct frame_list *list, size_t *capacity, const char *frames,
                             const char *name, uint64_t number, struct error *error)
{
    char *path;
    if (array_reserve(&list->frame, capacity, list->n + 1, sizeof *list->frame, "frames", error) ||
        path_join(frames, name, &path, error))
        return STATUS_FAILED;
    list->frame[list->n++] = (struct frame_entry){number, path};
    return STATUS_OK;
}

static enum status check_numbers(const struct frame_list *list, const char *folder,
                                 struct error *error)
{
    if (list->n == 0)
        return error_set(error, STATUS_INVALID, "%s/frames: has no frames; ms-simulate writes them",
                         folder);
    for (size_t i = 1; i < list->n; i++)
        if (list->frame[i].number == list->frame[i - 1].number)
            return error_set(error, STATUS_INVALID, "%s and %s: two frames of one number",
                             list->frame[i - 1].path, list->frame[i].path);
    return STATUS_OK;
}

enum status frame_list_read(const char *folder, struct frame_list *list, struct error *error)
{
    size_t capacity = 0;
    char *name;
    *list = (struct frame_list){0};
    if (path_join(folder, "frames", &name, error))
        return STATUS_FAILED;
    DIR *directory = opendir(name);
    enum status status = STATUS_OK;
    if (!directory)
        status = error_set(error, status_of_errno(errno),
                           "%s: cannot be read: %s; a run folder has frames/ from ms-simulate",
                           name, strerror(errno));
    errno = 0;
    for (struct dirent *e; directory && status == STATUS_OK && (e = readdir(directory));) {
        uint64_t number;
        if (frame_number(e->d_name, &number))
            status = add_frame(list, &capacity, name, e->d_name, number, error);
    }
    if (directory)
        closedir(directory);
    free(name);
    if (status == STATUS_OK && list->n > 0)
        qsort(list->frame, list->n, sizeof *list->frame, compare_numbers);
    if (status == STATUS_OK)
        status = check_numbers(list, folder, error);
    if (status != STATUS_OK)
        frame_list_free(list);
    return status;
}

enum status frame_misnamed(const char *path, uint64_t number, struct error *error)
{
    return error_set(error, STATUS_INVALID,
                     "%s: its number is %llu; a frame has the number that its file is named after",
                     path, (unsigned long long)number);
}

void frame_list_free(struct frame_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->frame[i].path);
    free(list->frame);
    *list = (struct frame_list){0};
}
