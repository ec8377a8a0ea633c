/* The measures of every time step in addition to the ledger (definitions: "What is measured" in
 * docs/measures.md). One table drives the struct, the frames, metrics.csv and the documentation. */
#ifndef MEASURE_MEASURES_H
#define MEASURE_MEASURES_H

#include "base/error.h"
#include "base/table.h"
#include "measure/deflection.h"
#include "measure/penetration.h"
#include "measure/strain.h"
#include "particles/pairs.h"
#include "particles/particles.h"
#include "shape/sheet.h"

#include <stddef.h>
#include <stdint.h>

#define MEASURE_COLUMNS(X)                                                                         \
    X(penetrated, "1", "particles that have penetrated a sheet now (odd number of crossings)")     \
    X(penetrated_mass, "kg", "their mass")                                                         \
    X(crossings, "1", "crossing events of this step")                                              \
    X(overlap_max, "1", "largest overlap 1 - d/(r1+r2) between different bodies")                  \
    X(overlap_mean, "1", "mean overlap over touching pairs of different bodies")                   \
    X(overlap_depth, "1", "largest depth (r1+r2-d)/min(r1,r2) between different bodies")           \
    X(overlap_half, "1", "pairs of different bodies with an overlap above 1/2")                    \
    X(interlocked, "1", "pairs of different bodies with a center inside the other particle")       \
    X(deflection, "m",                                                                             \
      "largest drop of a sheet's particle below its initial position, along gravity")              \
    X(strain, "1", "largest strain of a sheet's stretch springs, at least 0")                      \
    X(self_contacts, "1", "touching pairs of one body that no whole bond joins")                   \
    X(self_depth, "1", "largest depth (r1+r2-d)/min(r1,r2) of these")                              \
    X(overlap_depth_so_far, "1", "largest overlap_depth so far")                                   \
    X(self_depth_so_far, "1", "largest self_depth so far")                                         \
    X(strain_so_far, "1", "largest strain so far")                                                 \
    X(kinetic_of_motion, "J", "kinetic energy by displacement over dt: of what moves")             \
    X(speed_of_motion, "m/s", "largest displacement over dt")                                      \
    X(energy_start, "J", "mechanical energy before the first step")                                \
    X(stored_start, "J", "of this, elastic energy and potential of contact forces")                \
    X(energy_passed, "J", "mechanical energy brought by inlets less that taken by outlets so far") \
    X(impact_kinetic, "J", "kinetic energy when different bodies first touched, 0 before")         \
    X(impact_internal, "J", "of that, what is relative to the common center of mass, 0 before")    \
    X(impact_speed, "m/s", "largest speed when different bodies first touched, 0 before")          \
    X(stored_impact, "J", "stored energy when different bodies first touched, 0 before")           \
    X(energy_brought, "J", "since the impact, by gravity, moving supports and inlets")             \
    X(energy_available, "J", "kinetic energy at impact and the most that was brought or released") \
    X(energy_created, "J", "energy that contact created so far, whatever else dissipated")         \
    X(speed_allowed, "m/s", "that an elastic impact of two particles and gravity allow so far")    \
    X(energy_gain, "1", "largest gain of mechanical energy so far over energy_available")          \
    X(speed_ratio, "1", "largest 99.9th percentile of speed so far over speed_allowed or g dt")    \
    X(unstable, "1", "1 from the first step with more energy or speed than physics allows")        \
    X(interlocked_steps, "1", "steps so far after which particles were interlocked")               \
    X(free_contact_time, "s",                                                                      \
      "time for which bodies have touched without a break and nothing held them")                  \
    X(separation_time, "s",                                                                        \
      "time in which bodies that nothing holds must have parted, 0 before impact")                 \
    X(sticking, "1",                                                                               \
      "1 while particles are interlocked or free_contact_time exceeds separation_time")            \
    X(numerical_dissipation_since_impact, "J",                                                     \
      "dissipated by the time integrator since the impact")                                        \
    X(numerical_dissipation_fraction, "1",                                                         \
      "the same over energy_available without motion that is common to all")                       \
    X(linearization_gain, "J", "rise of the sum of linearization above its lowest so far")         \
    X(linearization_gain_so_far, "J", "largest linearization_gain so far")                         \
    X(energy_so_far, "J", "largest kinetic and elastic energy so far")                             \
    X(beyond_radius_steps, "1", "steps so far in which a particle moved farther than its radius")  \
    X(relative_displacement_steps, "1",                                                            \
      "steps so far in which relative_displacement of the ledger was above 1")                     \
    X(unresolved_steps, "1", "steps so far in which unresolved of the ledger was above 0")         \
    X(unresolved_so_far, "1", "largest unresolved so far")                                         \
    X(unsolved_steps, "1", "steps so far in which pressure_left of the ledger was above 1")        \
    X(pressure_left_so_far, "1", "largest pressure_left so far")                                   \
    X(density_error_so_far, "1", "mean over the time so far of density_error_mean")                \
    X(fragments, "1", "fragments of bodies that can break: particles joined by whole bonds")       \
    X(chunks, "1", "of these, fragments of more than 3 particles")                                 \
    X(largest_fraction, "1",                                                                       \
      "of these bodies' particles, those in the largest fragment of a body")                       \
    X(debris_fraction, "1", "of these bodies' particles, those in fragments of at most 3")         \
    X(detached_fraction, "1",                                                                      \
      "of the particles of one such body, the worst: those in other chunks")                       \
    X(through_crack, "s", "time when the first body fell apart, 0 before")                         \
    X(overlap_before, "1", "largest overlap_max so far, up to the first through-crack")            \
    X(depth_before, "1", "largest overlap_depth so far, up to the first through-crack")            \
    X(speed_before, "m/s", "largest speed so far, up to the first through-crack")

struct measure_row {
#define MEASURE_MEMBER(name, unit, sentence) double name;
    MEASURE_COLUMNS(MEASURE_MEMBER)
#undef MEASURE_MEMBER
};

enum { MEASURE_WIDTH = sizeof(struct measure_row) / sizeof(double) };
extern const struct column measure_columns[MEASURE_WIDTH];

/* The state of the measures between steps. */
struct measures {
    struct penetration penetration;
    struct deflection deflection;
    struct strain strain;
};

/* The data that is measured. */
struct measured {
    const struct particles *initial;   /* positions before the first step, also for a run resumed
                                          from a later frame */
    const struct particles *particles; /* those of the run; may be the same */
    const struct vec3 *rest;           /* unstressed positions, m (n) */
    const struct bonded *bonded;       /* bonds of the run */
    size_t n_sheets;
    const struct sheet *sheet; /* (n_sheets) */
    const bool *of_mesh;       /* their particles are the vertices of meshes (n_sheets) */
    struct vec3 gravity;       /* m/s^2 */
};

/* The particles and the bonds of the run must outlive the result (bodies, radii and whole bonds are
 * read on every step), the rest need not. At first no particle has crossed a sheet. STATUS_INVALID
 * for more than 32 sheets, or for triangles that are not valid. Release with measures_free, also
 * after a failure.
 */
enum status measures_create(struct measures *measures, const struct measured *measured,
                            struct error *error);
void measures_free(struct measures *measures);

/* The state to be kept in a frame: bit s is set when particle i has crossed sheet s an odd number
 * of times (n); valid until measures_free, changed by every update. */
const uint32_t *measures_penetrated(const struct measures *measures);

/* Takes over such a state from a frame, for a resumed run (n). */
void measures_restore(struct measures *measures, const uint32_t *penetrated);

/* Measures one time step. `from`: positions at its start, which are those at the end of the step
 * before, bit for bit (n); `after`: the particles at its end; `touching`: every pair of particles
 * that touch at its end and are not joined by a whole bond (pairs that do not touch are skipped).
 * Never allocates; the result is the same for any number of threads. */
void measures_update(struct measures *measures, const struct vec3 *from,
                     const struct particles *after, const struct pair_list *touching,
                     struct measure_row *row);

#endif
