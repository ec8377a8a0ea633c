"""Merging-and-splitting against unified particle physics, a brittle wall and a stack at rest: claims."""

from arithmetic import deviation, max, mean
from claims import claim

ALIKE = ("merging-5e-5", "implicit-5e-5", "sliding-5e-5", "penalty-2.5e-5")


def wall_runs(m, setting):
    """All samples of a setting, "merging-5e-5"."""
    return [f"wall-{setting}-{shot}" for shot in m.axis("shot")]


def broken(m, setting):
    """Bonds of the wall that break, of each sample."""
    return [m.summary(run, "broken_bonds")[0] for run in wall_runs(m, setting)]


def wall_depth(m, setting):
    """The largest overlap before the first crack through the wall, radii: mean of samples."""
    return mean(m.summary(run, "depth_before")[0] for run in wall_runs(m, setting))


@claim("AGAINST-unbreakable", kind="finding",
       states="as published the wall does not become brittle but unbreakable with more iterations, as its bonds are rigid: bonds that break with 64 iterations "
              "over those with 4, mean of three samples",
       holds="< 0.1", because="a tenth: samples differ by a few per cent")
def unbreakable(m):
    return mean(broken(m, "published-64")) / mean(broken(m, "published-4"))


@claim("AGAINST-wall", kind="finding",
       states="with the scene's material and 64 iterations the wall breaks as with an implicit penalty in the same step: distance of the means of broken bonds over "
              "the standard deviation of three samples of the latter",
       holds="< 3", because="two means of three samples each differ by chance by up to 2.2 deviations of a single one (95 %)")
def wall(m):
    theirs = broken(m, "implicit-5e-5")
    return abs(mean(broken(m, "material-64")) - mean(theirs)) / deviation(theirs)


@claim("AGAINST-dust", kind="finding",
       states="with the scene's material and one iteration in that step it does shatter, as bonds give way to contacts before they resist: debris over that of "
              "merging-and-splitting, means of three samples",
       holds="> 2", because="twice as much: its own samples differ by a fifth")
def soft_dust(m):
    return mean(m.summary("wall-material-1-?", "debris_fraction")) / mean(m.summary("wall-merging-5e-5-?", "debris_fraction"))


@claim("AGAINST-wall-depth", kind="finding",
       states="and keeps ball and wall apart better than merging-and-splitting: overlap before the first crack through the wall over that of the latter in the same step",
       holds="< 0.5", because="half: samples differ by less")
def wall_deep(m):
    return wall_depth(m, "material-64") / wall_depth(m, "merging-5e-5")


@claim("AGAINST-wall-published", kind="finding",
       states="while as published, with 4 iterations, it is deeper than merging-and-splitting's by several times: ratio in the same step",
       holds="> 3", because="several is three or more")
def wall_published(m):
    return wall_depth(m, "published-4") / wall_depth(m, "merging-5e-5")


# ---- at rest -------------------------------------------------------------------------------------

def sunk(m, stack):
    """How far the uppermost block of ten is below where it was put, after a second, m: mean of samples."""
    heights = [m.body(f"rest-{stack}-{nudge}", "block9", "z") for nudge in m.axis("nudge")]
    return mean(z[0] - z[-1] for z in heights)


def creep(m, stack):
    """How far the uppermost block goes in the last quarter of a second, in any direction, m: the most of all samples."""
    ways = [m.body(f"rest-{stack}-{nudge}", "block9", axis, start=0.75) for axis in "xyz" for nudge in m.axis("nudge")]
    return max(abs(way[-1] - way[0]) for way in ways)


@claim("AGAINST-rest", kind="finding",
       states="at rest the stack of elastic blocks is as high with the scene's material, in 16 steps of one iteration, as with an implicit penalty: difference of how far "
              "the uppermost sank within a second, over the latter",
       holds="< 0.1", because="a tenth: the stack still rings")
def rest(m):
    theirs = sunk(m, "implicit")
    return abs(sunk(m, "material-by16") - theirs) / theirs


@claim("AGAINST-collapse", kind="finding",
       states="as published it collapses without friction, though each block lies in the pockets of another: averages push it aside. How far the uppermost sinks within "
              "a second with 16 iterations, over the height of the stack",
       holds="> 0.5", because="half: it lies on the ground")
def collapse(m):
    return sunk(m, "published-16") / 0.35


@claim("AGAINST-rough", kind="finding",
       states="with a coefficient of friction of 0.5 it stands, but creeps: how far the uppermost block goes within the last quarter of a second, mm",
       holds="> 0.1", because="a hundredth of a radius, ten times what it moves with masses split")
def creeps(m):
    return 1000 * creep(m, "published-rough")


@claim("AGAINST-stands", kind="finding",
       states="with masses split it stands without friction, as with the other methods: most that the uppermost block sinks within a second with 16 iterations, "
              "either layer, radii",
       holds="< 0.5", because="half a radius: with an implicit penalty it is a tenth, as the material is soft")
def stands(m):
    return max(sunk(m, stack) for stack in ("splitting-16", "material-16", "material-by16")) / 0.01
