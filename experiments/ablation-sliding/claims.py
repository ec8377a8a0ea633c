"""Contact that slides: claims."""

from claims import claim, ledger_closes
from arithmetic import at, spread

STEEPEST = "80"  # degrees; at the other angles the block stays on the floor
ANGLES = ("10", "30", "45", "60")
SLIDES = "the same penalty with a step ten times as long is 3 % off"


def impulse(m, run, part):
    """Of the floor on the block over the whole run, along `part`, N s."""
    return sum(m.column(run, f"support_impulse_{part}"))


def friction(m, run):
    """The floor's tangential impulse over its normal one: what a coefficient of friction would be."""
    return -impulse(m, run, "x") / impulse(m, run, "z")


def load(m, run):
    """The fraction of the weight along the slope that the floor bears."""
    return -impulse(m, run, "x") / sum(m.column(run, "gravity_impulse_x"))


def acceleration(m, run):
    """The block's mean acceleration down the slope over that of frictionless sliding, g sin(angle)."""
    return m.body(run, "block", "velocity_x")[-1] / (m.setting(run, "time.end")[0] * m.setting(run, "gravity")[0][0])


def distance(m, run):
    """How far the block came, along x, m."""
    x = m.body(run, "block", "x")
    return x[-1] - x[0]


def climb(m, run):
    """How high the block rose above where it began, m."""
    z = m.body(run, "block", "z")
    return max(z) - z[0]


def sideways(m, run):
    """The ball's speed along the cloth at the end, m/s."""
    return m.body(run, "ball", "velocity_x")[-1]


def turning(m, run, time):
    """The ball's kinetic energy relative to its center of mass, mostly rotation, at this time, J."""
    def there(column):
        return at(time, m.body(run, "ball", "time"), m.body(run, "ball", column))
    return there("kinetic") - there("mass") * sum(there(f"velocity_{axis}") ** 2 for axis in "xyz") / 2


def kept(m, run):
    """The fraction of the water's momentum along the bed that is left at the end."""
    v = m.body(run, "water", "velocity_x")
    return v[-1] / v[0]


def slopes(m, method, floor, angles=ANGLES):
    return [run for angle in angles for run in m.sweep(f"slope-{{floor}}-{{angle}}-{method}-{{step}}", floor=floor, angle=angle)]


def bed_ratios(m, method, angles=ANGLES):
    """Acceleration on the bed over that of the reference on the same slope, of each slope and step."""
    return [acceleration(m, run) / acceleration(m, f"slope-bed-{angle}-reference")
            for angle in angles for run in slopes(m, method, "bed", [angle])]


def level_ratios(m, method, ground, speed):
    """Distance on level ground over that of the reference, of each step."""
    return [distance(m, run) / distance(m, f"level-{ground}-{speed}-reference")
            for run in m.sweep(f"level-{{ground}}-{{speed}}-{method}-{{step}}", ground=ground, speed=speed)]


claim("M39-plane-tangential", kind="paper",
      states="contact without friction lets an elastic block slide down a plane, 10 to 60 degrees, three time steps: largest "
             "tangential impulse of the plane over its normal impulse",
      holds="< 0.01", because="a hundredth: what a wall, impulses and penalty forces exert is a thousand times smaller",
      known="the plane bears the whole weight component along it, so that the ratio is the tangent of the slope: the block stands",
      value=lambda m: max(friction(m, run) for run in slopes(m, "merging", "plane")))
claim("M39-plane-acceleration", kind="paper",
      states="its acceleration is that of sliding without friction: least acceleration over g sin(angle)",
      holds="> 0.95", because="5 %, as wide as any step could explain: walls, impulses and penalty forces are within 0.1 %",
      known="it does not accelerate at all, at any step",
      value=lambda m: min(acceleration(m, run) for run in slopes(m, "merging", "plane")))


@claim("M39-plane-steepest", kind="paper",
       states="the same at 80 degrees: least acceleration over g sin(angle)",
       holds="> 0.95", because="as above",
       known="the block tips over its lowest particles, which stand, and hops down")
def plane_steepest(m):
    return min(acceleration(m, run) for run in slopes(m, "merging", "plane", [STEEPEST]))


claim("M39-bed-acceleration", kind="paper",
      states="it slides down a bed of fixed particles as it does with hard penalty forces and fine steps: least ratio of the accelerations",
      holds="> 0.9", because="a tenth; steps of a tenth of the longest one change that of penalty forces by far less",
      known="it does not accelerate here either: less than 3 % of what it would with penalty forces",
      value=lambda m: min(bed_ratios(m, "merging")))
claim("M39-level", kind="paper",
      states="it slides on at 1 and 3 m/s on level ground, a plane and two beds, three time steps: least distance over that with hard "
             "penalty forces",
      holds="> 0.9", because="a tenth: impulses with the longest step are within 4 %",
      known="it is stopped within some millimeters, thrown up and often thrown back",
      value=lambda m: min(ratio for ground in m.axis("ground") for speed in m.axis("speed") for ratio in level_ratios(m, "merging", ground, speed)))
claim("SLIDING-level-step", kind="finding",
      states="how far the block slides depends on the time step, 3 m/s on the coarser bed: spread of the distances over that with hard "
             "penalty forces",
      holds="> 0.25", because="ten times what impulses at the longest step differ by",
      value=lambda m: spread(level_ratios(m, "merging", "bed", "3")))


@claim("M39-oblique", kind="paper",
       states="a ball that hits a cloth at 45 degrees slides on, three time steps: least speed along the cloth over that with hard penalty "
              "forces and fine steps",
       holds="> 0.95", because=SLIDES,
       known="it loses three quarters of its speed instead of half of it, and is set turning, as by friction")
def oblique(m):
    return min(sideways(m, run) for run in m.sweep("oblique-merging-{step}")) / sideways(m, "oblique-reference")


claim("M39-oblique-converges", kind="paper",
      states="that speed converges with the time step: spread over three time steps over the speed with hard penalty forces",
      holds="< 0.05", because="as for one of them",
      known="the spread is that of chance (below)",
      value=lambda m: spread([sideways(m, run) for run in m.sweep("oblique-merging-{step}")]) / sideways(m, "oblique-reference"))


def all_sideways(m, method):
    """That speed of each of ten places some micrometers apart."""
    return [sideways(m, run) for run in m.sweep(f"oblique-shift-{method}-{{shift}}")]


def shifted(m, method):
    """Spread of the ball's speed along the cloth over ten places some micrometers apart, over that of the reference."""
    return spread(all_sideways(m, method)) / sideways(m, "oblique-reference")


@claim("SLIDING-shift", kind="finding",
       states="the ball displaced by 0 to 9 micrometers leaves with another speed, as chance decides which particles stand still next: "
              "spread of its speed along the cloth over that with hard penalty forces",
       holds="> 0.2", because="a fifth: ten times the most by which that of penalty forces may change (below)")
def shifted_merging(m):
    return shifted(m, "merging")


claim("SLIDING-shift-penalty", kind="finding",
      states="the same with penalty forces",
      holds="< 0.02", because="the scene itself is not chaotic",
      value=lambda m: shifted(m, "penalty"))


def fluid_ratio(m, alpha, method="merging"):
    """Momentum that water keeps over a bed, over what it keeps with impulses: the lesser of two time steps."""
    return min(kept(m, run) for run in m.sweep(f"fluid-{method}-a{{alpha}}-{{flow}}", alpha=alpha)) / kept(m, "fluid-impulse-5e-4")


@claim("M39-fluid", kind="paper",
       states="water slides over a bed as with impulses, alpha = 1, two time steps: least ratio of the momenta that it keeps",
       holds="> 0.95", because="5 %; fixed particles of finite size take a tenth with any method")
def fluid(m):
    return fluid_ratio(m, "1")


claim("M39-fluid-alpha0", kind="paper",
      states="the same with alpha = 0",
      holds="> 0.95", because="as with alpha = 1: alpha is meant for the bounce, not for sliding",
      known="merging takes the motion along the bed as well, and splitting returns none of it",
      value=lambda m: fluid_ratio(m, "0"))


@claim("SLIDING-OURS-plane", kind="finding",
       states="with sliding meta-particles the block slides down a plane without friction, 10 to 80 degrees, three time steps: largest "
              "deviation of its acceleration from g sin(angle), relative",
       holds="< 1e-3", because="as for impulses and penalty forces (below)")
def ours_plane(m):
    return max(abs(acceleration(m, run) - 1) for run in slopes(m, "sliding", "plane", m.axis("angle")))


@claim("SLIDING-OURS-bed", kind="finding",
       states="and down a bed as with hard penalty forces and fine steps, 30 to 60 degrees: largest relative difference of the accelerations",
       holds="< 0.03", because="twice what the penalty's own step makes; below 30 degrees a bed of spheres takes more than a tenth of the weight's "
                               "component, and differences are divided by what is left")
def ours_bed(m):
    return max(abs(ratio - 1) for angle in ANGLES[1:] for ratio in bed_ratios(m, "sliding", [angle]))


@claim("SLIDING-OURS-bed-step", kind="finding",
       states="the time step hardly matters there: largest spread over three steps, relative",
       holds="< 0.02", because="less than the difference from the reference")
def ours_bed_step(m):
    return max(spread(bed_ratios(m, "sliding", [angle])) for angle in ANGLES[1:])


@claim("SLIDING-OURS-level", kind="finding",
       states="the block keeps its speed on the fine bed: least speed at the end over 3 m/s, three time steps",
       holds="> 0.97", because="a bed of spheres takes some of it with any method")
def ours_level(m):
    return min(m.body(run, "block", "velocity_x")[-1] for run in m.sweep("level-{ground}-{speed}-sliding-{step}", ground="fine", speed="3")) / 3.0


def oblique_difference(m, run):
    return abs(sideways(m, run) / sideways(m, "oblique-reference") - 1)


@claim("SLIDING-OURS-oblique", kind="finding",
       states="the ball slides along the cloth as with hard penalty forces and fine steps, at steps of 0.5 and 0.2 ms: largest relative "
              "difference of the speeds",
       holds="< 0.05", because=SLIDES)
def ours_oblique(m):
    return max(oblique_difference(m, f"oblique-sliding-{step}") for step in ("5e-4", "2e-4"))


claim("SLIDING-OURS-oblique-long", kind="finding",
      states="at a step of 1 ms most of the difference is backward Euler's, not the contact's: that with backward Euler over that with "
             "Newmark's method",
      holds="> 2", because="most is more than half",
      value=lambda m: ours_oblique_long(m) / ours_oblique_newmark(m))


def ours_oblique_long(m):
    return oblique_difference(m, "oblique-sliding-1e-3")


@claim("SLIDING-OURS-oblique-newmark", kind="finding",
       states="the same at a step of 1 ms, integrated by Newmark's method",
       holds="< 0.12", because="the limit with backward Euler; Newmark's method dissipates nothing")
def ours_oblique_newmark(m):
    return oblique_difference(m, "oblique-newmark-1e-3")


claim("OBLIQUE-implicit", kind="finding",
      states="what backward Euler takes at a step of 1 ms from implicit penalty forces, over what it takes from sliding contact: differences "
             "of the ball's speed along the cloth from that with fine steps",
      holds="> 0.8", because="it takes it from the motion of cloth and ball, whatever the contact",
      value=lambda m: oblique_difference(m, "oblique-implicit-1e-3") / ours_oblique_long(m))


def ours_oblique_swept(m):
    """The same with swept detection."""
    return oblique_difference(m, "oblique-swept-1e-3")


def shift_over_reference(m, method):
    speeds = all_sideways(m, method)
    return max(abs(b - a) for a, b in zip(speeds, speeds[1:])) / sideways(m, "oblique-reference")


@claim("SLIDING-OURS-shift", kind="finding",
       states="the ball displaced by a micrometer, sliding meta-particles: largest change of its speed along the cloth over that with hard "
              "penalty forces, between ten places",
       holds="< 0.03", because="less than what the step decides: a penalty with a step ten times as long is 3 % off")
def ours_shift(m):
    return shift_over_reference(m, "sliding")


@claim("SLIDING-OURS-shift-swept", kind="finding",
       states="the same with swept detection, which links pairs before they touch",
       holds="< 1e-4", because="the displacement over the ball's radii is of that order; nothing here depends on chance")
def ours_shift_swept(m):
    return shift_over_reference(m, "swept")


@claim("SLIDING-OURS-fluid", kind="finding",
       states="water slides over a bed as with impulses, alpha = 1, two time steps: least ratio of the momenta that it keeps",
       holds="> 0.95", because="as for merging-and-splitting with alpha = 1")
def ours_fluid(m):
    return fluid_ratio(m, "1", "sliding")


@claim("SLIDING-OURS-fluid-alpha0", kind="finding",
       states="with alpha = 0 the bed takes more of it, because a bed of spheres is hit as well as slid over: the same ratio",
       holds="< 0.95", because="the limit that alpha = 1 keeps")
def ours_fluid_alpha0(m):
    return fluid_ratio(m, "0", "sliding")


@claim("SLIDING-OURS-stages", kind="finding",
       states="contacts settle within eight stages, at up to five times the step of the radius rule: steps in which they did not, over all runs",
       holds="== 0", because="the method is not finished in such a step")
def settled(m):
    runs = [run.name for run in m.experiment.runs if "-sliding-" in run.name and run.name != "swept-high-sliding-10"]
    return sum(1 for run in runs for value in m.column(run, "unresolved") if value > 0)


claim("SLIDING-wall", kind="physics",
      states="a block on a wall slides without friction, 10 to 80 degrees: largest deviation of its acceleration from g sin(angle), relative",
      holds="< 1e-6", because="a wall exerts no force along its surface: the tolerance of the solver, summed over the steps",
      value=lambda m: max(abs(acceleration(m, run) - 1) for run in m.sweep("slope-wall-{angle}")))
claim("SLIDING-baselines", kind="physics",
      states="impulses and penalty forces act along the line of centers, on a plane: largest deviation of the acceleration from g sin(angle), "
             "relative, 10 to 80 degrees",
      holds="< 1e-3", because="the plane's surface falls by 0.2 mm over the way, a thousandth of it",
      value=lambda m: max(abs(acceleration(m, run) - 1) for pattern in ("slope-{floor}-{angle}-impulse-1e-3", "slope-{floor}-{angle}-reference")
                          for run in m.sweep(pattern, floor="plane")))
claim("SLIDING-held", kind="physics",
      states="no particle of block or ball ever gets through a bed or the cloth with either kind of meta-particles: number of particles",
      holds="== 0", because="a count of particles: none is allowed",
      value=lambda m: max(value for method in ("merging", "sliding") for pattern in ("slope-bed-*-{}-*", "level-*-{}-*", "oblique-*{}-*")
                          for value in m.column(pattern.format(method), "penetrated")))
ledger_closes()
