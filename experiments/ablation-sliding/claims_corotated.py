"""Corotated solids that slide: the block on a plane, and the ball on the cloth of springs."""

import math

from arithmetic import at
from claims import claim

FRICTIONS = ("0.3", "0.6")


def gel_block(m, angle, rub, column):
    return m.body(f"corotated-sliding-slope-{angle}-{rub}", "block", column)


def gel_gained(m, angle, rub):
    """The block's speed at the end over what Coulomb's law leads to, g (sin(angle) - mu cos(angle)) t; None where it stands."""
    slope = math.radians(float(angle))
    pull = math.sin(slope) - float(rub) * math.cos(slope)
    time = m.setting(f"corotated-sliding-slope-{angle}-{rub}", "time.end")[0]
    return gel_block(m, angle, rub, "velocity_x")[-1] / (9.81 * pull * time) if pull > 0 else None


def gel_errors(m, frictions):
    ratios = [gel_gained(m, angle, rub) for angle in m.axis("angle") for rub in frictions]
    return [abs(ratio - 1) for ratio in ratios if ratio is not None]


@claim("SLIDING-COROTATED-plane", kind="physics",
       states="a corotated block slides down a plane without friction, 10 to 80 degrees: largest deviation of its acceleration from "
              "g sin(angle), relative",
       holds="< 1e-3", because="as for the block of springs; the plane's surface falls by 0.2 mm over the way")
def corotated_plane(m):
    return max(gel_errors(m, ["0"]))


@claim("SLIDING-COROTATED-friction", kind="physics",
       states="with friction, mu 0.3 and 0.6, it slides at g (sin(angle) - mu cos(angle)): largest relative error of its speed after 0.2 s",
       holds="< 0.005", because="as for the block of springs in ablation-friction")
def corotated_friction(m):
    return max(gel_errors(m, FRICTIONS))


@claim("SLIDING-COROTATED-stands", kind="physics",
       states="and stands below the angle of friction: largest speed at the end, m/s",
       holds="< 1e-5", because="two millionths of what gravity would give it on 30 degrees")
def corotated_stands(m):
    return max(abs(gel_block(m, angle, rub, "velocity_x")[-1]) for angle in m.axis("angle") for rub in FRICTIONS if gel_gained(m, angle, rub) is None)


def gel_sideways(m, run):
    return m.body(run, "ball", "velocity_x")[-1]


def gel_apart(m, run, reference):
    return abs(gel_sideways(m, run) / gel_sideways(m, reference) - 1)


@claim("SLIDING-COROTATED-oblique", kind="finding",
       states="a corotated ball slides along the cloth of springs as with hard penalty forces at the same step, 0.2 and 0.02 ms: largest "
              "relative difference of the speeds",
       holds="< 0.05", because="as for the ball of springs")
def corotated_oblique(m):
    return max(gel_apart(m, "corotated-sliding-oblique-2e-4", "corotated-oblique-penalty"),
               gel_apart(m, "corotated-sliding-oblique-fine", "corotated-oblique-reference"))


def corotated_steps(m):
    """By how much that speed differs from that with fine steps, at most, at steps of 0.2 to 1 ms."""
    return max(gel_apart(m, run, "corotated-oblique-reference") for run in m.sweep("corotated-sliding-oblique-{step}"))


def gel_at(m, time):
    """The speed along the cloth of the ball with friction at this time, m/s."""
    run = "corotated-sliding-oblique-rough"
    return at(time, m.body(run, "ball", "time"), m.body(run, "ball", "velocity_x"))


@claim("SLIDING-COROTATED-work", kind="physics",
       states="friction between that ball and the cloth, mu 0.5, takes energy and gives none: least work in a step over the most",
       holds="> -1e-4", because="ten times solver.tolerance")
def corotated_work(m):
    work = m.column("corotated-sliding-oblique-rough", "friction")
    return min(work) / max(work)


claim("SLIDING-COROTATED-held", kind="physics",
      states="no particle of a corotated block or ball gets through: number of particles",
      holds="== 0", because="a count of particles: none is allowed",
      value=lambda m: max(m.column("corotated-sliding-*", "penetrated")))
