/* The frames of a run folder. */
#ifndef STORE_FRAME_LIST_H
#define STORE_FRAME_LIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* folder/name, owned by the caller. */
enum status path_join(const char *folder, const char *name, char **path, struct error *error);

/* One file in frames/. */
struct frame_entry {
    uint64_t number; /* from the file's name */
    char *path;      /* owned */
};

/* FOLDER/frames/<number>.hdf in order of their numbers; other files there are ignored.
 * STATUS_INVALID if there are none. */
struct frame_list {
    size_t n;
    struct frame_entry *frame; /* (n) */
};
enum status frame_list_read(const char *folder, struct frame_list *list, struct error *error);
void frame_list_free(struct frame_list *list);

/* FOLDER/frames.xmf, an XDMF 2 index of the frames that are there now, for programs that read
 * XDMF. */
enum status frame_index_write(const char *folder, struct error *error);

#endif
