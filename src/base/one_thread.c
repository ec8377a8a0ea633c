/* A parallel region of one thread is called as a function.
 *
 * libgomp makes a team for every region, even of one thread: it allocates the team, gives it back
 * and wakes those who might wait for it, a call of the system. With a few hundred particles that
 * takes up to a third of the time. OpenMP can do without: outside of all regions, what a thread
 * does belongs to an implicit one, of a team of one thread.
 *
 * gcc calls GOMP_parallel for a region, and the linker leads that here (--wrap in the Makefile).
 * Other compilers call something else; then nothing here is used. */
#include <omp.h>
#include <stdbool.h>

void __real_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);

/* Whether this thread is in a region called as a function. Loops of a region within it are not to
 * be taken for loops of that one, so that it has a team. */
static _Thread_local bool within;

/* threads: 1 where the condition of `if` is false, 0 if the region does not say. */
void __wrap_GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
    const bool one = threads == 1 || (threads == 0 && omp_get_max_threads() == 1);
    if (!one || within || omp_get_level() > 0) {
        __real_GOMP_parallel(body, data, threads, flags);
        return;
    }
    within = true;
    body(data);
    within = false;
}
