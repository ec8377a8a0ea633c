"""The four parameters of merging-and-splitting in the scenes of the figures: claims."""

from arithmetic import max, mean, min
from claims import claim, nothing_passes

TENTH = "a tenth is just visible side by side in a figure"
FLUIDS = ("fig04", "fig10")
SOLIDS = ("fig03", "fig05", "fig07")


def samples(m, scene, variant):
    return [f"{scene}-{variant}-{sample}" for sample in m.axis("draw" if scene in FLUIDS else "wall" if scene == "fig05" else "ball")]


def rise(m, run):
    """The highest position of the fluid's center of mass after the fall, m."""
    return m.summary(run, "bodies.fluid.lowest_height")[0] + m.summary(run, "bodies.fluid.rebound_height")[0]


def taken(m, run):
    """What the wall takes of the ball's speed, m/s."""
    speeds = m.body(run, "ball", "velocity_x")
    return speeds[0] - speeds[-1]


# What a scene is about
MAIN = {
    "fig03": ("deflection of the cloth", lambda m, run: m.summary(run, "deflection_max")[0]),
    "fig04": ("deflection of the cloth", lambda m, run: m.summary(run, "deflection_max")[0]),
    "fig05": ("speed that the wall takes from the ball", taken),
    "fig07": ("deflection of the cloth", lambda m, run: m.summary(run, "deflection_max")[0]),
    "fig10": ("highest position of the fluid", rise),
}


def value(m, scene, variant):
    """The main measure of a scene, mean over the samples."""
    return mean(MAIN[scene][1](m, run) for run in samples(m, scene, variant))


def change(m, scene, variant, base="default"):
    """... relative to that of another variant."""
    return value(m, scene, variant) / value(m, scene, base) - 1


def depth(m, scene, variant):
    """The largest overlap, radii, mean over the samples."""
    return mean(m.summary(run, "overlap_depth_max")[0] for run in samples(m, scene, variant))


def bonds(m, variant):
    """Number of broken bonds, mean over the samples."""
    return mean(m.summary(run, "broken_bonds")[0] for run in samples(m, "fig05", variant))


def limits_claim(scene):
    # What the ball loses to the wall does not depend on how it breaks, nor on limits.
    name, of = ("number of broken bonds", lambda m, limit: bonds(m, limit) / bonds(m, "default") - 1) if scene == "fig05" else (
        MAIN[scene][0], lambda m, limit: change(m, scene, limit))

    @claim(f"M44-{scene}", kind="paper",
           states=f"limits of 8, of 64 and of 8 to 64 give similar results, scene of Figure {int(scene[3:])}: {name}, largest relative "
                  "difference from that with 8 to 64, means of three samples",
           holds="< 0.1", because=TENTH)
    def limits(m):
        return max(abs(of(m, limit)) for limit in ("8", "64"))


def energy_claim(scene):
    varied = "alpha = 0, and beta = 1," if scene in FLUIDS else "alpha = 0"

    @claim(f"M45-{scene}", kind="paper",
           states=f"alpha and beta have a minor effect, scene of Figure {int(scene[3:])}: {MAIN[scene][0]}, largest relative difference of "
                  f"{varied} from alpha = 1 and beta = 0, means of three samples",
           holds="< 0.1", because=TENTH)
    def energy(m):
        return max(abs(change(m, scene, variant)) for variant in (("a0", "b1") if scene in FLUIDS else ("a0",)))


for figure in sorted(MAIN):
    limits_claim(figure)
for figure in sorted(MAIN):
    energy_claim(figure)


nothing_passes("M44-leaks", kind="paper", runs="fig*",
               states="no particle ever gets through the cloth with limits of 8, of 64 or of 8 to 64, any scene: number of particles")


@claim("LIMITS-overlap", kind="finding",
       states="limits differ in how deep particles overlap, most of all under the heavy ball of Figure 7: largest ratio of the overlaps "
              "with two of the limits 8, 64 and 8 to 64 in a scene",
       holds="> 1.5", because="half as much again: more than samples of one limit differ by")
def overlap(m):
    depths = [[depth(m, scene, limit) for limit in ("default", "8", "64")] for scene in MAIN]
    return max(max(values) / min(values) for values in depths)


claim("M45-bonds", kind="paper",
      states="alpha has a minor effect on fracture, scene of Figure 5: bonds broken with alpha = 0 relative to alpha = 1, absolute "
             "difference, means of three samples",
      holds="< 0.1", because=TENTH,
      value=lambda m: abs(bonds(m, "a0") / bonds(m, "default") - 1))
