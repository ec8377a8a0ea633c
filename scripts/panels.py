"""Pictures as they are printed: as wide as a column or a page, with type that can be read there, and letters on their panels.

A figure made by sheet() has that width to the last bit: style.save() neither cuts nor widens it, and refuses smaller type.
"""

import itertools
import math
import re
import string
import sys
import textwrap

from arithmetic import Fault
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patheffects import withStroke
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogFormatter
from matplotlib.transforms import Bbox, ScaledTranslation

from mergesplit.drawing import PALETTE, RED
from picture_rules import LEAST, contrast, is_picture, place_of
from sizes import COLUMN, PAGE, SMALLEST

PALE = {to_rgb(color) for color in PALETTE}
MARGIN = 0.04  # inches above and below what is drawn
RUN = "run"  # gid of a curve whose end is marked if others of its diagram go on
LINEAR = "#ececec"
RIM = [withStroke(linewidth=3, foreground="white")]  # of what is seen on particles, dark ones, too


def printed(figure):
    return figure.get_figwidth() in (COLUMN, PAGE)


class Layout(ConstrainedLayoutEngine):
    """Places panels to 1e-8 of their figure: its solver adds up in an order of addresses, on which the last digits depend, and with them
    the bytes of a PDF."""

    def execute(self, figure):
        super().execute(figure)
        for part in figure.subfigs:
            part.bbox_relative.set_points(part.bbox_relative.get_points().round(8))
        for axes in figure.axes:
            if axes.get_in_layout():
                axes.set_position(Bbox(axes.get_position(original=True).get_points().round(8)))
                axes.set_in_layout(True)  # set_position() takes axes out of it


def empty(height, width=PAGE):
    """A figure of that size in inches; what is drawn beyond the height is added to it."""
    return pyplot.figure(figsize=(width, height), layout=Layout())


def sheet(rows, columns, height, width=PAGE, **options):
    """(figure, axes): rows and columns of panels on such a figure."""
    return pyplot.subplots(rows, columns, figsize=(width, height), layout=Layout(), **options)


def darker(color):
    """Half as bright: the outline of what has that color."""
    return tuple(0.5 * part for part in to_rgb(color))


def scale_bar(axes, meters=None, place=(0.05, 0.06)):
    """A bar of a round length in a panel in meters, that begins at this place of it: in the lower left corner."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    rough = meters or (right - left) / 4
    power = 10 ** math.floor(math.log10(rough))
    length = meters or max(k * power for k in (1, 2, 5) if k * power <= rough)
    x, y = left + place[0] * (right - left), low + place[1] * (high - low)
    axes.plot([x, x + length], [y, y], color="black", linewidth=1.5, solid_capstyle="butt", zorder=5, path_effects=RIM)
    axes.annotate(f"{length:g} m", (x, y), xytext=(0, 2), textcoords="offset points", fontsize=SMALLEST, zorder=4.9, path_effects=RIM)


def table(axes, widths, title, questions, rows):
    """A table in place of a diagram, with columns of these widths: a row of questions, and of each method {words: (answer, whether it is
    bad), ...}, the first method that of the paper."""
    right = list(itertools.accumulate(widths))
    axes.set(xlim=(0, right[-1]), ylim=(len(rows) + 1, 0))
    axes.axis("off")
    axes.text(0, 0.5, title, fontsize=SMALLEST, fontweight="bold", va="center")
    for place, question in zip(right[1:], questions):
        axes.text(place, 0.5, question, fontsize=SMALLEST, ha="right", va="center")
    axes.axhline(1, color="black", linewidth=0.6)
    for line, (method, cells) in enumerate(rows.items(), 1):
        axes.text(0, line + 0.5, method, fontsize=SMALLEST, va="center", fontweight="bold" if line == 1 else "normal")
        for place, (words, bad) in zip(right[1:], cells):
            axes.text(place, line + 0.5, words, fontsize=SMALLEST, ha="right", va="center", color=RED if bad else "black")


def end_labels(axes, ends, apart=8.5):
    """Names of lines, {name: (x, y, color)}: to the right of the diagram, as high as the ends of their lines but so far above each other
    (points) that they can be read, each with a thin line to its end. Limits and scales of the axes must be set."""
    figure = axes.figure
    figure.draw_without_rendering()  # where the axes are
    points = 72 / figure.dpi
    places = sorted((tuple(points * part for part in axes.transData.transform((x, y))), name, x, y, color) for name, (x, y, color) in ends.items())
    box = axes.get_window_extent()
    _, bottom, width, height = (points * part for part in box.bounds)
    right = 1 + 6 / width
    places.sort(key=lambda found: found[0][1])
    heights = [place[1] for place, *_ in places]
    for _ in range(100):  # neighbors push each other
        for k in range(1, len(heights)):
            lacking = apart - (heights[k] - heights[k - 1])
            if lacking > 0:
                heights[k - 1] -= lacking / 2
                heights[k] += lacking / 2
    for up, (_, name, x, y, color) in zip(heights, places):
        axes.annotate(name, (x, y), xytext=(right, (up - bottom) / height), textcoords="axes fraction", va="center", fontsize=SMALLEST, color=color, annotation_clip=False,
                      path_effects=RIM, zorder=6, arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 3, "relpos": (0, 0.5)})


def legend_below(axes, **options):
    """Puts a legend that would hide the curves below their diagram."""
    below = axes.transAxes + ScaledTranslation(0, -30 / 72, axes.figure.dpi_scale_trans)  # ticks and the name of the axis
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, 0), bbox_transform=below, borderaxespad=0, **options)


def lettered(figure):
    """The axes that have letters if there are several: pictures and diagrams, but no bars of colors."""
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>" and (axes.axison and axes.has_data() or axes.get_title())]


def letters(figure):
    """Writes a, b, c ... into the corners of pictures, on a label of its own with the lines of their frame, so that no drop beside it is
    read as a letter, and beside the titles of diagrams."""
    panels = lettered(figure)
    if len(panels) < 2:
        return
    for axes, letter in zip(panels, string.ascii_lowercase + string.ascii_uppercase):
        picture = is_picture(axes)
        edge = axes.spines["top"].get_edgecolor() if axes.axison and axes.spines["top"].get_visible() else "none"
        axes.annotate(letter, (0, 1), xycoords="axes fraction", xytext=(2.2, -1.7) if picture else (-4, 3), textcoords="offset points",
                      ha="left" if picture else "right", va="top" if picture else "baseline", fontsize=8, fontweight="bold", zorder=6,
                      bbox={"facecolor": "white", "edgecolor": edge, "linewidth": 0.6, "pad": 1.6} if picture else None)


def _room(axes):
    """How wide the title of a panel may be, in pixels: as wide as the panel, because a diagram has its letter beside it, or, above a
    narrow picture, as most of the picture's part of the figure."""
    if not is_picture(axes):
        return axes.get_window_extent().width
    spec = place_of(axes)
    part = 0.92 * len(spec.colspan) / spec.get_gridspec().ncols * axes.figure.bbox.width if spec else 0
    return max(axes.get_window_extent().width, part)


def _lines(words, most):
    """Words in as few lines of at most so many letters as can be, and these as even as can be: no unit stands alone in the last."""
    def wrapped(letters):
        return textwrap.wrap(words, letters, break_long_words=False)
    few = len(wrapped(most))
    return next(lines for letters in range(1, most + 1) for lines in [wrapped(letters)] if len(lines) == few)


def _wrap(text, length, room):
    """A text of one line that is longer than the room goes on in another line; both in pixels. Returns whether it does."""
    words = text.get_text()
    if length <= 1.02 * room or "\n" in words:
        return False
    lines = _lines(words, max(8, int(len(words) * room / length)))
    text.set_text("\n".join(lines))
    return len(lines) > 1


def _wrap_upright(axes):
    return _wrap(axes.yaxis.label, axes.yaxis.label.get_window_extent().height, axes.get_window_extent().height)


def wrap_titles(figure):
    """Titles wider than their panel, and names of axes longer than their axes, go on in another line. The figure is laid out then."""
    figure.draw_without_rendering()
    wrapped = False
    for axes in lettered(figure):
        wrapped |= _wrap(axes.title, axes.title.get_window_extent().width, _room(axes))
        wrapped |= _wrap(axes.xaxis.label, axes.xaxis.label.get_window_extent().width, axes.get_window_extent().width)
    if wrapped:
        figure.draw_without_rendering()  # panels are less high now
    wrapped = False
    for axes in lettered(figure):
        wrapped |= _wrap_upright(axes)
    for axes in figure.axes:
        wrapped |= axes.get_label() == "<colorbar>" and _wrap_upright(axes)
    if wrapped:
        figure.draw_without_rendering()


def plain_powers(figure):
    """Powers of ten on logarithmic axes in one line: an exponent above it is too small to read."""
    def text(value, _):
        plain = value == 0 or 1e-3 <= abs(value) < 1e5
        return f"{value:g}" if plain else re.sub(r"e\+?(-?)0?", r"e\1", f"{value:.0e}")
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(axis.get_major_formatter(), LogFormatter):
                axis.set_major_formatter(FuncFormatter(text))


def say_linear(figure):
    """The part of a symmetric-logarithmic axis that is linear is grey, and says so."""
    for axes in figure.axes:
        if axes.get_yscale() == "symlog":
            limits, linear = axes.get_ylim(), axes.yaxis.get_transform().linthresh
            top = min(limits[1], linear)
            axes.axhspan(max(limits[0], -linear), top, color=LINEAR, linewidth=0, zorder=0)
            axes.set_ylim(limits)
            axes.annotate("linear", (1, top), xycoords=axes.get_yaxis_transform(), xytext=(-2, -2), textcoords="offset points", ha="right", va="top",
                          fontsize=SMALLEST, color="#4d4d4d", zorder=1)


def mark_ends(figure):
    """A cross where the curve of a run ends before others of its diagram do; the name of the axis says what it is."""
    for axes in figure.axes:
        runs = [line for line in axes.lines if line.get_gid() == RUN]
        ends = [line.get_xdata()[-1] for line in runs]
        early = [line for line, end in zip(runs, ends) if end < 0.98 * max(ends)]
        for line in early:
            axes.plot(line.get_xdata()[-1:], line.get_ydata()[-1:], "x", color=line.get_color(), markersize=5, markeredgewidth=1.2, zorder=4)
        if early and axes.get_xlabel():
            axes.set_xlabel(f"{axes.get_xlabel()} (×: run ended)")


def refuse_small_type(figure, name):
    for text in figure.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text.get_fontsize() < SMALLEST:
            raise Fault(f"{name}: '{text.get_text()}' has type of {text.get_fontsize():g} pt; {SMALLEST} pt is the least that can be read in print")


def darken_text(figure):
    """Text in the color of what it speaks of, as dark as it must be to be read on white. (White text stands on what is dark.)"""
    for text in figure.findobj(Text):
        color = to_rgb(text.get_color())
        if color in PALE:
            text.set_color(next(dark for dark in ([share / 20 * part for part in color] for share in range(20, 0, -1)) if contrast(dark, "white") >= LEAST))


def drawn_on(figure):
    """The box around everything that is drawn, in inches; labels longer than their panel count in full."""
    labels = [text for axes in figure.axes for text in (axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts) if text.get_text().strip()]
    boxes = [text.get_window_extent().transformed(figure.dpi_scale_trans.inverted()) for text in labels]
    return Bbox.union([figure.get_tightbbox(figure.canvas.get_renderer()), *boxes])


def extent(figure, name):
    """The box that is saved, in inches: the whole width, and the height that is drawn on. Prints what reaches beyond the width."""
    drawn = drawn_on(figure)
    width = figure.get_figwidth()
    if drawn.x0 < -0.01 or drawn.x1 > width + 0.01:
        print(f"  {name}: {max(-drawn.x0, drawn.x1 - width):.2f} in are cut off at the {'left' if -drawn.x0 > drawn.x1 - width else 'right'}", file=sys.stderr)
    return Bbox.from_extents(0, drawn.y0 - MARGIN, width, drawn.y1 + MARGIN)


def prepared(figure, name):
    """Adds letters to a printed figure, wraps its titles, darkens text and checks it; returns the part to be saved. Of other figures, all that is drawn is saved."""
    if not printed(figure):
        return "tight"
    figure.set_dpi(pyplot.rcParams["savefig.dpi"])  # heights of lines are rounded to pixels
    letters(figure)
    say_linear(figure)
    mark_ends(figure)
    plain_powers(figure)
    wrap_titles(figure)
    refuse_small_type(figure, name)
    darken_text(figure)
    part = extent(figure, name)
    figure.set_layout_engine(None)  # saving a part would lay out that part anew
    return part
