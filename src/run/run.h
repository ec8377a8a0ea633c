/* A run of ms-simulate, which starts from an initial frame and writes frames. It can stop after any
 * step; resumed, it gives the same bits as a run that never stopped. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "base/error.h"
#include "base/lock.h"
#include "base/row_file.h"
#include "config/scene.h"
#include "measure/allowance.h"
#include "measure/fragments.h"
#include "measure/measures.h"
#include "step/simulation.h"
#include "store/frame.h"

#include <stdbool.h>
#include <stdint.h>

enum run_end { RUN_GOES_ON, RUN_COMPLETE, RUN_ENERGY_GAIN, RUN_SPEED_RATIO };

/* Iterations of the solvers in some steps of this invocation. */
struct iterations_taken {
    uint64_t steps;
    double sum;
};

struct run {
    const char *folder;
    struct lock_file lock; /* RUN/lock, held while the run is open: one program at a time */
    struct frame initial;  /* as read; owns configuration, bodies, sheets, rest positions */
    struct scene scene;
    struct simulation simulation;
    struct measures measures;
    struct allowance allowance;
    double least_energy; /* stability_least_energy, J */
    double *mesh_hole; /* of bodies at vertices, the largest distance from three of them of a place
                          between them at rest, m (n_bodies) */
    struct fragments fragments;
    struct vec3 *from;                /* positions before the step, m (n) */
    struct state state;               /* state of the systems when a frame was last written */
    uint32_t *penetrated;             /* (n) */
    struct row_file ledger, measure;  /* rows of the steps since the last frame */
    struct measure_row last;          /* measures of the last step */
    struct iterations_taken taken[2]; /* without and with links that push (contact.method: sliding)
                                       */
    bool begun;                       /* frame 0 exists */
    uint64_t frame;                   /* number of the newest frame */
    char *damaged; /* the first file of the run that is not whole; NULL: all are, owned */
};

/* Reads RUN's initial frame and, if `resume`, goes on from the newest frame or checkpoint in
 * `folder` that comes before the first damaged one; that one and all after it are ignored. `until`,
 * s, replaces the configuration's time.end unless it is 0, also in the frames written from now on.
 * A run that had ended goes on exactly as if it had had the later end from the start. Nothing is
 * written yet. STATUS_INVALID if such a run ended between two multiples of the frame interval or
 * has come further than `until`, if there are frames but resume is false, if they belong to another
 * configuration, if the initial frame is a file that the run would write, or if `folder` is the
 * folder of a run's frames. STATUS_FAILED if another program has locked the folder. */
enum status run_open(struct run *run, const char *initial, const char *folder, bool resume,
                     double until, struct error *error);

/* Opens a run that goes on from `from`: a frame or checkpoint of any run with the configuration of
 * `initial`, or that file itself. Whatever is written goes to `folder`; the run that the frame came
 * from is only read. STATUS_INVALID if the frame belongs to another configuration, if `from` would
 * be overwritten, or if `folder` holds frames; otherwise as run_open. */
enum status run_open_from(struct run *run, const char *initial, const char *from,
                          const char *folder, double until, struct error *error);
void run_close(struct run *run);

/* Makes the folder and writes frame 0 unless they exist; removes frames that are ignored. */
enum status run_begin(struct run *run, struct error *error);

/* One time step, and a frame when it is due. */
enum status run_step(struct run *run, struct error *error);

/* Whether and why the run is over. */
enum run_end run_ended(const struct run *run);

/* Writes the present state to RUN/checkpoint.hdf, for --resume; the next frame removes it. */
enum status run_checkpoint(struct run *run, struct error *error);

/* For a run that ended: writes the present state as the last frame, unless there is one already,
 * RUN/frames.xmf, which lists the frames, and RUN/end.json, which says why and when it ended and
 * lists the warnings (run/warnings.h). */
enum status run_finish(struct run *run, enum run_end end, struct error *error);

#endif
