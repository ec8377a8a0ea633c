#include "base/memory.h"
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
    for (long n = 0; n < 100; n++) {
        struct particles p;
        struct error error = {0};
        memory_fail_after(n);
        enum status status = particles_create(&p, 10, &error);
        memory_fail_after(-1);
        if (status == STATUS_OK) {
            check(n > 0);
            particles_free(&p);
            return;
        }
        check_contains(error.message, "out of memory");
        check(p.position == NULL);
    }
    check(false && "never succeeded");
}

TAP_MAIN(TAP_ENTRY(a_fresh_array_is_zero), TAP_ENTRY(reserve_keeps_the_contents),
         TAP_ENTRY(an_absurd_size_is_an_error),
         TAP_ENTRY(particles_survive_every_failed_allocation))
