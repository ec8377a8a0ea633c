/* Tries something with each of its allocations failing, one after the other, and at last with none:
 *
 *     struct failing_memory memory = {0};
 *     while (memory_fails(&memory)) {
 *         memory.status = groups_create(&groups, &particles, &memory.error);
 *         memory_works(&memory);
 *         groups_free(&groups);
 *     }
 *     check_equal(memory.n, 5, "allocations");
 *
 * Each failure must be an error that says so. */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include "base/memory.h"
#include "tap.h"

struct failing_memory {
    long n; /* so many allocations come before the one that fails; in the end, so many there are */
    enum status status;
    struct error error;
    bool begun;
};

static inline bool memory_fails(struct failing_memory *memory)
{
    static const long most = 20000;
    if (memory->begun && memory->status == STATUS_OK)
        return false;
    memory->n += memory->begun;
    memory->begun = true;
    memory->error = (struct error){0};
    memory_fail_after(memory->n);
    return check(memory->n < most && "it succeeds in the end");
}

static inline void memory_works(const struct failing_memory *memory)
{
    memory_fail_after(-1);
    if (memory->status != STATUS_OK)
        check(memory->status == STATUS_FAILED && strstr(memory->error.message, "out of memory"));
}

#endif
