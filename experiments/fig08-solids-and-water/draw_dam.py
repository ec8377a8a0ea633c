"""Figure 8, middle: six instants, whole and cut open; the cracks of the face that is hit; bonds, pieces and speeds over time."""

import numpy as np
import panels
import style

RUN = "dam"
FRAMES = (9, 12, 16, 24, 36, 50)
FACES = (10, 16, 50)
DEBRIS = 3  # particles, as in docs/measures.md
FOOT = 0  # the fragment of the wall's foot, or of all of it


def seconds(results, frame):
    end, interval = style.setting(results, RUN, "time.end"), style.setting(results, RUN, "time.frame_interval")
    return f"{min(interval * frame, end):.2f} s"


def until_end(results, frames):
    """These frames of the run. At SCALE=paper it ends earlier, and the first of them that it does not have is the last one it has."""
    end, interval = style.setting(results, RUN, "time.end"), style.setting(results, RUN, "time.frame_interval")
    later = [frame for frame in frames if interval * frame > end]
    return [frame for frame in frames if frame not in later[1:]]


def sequence(results, folder):
    frames = until_end(results, FRAMES)
    columns = -(-len(frames) // 2)
    figure, axes = panels.sheet(4, columns, 18.4 / columns, height_ratios=(290, 250, 290, 250))
    for k, frame in enumerate(frames):
        row, column = 2 * (k // columns), k % columns
        style.view(axes[row, column], results, RUN, "dam-above", "fragment+water", frame, bar=column == 0)
        style.view(axes[row + 1, column], results, RUN, "dam-side", "fragment+water", frame, bar=column == 0)
        axes[row, column].set_title(seconds(results, frame))
    for ax, label in zip(axes[:, 0], 2 * ("whole", "cut open")):
        ax.set_ylabel(label)
    style.save(figure, folder, "fig08-dam-break-wall")


def moments(axes, data, numbers):
    """When water and wall meet, beside the line; when the wall breaks, above it, because curves are beside it."""
    meet, breaks = data["time"][np.argmax(data["contacts"] > 0)], numbers["through_crack_time"]
    look = {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points", "fontsize": panels.SMALLEST}
    axes.annotate("contact", (meet, 1), xytext=(-2, -2), rotation=90, ha="right", va="top", **look)
    if breaks is not None:
        axes.annotate("through-crack", (breaks, 1), xytext=(-2, 3), **look)
    for time in (meet, breaks):
        if time is not None:
            axes.axvline(time, color=style.BLACK, linestyle=":", linewidth=0.8)


def bonds(axes, data, numbers):
    axes.plot(data["time"], data["broken_bonds"], color=style.BLUE, label="broken bonds")
    axes.plot(data["time"], data["fragments"], color=style.RED, linestyle="--", label="fragments")
    axes.plot(data["time"], data["chunks"], color=style.GREEN, linestyle=":", label="of these, larger than debris")
    axes.set_yscale("log")
    axes.set_ylim(0.8, None)
    axes.set_ylabel("number")
    panels.legend_below(axes)
    moments(axes, data, numbers)


def speeds(axes, results):
    """Of the pieces that came off, and of the water."""
    water = style.body(results, RUN, "water")
    axes.plot(water["time"], water["velocity_x"], color=style.SKY, label="water, center of mass")
    rows = style.fragments(results, RUN, "wall")
    off = (rows["particles"] > DEBRIS) & (rows["fragment"] != FOOT)
    axes.scatter(rows["time"][off], rows["velocity_x"][off], s=0.4 * np.sqrt(rows["particles"][off]) + 1, color=style.RED, linewidths=0,
                 alpha=0.5, label="pieces of the wall")
    axes.set_ylabel("speed along channel, m/s")
    panels.legend_below(axes)


def measures(results, folder):
    figure, axes = panels.sheet(2, 3, 4.6, height_ratios=(1.2, 1))
    for ax, frame in zip(axes[0], until_end(results, FACES)):
        style.crack_map(ax, results, RUN, "front", frame)
        ax.set_title(seconds(results, frame))
    axes[0, 0].set_ylabel("face that is hit")
    style.damage_bar(figure, axes[0], aspect=25, pad=0.01)
    data, numbers = style.metrics(results, RUN), style.summary(results, RUN)
    bonds(axes[1, 0], data, numbers)
    speeds(axes[1, 1], results)
    axes[1, 2].plot(data["time"], data["overlap_depth"], color=style.BLUE, label="largest")
    axes[1, 2].plot(data["time"], 2 * data["overlap_mean"], color=style.RED, linestyle="--", label="mean over pairs")
    axes[1, 2].set_ylabel("overlap with water / radius")
    panels.legend_below(axes[1, 2])
    for ax in axes[1]:
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    for ax in axes[1, 2:]:
        ax.set_ylim(0)
    style.save(figure, folder, "fig08-dam-break-wall-measures")


def main(results, folder):
    sequence(results, folder)
    measures(results, folder)
