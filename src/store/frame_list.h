/* The frames of a run folder. */
#ifndef STORE_FRAME_LIST_H
#define STORE_FRAME_LIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* Makes the path folder/name, which the caller owns. */
enum status path_join(const char *folder, const char *name, char **path, struct error *error);

/* One file in frames/. */
struct frame_entry {
    uint64_t number; /* from the file's name */
    char *path;      /* owned */
};

/* The files FOLDER/frames/<number>.hdf in the order of their numbers; other files there are
 * ignored. STATUS_INVALID if there are none. */
struct frame_list {
    size_t n;
    struct frame_entry *frame; /* (n) */
};
enum status frame_list_read(const char *folder, struct frame_list *list, struct error *error);
/* The error of a frame that has another number than its file's name. */
enum status frame_misnamed(const char *path, uint64_t number, struct error *error);
void frame_list_free(struct frame_list *list);

/* Writes FOLDER/frames.xmf, an XDMF 2 index of the frames that are there now, for programs that
 * read XDMF. */
enum status frame_index_write(const char *folder, struct error *error);

#endif
