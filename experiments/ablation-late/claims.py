"""Which velocities make a pair late: claims."""

from claims import claim, ledger_closes
from arithmetic import mean, ratios, spread

RULES = ["split", "integrated", "either"]
GROUPS = ["integrated", "either"]  # the rules that look at velocities of groups
HEIGHTS = ["low", "high"]
NOBODY = "a count of particles: none may"


def change(m, runs, key):
    """Of the rules that look at groups: how far the sum of this over runs ({} is the rule) is from that by split velocities."""
    reference = sum(m.summary(runs.format("split"), key))
    return max(abs(sum(m.summary(runs.format(rule), key)) / reference - 1) for rule in GROUPS)


def overlap(m, runs):
    """Overlap of touching pairs, mean over pairs and time."""
    return mean(m.column(runs, "overlap_mean"))


@claim("M40-groups", kind="paper",
       states="judged by how they move, no pair in touch sinks deeper within a step: share of pairs in random clouds, "
              "without limit of groups and with the stages it takes",
       holds="== 0", because="paths are straight: a pair that does not approach at their start gets no nearer")
def sunk_by_groups(m):
    return max(m.measured("LATE.sunk.integrated"), m.measured("LATE.sunk.either"))


@claim("LATE-sunk-split", kind="finding",
       states="... judged by the velocities after splitting",
       holds="== 0", because="the same is asked of both rules",
       known="some of them do: groups carry together what parts by its own velocities")
def sunk_by_split(m):
    return m.measured("LATE.sunk.split")


@claim("LATE-wall-overlap-split", kind="finding",
       states="wall, by split velocities: largest overlap in radii, over seeds and stages",
       holds="< 0.25", because="the limit of Figures 5 and 6",
       known="the same as in Figure 6; groups carry particles together that part by their own velocities")
def wall_overlap_split(m):
    return max(m.summary("wall-split-*", "overlap_depth_max"))


@claim("M24-late-overlap", kind="paper",
       states="... by integrated velocities, or either",
       holds="< 0.25", because="the limit of Figures 5 and 6: a quarter of a radius is what the ball moves in two or three steps")
def wall_overlap_groups(m):
    return max(m.summary("wall-[ie]*", "overlap_depth_max"))


@claim("LATE-wall-overlap-ratio", kind="finding",
       states="... two stages, split over integrated, means over seeds",
       holds="> 2", because="half, so that it is no matter of the four seeds, which differ by less than a half")
def wall_overlap_ratio(m):
    return (sum(m.summary("wall-split-2-*", "overlap_depth_max"))
            / sum(m.summary("wall-integrated-2-*", "overlap_depth_max")))


@claim("LATE-wall-stages", kind="finding",
       states="... four stages do not do for split velocities what two do for integrated ones: difference of the largest overlaps",
       holds="> 0", because="the sign is the statement")
def wall_overlap_stages(m):
    return max(m.summary("wall-split-4-*", "overlap_depth_max")) - max(m.summary("wall-integrated-2-*", "overlap_depth_max"))


@claim("M24-late-speed", kind="paper",
       states="wall: largest speed over the impact speed, any rule",
       holds="< 3", because="the limit of the verdict on stability (docs/measures.md), here for the fastest particle")
def wall_speed(m):
    return max(ratios(m.summary("wall-*", "speed_max"), m.summary("wall-*", "impact_speed")))


@claim("M24-late-energy", kind="paper",
       states="... without energy out of nowhere",
       holds="< 1e-9", because="rounding, as in the ledger")
def wall_energy(m):
    return max(m.summary("wall-*", "energy_gain"))


@claim("LATE-wall-dust", kind="finding",
       states="... the wall breaks as before: dust over that by split velocities, means over seeds, less 1",
       holds="< 0.05", because="what the means of four seeds may differ by: single runs scatter by twice that")
def wall_dust(m):
    return change(m, "wall-{}-2-*", "dust_share")


@claim("LATE-wall-cost", kind="finding",
       states="... at the same cost: solver iterations in two stages over those by split velocities, less 1",
       holds="< 0.05", because="less is not worth a choice")
def wall_cost(m):
    def iterations(rule):
        runs = f"wall-{rule}-2-*"
        return sum(a + b for a, b in zip(m.column(runs, "iterations_first"), m.column(runs, "iterations_later")))
    return max(abs(iterations(rule) / iterations("split") - 1) for rule in GROUPS)


@claim("M11-late-unlimited", kind="paper",
       states="fluid on cloth, no limit: nobody through by integrated velocities, or either",
       holds="== 0", because=NOBODY)
def unlimited_groups(m):
    return max(m.summary("unlimited-[ie]*", "wrong_side_max"))


@claim("LATE-unlimited-split", kind="finding",
       states="... nor by split ones",
       holds="== 0", because=NOBODY)
def unlimited_split(m):
    return max(m.summary("unlimited-split-*", "wrong_side_max"))


@claim("M11-late-limited", kind="paper",
       states="... 8 to 64: hardly anybody through by any rule: share of the fluid",
       holds="< 1e-3", because="nine of nine thousand particles; a limit of 4 lets eight times as many through")
def limited_leak(m):
    return (max(max(m.summary(f"fluid-{rule}-*", "wrong_side_mass_max")) for rule in RULES)
            / m.body("fluid-split-2-seed-1", "fluid", "mass")[0])


@claim("LATE-fluid-unresolved", kind="finding",
       states="... two stages find all that is late as well as by split velocities: unresolved pairs over theirs",
       holds="<= 1", because="the same number is the statement",
       known="more; pairs merged late make groups that carry others, for which there is no third stage")
def unresolved(m):
    return sum(m.summary("fluid-integrated-2-*", "unresolved")) / sum(m.summary("fluid-split-2-*", "unresolved"))


@claim("LATE-fluid-overlap-2", kind="finding",
       states="... and so keep fluid and cloth further apart: overlap over that by split velocities, means over pairs and time",
       holds="< 0.8", because="a fifth, more than the runs of one rule differ by",
       known="hardly, with two stages")
def overlap_two_stages(m):
    return overlap(m, "fluid-integrated-2-*") / overlap(m, "fluid-split-2-*")


@claim("LATE-fluid-overlap-4", kind="finding",
       states="... with four stages they do",
       holds="< 0.8", because="as with two stages")
def overlap_four_stages(m):
    return overlap(m, "fluid-integrated-4-*") / overlap(m, "fluid-split-4-*")


@claim("LATE-fluid-sag", kind="finding",
       states="... the cloth sags as before: over that by split velocities, less 1",
       holds="< 0.05", because="limits of the size of groups change it by more (Figure 11)")
def fluid_sag(m):
    return change(m, "fluid-{}-2-*", "sag_max")


@claim("M17-late-wrong-side", kind="paper",
       states="a ball on a cloth (Figure 3): nobody on the wrong side at any step, either fall, any rule",
       holds="== 0", because=NOBODY)
def cloth_wrong_side(m):
    return max(m.column("cloth-*", "wrong_side"))


def kept(m, rule, height):
    return m.summary(f"cloth-{rule}-{height}-*", "energy_kept")


def cloth_energy(m):
    return max(abs(mean(kept(m, rule, height)) - mean(kept(m, "split", height))) for rule in GROUPS for height in HEIGHTS)


@claim("LATE-cloth-energy", kind="finding",
       states="... share of the energy at impact kept: difference of the means of three seeds from those by split velocities, over "
              "how far seeds are apart",
       holds="< 1", because="less than chance")
def cloth_energy_over_chance(m):
    return cloth_energy(m) / max(spread(kept(m, rule, height)) for rule in RULES for height in HEIGHTS)


@claim("LATE-cloth-dent", kind="finding",
       states="... depth of the dent over that by split velocities, less 1, means over three seeds",
       holds="< 0.02", because="a fiftieth of the depth would not be seen")
def cloth_dent(m):
    return max(change(m, f"cloth-{{}}-{height}-*", "sag_max") for height in HEIGHTS)


@claim("M36-late-columns", kind="paper",
       states="columns of one to four loose particles rest with one stage more, by any rule",
       holds="== 0", because="rest is rest to the bit: sinking, in radii per step")
def columns_rest(m):
    return max(m.measured(f"M36.column-{n}.stages-{n + 1}.{rule}") for n in range(1, 5) for rule in RULES)


@claim("LATE-columns-sink", kind="finding",
       states="... with two stages: how fast a column of four sinks, by integrated velocities over split ones",
       holds="<= 1", because="no faster is the statement",
       known="faster; what a bounce pushes towards the next particle is found a step later")
def columns_sink(m):
    return m.measured("M36.column-4.stages-2.integrated") / m.measured("M36.column-4.stages-2.split")


@claim("STABLE-late", kind="finding",
       states="every run is stable",
       holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)")
def unstable(m):
    return max(m.summary("*", "unstable"))


ledger_closes("late")
