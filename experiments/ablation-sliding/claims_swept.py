"""Contacts found before they close: claims."""

from arithmetic import max, sum
from claims import claim, measured

FACTORS = ("2.5", "5")  # steps over that of the radius rule
LINEAR = ("the bodies' springs are linearized at the start of a step, and in one of 2.5 times the radius rule the ends of a spring move by "
          "as much as its length")
ROUNDING = "rounding: a few units in the last place of sums over hundreds of particles and steps"


def one(m, run, key):
    return m.summary(run, key)[0]


def swept_runs(m, method, step=None):
    """The runs of a method with swept detection at 1, 2.5 and 5 times the radius rule, or at one of these."""
    return m.sweep("swept-{fall}-{way}-{long}", way=method, **({"long": step} if step else {}))


def fastest(m, method):
    """... at ten times, at the fast fall."""
    return m.sweep("swept-high-{way}-10", way=method)


def jets(m):
    return m.sweep("swept-jet-sliding-{factor}")


def depth_of(m, run):
    """The deepest overlap, radii."""
    return one(m, run, "overlap_depth_max")


def deepest_of(m, runs):
    return max(depth_of(m, run) for run in runs)


def through(m, runs):
    return max(one(m, run, "penetrated_max") for run in runs)


def gain(m, run):
    """Energy from nothing over that of the impact."""
    return one(m, run, "energy_gain")


def steps(m, run):
    return len(m.column(run, "stages"))


def stages_of(m, run):
    """Mean number of solves of a step."""
    return one(m, run, "stages_mean")


def iterations_of(m, run):
    """Of the solver, of the whole run."""
    return sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later"))


def unresolved(m, run):
    return sum(m.column(run, "unresolved"))


def deflection_of(m, run):
    """The deepest point that the cloth reaches, m."""
    return max(m.column(run, "deflection"))


def deflection_ratio(m, scene, step):
    """That over the one with the step of the radius rule."""
    return deflection_of(m, f"swept-{scene}-sliding-{step}") / deflection_of(m, f"swept-{scene}-sliding-1")


claim("SPECULATIVE-overlap", kind="finding",
      states="with speculative links nothing overlaps at 1, 2.5 and 5 times the step of the radius rule in the scenes of Figures 3, 4 and "
             "7, and at ten times at the fast fall: deepest overlap, radii",
      holds="< 1e-3", because="a thousandth of a radius cannot be seen; without them, pairs that meet overlap by half a radius",
      value=lambda m: deepest_of(m, swept_runs(m, "sliding") + fastest(m, "sliding") + jets(m)))
claim("SPECULATIVE-through", kind="finding",
      states="and nothing gets through: number of particles",
      holds="== 0", because="a count of particles: none is allowed",
      value=lambda m: through(m, swept_runs(m, "sliding") + fastest(m, "sliding") + jets(m)))
claim("SPECULATIVE-deflection", kind="finding",
      states="the cloth goes as deep with 2.5 times the step: largest deviation of its largest deflection, relative",
      holds="< 0.05", because="a twentieth; steps of this length dissipate what is faster than they are, but the deflection as a whole "
                              "takes several steps",
      value=lambda m: max(abs(deflection_ratio(m, scene, FACTORS[0]) - 1) for scene in m.axis("fall")))
claim("SPECULATIVE-deflection-five", kind="finding",
      states="with 5 times the step, where the cloth is at its deepest after two or three steps at the slow falls, it is within a "
             "tenth: the same",
      holds="< 0.1", because="a tenth is just visible side by side in a figure",
      value=lambda m: max(abs(deflection_ratio(m, scene, FACTORS[1]) - 1) for scene in m.axis("fall")))
claim("SPECULATIVE-stages", kind="finding",
      states="solves of a step with speculative links, at the step of the radius rule: largest mean of a run",
      holds="<= 3.2", because="the mean that a prototype with exact linear algebra needed",
      value=lambda m: max(stages_of(m, run) for run in swept_runs(m, "sliding", "1") + jets(m)))
claim("SPECULATIVE-stages-longer", kind="finding",
      states="at 2.5 and 5 times the step the heavy ball takes more, because waves cross the bodies several times in a step: the same",
      holds="> 3.2", because="the limit at the step of the radius rule",
      value=lambda m: max(stages_of(m, run) for step in FACTORS for run in swept_runs(m, "sliding", step)))
claim("SPECULATIVE-unresolved", kind="finding",
      states="the stages end with every link as it should be: links left unresolved, balls and jet at 1, 2.5 and 5 times the step",
      holds="== 0", because="a count of links: none is allowed",
      value=lambda m: max(unresolved(m, run) for run in swept_runs(m, "sliding") + jets(m)))
claim("SPECULATIVE-gain", kind="finding",
      states="no energy comes from nothing at the step of the radius rule: largest energy gain of a ball",
      holds="< 0.05", because="a twentieth of the energy of the impact",
      value=lambda m: max(gain(m, run) for run in swept_runs(m, "sliding", "1")))
claim("SPECULATIVE-gain-longer", kind="finding",
      states="at 2.5 and 5 times the step energy comes from nothing, because the bodies' springs are linearized at the start of a step "
             "in which their ends move by their length: largest energy gain of a ball",
      holds="> 1", because="the energy of the impact itself",
      value=lambda m: max(gain(m, run) for step in FACTORS for run in swept_runs(m, "sliding", step)))


@claim("SPECULATIVE-gain-less", kind="finding",
       states="it is less than with merging-and-splitting, whose particles stand at a distance: their largest ratio, 2.5 and 5 times the step",
       holds="< 0.5", because="less than half")
def energy_ratio(m):
    return max(gain(m, f"swept-{scene}-sliding-{step}") / gain(m, f"swept-{scene}-merging-{step}") for scene in m.axis("fall") for step in FACTORS)


claim("SPECULATIVE-jet-step", kind="physics",
      states="the jet's speed of sound limits its step, whatever the radius rule allows: steps at 5 times the rule over those at once",
      holds="== 1", because="the same limit: the same steps",
      value=lambda m: steps(m, "swept-jet-sliding-5") / steps(m, "swept-jet-sliding-1"))
claim("M51-through", kind="paper",
      states="swept detection removes the limit on the time step from merging-and-splitting: particles that get through at 1, 2.5, 5 and "
             "10 times the radius rule",
      holds="== 0", because="a count of particles: none is allowed",
      value=lambda m: through(m, swept_runs(m, "merging") + fastest(m, "merging")))


@claim("M51-overlap", kind="paper",
       states="and nothing overlaps: deepest overlap, radii",
       holds="< 1e-3", because="a thousandth of a radius cannot be seen",
       known="bodies overlap as deep as with discrete detection: what overlaps are pairs that the size limit of meta-particles defers, and those that meet "
             "only because merging changed their way")
def merging_overlap(m):
    return deepest_of(m, swept_runs(m, "merging") + fastest(m, "merging"))


claim("M51-gain", kind="paper",
      states="it stays stable: largest energy gain at 1, 2.5, 5 and 10 times the radius rule",
      holds="< 0.5", because="half of the energy of the impact, the limit of the verdict `unstable`",
      known=f"{LINEAR}; merged particles stand at a distance while the rest of the ball goes on",
      value=lambda m: max(gain(m, run) for run in swept_runs(m, "merging") + fastest(m, "merging")))
measured("M08-swept", "M08.swept", kind="paper",
         states="with swept detection no beam that grazes is missed, impact parameters from 0 to 1.99 r, at 1, 2.5 and 5 times the step, "
                "sliding and merging: number missed, of 7200",
         holds="== 0", because="a count: none is allowed")
measured("SPECULATIVE-bounce", "SPECULATIVE.bounce SPECULATIVE.wall", kind="physics",
         states="two particles that meet head-on part with sqrt(alpha) of their speed, and so does one from a wall, from many distances, "
                "alpha 0 to 1, 1 to 5 times the step: largest error over the speed",
         holds="< 1e-12", because=ROUNDING)
measured("SPECULATIVE-momentum", "SPECULATIVE.momentum", kind="physics",
         states="collisions of loose particles conserve momentum, at 1, 2.5 and 5 times the step: largest drift, relative",
         holds="< 1e-12", because=ROUNDING)
measured("SPECULATIVE-angular", "SPECULATIVE.angular", kind="physics",
         states="... angular momentum: largest drift, relative",
         holds="< 1e-12", because=ROUNDING)
measured("SPECULATIVE-energy", "SPECULATIVE.energy", kind="physics",
         states="... and with alpha = 1 energy: largest drift, relative",
         holds="< 1e-12", because=ROUNDING)
