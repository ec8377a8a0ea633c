"""The pictures of experiments, and the data behind them. What they share with pictures of users is in mergesplit/drawing.py."""

import functools
import json
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import matplotlib.ticker  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402

import camera  # noqa: E402
import methods  # noqa: E402
import panels  # noqa: E402
from columns import columns_read as table  # noqa: E402
from experiment import Experiment  # noqa: E402
from measurements import measured_read  # noqa: E402
from mergesplit import drawing  # noqa: E402
from outlines import filled  # noqa: E402
from picture_rules import Look  # noqa: E402

BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = drawing.PALETTE
WALLS = "#777777"
DOTS = {"draft": drawing.LOOK["savefig.dpi"], "print": 400}  # per inch, of images in PDFs
PALE = "#b4b4b4"  # of what stands behind the methods that a picture is about
METHODS = methods.METHODS  # name -> (label, color, line style)
BODIES, circles, frame_only = drawing.BODIES, drawing.circles, drawing.frame_only

# Marks on the curves of families of methods, because printed in grey some families have the same color.
MARKS = {"penalty": "P", "sph": "o", "impulse": "^", "iterated": "^", "corrected": "s", "implicit": "v", "barrier": "D", "sliding": "x"}


def mark_of(method):
    return MARKS.get(method.split("-")[0], "")


def marked(method, times, marks=8):
    """Which points of a curve bear its mark: as many, evenly in time, for all families of methods, and at other times for each of them,
    so that curves that coincide are seen. (matplotlib's own spacing measures the curve in every drawing, which takes longer than all else.)"""
    family = method.split("-")[0]
    phase = list(MARKS).index(family) / len(MARKS) if family in MARKS else 0
    places = times[0] + (np.arange(marks) + 0.1 + 0.8 * phase) / marks * (times[-1] - times[0])
    return sorted(set(np.searchsorted(times, places).tolist()))


def method_curve(axes, times, values, method, label, color, line):
    """Draws the curve of a method so that it can be told from others without color, too; that of the paper's method is thick and on top."""
    own = method == "merging-and-splitting"
    axes.plot(times, values, color=color, linestyle=line, label=label, linewidth=2 if own else 1, zorder=3 if own else 2,
              marker=mark_of(method), markersize=2.5, markevery=marked(method, times), gid=panels.RUN)


def save(figure, folder, name):
    """Like drawing.save, but a figure of panels.sheet is saved as it is printed, and looked at."""
    part = panels.prepared(figure, name)
    look = Look(figure, panels.lettered(figure), name) if panels.printed(figure) else None
    drawing.save(figure, folder, name, part, DOTS[os.environ.get("QUALITY", "draft")])
    if look:
        look.tell(folder, part)


@functools.lru_cache(maxsize=None)
def metrics(results, run):
    """A row per time step, as arrays that are read once and cannot be written to."""
    columns = {name: np.array(values) for name, values in table(os.path.join(results, run, "metrics.csv")).items()}
    for column in columns.values():
        column.flags.writeable = False
    return columns


def of_thing(path, thing):
    """The rows of one thing, of a table whose first column names things, as arrays."""
    columns = table(path)
    things = columns.pop(next(iter(columns)))
    if thing not in things:
        raise KeyError(f"{path} has no '{thing}'; there are {', '.join(dict.fromkeys(things))}")
    rows = [i for i, name in enumerate(things) if name == thing]
    return {name: np.array([values[i] for i in rows]) for name, values in columns.items()}


def body(results, run, name):
    """A row per frame: how a body moved."""
    return of_thing(os.path.join(results, run, "bodies.csv"), name)


def spectrum(results, run, name):
    """A row per frame: how a sheet bent."""
    return of_thing(os.path.join(results, run, "spectrum.csv"), name)


def layers(results, run, name):
    """A row per frame and layer: the pressure of a fluid against height."""
    return of_thing(os.path.join(results, run, "layers.csv"), name)


def fragments(results, run, name):
    """A row per frame and fragment of a body."""
    return of_thing(os.path.join(results, run, "fragments.csv"), name)


def summary(results, run):
    with open(os.path.join(results, run, "summary.json"), encoding="utf-8") as file:
        return json.load(file)


def measured(results):
    """What the tests of an experiment measured, by name."""
    folder, name = os.path.split(os.path.normpath(results))
    return measured_read(folder, Experiment(os.path.join("experiments", name)))


def good(results, run):
    """Particles that penetrated, and whether the run is unstable: (leaks, unstable)."""
    numbers = summary(results, run)
    return numbers["penetrated_max"], bool(numbers["unstable"])


def setting(results, run, key):
    """A value of a run's effective configuration: setting(..., "bodies.ball.velocity")."""
    config = summary(results, run)["config"]
    if key not in config:
        raise KeyError(f"{run}: no {key} in its configuration")
    return config[key]


def experiment(draw):
    """The runs that a draw.py, named by its __file__, has pictures of."""
    return Experiment(os.path.dirname(draw))


def height_of_fall(results, run):
    """The height of free fall, m, that gives the ball's initial speed."""
    speed = setting(results, run, "bodies.ball.velocity")[2]
    return speed * speed / (2 * -setting(results, run, "gravity")[2])


def plain_ticks(axis, values):
    """Ticks as plain numbers, of which the axis shows those in its range."""
    axis.set_major_locator(matplotlib.ticker.FixedLocator(values))
    axis.set_minor_locator(matplotlib.ticker.NullLocator())
    axis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda x, _: f"{x:g}"))


def section(results, run, number):
    return table(os.path.join(results, run, f"section-{number}.csv"))


WHOLE = (0, 1, 0, 1)


def camera_of(results, name):
    return camera.Camera(os.path.join("experiments", os.path.basename(os.path.normpath(results)), f"{name}.pov"))


def view(axes, results, run, name, color, number, bar=False, part=WHOLE):
    """A frame as POV-Ray rendered it; scripts/steps/draw says where, if not among the results. bar: with a scale bar, for lengths in the
    plane of the picture. Of an orthographic camera, with the walls that keep bodies inside, as thin lines behind these. part: what is shown
    of it, from left, right, low and high, as shares of its width and height."""
    seen = camera_of(results, name)
    image = plt.imread(os.path.join(os.environ.get("RENDERED", results), run, f"view-{name}-{color}-{number}.png"))
    walls = list(camera.boxes(summary(results, run)["config"])) if seen.height else []
    if walls:
        image = np.dstack([image[..., :3], np.any(image[..., :3] < 1, axis=2)])
    width = seen.height * image.shape[1] / image.shape[0] if seen.height else None
    axes.imshow(image, interpolation="antialiased", extent=(0, width, 0, seen.height) if width else None, zorder=1.5)
    for low, high in walls:
        edges = seen.far_edges(low, high) + (width / 2, seen.height / 2)
        axes.add_collection(LineCollection(edges, colors=WALLS, linewidths=0.6, zorder=1), autolim=False)
    if part != WHOLE:
        axes.set(xlim=[share * width for share in part[:2]], ylim=[share * seen.height for share in part[2:]])
    if bar and not width:
        raise ValueError(f"{name}.pov has no orthographic camera: its pictures have no scale")
    if bar:
        panels.scale_bar(axes)
    frame_only(axes)


def instants(results, run, frames, rows, size, blocks=1, parts=None):
    """A figure of rendered frames: a column for each frame, with its time above it, and a row for each
    (view, color, label); with blocks, that many such blocks below each other, each with its share of the frames.
    size: width and height in inches. parts: of each row of the figure, what is shown of its pictures. Returns the figure and its axes."""
    columns = -(-len(frames) // blocks)
    figure, axes = panels.sheet(blocks * len(rows), columns, size[1], size[0])
    interval = setting(results, run, "time.frame_interval")
    for k, frame in enumerate(frames):
        block, shown = (all_rows[k // columns * len(rows):][:len(rows)] for all_rows in (axes, parts or [WHOLE] * len(axes)))
        block[0, k % columns].set_title(f"{interval * frame:.2f} s")
        for ax, (name, color, _), part in zip(block[:, k % columns], rows, shown):
            view(ax, results, run, name, color, frame, bar=k % columns == 0, part=part)
    for ax, (_, _, label) in zip(axes[:, 0], rows * blocks):
        ax.set_ylabel(label)
    return figure, axes


DAMAGE = "magma_r"  # as in ms-render-prep --color damage


def damage_bar(figure, axes, **options):
    bar = figure.colorbar(matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(0, 1), DAMAGE), ax=axes, **options)
    bar.set_label("fraction of bonds broken")
    bar.outline.set_linewidth(0.6)


def borders(axes, label, left, bottom, spacing):
    """White lines on a map of squares, between neighbors with different labels."""
    upright = [[(left + spacing * (c + 1), bottom + spacing * (r + k)) for k in (0, 1)]
               for r, c in zip(*np.nonzero(label[:, 1:] != label[:, :-1]))]
    level = [[(left + spacing * (c + k), bottom + spacing * (r + 1)) for k in (0, 1)]
             for r, c in zip(*np.nonzero(label[1:] != label[:-1]))]
    axes.add_collection(LineCollection(upright + level, colors="white", linewidths=0.5, capstyle="round"))


def crack_map(axes, results, run, face, number):
    """A face of a body on a lattice, in the coordinates of the start: a square per particle, colored by
    damage; a line where neighbors are of different fragments."""
    data = table(os.path.join(results, run, f"face-{face}-{number}.csv"))
    u, v, damage = (np.array(data[name]) for name in ("u", "v", "damage"))
    spacing = 2 * data["radius"][0]
    column, row = (np.rint((x - x.min()) / spacing).astype(int) for x in (u, v))
    shape = row.max() + 1, column.max() + 1
    broken, fragment = np.full(shape, np.nan), np.full(shape, np.nan)
    broken[row, column], fragment[row, column] = damage, data["fragment"]
    left, bottom = u.min() - spacing / 2, v.min() - spacing / 2
    extent = left, left + spacing * shape[1], bottom, bottom + spacing * shape[0]
    axes.imshow(broken, cmap=DAMAGE, vmin=0, vmax=1, origin="lower", extent=extent, interpolation="nearest")
    borders(axes, fragment, left, bottom, spacing)
    frame_only(axes)


def draw_section(axes, data, window, corner="upper right"):
    """The particles of a cross-section as circles of their true radius, colored by body; window:
    (u from, u to, v from, v to) in meters. How many are outside it is written into a corner of the panel."""
    u, v, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "radius"))
    colors = [BODIES.get(body, GREY) for body in data["body"]]
    circles(axes, u, v, radius, colors)
    axes.set_xlim(window[:2])
    axes.set_ylim(window[2:])
    count_outside(axes, u, v, corner)


def behind(data, body, sheet):
    """Which particles of a body are on the other side of a sheet, below it."""
    u, v, name = (np.array(data[column]) for column in ("u", "v", "body"))
    order = np.argsort(u[name == sheet])
    return (name == body) & (v < np.interp(u, u[name == sheet][order], v[name == sheet][order]))


def draw_solids(axes, data, window, marked=(), shown=None):
    """The bodies of a cross-section as filled shapes, cut off at the window: of the particles `shown` (by default all). marked: (which
    particles, color) of those that are drawn on these, in another color. A cloth is in front of other bodies, which would hide it."""
    u, v, radius = (np.array(data[name], dtype=float) for name in ("u", "v", "radius"))
    body = np.array(data["body"])
    rest = np.ones(len(u), dtype=bool) if shown is None else shown
    for name in dict.fromkeys(body):
        of = rest & (body == name)
        filled(axes, u[of], v[of], radius[of], BODIES.get(name, GREY), window, 1.5 if name == "cloth" else 1)
    for number, (of, color) in enumerate(marked):
        filled(axes, u[of], v[of], radius[of], color, window, 2 + 0.2 * number)
    axes.set_xlim(window[:2])
    axes.set_ylim(window[2:])
    axes.set_aspect("equal")
    frame_only(axes)


def count_outside(axes, u, v, corner):
    """Writes into a corner of a panel how many of these points are outside its limits, if any."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    outside = np.count_nonzero(~((u > left) & (u < right) & (v > low) & (v < high)))
    if outside:
        up = corner == "upper right"
        axes.annotate(f"{outside} outside", (1, int(up)), xycoords="axes fraction", xytext=(-2, -2 if up else 2), textcoords="offset points",
                      ha="right", va="top" if up else "bottom", fontsize=panels.SMALLEST, path_effects=panels.RIM)


def verdict(numbers):
    """One line below a picture: what happened, as the measures say."""
    leaks = int(numbers["penetrated_max"])
    parts = ["no penetration" if leaks == 0 else f"{leaks} through"]
    parts.append("unstable" if numbers["unstable"] else "stable")
    return ", ".join(parts)


def at_frame(results, run, frame, column):
    """A column of metrics.csv at the instant of a frame, or at the end of a run that ended before."""
    data = metrics(results, run)
    row = np.searchsorted(data["time"], frame * setting(results, run, "time.frame_interval") - 1e-9)
    return data[column][min(row, len(data["time"]) - 1)]


def verdict_at(results, run, frame):
    """Lines below the picture of a frame: how many are through at that instant, how many at most in the run, and its stability."""
    numbers = summary(results, run)
    now, most = int(at_frame(results, run, frame, "penetrated")), int(numbers["penetrated_max"])
    word = "unstable" if numbers["unstable"] else "stable"
    return f"{now or 'none'} through\n" + (f"(at most {most}),\n{word}" if most != now else word)


def verdict_color(numbers):
    return RED if numbers["penetrated_max"] or numbers["unstable"] else GREEN
