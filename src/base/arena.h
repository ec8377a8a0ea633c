/* Many small pieces of memory that are released together. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/error.h"

#include <stddef.h>

/* All zero: empty. */
struct arena {
    struct arena_piece *last;
};

/* Zeroed array of count x size bytes at *array (a pointer to a pointer), released with the arena.
 * A count of zero yields a valid pointer too. On failure *array is NULL. */
enum status arena_array(struct arena *arena, void *array, size_t count, size_t size,
                        const char *what, struct error *error);

/* A copy of the first `length` bytes of `text`, with a zero at the end. */
enum status arena_text(struct arena *arena, const char **copy, const char *text, size_t length,
                       struct error *error);

void arena_free(struct arena *arena);

#endif
