"""Real roots of MS 13 taken or ignored: claims."""

from arithmetic import mean
from claims import claim, ledger_closes, measured, momentum_closes

TENTH = "a tenth is just visible side by side in a figure"
SAMPLES = {"fig03": "drop", "fig04": "jitter", "fig05": "wall", "fig07": "drop", "fig10": "jitter", "sand": "draw", "pressed": "block"}
CLOTHS = ("fig03", "fig04", "fig07", "fig10")
FIGURES = ("fig03", "fig04", "fig05", "fig07", "fig10")


def samples(m, scene, roots):
    return m.sweep(f"{scene}-{{roots}}-{{{SAMPLES[scene]}}}", roots=roots)


def roots_deflection(m, run):
    return m.summary(run, "deflection_max")[0]


def taken(m, run):
    """What the wall takes of the ball's speed, m/s."""
    speeds = m.body(run, "ball", "velocity_x")
    return speeds[0] - speeds[-1]


def rise(m, run):
    """The highest position of the fluid's center of mass after the fall, m."""
    return m.summary(run, "bodies.fluid.lowest_height")[0] + m.summary(run, "bodies.fluid.rebound_height")[0]


# What a scene is about
MAIN = {"fig03": ("deflection of the cloth", roots_deflection), "fig04": ("deflection of the cloth", roots_deflection),
        "fig05": ("speed that the wall takes from the ball", taken), "fig07": ("deflection of the cloth", roots_deflection),
        "fig10": ("highest position of the fluid", rise)}


def value(m, scene, roots, measure):
    return mean(measure(m, run) for run in samples(m, scene, roots))


def change(m, scene, measure):
    """With roots ignored relative to taken, means of three samples."""
    return value(m, scene, "ignored", measure) / value(m, scene, "taken", measure) - 1


def overlap(m, run):
    """The deepest one, radii."""
    return m.summary(run, "overlap_depth_max")[0]


def merged(m, run):
    """How many pairs were merged, over all steps."""
    return sum(m.column(run, "splits_with_root")) + sum(m.column(run, "splits_without_root"))


def iterations(m, run):
    return sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later"))


def hidden(m, run):
    """The kinetic energy that the pressed block has when it stands still, J: of velocities after splitting, by which nothing moves."""
    return m.body(run, "block", "kinetic")[-1]


ROUNDING = "rounding: a few units in the last place, for groups with mass ratios up to a million"
measured("M50-momentum", "M50.momentum", kind="paper",
         states="with the rule for missing roots forced always, splitting conserves momentum: largest relative error over random groups, some of them "
                "held by a fixed particle",
         holds="< 1e-12", because=ROUNDING)
measured("M50-energy", "M50.energy", kind="paper",
         states="... and returns alpha times the stored energy: largest relative error",
         holds="< 1e-12", because=ROUNDING)
measured("M50-apart", "M50.approach", kind="paper",
         states="... and two that were split never approach each other: largest approach speed over the speeds",
         holds="< 1e-13", because="rounding of one projection")
momentum_closes("ROOTS-momentum", "gravity and supports", runs="*-ignored-*")
claim("M50-runs-energy", kind="paper",
      states="and in whole runs with this rule the energy ledger balances: largest relative imbalance",
      holds="< 1e-9", because="rounding, as in every experiment",
      value=lambda m: max(m.summary("*-ignored-*", "energy_imbalance_relative")))


@claim("ROOTS-taken", kind="finding",
       states="the choice concerns many splits: fraction of splits with a real root, of those scenes of figures in which both are compared, the least",
       holds="> 0.1", because="a tenth of all splits")
def share(m):
    def of(scene):
        some = samples(m, scene, "taken")
        return mean(sum(m.column(run, "splits_with_root")) / merged(m, run) for run in some)
    return min(of(scene) for scene in FIGURES)


def figure_claim(scene, known=None):
    @claim(f"M50-{scene}", kind="paper",
           states=f"whether real roots are taken has no visible effect, scene of Figure {int(scene[3:])}: {MAIN[scene][0]} with roots ignored relative to "
                  "taken, absolute difference, means of three samples",
           holds="< 0.1", because=TENTH, known=known)
    def visible(m):
        return abs(change(m, scene, MAIN[scene][1]))


for figure in ("fig03", "fig04", "fig05", "fig07"):
    figure_claim(figure)
figure_claim("fig10", known="the fluid rises less high: particles that part across the line of centers alone stay in contact and are merged again")


claim("M50-leaks", kind="paper",
      states="no particle ever gets through the cloth, whether roots are taken or not: number of particles",
      holds="== 0", because="a count of particles: none is allowed",
      value=lambda m: max(max(m.summary(f"{scene}-*", "penetrated_max")) for scene in CLOTHS))
claim("M50-stable", kind="paper",
      states="every run is stable, whether roots are taken or not",
      holds="== 0", because="a verdict of 0 or 1 (docs/measures.md)",
      value=lambda m: max(m.summary("*-taken-*", "unstable") + m.summary("*-ignored-*", "unstable")))
claim("M50-overlap", kind="paper",
      states="particles overlap no deeper if roots are ignored: largest ratio of the deepest overlaps, scenes of Figures 3, 4, 5, 7 and 10, means of "
             "three samples",
      holds="< 1.5", because="half as much again: more than samples differ by",
      known="in the jet of Figure 4 they do: pairs stay in contact and press on",
      value=lambda m: max(1 + change(m, scene, overlap) for scene in FIGURES))


@claim("M50-work", kind="paper",
       states="nor is there more to do: largest ratio of the solver's iterations, same scenes",
       holds="< 1.1", because=TENTH,
       known="with fluids there is: more pairs touch, so that nearly every step has a second stage")
def work(m):
    return max(1 + change(m, scene, iterations) for scene in FIGURES)


claim("M50-rest", kind="paper",
      states="a body that is pressed on a fixed one stands still in the end, with either rule: largest displacement in the last step, radii",
      holds="< 1e-9", because="rest is exact but for rounding and the solver's tolerance",
      value=lambda m: max(m.last("pressed-*", "displacement")))
claim("ROOTS-hidden", kind="finding",
      states="but its particles keep more energy of motion, what they have across the lines of centers when they land: ratio of its "
             "kinetic energies at the end to that with roots taken, means of three samples",
      holds="> 10", because="ten times: speeds differ by more than a factor of three, samples by far less",
      value=lambda m: 1 + change(m, "pressed", hidden))


@claim("ROOTS-again", kind="finding",
       states="what parts across the line of centers stays in contact and is merged again: pairs merged in the collision of two balls of sand, over "
              "those with roots taken, means of three samples",
       holds="> 2", because="twice as many")
def again(m):
    return 1 + change(m, "sand", merged)


ledger_closes()
