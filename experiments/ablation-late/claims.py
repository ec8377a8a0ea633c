"""Which velocities make a pair late: claims."""

from claims import claim, ledger_closes, stays_stable
from arithmetic import mean, ratios, spread

GROUPS = ["integrated", "either"]  # the rules that use the velocities of meta-particles
NOBODY = "a count of particles: none is allowed"


def change(m, runs, key):
    """Largest relative difference, over the rules in GROUPS, of the sum of a summary value over runs ({} is the rule) from that with
    split velocities."""
    reference = sum(m.summary(runs.format("split"), key))
    return max(abs(sum(m.summary(runs.format(rule), key)) / reference - 1) for rule in GROUPS)


def overlap(m, runs):
    """The overlap of touching pairs, averaged over pairs and time."""
    return mean(m.column(runs, "overlap_mean"))


@claim("M40-groups", kind="paper",
       states="with pairs late by integrated velocities or by either, no pair in contact gets deeper within a step: fraction of "
              "such pairs in random clouds, without limits and with as many stages as needed",
       holds="== 0", because="paths are straight: a pair that does not approach at their start comes no nearer")
def sunk_by_groups(m):
    return max(m.measured("LATE.sunk.integrated"), m.measured("LATE.sunk.either"))


@claim("LATE-sunk-split", kind="finding",
       states="with pairs late by split velocities some pairs in contact get deeper within a step, because meta-particles carry together "
              "particles whose own velocities part: fraction of such pairs in random clouds",
       holds="> 1e-3", because="one in a thousand: no accident; by the velocities of groups there is none (M40-groups)")
def sunk_by_split(m):
    return m.measured("LATE.sunk.split")


@claim("LATE-wall-overlap-split", kind="finding",
       states="wall, split velocities, which exceed the limit of Figures 5 and 6: largest overlap, radii, over seeds and stages",
       holds="> 0.25", because="the limit, which the other rules keep (M24-late-overlap)")
def wall_overlap_split(m):
    return max(m.summary("wall-split-*", "overlap_depth_max"))


@claim("M24-late-overlap", kind="paper",
       states="wall, integrated velocities or either: largest overlap, radii, over seeds and stages",
       holds="< 0.25", because="the limit of Figures 5 and 6: the ball moves a quarter of a radius in two or three steps")
def wall_overlap_groups(m):
    return max(m.summary("wall-[ie]*", "overlap_depth_max"))


@claim("LATE-wall-overlap-ratio", kind="finding",
       states="wall, two stages: largest overlap with split velocities over that with integrated ones, means over seeds",
       holds="> 2", because="a factor of two, which is more than chance: the four seeds differ by less than a half")
def wall_overlap_ratio(m):
    return (sum(m.summary("wall-split-2-*", "overlap_depth_max"))
            / sum(m.summary("wall-integrated-2-*", "overlap_depth_max")))


@claim("LATE-wall-stages", kind="finding",
       states="wall: split velocities with four stages are still worse than integrated ones with two: difference of the largest "
              "overlaps, radii",
       holds="> 0", because="the sign decides")
def wall_overlap_stages(m):
    return max(m.summary("wall-split-4-*", "overlap_depth_max")) - max(m.summary("wall-integrated-2-*", "overlap_depth_max"))


@claim("M24-late-speed", kind="paper",
       states="wall, any rule: largest speed over the impact speed",
       holds="< 3", because="the limit of the stability verdict (docs/measures.md), here for the fastest particle")
def wall_speed(m):
    return max(ratios(m.summary("wall-*", "speed_max"), m.summary("wall-*", "impact_speed")))


@claim("M24-late-energy", kind="paper",
       states="wall, any rule: no energy is created: largest gain over the available energy",
       holds="< 1e-9", because="rounding, as in the ledger")
def wall_energy(m):
    return max(m.summary("wall-*", "energy_gain"))


@claim("LATE-wall-debris", kind="finding",
       states="wall: the fracture does not depend on the rule: relative difference of the debris from that with split velocities, "
              "means over seeds",
       holds="< 0.14", because="two standard deviations of the difference of two means of four seeds: single runs scatter by a tenth")
def wall_debris(m):
    return change(m, "wall-{}-2-*", "debris_fraction")


@claim("LATE-wall-cost", kind="finding",
       states="wall: the cost does not depend on the rule: relative difference of the solver iterations from those with split "
              "velocities, two stages",
       holds="< 0.05", because="a smaller difference would not matter for the choice")
def wall_cost(m):
    def iterations(rule):
        runs = f"wall-{rule}-2-*"
        return sum(a + b for a, b in zip(m.column(runs, "iterations_first"), m.column(runs, "iterations_later")))
    return max(abs(iterations(rule) / iterations("split") - 1) for rule in GROUPS)


@claim("M11-late-unlimited", kind="paper",
       states="fluid on cloth, no limit: no particle gets through with integrated velocities or either",
       holds="== 0", because=NOBODY)
def unlimited_groups(m):
    return max(m.summary("unlimited-[ie]*", "penetrated_max"))


@claim("LATE-unlimited-split", kind="finding",
       states="fluid on cloth, no limit: no particle gets through with split velocities",
       holds="== 0", because=NOBODY)
def unlimited_split(m):
    return max(m.summary("unlimited-split-*", "penetrated_max"))


@claim("M11-late-limited", kind="paper",
       states="fluid on cloth, limits of 8 to 64: hardly any particle gets through with any rule: fraction of the fluid",
       holds="< 1e-3", because="nine of nine thousand particles; with a limit of 4 eight times as many get through")
def limited_leak(m):
    return (max(max(m.summary(f"fluid-{rule}-*", "penetrated_mass_max")) for rule in m.axis("late"))
            / m.body("fluid-split-2-seed-*", "fluid", "mass")[0])


@claim("LATE-fluid-unresolved", kind="finding",
       states="fluid on cloth, 8 to 64: with two stages more pairs remain unresolved by integrated velocities than by split ones, "
              "because late pairs make meta-particles that carry others together: ratio",
       holds="> 1.5", because="half as many again: sums over seeds and hundreds of steps")
def unresolved(m):
    return sum(m.summary("fluid-integrated-2-*", "unresolved")) / sum(m.summary("fluid-split-2-*", "unresolved"))


@claim("LATE-fluid-overlap-2", kind="finding",
       states="fluid on cloth, 8 to 64: with two stages the rule hardly changes how far fluid and cloth are apart: overlap with "
              "integrated velocities relative to that with split ones, absolute difference, means over pairs and time",
       holds="< 0.1", because="half of what four stages must gain (below)")
def overlap_changes(m):
    return abs(overlap_two_stages(m) - 1)


def overlap_two_stages(m):
    return overlap(m, "fluid-integrated-2-*") / overlap(m, "fluid-split-2-*")


@claim("LATE-fluid-overlap-4", kind="finding",
       states="fluid on cloth, 8 to 64: integrated velocities keep fluid and cloth further apart with four stages: overlap over "
              "that with split ones, means over pairs and time",
       holds="< 0.8", because="a fifth: more than runs with the same rule differ by")
def overlap_four_stages(m):
    return overlap(m, "fluid-integrated-4-*") / overlap(m, "fluid-split-4-*")


@claim("LATE-fluid-deflection", kind="finding",
       states="fluid on cloth, 8 to 64: the deflection of the cloth does not depend on the rule: relative difference from that "
              "with split velocities",
       holds="< 0.05", because="limits of the size of meta-particles change it by more (Figure 11)")
def fluid_deflection(m):
    return change(m, "fluid-{}-2-*", "deflection_max")


@claim("M17-late-penetrated", kind="paper",
       states="ball on cloth (Figure 3): no particle ever penetrates, from either height, with any rule: number of particles",
       holds="== 0", because=NOBODY)
def cloth_penetrated(m):
    return max(m.column("cloth-*", "penetrated"))


def kept(m, rule, height):
    return m.summary(f"cloth-{rule}-{height}-*", "energy_kept")


def cloth_energy(m):
    return max(abs(mean(kept(m, rule, height)) - mean(kept(m, "split", height))) for rule in GROUPS for height in m.axis("height"))


@claim("LATE-cloth-energy", kind="finding",
       states="ball on cloth: the energy kept does not depend on the rule: difference of its mean over three seeds from that with "
              "split velocities, over the spread of the seeds",
       holds="< 1", because="less than chance")
def cloth_energy_over_chance(m):
    return cloth_energy(m) / max(spread(kept(m, rule, height)) for rule in m.axis("late") for height in m.axis("height"))


@claim("LATE-cloth-dent", kind="finding",
       states="ball on cloth: the deflection does not depend on the rule: relative difference from that with split velocities, "
              "means over three seeds",
       holds="< 0.02", because="a fiftieth of the deflection would not be visible")
def cloth_dent(m):
    return max(change(m, f"cloth-{{}}-{height}-*", "deflection_max") for height in m.axis("height"))


@claim("M36-late-columns", kind="paper",
       states="columns of one to four loose particles rest with one stage more than they have particles, with any rule: radii sunk "
              "per step",
       holds="== 0", because="rest is exact, to the last bit")
def columns_rest(m):
    return max(m.measured(f"M36.column-{n}.stages-{n + 1}.{rule}") for n in range(1, 5) for rule in m.axis("late"))


@claim("LATE-columns-sink", kind="finding",
       states="with two stages a column of four loose particles sinks faster with integrated velocities than with split ones, as a "
              "particle that rebounds towards the next one is found a step later: ratio of the speeds",
       holds="> 1.1", because="a tenth: hardly any faster would not matter; nothing here is chance")
def columns_sink(m):
    return m.measured("M36.column-4.stages-2.integrated") / m.measured("M36.column-4.stages-2.split")


stays_stable("late")
ledger_closes("late")
