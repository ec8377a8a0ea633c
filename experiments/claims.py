"""Claims that every experiment makes: they are read after those of its own claims.py, and end with its name."""

import re

from claims import claim, this_experiment


def method_of(run):
    """That of the last layer that names one, else the default."""
    method = "merging-and-splitting"
    for path in experiment.layers(run, "small")[0]:
        with open(path, encoding="utf-8") as layer:
            found = re.search(r"^contact:\n(?:[ #].*\n)*?  method: ([\w-]+)", layer.read(), re.MULTILINE)
        method = found[1] if found else method
    return method


experiment = this_experiment()
runs = [run.name for run in experiment.runs if method_of(run) == "merging-and-splitting"]

# Where the statement does not hold, and what was found instead: experiment -> known (see claim).
RELATIVE = ("our rule (time.motion: relative) limits the motion of particles towards each other, to the radius where they are near a touch "
            "and to twice that elsewhere")
FARTHER = {
    "fig03-solid-solid": f"the ball that falls from 10 m moves farther before it meets the cloth: {RELATIVE}",
    "ces-ball": f"so does the same ball, of another material, here: {RELATIVE}; and velocities rise within a step",
    "ablation-late": f"so does the same ball here: {RELATIVE}",
    "fig11-group-limits": f"with a limit of 4, water that has run through the cloth does while it falls: {RELATIVE}",
    "ablation-equal-cost": f"the same ball does: {RELATIVE}",
    "ablation-sliding-figures": f"the same ball does: {RELATIVE}",
    "ablation-radius": f"balls of 4 m/s do while they fall: {RELATIVE}",
    "map-stiffness-speed": f"the ball of 16 m/s does while it falls: {RELATIVE}",
    "ablation-speculative": "steps of up to ten times that length are what is tested",
    "ces-tables": "steps are longer than this rule has them, as in the paper on corotated SPH; there is no contact",
    "ablation-two-balls": f"balls of up to 20 m/s in steps as long as the rule allows: {RELATIVE}; and velocities rise within a step, "
                          "which no rule for its start can know",
}

BESIDE_WALLS = ("some pairs beside walls: a wall ends the way of a meta-particle, and a particle that touches it and did not "
                "approach goes on")
NEARER = dict.fromkeys(["ablation-flip-coupling", "fig08-dam-break-wall", "sph-two-fluids", "table1-timings"], BESIDE_WALLS)


def of_runs(m, key):
    return [value for run in runs for value in m.summary(run, key)]


if runs:
    @claim(f"M42-{experiment.name}", kind="paper",
           states="merging-and-splitting: no particle moves farther than its radius in a step: largest displacement in any step of "
                  "any run, radii",
           holds="<= 1.000000001", because="the rule itself, as the paper has it, and rounding", known=FARTHER.get(experiment.name))
    def farthest(m):
        return max(of_runs(m, "displacement_max"))

    @claim(f"M40-{experiment.name}", kind="paper",
           states="merging-and-splitting: pairs in contact come nearer within a step only if they were deferred, or late after the last "
                  "stage: the most beyond the number of these in a step, or of one meta-particle, of any run whose late pairs are found "
                  "by the velocities that move the particles",
           holds="== 0",
           because="paths are straight. Only pairs that a limit of meta-particles defers, or that are late after the last stage, may "
                   "come nearer; only their number is known, so that steps that defer many are tested less strictly",
           known=NEARER.get(experiment.name))
    def deeper(m):
        most = {run: max(m.summary(run, "nearer_unexplained") + m.summary(run, "nearer_merged")) for run in runs}
        return max([0.0] + [most[run] for run in runs if m.setting(run, "contact.late") == ["integrated"]])
