/* An incompressible fluid by FLIP (Zhu and Bridson, "Animating sand as a fluid", 2005): particles
 * carry mass and velocity; a staggered grid finds the pressure that keeps the fluid's volume, and
 * particles take the grid's change of velocity.
 *
 * With w_pf the weight of particle p at face f (trilinear), m_f = sum_p m_p w_pf, dt the step:
 *
 *     u_f  = sum_p m_p w_pf (v_p + dt F_p / m_p) / m_f          F_p: outside forces
 *     u'_f = u_f + dt a_f h^2 (p_- - p_+) / m_f                 p: of the cells on either side
 *     sum over the faces of cell c, outwards, a_f h^2 u'_f = s_c
 *     v'_p = v_p + dt F_p / m_p + blend du_p + (1 - blend) (pic_p - v_p - dt F_p / m_p)
 *     du_p = sum_f w_pf (u'_f - u_f),  pic_p = sum_f w_pf u'_f
 *
 * and the particle moves by pic_p. a_f is the open fraction of a face between walls (Batty,
 * Bertails and Bridson 2007), and p = 0 in the air. The momentum of a face is that of the mass that
 * particles bring to it, not of a full cell, so that the whole impulse of the pressure arrives at
 * particles, and momentum is conserved.
 *
 * The source s_c lets out fluid that crowds: s_c = crowding V_c (filled_c - 1) / dt, where filled_c
 * is the volume of particles around the cell's center over that of a cell, and filled_c - 1 is
 * limited to the range from -0.5 to 0.5. The source is needed because the grid sees a body in free
 * fall, while what holds the fluid may stop one row of particles per step; without the source the
 * other particles pile up there. Inside the fluid, where a cell and its six neighbors hold nothing
 * but fluid, a quarter of the source counts where filled_c < 1, so that fluid comes back; without
 * this a sloshing fluid swells, that of experiments/fluids-alone by a tenth in three periods and a
 * quarter in six. (Losasso, Talton, Kwatra and Fedkiw, "Two-way coupled SPH and particle level set
 * fluid simulation", 2008, control the density of particles by such a target divergence.)
 *
 * The volume that leaves in a step does not depend on the length of the step, so that its velocity
 * grows as 1 / dt, until the next step stops it. (A block whose particles start up to a fifth of
 * their spacing off their lattice moves at 0.12 m/s in its first step if that is 1 ms long, at 0.49
 * m/s if it is 0.25 ms.) Fluid that fills a closed space without air has nowhere to go: there the
 * mean of the sources is left out, and if that is too much, the step fails.
 *
 * Solids displace the fluid, with `solids: displace`: they have a share in faces and cells, one
 * pressure acts on both (flip_shares.c), and its impulses on solids are outside forces, which every
 * system, group and contact method feels as it feels gravity (flip_react.c). What differs from one
 * side of a surface to the other is resolved to a cell. Both the source and blending act once a
 * step and resist a body the more the shorter steps are: a ball of half the density of water, 4
 * cells wide, starts with 0.88 of the acceleration of potential flow in steps of 1 ms (mean of 10
 * ms), with 0.65 in steps of 0.1 ms, and with 0.87 in these without source and with blend = 1.
 *
 * A meta-particle is a particle with the mass of all its members, which feels the outside forces of
 * all of them: each own member is at its place on the grid with its own mass and the velocity of
 * the group, and the impulses J_p = m_p (v'_p - v_p - dt F_p / m_p) of the own members move the
 * whole group. */
#ifndef SYSTEMS_FLIP_FLIP_H
#define SYSTEMS_FLIP_FLIP_H

#include "systems/system.h"

/* One system of all bodies of such a fluid, held by walls. */
extern const struct system_class flip_class;

#endif
