"""Is alpha a restitution parameter? Claims."""

import math

from arithmetic import max, min, sum
from claims import claim


def approach(m, run):
    """The speed with which two bodies approach each other along x, m/s."""
    return m.body(run, "left", "velocity_x")[0] - m.body(run, "right", "velocity_x")[0]


def restitution(m, run):
    """The speed with which they part along x over that with which they approached."""
    return (m.body(run, "right", "velocity_x")[-1] - m.body(run, "left", "velocity_x")[-1]) / approach(m, run)


def alpha_of(m, run):
    return m.setting(run, "contact.alpha")[0]


def step_of(m, run):
    return m.setting(run, "time.max_step")[0]


FALL = 0.05  # m, of the loose particle; it is at rest on the plane at a height of one radius
LANDED = 0.12  # s, after the first bounce and before the highest point that follows it


def bounce(m, run):
    """How high the particle rises after its first bounce, over the height from which it fell."""
    highest = max(m.body(run, "drop", "z", start=LANDED)) - m.setting(run, "bodies.drop.radius")[0]
    return highest / FALL


def off_kept(m, value, length):
    """The fraction of their energy that two loose particles keep that meet off center, with this alpha and step."""
    return m.summary(f"pair-off-merging-a{value}-{length}", "energy_kept")[0]


def damped(m, run):
    """The fraction of the energy at impact that damping took."""
    return m.summary(run, "damping")[0] / m.summary(run, "impact_kinetic")[0]


def angular_kept(m, run):
    """The angular momentum at the end along that at the beginning, over the latter."""
    components = [m.column(run, f"angular_{axis}") for axis in "xyz"]
    return sum(c[0] * c[-1] for c in components) / sum(c[0] ** 2 for c in components)


def blocks(m, method, **place):
    """The runs with two blocks, those with the smallest alpha first."""
    return m.sweep(f"blocks-{{integrator}}-{method}-a{{share}}-{{step}}", **place)


def falls(m, method):
    """Number of steps from one alpha to the next larger after which blocks part more slowly."""
    series = [[restitution(m, run) for run in blocks(m, method, integrator=integrator, step=length)]
              for integrator in m.axis("integrator") for length in m.axis("step")]
    return sum(after < before for values in series for before, after in zip(values, values[1:]))


def changes(m, method):
    """How much a last halving of the time step changes the restitution of blocks, for each alpha and integrator."""
    last, finest = m.axis("step")[-2:]
    return [abs(restitution(m, coarse) - restitution(m, fine))
            for coarse, fine in zip(blocks(m, method, step=last), blocks(m, method, step=finest))]


claim("M43-pair", kind="paper",
      states="alpha is a restitution parameter: two loose particles of equal mass, or one three times as heavy as the other, that meet "
             "head-on part at sqrt(alpha) of their approach speed: largest deviation, any alpha and step",
      holds="< 1e-9", because="MS 9 is about energy, hence the root; nothing else acts: rounding",
      value=lambda m: max(abs(restitution(m, run) - math.sqrt(alpha_of(m, run)))
                          for hit in ("center", "unequal") for run in m.sweep("pair-{hit}-merging-a{share}-{length}", hit=hit)))


@claim("M43-drop", kind="paper",
       states="a loose particle that falls on a plane bounces to alpha of the height: largest deviation, in steps of motion at impact",
       holds="< 2", because="the instant of contact is known to a step, and so is the instant at which it ends")
def drop(m):
    def in_steps(run):
        return FALL / (step_of(m, run) * math.sqrt(2 * 9.81 * FALL))
    return max(abs(bounce(m, run) - alpha_of(m, run)) * in_steps(run) for run in m.sweep("drop-merging-a{share}-{length}"))


@claim("M43-off-center", kind="paper",
       states="alpha is about the motion along the line of centers: two loose particles that meet half a diameter off center with alpha = 0: "
              "least fraction of the energy kept",
       holds="> 0.24", because="a quarter of the energy belongs to the motion across the line of centers, which is at 30 degrees to the paths",
       known="no energy is kept: merging takes all of the relative motion, and splitting, which returns none of it, leaves the particles together")
def off_center(m):
    return min(off_kept(m, "0", length) for length in m.axis("length"))


@claim("M43-blocks", kind="paper",
       states="alpha is a restitution parameter: elastic blocks part faster with alpha = 1 than with alpha = 0, any step and integrator: least "
              "difference of the separation speeds over the approach speed",
       holds="> 0", because="faster is the statement",
       known="it is the other way round: with alpha = 1 the particles in contact bounce again and again, and damping takes the energy of "
             "their vibrations")
def blocks_differ(m):
    ends = zip(*[blocks(m, "merging", share=value) for value in ("0", "1")])
    return min(restitution(m, full) - restitution(m, none) for none, full in ends)


claim("M43-blocks-monotone", kind="paper",
      states="... and the faster the larger alpha is: of 40 steps of 0.25 in alpha, number after which they part more slowly",
      holds="== 0", because="a larger fraction of the energy is returned: none may be slower",
      known="most of them are",
      value=lambda m: falls(m, "merging"))
claim("M43-blocks-converges", kind="paper",
      states="the restitution of blocks converges with the time step: largest change by halving it from 0.1 ms, any alpha and integrator",
      holds="< 0.02", because="2 % of the approach speed; halving changes that of penalty forces by less",
      known="with alpha = 0.75 it goes on falling, because how much is lost depends on how often particles bounce; with alpha = 1 and backward "
            "Euler it still rises, as the integrator's own loss shrinks",
      value=lambda m: max(changes(m, "merging")))


@claim("RESTITUTION-penalty-converges", kind="finding",
       states="the same with penalty forces",
       holds="< 0.02", because="2 %, as for meta-particles")
def penalty_converges(m):
    last, finest = m.axis("step")[-2:]
    return max(abs(restitution(m, f"blocks-{name}-penalty-{last}") - restitution(m, f"blocks-{name}-penalty-{finest}"))
               for name in m.axis("integrator"))


@claim("RESTITUTION-limit", kind="finding",
       states="with alpha = 1 and the shortest step blocks part as with hard penalty forces: largest difference of the restitutions, both "
              "integrators",
       holds="< 0.02", because="2 % of the approach speed; the collision of the blocks has a limit that does not depend on the method")
def limit(m):
    finest = m.axis("step")[-1]
    return max(abs(restitution(m, f"blocks-{name}-merging-a1-{finest}") - restitution(m, f"blocks-{name}-reference"))
               for name in m.axis("integrator"))


claim("RESTITUTION-angular", kind="finding",
      states="a collision off center with alpha = 0 reverses angular momentum, as the faces in contact are glued: largest relative "
             "error, Newmark's method, any alpha and step",
      holds="> 1", because="beyond 1 its sign is the other one; with penalty forces the integrator's error is below a tenth",
      value=lambda m: max(abs(angular_kept(m, run) - 1) for run in blocks(m, "merging", integrator="newmark")))


@claim("RESTITUTION-angular-penalty", kind="finding",
       states="the same with penalty forces",
       holds="< 0.1", because="forces along the line of centers conserve it; the integrator linearizes those of bonds, which turn")
def angular_penalty(m):
    return max(abs(angular_kept(m, run) - 1) for run in m.sweep("blocks-{integrator}-penalty-{step}", integrator="newmark"))


claim("RESTITUTION-gain", kind="physics",
      states="merging-and-splitting makes no energy: the largest gain of any run over the energy that was available",
      holds="< 1e-9", because="rounding, as in the ledger",
      value=lambda m: max(m.summary("*-merging-*", "energy_gain")))
