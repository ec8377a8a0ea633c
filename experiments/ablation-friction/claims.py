"""Friction of sliding meta-particles against closed forms: claims."""

import math

from arithmetic import at, max, mean, min, sum
from claims import claim, ledger_closes

SETTLED = 0.1  # s: until then the block rings, because gravity sets in at once
ALIGNED = "the same plane and block"


def part(m, run, axis):
    """The acceleration of gravity along an axis, m/s^2."""
    return m.setting(run, "gravity")[0]["xyz".index(axis)]


def downhill(m, run):
    """Gravity along the plane, m/s^2."""
    return math.hypot(part(m, run, "x"), part(m, run, "y"))


def ideal(m, run):
    """The acceleration of a block that slides, g (sin(angle) - mu cos(angle)); negative if it has to stand."""
    return downhill(m, run) + m.setting(run, "contact.friction")[0] * part(m, run, "z")


def acceleration(m, run, axis="x"):
    """The block's mean acceleration after it has settled, m/s^2."""
    time, v = m.body(run, "block", "time"), m.body(run, "block", f"velocity_{axis}")
    return (v[-1] - at(SETTLED, time, v)) / (time[-1] - SETTLED)


def way(m, run, since=0.0, body="block"):
    """How far the block, or a ball, came along x, m."""
    time, x = m.body(run, body, "time"), m.body(run, body, "x")
    return x[-1] - at(since, time, x)


def slopes(m):
    return m.sweep("slope-{angle}-{mu}-{step}")


def sliding(m):
    return [run for run in slopes(m) if ideal(m, run) > 0]


def standing(m):
    return [run for run in slopes(m) if ideal(m, run) <= 0]


@claim("FRICTION-slides", kind="physics",
       states="an elastic block slides down slopes of 10 to 60 degrees at g (sin(angle) - mu cos(angle)), mu 0, 0.3 and 0.6, steps of 1, 0.5 "
              "and 0.2 ms: largest relative error of its acceleration",
       holds="< 0.005", because="the surface of the ball that is the plane turns by 4e-4 on the longest way")
def slides(m):
    return max(abs(acceleration(m, run) / ideal(m, run) - 1) for run in sliding(m))


@claim("FRICTION-stands", kind="physics",
       states="it stands below the angle of friction: the farthest that it creeps, with all its ringing, m",
       holds="< 2e-4", because="a hundredth of a particle's radius",
       known="on 30 degrees (tan 0.577) with mu 0.6 particles that lose their load slip while the block vibrates and rocks; a tenth of it elsewhere")
def stands(m):
    return max(abs(way(m, run)) for run in standing(m))


@claim("FRICTION-rests", kind="physics",
       states="after it has settled it creeps no farther: the farthest way in 0.2 s, m",
       holds="< 1e-6", because="a two hundredth of what it may creep before")
def rests(m):
    return max(abs(way(m, run, SETTLED)) for run in standing(m))


@claim("FRICTION-isotropic", kind="physics",
       states="down the diagonal of a slope of 30 degrees, in a direction of no axis: largest relative error of both components of the "
              "acceleration, mu 0.3",
       holds="< 0.005", because=ALIGNED)
def isotropic(m):
    run = "turned-0.3"
    share = ideal(m, run) / downhill(m, run)
    return max(abs(acceleration(m, run, axis) / (share * part(m, run, axis)) - 1) for axis in "xy")


claim("FRICTION-isotropic-stands", kind="physics",
      states="and it stands with mu 0.6: how far it creeps along x, m",
      holds="< 2e-4", because=ALIGNED,
      value=lambda m: abs(way(m, "turned-0.6")))


@claim("FRICTION-static", kind="physics",
       states="static friction 1, kinetic friction 0.3, 25 degrees: the block stands; how far it creeps, m",
       holds="< 2e-4", because="as above; tan 25 degrees is 0.47",
       known="gravity that sets in at once makes the block vibrate and rock on its lower edge, until all of it slips, and goes on by mu 0.3")
def static_steep(m):
    return abs(way(m, "static-steep"))


claim("FRICTION-static-20", kind="physics",
      states="on 20 degrees it stands: how far it creeps, m",
      holds="< 2e-4", because="as above; tan 20 degrees is 0.36",
      value=lambda m: abs(way(m, "static-rest")))


@claim("FRICTION-kinetic", kind="physics",
       states="and slides on if it moves: relative error of its acceleration",
       holds="< 0.005", because="as above")
def kinetic(m):
    return abs(acceleration(m, "static-pushed") / ideal(m, "static-pushed") - 1)


def stopping(m, run):
    """The way on level ground over v^2 / (2 mu g)."""
    v, mu = m.setting(run, "bodies.block.velocity")[0][0], m.setting(run, "contact.friction")[0]
    return way(m, run) / (v * v / (2 * mu * -part(m, run, "z")))


@claim("FRICTION-stops", kind="physics",
       states="on level ground it comes to rest after v^2 / (2 mu g), mu 0.3 and 0.6, three time steps: largest relative error of the way",
       holds="< 0.01", because="backward Euler is half a step at the first speed behind: 0.3 and 0.6 % at 1 ms; and the ringing changes the load")
def stops(m):
    return max(abs(stopping(m, run) - 1) for run in m.sweep("level-{level}-{step}"))


claim("FRICTION-stopped", kind="physics",
      states="and there it stands: largest speed at the end, m/s",
      holds="< 1e-5", because="a hundred thousandth of its first speed", known="the block still vibrates",
      value=lambda m: max(abs(m.body(run, "block", "velocity_x")[-1]) for run in m.sweep("level-{level}-{step}")))


@claim("FRICTION-stays", kind="physics",
       states="but goes no farther: the farthest way in its last 0.05 s, m",
       holds="< 1e-6", because="as above, of what has settled on a slope")
def stays(m):
    return max(abs(way(m, run, m.body(run, "block", "time")[-1] - 0.05)) for run in m.sweep("level-{level}-{step}"))


claim("FRICTION-merging", kind="finding",
      states="with the paper's meta-particles, which know no coefficient of friction, the block stands on every one of these slopes: largest "
             "acceleration over g sin(angle)",
      holds="< 0.01", because="a hundredth: it stands, up to its ringing",
      value=lambda m: max(abs(acceleration(m, run)) / downhill(m, run) for run in m.sweep("merging-{angle}")))


def coefficient(m, run):
    """The plane's impulse on the water along its way over that across the plane."""
    return -sum(m.column(run, "support_impulse_x")) / sum(m.column(run, "support_impulse_z"))


@claim("FRICTION-fluid", kind="physics",
       states="water that slides over the plane, mu 0 to 1: largest difference of tangential over normal impulse from mu",
       holds="< 0.005", because="what spreads out sideways at up to 2 m/s is slowed down in another direction than that of 6 m/s")
def fluid(m):
    return max(abs(coefficient(m, run) - m.setting(run, "contact.friction")[0]) for run in m.sweep("water-{bed}"))


def braked(m, run):
    """The fraction of the water's momentum that is left."""
    v = m.body(run, "water", "velocity_x")
    return v[-1] / v[0]


@claim("FRICTION-cylinder", kind="physics",
       states="a cylinder rolls down a plane of 15 degrees, mu 0.3, at 2/3 g sin(angle): relative error of its acceleration",
       holds="< 0.05", because="it is made of rings of particles, whose moment of inertia is not that of a full one, and it bumps")
def cylinder(m):
    return m.measured("FRICTION.cylinder.full")


@claim("FRICTION-cylinder-own", kind="physics",
       states="the same, over that of a rigid body with its own moment of inertia: relative error",
       holds="< 0.05", because="the bumps from particle to particle, of which backward Euler takes some energy")
def cylinder_own(m):
    return m.measured("FRICTION.cylinder.own")


claim("FRICTION-stages", kind="finding",
      states="contacts settle within eight stages: steps in which they did not, over all runs",
      holds="== 0", because="the method is not finished in such a step",
      value=lambda m: sum(1 for value in m.column("*", "unresolved") if value > 0))


# ---- balls that roll -------------------------------------------------------------------------------------------------------------


def inertia(m, run, body):
    """The square of a ball's radius of gyration about an axis through its center, m^2: its particles have equal masses, and all axes are alike."""
    names = m.section(run, 0, "body")
    places = [[value for value, name in zip(m.section(run, 0, axis), names) if name == body] for axis in ("u", "v", "depth")]
    return 2 / 3 * sum(mean((x - mean(along)) ** 2 for x in along) for along in places)


def reach(m, run):
    """The radius on which a ball rolls: how far its lowest particle reaches below its center, m."""
    return m.body(run, "ball", "z")[0] - m.body(run, "ball", "min_z")[0] + m.setting(run, "bodies.ball.radius")[0]


def rolled(m, run):
    """v^2 / (2 a x) of a ball, where a is that of a rigid sphere of its radius and moment of inertia, g sin(angle) / (1 + k^2 / R^2)."""
    rigid = part(m, run, "x") / (1 + inertia(m, run, "ball") / reach(m, run) ** 2)
    return m.body(run, "ball", "velocity_x")[-1] ** 2 / (2 * rigid * way(m, run, body="ball"))


def wheel(m, run):
    """The same of a rimless wheel that falls from foot to foot without bounce, where its feet are as far apart as neighbors in a lattice,
    just before a fall. Angular momentum about the foot that meets the plane stays as it is: with half the distance r of feet and the height h of the
    center, of w (k^2 + h^2 - r^2) before, w' (k^2 + h^2 + r^2) is left. So a share q = (w'/w)^2 of the energy survives a fall, and of what gravity
    gives in each of n falls, (1 + q + ... + q^(n-1)) / n is there at the end."""
    r, h = m.setting(run, "bodies.ball.radius")[0], reach(m, run)
    k2, falls = inertia(m, run, "ball"), way(m, run, body="ball") / (2 * r)
    q = ((k2 + h * h - r * r) / (k2 + h * h + r * r)) ** 2
    return (1 - q ** falls) / (1 - q) / falls


def relaxed(m):
    return m.sweep("roll-{filled}-{size}", filled="relaxed")


@claim("FRICTION-rolls", kind="physics",
       states="balls of 6 cm, relaxed, of particles of 6 and 4 mm, roll down 20 degrees, mu 0.8, like a rigid sphere with their moment of inertia: largest "
              "relative error of v^2 / (2 a x)",
       holds="< 0.1", because="their surfaces are rough; less than the better of the wheels whose feet are as far apart as their particles, 0.18 and 0.12")
def rolls(m):
    return max(abs(rolled(m, run) - 1) for run in relaxed(m) if m.setting(run, "bodies.ball.radius")[0] < 0.01)


@claim("FRICTION-rolls-down", kind="physics",
       states="what rolls gets no energy from contact, lattice and relaxed, particles of 10, 6 and 4 mm: largest v^2 / (2 a x) over that of a rigid sphere",
       holds="< 1", because="falling from particle to particle only takes energy")
def rolls_down(m):
    return max(rolled(m, run) for run in m.sweep("roll-{filled}-{size}"))


@claim("FRICTION-rolls-wheel", kind="finding",
       states="a relaxed ball rolls better than a rimless wheel whose feet are as far apart as its particles: smallest v^2 / (2 a x) over that of the wheel",
       holds="> 1", because="its particles lie in no rows: while one rolls off, others are nearly at the plane")
def rolls_wheel(m):
    return min(rolled(m, run) / wheel(m, run) for run in relaxed(m))


claim("FRICTION-rolls-facets", kind="finding",
      states="a ball that is cut from a lattice has facets: its particles of 10 mm stand on one; how far it comes in 0.4 s, m",
      holds="< 5e-4", because="a twentieth of a particle's radius; a rigid sphere comes 0.19 m",
      value=lambda m: abs(way(m, "roll-lattice-0.01", body="ball")))


@claim("FRICTION-rolls-lattice", kind="finding",
       states="and on finer lattices it loses more than twice of what a relaxed ball of these particles loses: smallest ratio of both losses",
       holds="> 2", because="a factor of two: more than what the place of the last fall is worth")
def rolls_lattice(m):
    def lost(filled, size):
        return 1 - rolled(m, f"roll-{filled}-{size}")
    return min(lost("lattice", size) / lost("relaxed", size) for size in m.axis("size")[1:])


# ---- two balls that meet obliquely -----------------------------------------------------------------------------------------------


class Hit:
    """What two equal balls did to each other. They meet in one moment: that at which the ways of their centers before and after cross."""

    def __init__(self, m, run):
        def pair(what, frame):
            return [[m.body(run, body, f"{what}{axis}")[frame] for axis in "xyz"] for body in ("left", "right")]

        def less(a, b):
            return [x - y for x, y in zip(a, b)]
        before, after = (less(*pair("velocity_", frame)) for frame in (0, -1))
        first, last = (less(*pair("", frame)) for frame in (0, -1))
        change = less(after, before)
        end = m.body(run, "left", "time")[-1]
        moment = dot(less(less(last, [end * v for v in after]), first), [-c for c in change]) / dot(change, change)
        apart = [x + moment * v for x, v in zip(first, before)]
        self.mass = m.body(run, "left", "mass")[0]
        self.radius = math.sqrt(dot(apart, apart)) / 2
        normal = [-x / (2 * self.radius) for x in apart]  # from left to right
        approach = dot(before, normal)
        across = [v - approach * n for v, n in zip(before, normal)]
        self.slip = math.sqrt(dot(across, across))  # of two surfaces that do not turn yet, m/s
        impulse = [-self.mass / 2 * c for c in change]
        self.pressing, self.rubbing = dot(impulse, normal), dot(impulse, across) / self.slip  # kg m/s
        self.yields = 2 / self.mass * (1 + self.radius ** 2 / inertia(m, run, "left"))  # change of slip per impulse across, 1/kg

    def ratio(self):
        return self.rubbing / self.pressing

    def rigid(self, mu):
        """T/N of rigid spheres: they slip all the time, T = mu N, or come to roll on each other, T = slip / yields, 2/7 of what would stop the centers of full
        spheres (Maw, Barber and Fawcett 1976, without the tangential compliance that lets elastic ones turn a little farther)."""
        return min(mu, self.slip / self.yields / self.pressing)

    def rigid_work(self, mu):
        """What friction takes from rigid spheres with this normal impulse, J."""
        impulse = self.rigid(mu) * self.pressing
        return impulse * self.slip - self.yields * impulse ** 2 / 2


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def relaxed_hits(m, **place):
    return m.sweep("hit-relaxed-{grain}-{rub}-{turn}", **place)


def lattice_hits(m, **place):
    return m.sweep("hit-lattice-{rub}-{turn}", **place)


def ratio(m, runs):
    """The mean T/N of places where two balls meet."""
    return mean(Hit(m, run).ratio() for run in runs)


def share(m, run, joules):
    """Of the energy before."""
    return joules / m.body(run, "left", "kinetic")[0] / 2


def lost(m, run):
    """The share of kinetic energy that is not there after the impact, not even as spin or swings."""
    return 1 - share(m, run, m.column(run, "kinetic")[-1])


def rubbed(m, run):
    return share(m, run, sum(m.column(run, "friction")))


@claim("FRICTION-hit-angular", kind="physics",
       states="two free balls meet obliquely, mu 0, 0.2 and 0.6, lattice and relaxed, particles of 10 and 6 mm, backward Euler: largest |L - L0| / |L0|",
       holds="< 1e-4", because="the solver's tolerance of 1e-6, over the hundred steps of an impact")
def hit_angular(m):
    return max(m.summary("hit-*", "angular_drift"))


@claim("FRICTION-hit-newmark", kind="finding",
       states="with Newmark's method, which gives no spin back, mu 0.2, they lose some: largest |L - L0| / |L0|",
       holds="< 0.01", because="a hundredth")
def hit_newmark(m):
    return max(m.summary("newmark", "angular_drift"))


claim("FRICTION-hit-energy", kind="physics",
      states="contact makes no energy in any of these impacts: the most that it made, over the energy before",
      holds="< 1e-6", because="the solver's tolerance",
      value=lambda m: max(share(m, run, m.summary(run, "energy_created")[0]) for run in [*relaxed_hits(m), *lattice_hits(m), "newmark"]))


@claim("FRICTION-hit-smooth", kind="finding",
       states="without friction relaxed balls of particles of 6 mm still push each other sideways, because their surfaces are rough: T/N, mean of three places",
       holds="< 0.2", because="less than friction with mu 0.2 would give")
def hit_smooth(m):
    return ratio(m, relaxed_hits(m, grain="0.006", rub="0"))


@claim("FRICTION-hit-coulomb", kind="physics",
       states="friction adds no more than mu to that, mu 0.2 and 0.6: largest difference of T/N with and without friction, over mu",
       holds="< 1", because="Coulomb's law at each pair of particles")
def hit_coulomb(m):
    smooth = ratio(m, relaxed_hits(m, grain="0.006", rub="0"))
    return max((ratio(m, relaxed_hits(m, grain="0.006", rub=rub)) - smooth) / float(rub) for rub in m.axis("rub")[1:])


def against_rigid(m, rub):
    """The mean T/N over that of rigid spheres."""
    return mean(Hit(m, run).ratio() / Hit(m, run).rigid(float(rub)) for run in relaxed_hits(m, grain="0.006", rub=rub))


claim("FRICTION-hit-slips", kind="physics",
      states="mu 0.2: smooth spheres slip until they part, T/N = mu; relaxed balls of particles of 6 mm: relative error of T/N, mean of three places",
      holds="< 0.1", because="a tenth", known="rough surfaces push each other sideways by themselves, and friction comes on top",
      value=lambda m: abs(against_rigid(m, "0.2") - 1))


@claim("FRICTION-hit-sticks", kind="physics",
       states="mu 0.6: rigid spheres come to roll on each other, T = 2/7 of what would stop their centers, if they were full; the same: relative error",
       holds="< 0.25", because="a quarter: elastic surfaces give way along the contact, so that they turn a little past rolling (Maw, Barber and Fawcett 1976), "
                               "and these are rough")
def hit_sticks(m):
    return abs(against_rigid(m, "0.6") - 1)


def work_ratio(m, rub):
    """What friction takes over what it takes from rigid spheres with the same normal impulse: means of three places."""
    runs = relaxed_hits(m, grain="0.006", rub=rub)
    return mean(rubbed(m, run) for run in runs) / mean(share(m, run, Hit(m, run).rigid_work(float(rub))) for run in runs)


@claim("FRICTION-hit-work", kind="physics",
       states="friction takes as much energy as from rigid spheres that are pressed together by the same normal impulse, mu 0.2 and 0.6: largest relative error",
       holds="< 0.3", because="twice the standard error of the mean of three places, which is 0.16")
def hit_work(m):
    return max(abs(work_ratio(m, rub) - 1) for rub in m.axis("rub")[1:])


def beside_friction(m, run):
    return lost(m, run) - rubbed(m, run)


claim("FRICTION-hit-euler", kind="finding",
      states="what is lost beside friction is backward Euler's, steps of 0.05 ms: over that with Newmark's method at the same place, mu 0.2",
      holds="> 5", because="five times",
      value=lambda m: beside_friction(m, "hit-relaxed-0.01-0.2-a") / beside_friction(m, "newmark"))
ledger_closes()
