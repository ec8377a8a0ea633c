"""Merging-and-splitting against unified particle physics, balls on cloths: claims. Samples differ by the instant of impact within a step and the place
on the cloth's lattice. `published`: a rigid ball, averages, rigid bonds; `material`: masses split, the scene's materials; `by16`: 16 steps of one iteration."""

from arithmetic import max, mean, min, sum
from claims import claim, ledger_closes

SCENES = ("low", "high", "heavy")
WALL_SETTINGS = ("rounds", "brief")
LAYERS = ("published", "material")
DEPTH = 0.25  # of a radius: the limit of Figure 5


# ---- runs, what they cost, and what they achieve -------------------------------------------------

def samples(m, scene, setting):
    """All samples of a setting, "merging-1.25e-3"."""
    return [f"{scene}-{setting}-{sample}" for sample in m.axis("shot" if scene == "wall" else "sample")]


def iterations(m, layer):
    return [f"{layer}-{count}" for count in m.axis("count")]


def short_steps(m, layer):
    """From the same cheapest setting on: one iteration in steps of the radius rule."""
    return [f"{layer}-1", *(f"{layer}-{short}" for short in m.axis("short"))]


def sweeps(m, scene, setting):
    """Products with the matrix, or corrections of all constraints, in a run: mean of samples."""
    runs = samples(m, scene, setting)
    return mean(sum(m.column(run, "iterations_first")) + sum(m.column(run, "iterations_later")) for run in runs)


def through(m, runs):
    return max(m.summary(run, "penetrated_max")[0] for run in runs)


def overlap(m, runs):
    """The largest overlap, radii: mean of samples."""
    return mean(m.summary(run, "overlap_depth_max")[0] for run in runs)


def drift(m, runs):
    return max(m.summary(run, "momentum_drift")[0] for run in runs)


def gain(m, runs):
    return max(m.summary(run, "energy_gain")[0] for run in runs)


def shape_error_of(m, run):
    """The largest rms distance of the cloth from that of the reference until the latter is deepest, over the rms displacement it has then."""
    apart, moved = m.distance(f"shape-{run}", "rms"), m.distance(f"shape-{run}", "moved_b")
    deepest = moved.index(max(moved))
    return max(apart[:deepest + 1]) / moved[deepest]


def shape_error(m, scene, setting):
    return mean(shape_error_of(m, run) for run in samples(m, scene, setting))


def everything(m, layers=LAYERS, scenes=SCENES):
    """All settings of these layers that have samples."""
    return [(scene, setting) for scene in scenes for layer in layers for setting in (*iterations(m, layer), *short_steps(m, layer)[1:])]


# ---- what the paper on merging-and-splitting says of position correction -------------------------

def largest_gain(m, scene):
    """Of runs with rigid bonds. These store no energy, so that a gain is one of motion."""
    layers = ("published", "splitting") if scene == "wall" else ("published", "splitting", "lattice")
    return max(max(m.summary(f"{scene}-{layer}-*", "energy_gain")) for layer in layers)


@claim("M55-gain", kind="paper",
       states="position correction adds energy: in each of the four scenes there is a step and a number of iterations at which position-based with rigid "
              "bonds, which store none, gains energy: the largest gain over the energy that there was, least of the scenes",
       holds="> 0.05", because="a twentieth: merging-and-splitting gains less than a thousandth (M55-merging)")
def adds(m):
    return min(largest_gain(m, scene) for scene in (*SCENES, "wall"))


@claim("M55-removes", kind="paper",
       states="or removes it: what is left of the energy of the slower ball of Figure 3 after 0.12 s with the 4 iterations of its paper, over what "
              "merging-and-splitting leaves in the same step",
       holds="< 0.5", because="half: what the steps of backward Euler take of either is the same")
def removes(m):
    return mean(m.summary("low-published-4-?", "energy_kept")) / mean(m.summary("low-merging-1.25e-3-?", "energy_kept"))


@claim("M55-merging", kind="paper",
       states="merging-and-splitting does not add any: largest gain of all its runs here, over the energy that there was",
       holds="< 1e-3", because="a thousandth is what single steps of backward Euler may take too little")
def merging_gain(m):
    return max(m.summary("*-merging-*", "energy_gain"))


@claim("M56-dust", kind="paper",
       states="that shatters brittle bodies: debris of the wall of Figure 5 with position-based as published, 4 iterations in the same step, over that of "
              "merging-and-splitting, means of three samples",
       holds="> 1", because="more is the statement",
       known="it leaves less: bonds that are averaged give way together, and the more iterations keep them rigid the fewer break at all")
def dust(m):
    return mean(m.summary("wall-published-4-?", "debris_fraction")) / mean(m.summary("wall-merging-5e-5-?", "debris_fraction"))


def pushed(m, run):
    """Pairs in contact that came nearer in a step beyond all that approached at its start, mean over steps: corrections moved them, and there may be more."""
    nearer, approaching = m.column(run, "nearer"), m.column(run, "approaching")
    return mean(max(a - b, 0.0) for a, b in zip(nearer, approaching))


@claim("M57-pushes", kind="paper",
       states="correcting positions pushes particles into others: pairs in touch that a step brings nearer beyond all that approached, by step, as published, 4 "
              "iterations: least mean of the four scenes",
       holds="> 0", because="one such pair is the statement; the measure is a lower bound, because pairs that approached and were stopped count against it")
def pushes(m):
    return min(mean(pushed(m, run) for run in samples(m, scene, "published-4")) for scene in (*SCENES, "wall"))


# ---- through, and how deep -----------------------------------------------------------------------

@claim("AGAINST-merging", kind="finding",
       states="with merging-and-splitting nothing gets through, at any of its steps, in any sample: number of particles",
       holds="== 0", because="a count of particles: none is allowed")
def merging_through(m):
    return max(max(m.summary(f"{scene}-merging-*", "penetrated_max")) for scene in SCENES)


@claim("AGAINST-low", kind="finding",
       states="nor does it with position-based in the step of merging-and-splitting where the ball is slow and light (Figure 3, 0.2 m), with one iteration or "
              "more, as published or with the scene's material: number of particles",
       holds="== 0", because="a count of particles")
def low_through(m):
    return through(m, [run for layer in LAYERS for setting in iterations(m, layer) for run in samples(m, "low", setting)])


@claim("AGAINST-high", kind="finding",
       states="from 10 m all of the ball gets through with the paper's 4 iterations in that step: least share of its particles, as published and with the "
              "scene's material",
       holds="> 0.5", because="more than half is most of it; the ball has 136 particles")
def high_through(m):
    return min(m.summary("high-published-4-?", "penetrated_max") + m.summary("high-material-4-?", "penetrated_max")) / 136


@claim("AGAINST-heavy", kind="finding",
       states="some of the heavy ball gets through with 1, 4 and 16 iterations as published: least number of particles, three samples each",
       holds="> 0", because="a count of particles: one is a failure")
def heavy_through(m):
    return min(m.summary(f"heavy-published-{count}-{sample}", "penetrated_max")[0] for count in m.axis("count")[:3] for sample in m.axis("sample"))


@claim("AGAINST-enough", kind="finding",
       states="64 iterations stop all balls, in either layer: number of particles through",
       holds="== 0", because="a count of particles")
def enough(m):
    return through(m, [run for scene in SCENES for layer in LAYERS for run in samples(m, scene, f"{layer}-64")])


@claim("AGAINST-long", kind="finding",
       states="in the longest step, 8 ms, in which the ball from 10 m moves by 11 radii, all of it gets through whatever the number of iterations: least number "
              "of particles",
       holds="== 136", because="contacts are looked for where particles would be at the end of the step; all of the ball's 136 are beyond the cloth there")
def long_steps(m):
    return min(m.summary(f"high-{layer}-{count}-{m.axis('long')[-1]}-a", "penetrated_max")[0] for layer in LAYERS for count in m.axis("count"))


@claim("AGAINST-swept", kind="finding",
       states="sliding contact, which sweeps the step, lets nothing through in steps of 2 to 8 ms: largest number of particles and overlap in radii, added",
       holds="< 1e-3", because="the solver's tolerance; a particle would add 1", scatter="the solver's tolerance bounds it, whatever chance does")
def swept_long(m):
    return max(a + b for a, b in zip(m.summary("*-swept-*", "penetrated_max"), m.summary("*-swept-*", "overlap_depth_max")))


# ---- shape of the cloth --------------------------------------------------------------------------

@claim("AGAINST-shape", kind="finding",
       states="no number of iterations up to 64 gives the cloth the shape that merging-and-splitting gives it in the same step: least ratio of the errors, both "
              "layers, three scenes",
       holds="> 1", because="a larger error is the statement; errors of three samples differ by a few per cent")
def shape(m):
    return min(shape_error(m, scene, setting) / shape_error(m, scene, "merging-1.25e-3") for scene in SCENES for layer in LAYERS for setting in iterations(m, layer))


@claim("AGAINST-steps", kind="finding",
       states="64 steps of one iteration are better than 64 iterations in a step, with the scene's material: least ratio of the errors of the shape, three scenes",
       holds="> 1.5", because="half as much again; samples differ by a few per cent")
def steps(m):
    return min(shape_error(m, scene, "material-64") / shape_error(m, scene, "material-by64") for scene in SCENES)


@claim("AGAINST-best", kind="finding",
       states="with the scene's material and 64 steps of one iteration the cloth is nearer to the right shape than with merging-and-splitting at its shortest step: "
              "largest ratio of the errors, three scenes",
       holds="< 1", because="a smaller error is the statement; samples differ by a few per cent")
def best(m):
    return max(shape_error(m, scene, "material-by64") / shape_error(m, scene, "merging-3e-4") for scene in SCENES)


@claim("AGAINST-sweeps", kind="finding",
       states="for which it takes no more sweeps than 1.2 times those of merging-and-splitting: largest ratio, three scenes",
       holds="< 1.2", because="a fifth, where errors differ by more than that in the same proportion of work")
def more_sweeps(m):
    return max(sweeps(m, scene, "material-by64") / sweeps(m, scene, "merging-3e-4") for scene in SCENES)


@claim("AGAINST-implicit", kind="finding",
       states="with as many sweeps as an implicit penalty takes in steps of 1.25 ms, or fewer, no position-based setting finds the shape as well as it does: least ratio of "
              "the errors, both layers, three scenes",
       holds="> 1", because="a larger error is the statement; samples differ by a few per cent")
def implicit(m):
    best = {scene: (shape_error(m, scene, "implicit-1.25e-3"), sweeps(m, scene, "implicit-1.25e-3")) for scene in SCENES}
    return min(shape_error(m, scene, setting) / best[scene][0] for scene, setting in everything(m) if sweeps(m, scene, setting) <= best[scene][1])


# ---- momentum ------------------------------------------------------------------------------------

@claim("AGAINST-averages", kind="finding",
       states="averages lose momentum: least drift of any run as published, three scenes and the wall, over the most that it can be",
       holds="> 1e-3", because="a hundred times what the tolerance of implicit solvers leaves in these scenes")
def averages(m):
    return min(drift(m, samples(m, scene, f"published-{count}")) for scene in (*SCENES, "wall") for count in m.axis("count"))


@claim("AGAINST-split", kind="finding",
       states="split masses keep it to rounding, better than implicit solvers: largest drift with the scene's material, or of rigid balls with split masses",
       holds="< 1e-10", because="places of rigid bodies are found anew in each iteration: rounding of a place over the step")
def split(m):
    return max(drift for scene in (*SCENES, "wall") for layer in ("material", "splitting") for drift in m.summary(f"{scene}-{layer}-*", "momentum_drift"))


ledger_closes()
