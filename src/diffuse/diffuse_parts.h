/* What the files of diffuse particles share. */
#ifndef DIFFUSE_DIFFUSE_PARTS_H
#define DIFFUSE_DIFFUSE_PARTS_H

#include "diffuse/diffuse.h"

/* What each thread has for itself. */
struct diffuse_thread {
    struct fluid_near near;
    enum status status;
    struct error error;
};

/* diffuse.c */
/* Room for n particles in all. */
enum status diffuse_reserve(struct diffuse *diffuse, size_t n, struct error *error);
/* As many threads as steps may have now, none with a failure. */
enum status diffuse_prepare_threads(struct diffuse *diffuse, struct error *error);
/* The failure of one of them. */
enum status diffuse_threads_status(const struct diffuse *diffuse, struct error *error);

/* diffuse_births.c */
/* The most particles that a source ever has at a time. */
double diffuse_most(const struct diffuse_source *source, double end_of_time);
/* Prepares the shapes of all sources. */
enum status diffuse_open(struct diffuse *diffuse, struct error *error);
/* Adds those that are there at the start. */
enum status diffuse_fill(struct diffuse *diffuse, struct error *error);
/* Adds those that sources emit after `start` and until `end`, as far along as they are at `end`. */
enum status diffuse_emit(struct diffuse *diffuse, double start, double end, struct error *error);

#endif
