"""One look for all pictures: of experiments (scripts/style.py) and of notebooks. Needs matplotlib.

    figure, axes = drawing.plt.subplots()
    drawing.curves(axes, run, "kinetic", "elastic")
    drawing.particles(axes, run.frames[4])
    drawing.save(figure, "pictures", "energy")

Colors (colors.json): Okabe and Ito's palette, told apart by people with every form of color vision.
"""

import json
import logging
import os

try:
    import matplotlib
    import matplotlib.pyplot as plt
except ImportError:
    from .faults import Fault
    raise Fault("matplotlib is not installed (Debian: python3-matplotlib); nothing can be drawn without it") from None
import numpy as np
from matplotlib.collections import EllipseCollection

from .faults import Fault

with open(os.path.join(os.path.dirname(__file__), "colors.json"), encoding="utf-8") as file:
    _COLORS = json.load(file)
PALETTE = BLACK, ORANGE, SKY, GREEN, YELLOW, BLUE, RED, PURPLE, GREY = tuple(_COLORS["palette"].values())
BODIES = {body: _COLORS["palette"][color] for body, color in _COLORS["bodies"].items()}
OTHERS = tuple(_COLORS["palette"][color] for color in _COLORS["others"])  # bodies of other names, in the order of the frame

LOOK = {
    "font.family": "DejaVu Sans", "font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8,
    "legend.fontsize": 7, "xtick.labelsize": 7, "ytick.labelsize": 7, "axes.linewidth": 0.6,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "lines.linewidth": 1.2,
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "savefig.dpi": 200, "pdf.fonttype": 42, "path.simplify": True, "figure.facecolor": "white",
}
matplotlib.rcParams.update(LOOK)
logging.getLogger("fontTools").setLevel(logging.ERROR)  # it warns of the date of fonts in pictures without dates


def save(figure, folder, name, part="tight", dots=LOOK["savefig.dpi"]):
    """Saves PDF and PNG without dates or versions, so that the same picture has the same bytes. part: a box of the figure in inches, or
    "tight" for all that is drawn; dots: per inch, of images in the PDF."""
    figure.savefig(os.path.join(folder, name + ".pdf"), dpi=dots, bbox_inches=part, metadata={"CreationDate": None, "Producer": None, "Creator": None})
    figure.savefig(os.path.join(folder, name + ".png"), bbox_inches=part, metadata={"Software": None})
    plt.close(figure)


def frame_only(axes):
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(True)
        spine.set_color("#cccccc")


def circles(axes, u, v, radius, colors):
    """Particles as circles of their true radius; those that come later are in front. Equal circles are one path, used many times."""
    radii = np.asarray(radius)
    if np.all(radii == radii[:1]):
        radii = radii[:1]
    axes.add_collection(EllipseCollection(
        2 * radii, 2 * radii, np.zeros_like(radii), units="xy", offsets=np.column_stack([u, v]),
        transOffset=axes.transData, facecolors=colors, edgecolors="white", linewidths=0.15, clip_on=True))
    axes.set_aspect("equal")
    frame_only(axes)


def curves(axes, run, *columns, **style):
    """Columns of metrics against time, with their unit; they must have the same."""
    metrics, units = run.metrics, run.units
    for name in columns:
        if name not in units:
            raise Fault(f"{run.folder}: metrics have no column '{name}'; ms-analyze --fields lists them")
        axes.plot(np.asarray(metrics["time"]), np.asarray(metrics[name]), label=name, **style)
    chosen = sorted({units[name] for name in columns})
    if len(chosen) != 1:
        raise Fault(f"curves of one picture have one unit, but these are in {', '.join(chosen) or 'none'}")
    axes.set_xlabel("time, s")
    axes.set_ylabel(columns[0] if len(columns) == 1 else "")
    axes.set_ylabel(f"{axes.get_ylabel()}, {chosen[0]}".lstrip(", "))
    if len(columns) > 1:
        axes.legend()


def body_colors(bodies):
    """The color of each body of a frame, by its name or, if that has none, by its place in the frame."""
    return [BODIES.get(name, OTHERS[number % len(OTHERS)]) for number, name in enumerate(bodies)]


def particles(axes, frame, towards=(0.35, -1.0, 0.45)):
    """All particles of a frame that take part, by body, as seen from far away in the direction `towards` (as ms-render-prep
    sees them), z upwards."""
    depth = np.array(towards, dtype=float) / np.linalg.norm(towards)
    right = np.cross([0.0, 0.0, 1.0], depth)
    if np.linalg.norm(right) < 1e-12:
        right = np.array([1.0, 0.0, 0.0])  # from above
    right /= np.linalg.norm(right)
    up = np.cross(depth, right)
    seen = frame.here & np.all(np.isfinite(frame["position"]), axis=1)
    position, radius = frame["position"][seen], frame["radius"][seen]
    order = np.argsort(position @ depth, kind="stable")
    colors = np.array(body_colors(frame.bodies))[frame["body"][seen]][order]
    circles(axes, (position @ right)[order], (position @ up)[order], radius[order], colors)
    axes.autoscale_view()
    axes.set_title(f"{frame.time:g} s")
