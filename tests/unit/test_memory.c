#include "base/memory.h"
#include "failing_memory.h"
#include "particles/particles.h"
#include "tap.h"

#include <stdint.h>

TEST(a_fresh_array_is_zero)
{
    double *a;
    struct error error = {0};
    check_equal(array_create(&a, 100, sizeof *a, "test", &error), STATUS_OK, "status");
    for (int i = 0; i < 100; i++)
        check(a[i] == 0.0);
    free(a);
}

TEST(reserve_keeps_the_contents)
{
    int *a = NULL;
    size_t capacity = 0;
    struct error error = {0};
    for (int i = 0; i < 1000; i++) {
        check_equal(array_reserve(&a, &capacity, (size_t)i + 1, sizeof *a, "test", &error),
                    STATUS_OK, "status");
        a[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        check_equal(a[i], i, "element");
    free(a);
}

/* Below and above the size of a large page, of which memory may end anywhere. */
TEST(a_large_array_is_zero_aligned_and_ends_where_it_should)
{
    static const size_t counts[] = {0, 1, 1000, 262143, 262144, 800000};
    struct error error = {0};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        const size_t n = counts[k], aligned = n * sizeof(double) >= 2097152 ? 2097152 : 64;
        double *a;
        void *memory;
        check_equal(array_create_large(&a, &memory, n, sizeof *a, "test", &error), STATUS_OK,
                    "status");
        check_equal((uintptr_t)a % aligned, 0, "address");
        bool zero = true;
        for (size_t i = 0; i < n; i++) {
            zero = zero && a[i] == 0.0;
            a[i] = 1.0;
        }
        check(zero);
        free(memory);
    }
}

TEST(an_absurd_large_array_is_an_error)
{
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 8, SIZE_MAX / 16};
    struct error error = {0};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        double *a;
        void *memory;
        check_equal(array_create_large(&a, &memory, counts[k], sizeof *a, "everything", &error),
                    STATUS_FAILED, "status");
        check_contains(error.message, "out of memory for everything");
        check(a == NULL && memory == NULL);
    }
}

TEST(an_absurd_size_is_an_error)
{
    double *a = NULL;
    struct error error = {0};
    check_equal(array_create(&a, SIZE_MAX / 2, sizeof *a, "everything", &error), STATUS_FAILED,
                "status");
    check_contains(error.message, "out of memory for everything");
    check(a == NULL);
}

TEST(particles_survive_every_failed_allocation)
{
    struct failing_memory memory = {0};
    while (memory_fails(&memory)) {
        struct particles p;
        memory.status = particles_create(&p, 10, &memory.error);
        memory_works(&memory);
        if (memory.status)
            check(p.position == NULL);
        else
            particles_free(&p);
    }
    check(memory.n > 0);
}
