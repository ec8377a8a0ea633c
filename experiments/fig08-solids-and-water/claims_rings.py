"""Figure 8, top: claims."""

import math

from claims import claim, ledger_closes, nothing_passes, stays_stable

GRAVITY = -9.81  # m/s^2, along z, the default
TORI = ("torus-a", "torus-b", "torus-c", "torus-d")


def given(m):
    """The downward momentum that the water has given to cloth and tori, at each frame, kg m/s: what it came with and what
    gravity added, less what it still has."""
    time, velocity = m.body("rings", "water", "time"), m.body("rings", "water", "velocity_z")
    mass = m.body("rings", "water", "mass")[0]
    return [mass * (v - velocity[0] - GRAVITY * t) for t, v in zip(time, velocity)]


def brought(m):
    """The momentum of the water at the start, kg m/s."""
    return -m.body("rings", "water", "velocity_z")[0] * m.body("rings", "water", "mass")[0]


def pushed(m, torus):
    """The most by which the velocity of a torus differs from that without water, m/s."""
    axes = [f"velocity_{axis}" for axis in "xyz"]
    wet, dry = ([m.body(run, torus, axis) for axis in axes] for run in ("rings", "rings-dry"))
    return max(sum((a - b) ** 2 for a, b in zip(v, w)) ** 0.5 for v, w in zip(zip(*wet), zip(*dry)))


def gained(m, axis):
    """What all bodies gained in momentum along an axis from the first frame to the last, by their centers of mass, kg m/s."""
    bodies = [(m.body("rings", body, "mass")[0], m.body("rings", body, f"velocity_{axis}")) for body in ("cloth", *TORI, "water")]
    return sum(mass * (velocity[-1] - velocity[0]) for mass, velocity in bodies)


def received(m, axis):
    """The impulse of gravity and of the rim, and what the solver leaves, kg m/s."""
    return sum(sum(m.column("rings", f"{what}_impulse_{axis}")) for what in ("gravity", "support", "residual"))


nothing_passes("M27-cloth-penetrated", kind="paper", runs="rings",
               states="no fluid particle ever penetrates the single layer of the cloth: number of particles, over all steps")


@claim("STRAIN-fig08-cloth", kind="finding",
       states="the cloth is nowhere stretched so far that it has holes: largest strain of its springs along the lattice",
       holds="< 0.414", because="sqrt(2) - 1: at this strain a particle fits between four others of equal size")
def strain(m):
    return m.summary("rings", "strain_max")[0]


@claim("M27-cloth-momentum", kind="paper",
       states="cloth and tori feel the fluid: the most momentum that they have taken from it, over that with which it came",
       holds="> 0.5", because="clearly more than a graze: half of it")
def taken(m):
    return max(given(m)) / brought(m)


@claim("M27-cloth-tori", kind="paper",
       states="every torus feels the fluid: the most by which its velocity differs from that without water, over the speed with "
              "which the water came; the smallest of the four",
       holds="> 0.1", because="clearly nonzero: without water cloth and tori hardly move")
def tori_pushed(m):
    return min(pushed(m, torus) for torus in TORI) / -m.body("rings", "water", "velocity_z")[0]


claim("MOMENTUM-fig08-cloth", kind="physics",
      states="what water, tori and cloth gain in momentum is what gravity and the rim give: largest difference along an axis, over "
             "the momentum of all at the largest speed",
      holds="< 1e-9", because="rounding, over some thousand steps; the solver's residual is counted",
      value=lambda m: max(abs(gained(m, axis) - received(m, axis)) for axis in "xyz") / m.peak("rings", "momentum_scale")[0])
claim("OVERLAP-fig08-cloth", kind="finding",
      states="water, rings and cloth stay apart: largest overlap of a pair, over the overlap that a particle would have with four others "
             "of the cloth in the middle between them, where the cloth is stretched most",
      holds="< 1", because="below 1 no particle is as deep in the cloth as it would have to be to get through, or as far in any body",
      value=lambda m: m.summary("rings", "overlap_max")[0] / (1 - (1 + strain(m)) / math.sqrt(2)))
stays_stable()
ledger_closes()
