"""Claims that every experiment makes: they are read after those of its own claims.py, and end with its name."""

import re

from claims import shared_claim, this_experiment


def setting_of(run, group, key, default):
    """That of the last layer or token that has it."""
    value, (layers, tokens) = default, experiment.layers(run, "small")
    for path in layers:
        with open(path, encoding="utf-8") as layer:
            found = re.search(rf"^{group}:(?:\n(?:[ #].*\n)*?  | *{{(?:[^}}\n]*, *)?){key}: ([\w.-]+)", layer.read(), re.MULTILINE)
        value = found[1] if found else value
    for token in tokens:
        name, _, given = token.partition("=")
        value = given if name == f"{group}.{key}" else value
    return value


def merges(run):
    return setting_of(run, "contact", "method", "merging-and-splitting") == "merging-and-splitting"


def limited(run, motion):
    """Whether a rule limits the step to one radius of this motion, and not to more."""
    return setting_of(run, "time", "motion", "relative") == motion and float(setting_of(run, "time", "courant", "1")) <= 1


experiment = this_experiment()
merging = [run for run in experiment.runs if merges(run) and not experiment.steady]
runs = [run.name for run in merging]
absolute, relative = ([run.name for run in merging if limited(run, motion)] for motion in ("absolute", "relative"))

# Where the statement does not hold, and what was found instead: experiment -> known (see claim).
ARCS = {"rigid-bodies": "particles of bodies that turn move on arcs, and come nearer by less than a millionth of a radius in a step; more pairs do so than were late"}
FARTHER = {"ablation-two-balls": "at 40 m/s they do: velocities rise within a step, which no rule for its start can know"}


def of_runs(m, names, key):
    there = {run.name for run in m.experiment.runs}
    return [value for run in names if run in there for value in m.summary(run, key)]


if absolute:
    @shared_claim("M42", kind="paper",
                  states="merging-and-splitting, steps limited by the paper's rule (time.motion: absolute): no particle moves farther than its "
                         "radius in a step: largest displacement in any step of any run, radii",
                  holds="<= 1.000000001", because="the rule itself, as the paper has it, and rounding", known=FARTHER.get(experiment.name),
                  scatter="the rule limits it, whatever chance does")
    def farthest(m):
        return max(of_runs(m, absolute, "displacement_max"))


# Where bodies meet at half the speed of their waves and above, velocities rise within a step as chance will have it: 0.9 to 2.04 radii
# in ces-ball, runs that differ by roundings; up to 3.3 in ablation-two-balls, which has claims of its own.
if relative and experiment.name not in ("ablation-two-balls", "ces-ball"):
    @shared_claim("MOTION", kind="finding",
                  states="merging-and-splitting, steps limited by our rule (time.motion: relative): "
                         "those that were near a touch pass each other in no step: their largest displacement relative to each other in any step of any run, radii of the smaller",
                  holds="< 2", because="to pass, the centers of two that touch must come past each other, two radii or more. The rule limits it to one "
                                       "by the velocities at the start of a step, and these change within it",
                  scatter="the rule limits it to half of that by the velocities at the start, which chance changes little below the speed of waves")
    def farthest_relative(m):
        return max(of_runs(m, relative, "relative_displacement_max"))


if runs:
    @shared_claim("M40", kind="paper",
                  states="merging-and-splitting: pairs in contact come nearer within a step only if they were deferred, or late after the last "
                         "stage: the most beyond the number of these in a step, or of one meta-particle, of any run",
                  holds="== 0",
                  because="paths are straight. Only pairs that a limit of meta-particles defers, or that are late after the last stage, may "
                          "come nearer; only their number is known, so that steps that defer many are tested less strictly",
                  known=ARCS.get(experiment.name))
    def deeper(m):
        return max(value for run in runs for value in m.summary(run, "nearer_unexplained") + m.summary(run, "nearer_merged"))
