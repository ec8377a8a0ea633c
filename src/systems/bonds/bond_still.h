/* Bodies that never move, as floors and bowls of particles: all of their particles are fixed, and a
 * prescribed motion takes them along as a whole, if any does. Their bonds are as long as at rest,
 * so that they pull nothing, store nothing and do not break, and contact needs none, since fixed
 * particles do not meet. A simulation does without them. Frames number bonds as if they were there:
 * the same frame may go on as another run, in which such a body moves. */
#ifndef SYSTEMS_BONDS_BOND_STILL_H
#define SYSTEMS_BONDS_BOND_STILL_H

#include "systems/bonds/bond_network_parts.h"

/* Whether the bonds of the body with particles [begin, end) may be left out. */
bool bond_body_is_still(const struct system_setting *setting, size_t begin, size_t end);

/* Whether one of the next n bonds, from that of particle `begin` on, is torn: frames and fragments
 * know these by the bonds, so that a body with one keeps its own. */
bool bond_any_torn(const struct bond_network *net, const struct system_setting *setting,
                   size_t begin, size_t n);

/* Notes that n bonds of this body are left out before the next bond, `at`. */
enum status bond_leave_out(struct bond_network *net, uint32_t body, size_t n_bodies, size_t at,
                           size_t n, struct error *error);

/* The number that a bond has in frames, and the bond of a number; the number of bonds if it is that
 * of one left out, or of none. */
uint64_t bond_number_of(const struct bond_network *net, size_t bond);
size_t bond_of_number(const struct bond_network *net, uint64_t number);

/* The number of the first bond of each body, whose particles have these indices of bodies, and the
 * end of the last (n_bodies + 1). A bond is of the body of its smaller particle. */
void bond_numbers_of_bodies(const struct bond_network *net, const uint32_t *body, size_t n_bodies,
                            uint64_t *first);

#endif
