"""Rest: columns, pyramids, stacks and piles with sliding contact: claims."""

from arithmetic import max, min, sum
from claims import claim

LATE = 0.5  # the fraction of a run after which it should be at rest


def late(m, run, name):
    """A column of the last half of a run."""
    values = m.column(run, name)
    return values[int(LATE * len(values)):]


def loose(m):
    return [*m.sweep("column-{mu}"), *m.sweep("pyramid-{mu}")]


def stacks(m):
    return m.sweep("stack-{bonds}-{mu}")


def piles(m):
    return m.sweep("pile-{mu}")


def everything(m):
    return [*loose(m), *stacks(m), *piles(m)]


def fastest(m, runs):
    """The largest speed in the last half of runs, m/s."""
    return max(value for run in runs for value in late(m, run, "speed_max"))


def fall(m, run):
    """What gravity gives in a step, m/s."""
    return -m.setting(run, "gravity")[0][2] * m.setting(run, "time.max_step")[0]


@claim("REST-loose", kind="physics",
       states="a column of 4 and a pyramid of 30 loose particles, mu 0, 0.3 and 0.6, 5000 steps of 1 ms: largest speed in the last half, m/s",
       holds="< 1e-9", because="a ten millionth of what gravity gives in a step: the contacts' solver goes to rounding")
def speed_loose(m):
    return fastest(m, loose(m))


@claim("REST-pile", kind="physics",
       states="piles of 512 loose particles that have fallen into a box, on a floor inclined by 5 degrees, mu 0, 0.3 and 0.6: largest speed in the last second of four, m/s",
       holds="< 1e-9", because="as above; one without friction rearranges for more than a second before it stands, and on a level floor particles that touch nothing else would glide on")
def speed_pile(m):
    return max(speed for run in piles(m) for time, speed in zip(m.column(run, "time"), m.column(run, "speed_max")) if time > 3)


def stands_from(m, run):
    """When a pile came to rest, s: the last time at which a particle was faster than 1e-9 m/s."""
    return max(time for time, speed in zip(m.column(run, "time"), m.column(run, "speed_max")) if speed > 1e-9)


@claim("REST-stiff", kind="physics",
       states="ten stiff elastic blocks with friction: largest speed in the last half, over what gravity gives in a step",
       holds="< 1e-4", because="ten times the solver's tolerance: residuals of a step are relative to its forces, and bodies of many "
                               "particles add them up",
       known="friction turns the blocks that it joins, and what the tolerance leaves open rocks them, at 24 times the tolerance; with a tolerance of 1e-7 the stack with 0.3 has a hundredth of that kinetic energy after 0.25 s, and less from step to step")
def speed_stiff(m):
    return max(fastest(m, [run]) / fall(m, run) for run in m.sweep("stack-{bonds}-{mu}", bonds="stiff") if m.setting(run, "contact.friction")[0] > 0)


@claim("REST-ringing", kind="finding",
       states="stacks that still ring or slide a little, soft ones and those without friction: largest speed in the last half, over what gravity gives in a step",
       holds="< 1.5", because="of the order of the fall in one step: a falling particle is stopped in the next step")
def speed_ringing(m):
    return max(fastest(m, [run]) / fall(m, run) for run in stacks(m))


@claim("REST-depth", kind="physics",
       states="no pair in touch gets deeper, in any run: the most in a step, radii",
       holds="< 1e-6", because="the aim of the method; what is left is rounding")
def depth(m):
    return max(value for run in everything(m) for value in m.column(run, "nearer_depth"))


@claim("REST-column-long", kind="physics",
       states="the column of 4 over 100 000 steps, alpha 0 and 1: the farthest that a particle drifts, m",
       holds="< 1e-12", because="rounding: 1e-10 radii")
def drift(m):
    return m.measured("REST.column.drift")


def unresolved(m, run):
    """Steps whose contacts were not resolved."""
    return sum(1 for value in m.column(run, "unresolved") if value > 0)


claim("REST-resolved", kind="finding",
      states="steps that eight stages leave unresolved, over all runs",
      holds="== 0", because="the method is not finished in such a step",
      value=lambda m: sum(unresolved(m, run) for run in everything(m)))


def taken(m):
    """Steps of all runs."""
    return sum(len(m.column(run, "stages")) for run in everything(m))


def mean_stages(m, run):
    values = m.column(run, "stages")
    return sum(values) / len(values)


@claim("REST-stages", kind="finding",
       states="stages of a step: largest mean of a run",
       holds="<= 2.5", because="the aim of the design: warm, from what the last step found")
def stages_at_rest(m):
    return max(mean_stages(m, run) for run in everything(m))


def gained(m, run):
    """The largest rise of the mechanical energy in the last half of a run over its largest kinetic energy."""
    energy = m.column(run, "energy")
    lowest, rise = energy[len(energy) // 2], 0.0
    for value in energy[len(energy) // 2:]:
        lowest = min(lowest, value)
        rise = max(rise, value - lowest)
    return rise / max(m.column(run, "kinetic"))


@claim("REST-energy", kind="physics",
       states="nothing gains energy at rest: largest kinetic energy at the end of a run over its largest one",
       holds="< 1e-5", because="no speed of more than a three-hundredth of the largest is left: blows fade, and contacts that gained "
                               "energy would make stacks jump",
       known="soft stacks sway on, since steps no longer take the spin of what turns; they gain nothing (REST-gain)")
def fades(m):
    return max(m.column(run, "kinetic")[-1] / max(m.column(run, "kinetic")) for run in [*stacks(m), *piles(m)])


claim("REST-gain", kind="physics",
      states="nothing gains energy at rest: largest rise of the mechanical energy in the last half of a run over its largest kinetic energy",
      holds="< 1e-4", because="ten times the solver's tolerance, to which the forces of a step balance",
      value=lambda m: max(gained(m, run) for run in [*stacks(m), *piles(m)]))
