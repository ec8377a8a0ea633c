/* Allocation whose failure cannot go unnoticed. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/error.h"

#include <stddef.h>

/* Zeroed array of count x size bytes at *array (a pointer to a pointer), owned by the caller and
 * released with free(). A count of zero yields a valid pointer too. On failure *array is NULL. */
enum status array_create(void *array, size_t count, size_t size, const char *what,
                         struct error *error);

/* Like array_create, for an array that may have many MB and is read again and again. It begins with
 * a line of the cache and, where the system has large pages, whole ones of it are of that kind, so
 * that the processor rarely has to look up where they lie. The caller releases *memory, in which it
 * lies, in place of the array. */
enum status array_create_large(void *array, void **memory, size_t count, size_t size,
                               const char *what, struct error *error);

/* Makes room for at least `needed` elements in a growing array; if *capacity is less, it at least
 * doubles. The contents are kept. */
enum status array_reserve(void *array, size_t *capacity, size_t needed, size_t size,
                          const char *what, struct error *error);

/* The same for arrays that grow together, one call for each: from `from` to `to` elements. */
enum status array_grow(void *array, size_t from, size_t to, size_t size, const char *what,
                       struct error *error);

/* How many elements arrays with room for `room` should have room for when `needed` are more: as
 * many as that, or twice the room. */
size_t array_room(size_t room, size_t needed);

/* Test hook: the n-th allocation from now fails (0: the next), the others succeed; negative: none
 * fails. Lets a test walk through every failure path. Not thread-safe; tests only. */
void memory_fail_after(long n);

#endif
