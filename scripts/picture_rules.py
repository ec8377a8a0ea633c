"""What every picture of an experiment must have, looked at where it is drawn:

    labels    a diagram has names of its axes, its own or its neighbors', and several kinds of curves have a legend or names beside them
    units     "time, s": a quantity that has a unit says it, and in this style
    hidden    no curve lies wholly under another one that is as wide
    contrast  text is told from what is behind it as WCAG 2 asks for, 4.5:1, by the colors that were saved
    white     a picture of bodies shows more than paper
    caption   what the caption says is in the picture (picture_said.py)

Each is told as a line `NAME: rule: what`; with STRICT=1, as for warnings of compilers, it is a fault.
"""

import glob
import json
import os
import re
import sys

import matplotlib
import numpy as np
from arithmetic import Fault
from matplotlib.collections import EllipseCollection
from matplotlib.colors import to_rgb
from matplotlib.text import Text
from PIL import Image

import picture_said
from captions import captions_of

LEAST = 4.5  # contrast of text (WCAG 2, 1.4.3)
WHITE = 0.8  # of a picture: those with 82 % and more were found too empty to be printed
SHARE = 0.98  # of a curve that is under another
UNIT = r"(?:[kMG]?Pa|m?J|[kcmµ]?m/s²?|[kcmµ]?m|[mµ]?s|k?N(?:/m| s)?|kg|degrees|Hz|%|MB)"
OTHER_STYLE = re.compile(rf"( in {UNIT}$| in {UNIT}[,;]|[(\[]{UNIT}[)\]]$)")
HAS_UNIT = ("time", "time step", "step", "height", "speed", "velocity", "energy", "kinetic energy", "pressure", "stiffness", "deflection", "distance", "period", "acceleration", "force")


def contrast(one, other):
    """Of two colors, by the formula of WCAG 2."""
    bright, dark = sorted((luminance(color) for color in (one, other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def luminance(color):
    light = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color)]
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]


def is_picture(axes):
    """Whether axes show a picture rather than a diagram."""
    return not axes.axison or not len(axes.get_xticks()) and not len(axes.get_yticks())


def shows_bodies(axes):
    """Whether it is a picture of particles or rendered, not a drawing of lines."""
    return is_picture(axes) and (len(axes.images) > 0 or any(isinstance(found, EllipseCollection) for found in axes.collections))


def place_of(axes):
    """Its place in the grid of the figure; None: it is not one of a grid, as axes within others are not."""
    return getattr(axes, "get_subplotspec", lambda: None)()  # before Matplotlib 3.7 only axes of a grid have it


def _named(axes, which):
    """Whether an axis has a name, or shares it with a neighbor that has one; or the title, or that of its column, says what it is."""
    shared = axes.get_shared_x_axes() if which == "x" else axes.get_shared_y_axes()
    names = [getattr(other, f"get_{which}label")() for other in (axes, *(shared.get_siblings(axes) or ()))]
    columns = {other: place_of(other).colspan for other in axes.figure.axes if place_of(other)}
    above = [other.get_title() for other, taken in columns.items() if taken == columns.get(axes)]
    return any(names) or which == "y" and (bool(axes.get_title()) or any(above))


def _tells_numbers(axis):
    """Whether an axis has ticks that are numbers."""
    return any(re.fullmatch(r"[-−]?[\d.e−-]+", label.get_text()) for label in axis.get_ticklabels())


def labels(figure, panels):
    for k, axes in enumerate(panels):
        if is_picture(axes):
            continue
        for which, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            if _tells_numbers(axis) and not _named(axes, which):
                yield f"labels: the {which} axis of panel {k + 1} has no name"
        kinds = {(to_rgb(line.get_color()), line.get_linestyle()) for line in axes.lines if len(line.get_xdata()) > 2 and line.get_linestyle() != "None"}
        if len(kinds) > 1 and not (figure.legends or any(other.get_legend() for other in figure.axes) or len(axes.texts) > 1):
            yield f"labels: panel {k + 1} has {len(kinds)} kinds of curves and no legend"


def units(panels):
    names = {name for axes in panels if not is_picture(axes) for name in (axes.get_xlabel(), axes.get_ylabel()) if name}
    for name in sorted(" ".join(name.split()) for name in names):
        if OTHER_STYLE.search(name):
            yield f"units: '{name}'; write 'quantity, unit'"
        elif name in HAS_UNIT:
            yield f"units: '{name}' has a unit; write '{name}, unit'"


def _points(line):
    """A curve in points of type, against evenly many places along x; None if it does not run along x."""
    place = line.get_transform().transform(np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)) * 72 / line.figure.dpi
    place = place[np.all(np.isfinite(place), axis=1)]
    return place if len(place) > 2 and np.all(np.diff(place[:, 0]) >= 0) and np.ptp(place[:, 0]) > 0 else None


def hidden(panels):
    """A curve without marks that another, drawn later, covers: not dashed, as wide, and where that is."""
    for k, axes in enumerate(panels):
        curves = [(line, _points(line)) for line in sorted(axes.lines, key=lambda line: line.get_zorder()) if line.get_visible() and line.get_linestyle() not in ("None", " ", "")]
        for below, (lower, at) in enumerate(curves):
            if at is None or lower.get_marker() not in ("None", None, "", " "):
                continue
            for upper, over in curves[below + 1:]:
                same = (upper.get_color(), upper.get_linestyle()) == (lower.get_color(), lower.get_linestyle())
                if over is None or same or upper.get_linestyle() != "-" or upper.get_linewidth() < lower.get_linewidth() - 0.5 or not _covers(over, at, upper.get_linewidth()):
                    continue
                yield f"hidden: panel {k + 1}: {_name(lower)} lies under {_name(upper)}"


def _covers(over, at, width):
    along = np.linspace(at[0, 0], at[-1, 0], 200)
    inside = (along >= over[0, 0]) & (along <= over[-1, 0])
    apart = np.abs(np.interp(along, *over.T) - np.interp(along, *at.T))
    return np.mean(inside & (apart < width / 2)) > SHARE


def _name(line):
    return f"'{line.get_label()}'" if not line.get_label().startswith("_") else f"a curve ({line.get_color()})"


def on_paper(path, part, panels, texts):
    """By the pixels of the file: part is the box of the figure in inches that was saved; texts: [(words, color, box in inches)]."""
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB"))
    dots = matplotlib.rcParams["savefig.dpi"]

    def cut(box, more=0):
        left, right = (int(round((x - part.x0) * dots)) for x in (box.x0, box.x1))
        top, bottom = (int(round((part.y1 - y) * dots)) for y in (box.y1, box.y0))
        return pixels[max(top - more, 0):max(bottom + more, 0), max(left - more, 0):max(right + more, 0)]
    for words, color, box in texts:
        seen = cut(box, 1)
        if min(seen.shape[:2]) < 3:
            continue
        edge = np.concatenate([seen[0], seen[-1], seen[:, 0], seen[:, -1]])  # around the text
        found, times = np.unique(edge // 8, axis=0, return_counts=True)
        behind = np.minimum(found[np.argmax(times)] * 8 + 7, 255) / 255
        if contrast(color, behind) < LEAST:
            yield f"contrast: '{words}' has {contrast(color, behind):.1f}:1"
    shares = [np.mean(np.all(cut(box) > 250, axis=2)) for box in panels if cut(box).size]
    if shares and np.mean(shares) > WHITE:
        yield f"white: {100 * np.mean(shares):.0f} % of its pictures"


class Look:
    """At a figure that is laid out, of which `part` is saved in `folder`."""

    def __init__(self, figure, panels, name):
        self.name, inches = name, figure.dpi_scale_trans.inverted()
        self.found = [*labels(figure, panels), *units(panels), *hidden(panels)]
        self.texts = [(" ".join(text.get_text().split()), text.get_color(), text.get_window_extent().transformed(inches))
                      for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()]
        self.panels = [axes.get_window_extent().transformed(inches) for axes in panels if shows_bodies(axes)]
        experiment = os.path.basename(os.path.dirname(os.path.abspath(sys.argv[0])))
        caption = captions_of(experiment).get(name)
        if caption:
            drawn = picture_said.Drawn(figure, panels, methods_of(sys.argv[1] if len(sys.argv) > 1 else ""))
            self.said, self.numbers = picture_said.statements(drawn, caption.text, caption.alt)
            self.found += [f"caption: '{statement}', but {what}" for statement, right, what in self.said if not right]

    def tell(self, folder, part):
        self.found += on_paper(os.path.join(folder, f"{self.name}.png"), part, self.panels, self.texts)
        if self.found and os.environ.get("STRICT"):
            raise Fault("\n".join(f"{self.name}: {line}" for line in self.found))
        for line in self.found:
            print(f"  {self.name}: {line}", file=sys.stderr)


def methods_of(results):
    """contact.method of all runs in a folder of results."""
    found = set()
    for path in glob.glob(os.path.join(results, "*", "summary.json")):
        with open(path, encoding="utf-8") as file:
            found.add(json.load(file)["config"].get("contact.method", ""))
    return found
