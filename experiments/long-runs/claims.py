"""10^5 steps: nothing creeps. Slopes are least-squares slopes over the second half of a run, times the length of the run."""

import numpy as np

from arithmetic import max  # noqa: A004
from claims import claim, ledger_closes

HALF = 50.0  # s, when all has come to rest
COMING_TO_REST = ("cloth", "tank", "ball")
STANDING = ("pile", "pyramid")  # of particles without bonds, on a floor, with sliding contact
RUNS = COMING_TO_REST + STANDING
BODIES = {"cloth": ("cloth", "water"), "tank": ("high", "low"), "ball": ("ball",), "pile": ("pile",), "pyramid": ("second", "third", "fourth", "top")}
SINKS = "as if all had sunk by a fiftieth of a particle's radius; particles of a fluid at rest still find better places"


def growth(times, values):
    """What the slope of the second half makes of a whole run."""
    late = [k for k, time in enumerate(times) if time >= times[-1] / 2]
    return np.polyfit(np.take(times, late), np.take(values, late), 1)[0] * times[-1]


def creep(times, values):
    return abs(growth(times, values))


def of_frames(m, run, *names):
    """The sum of columns at the end of each frame."""
    return np.sum([m.ends(run, name) for name in names], axis=0)


def weight(m, run):
    """Of what is free, N: the momentum that gravity gives it in a step."""
    return abs(m.ends(run, "gravity_impulse_z")[-1]) / m.ends(run, "dt")[-1]


def radius(m, run):
    return m.setting(run, f"bodies.{BODIES[run][-1]}.radius")[0]


def farthest(m, runs):
    """How far the center of a body of these runs moves in the second half, in radii."""
    def moved(run, body):
        path = [m.body(run, body, axis, start=HALF) for axis in "xyz"]
        return sum((values[-1] - values[0]) ** 2 for values in path) ** 0.5 / radius(m, run)
    return max(moved(run, body) for run in runs for body in BODIES[run])


@claim("LONG-energy", kind="physics",
       states="the energy of what has come to rest does not creep: slope of kinetic, elastic and gravitational energy over the second half of "
              "10^5 steps, times the length of the run, over the weight times a particle's radius; the largest of five scenes",
       holds="< 0.02", because=SINKS)
def energy(m):
    return max(creep(m.ends(run, "time"), of_frames(m, run, "kinetic", "elastic", "gravitational")) / (weight(m, run) * radius(m, run))
               for run in RUNS)


@claim("LONG-kinetic", kind="physics",
       states="nothing begins to move again: largest kinetic energy of the second half over that at its start; the largest of three scenes with elastic "
              "bodies and fluids",
       holds="< 1.01", because="what is at rest only gets quieter; a hundredth for the last particles of a fluid that find their places")
def kinetic(m):
    late = [[value for time, value in zip(m.ends(run, "time"), m.ends(run, "kinetic")) if time >= HALF] for run in COMING_TO_REST]
    return max(max(values) / values[0] for values in late)


@claim("LONG-standing", kind="physics",
       states="a pile of 512 particles with friction and a pyramid of 30 without stand on sliding contact: largest speed after any thousand steps of the "
              "second half, m/s",
       holds="< 1e-9", because="a ten millionth of what gravity gives in a step: the contacts' solver goes to rounding")
def standing(m):
    return max(speed for run in STANDING for time, speed in zip(m.ends(run, "time"), m.ends(run, "speed_max")) if time >= HALF)


@claim("LONG-standing-place", kind="physics",
       states="and they do not drift: distance of a body's center at the end from that half way, over a particle's radius; the largest of both",
       holds="< 1e-9", because="rounding of 5 10^4 steps")
def standing_place(m):
    return farthest(m, STANDING)


claim("LONG-penetration", kind="physics",
      states="contacts do not deepen: slope of the largest overlap over the second half, times the length of the run, and particles through the "
             "cloth; the largest of five scenes",
      holds="< 1e-9", because="contacts at rest are exact but for rounding, in 10^5 steps",
      value=lambda m: max([creep(m.ends(run, "time"), m.ends(run, "overlap_max")) for run in RUNS] + m.summary("*", "penetrated_max")))


@claim("LONG-place", kind="physics",
       states="what has come to rest stays: distance of a body's center at the end from that half way, over a particle's radius; the largest of "
              "all bodies", holds="< 0.05", because="a twentieth of a particle; what is water finds better places for some particles")
def place(m):
    return farthest(m, RUNS)


@claim("LONG-memory", kind="physics",
       states="the memory of the program does not grow: slope over the second half, times the length of the run, over its memory at the end; the "
              "largest of five scenes",
       holds="< 1e-3", because="a thousandth is 20 kB, a tenth of what one byte lost in a step would be")
def memory(m):
    def slope(run):
        values = m.table(run, "memory.csv", "memory_bytes")
        return growth(m.table(run, "memory.csv", "time"), values) / values[-1]  # it falls where the kernel takes pages back
    return max(slope(run) for run in RUNS)


@claim("LONG-frames", kind="physics",
       states="a frame is written every second and no more: frames beyond or short of 100 and that of the start, of all scenes, plus steps "
              "short of 10^5", holds="== 0", because="counts")
def frames(m):
    def wrong(run):
        steps = m.ends(run, "step")
        return abs(len(steps) - m.setting(run, "time.end")[0] / m.setting(run, "time.frame_interval")[0]) + max(0, 1e5 - steps[-1])
    return sum(wrong(run) for run in RUNS)


ledger_closes()
