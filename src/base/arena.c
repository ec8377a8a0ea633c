#include "base/arena.h"

#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arena_piece {
    struct arena_piece *before;
    max_align_t bytes[]; /* what the caller sees */
};

enum status arena_array(struct arena *arena, void *array, size_t count, size_t size,
                        const char *what, struct error *error)
{
    struct arena_piece *piece = NULL;
    void *fresh = NULL;
    memcpy(array, &fresh, sizeof fresh);
    if (size && count > (SIZE_MAX - sizeof *piece) / size)
        return error_memory(error, what, count, size);
    enum status status = array_create(&piece, 1, sizeof *piece + count * size, what, error);
    if (status != STATUS_OK)
        return status;
    piece->before = arena->last;
    arena->last = piece;
    fresh = piece->bytes;
    memcpy(array, &fresh, sizeof fresh);
    return STATUS_OK;
}

enum status arena_text(struct arena *arena, const char **copy, const char *text, size_t length,
                       struct error *error)
{
    char *fresh;
    enum status status = arena_array(arena, &fresh, length + 1, 1, "text", error);
    if (status == STATUS_OK)
        memcpy(fresh, text, length);
    *copy = fresh;
    return status;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_piece *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}
