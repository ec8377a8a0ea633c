/* A manifest says how a result was made. It differs from run to run (times, host, load), and so it
 * is a file of its own, on which no result depends. */
#ifndef STORE_MANIFEST_H
#define STORE_MANIFEST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The part of a manifest that the program supplies. */
struct manifest {
    const char *program, *version;
    const char *config; /* effective configuration, NULL: none */
    uint64_t seed;      /* of the configuration */
    const char *origin; /* frames that the run goes on from, a line each; NULL: none */
    size_t n_inputs;
    const char *const *input; /* files that the result was made from (n_inputs) */
    double begin;             /* manifest_clock() when the program began, s */
    const char *commit;       /* "<hash>" or "<hash>-dirty", NULL: what the build left */
};

/* Wall clock for durations, s. */
double manifest_clock(void);

/* Writes it as JSON: program, version, commit and whether the sources were changed since; sha256 of
 * the configuration, of every input and of the running binary; the frames that the run goes on
 * from; compiler and flags. Commit, compiler and flags are those of the files "commit" and "flags"
 * that the build leaves beside the binary, or that an installation puts in ../share/mergesplit;
 * inside the binary they would make it change with every commit. Also versions of GSL, HDF5,
 * libyaml, GTS, glib; processor, cores, threads, load; seed; wall and processor time, peak memory;
 * host and date. */
enum status manifest_write(const char *path, const struct manifest *manifest, struct error *error);

#endif
