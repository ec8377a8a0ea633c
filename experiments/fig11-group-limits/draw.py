"""Figure 11: the cloth from above, colored by the size of meta-particles, and cut with the fluid on it; how it bends."""

import sys

import numpy as np
import panels
import style

# limit -> (label, color, line style)
LIMITS = {"unlimited": ("unlimited", style.RED, "-"), "64": ("64", style.ORANGE, "--"), "8-64": ("8 to 64", style.GREEN, "-."),
          "8": ("8", style.SKY, ":"), "4": ("4", style.PURPLE, (0, (6, 1, 1, 1, 1, 1)))}
RUNS = style.experiment(__file__)
FRAMES = (3, 16)  # impact, and lasting contact
# members of a meta-particle, at most -> color: the darker the larger
SIZES = {1: "#d9d9d9", **dict(zip((4, 8, 64, np.inf), style.plt.get_cmap("viridis_r")((0.08, 0.4, 0.7, 1.0))))}
BANDS = (1, 2, 4, 8, 16)
CONTACT = (0.05, 0.4)  # s


def particles(results, run, number):
    """All of a frame by id: x, y, z, and what else the section holds, as arrays."""
    data = style.section(results, run, number)
    order = np.argsort(np.array(data["id"]))
    arrays = {name: np.array(values)[order] for name, values in data.items()}
    return {**arrays, "x": arrays["u"], "y": arrays["v"], "z": -arrays["depth"]}


def from_above(ax, data):
    """A square for each particle of the cloth, by the members of its meta-particle, those of fluid included; lines between meta-particles."""
    cloth, group = data["body"] == "cloth", data["group"].astype(int)
    members, n = np.bincount(group)[group[cloth]], round(np.sqrt(np.count_nonzero(cloth)))
    rank = np.searchsorted(list(SIZES), members).reshape(n, n).T
    label = np.where(members > 1, group[cloth], -1).reshape(n, n).T
    half = n * data["radius"][cloth][0]
    ax.imshow(rank, cmap=style.matplotlib.colors.ListedColormap(list(SIZES.values())), vmin=-0.5, vmax=len(SIZES) - 0.5, origin="lower",
              extent=(-half, half, -half, half), interpolation="nearest")
    style.borders(ax, label, -half, -half, 2 * half / n)
    style.frame_only(ax)


def cut(ax, data):
    """The middle row of the cloth, the layer of fluid beside it, and all that went through the cloth."""
    radius, beside = data["radius"], np.abs(data["y"])
    cloth, leaked = data["body"] == "cloth", (data["penetrated"] > 0) & (data["body"] != "cloth")
    layer = np.where(cloth, beside < 0.5 * radius, np.abs(data["y"] - radius) < radius)
    half = 1.05 * data["x"][cloth].max() + radius.max()
    style.draw_solids(ax, {**data, "v": data["z"]}, (-half, half, -0.6 * half, 0.84 * half), [(leaked, style.RED)], layer & ~leaked)


def key(ax):
    """What colors mean."""
    ax.axis("off")
    low = 0
    for number, (most, color) in enumerate(SIZES.items()):
        words = "not merged" if most == 1 else f"{low + 1} to {most}" if most < np.inf else f"more than {low}"
        ax.add_patch(style.plt.Rectangle((0, 0.86 - 0.15 * number), 0.12, 0.11, color=color, transform=ax.transAxes))
        ax.text(0.17, 0.91 - 0.15 * number, words, va="center", fontsize=7, transform=ax.transAxes)
        low = most
    ax.text(0, 1.02, "members of a\nmeta-particle", va="bottom", fontsize=7, transform=ax.transAxes)


def through(results, run, time):
    data = style.metrics(results, run)
    return data["penetrated"][np.argmin(np.abs(data["time"] - time))]


def pictures(results, folder):
    rows = 2 * len(FRAMES)
    figure, axes = panels.sheet(rows, 1 + len(LIMITS), 5.2)
    interval = style.setting(results, "unlimited-seed-1", "time.frame_interval")
    for (upper, lower), frame in zip(axes.reshape(-1, 2, 1 + len(LIMITS)), FRAMES):
        for above, below, limit in zip(upper[1:], lower[1:], LIMITS):
            run = f"{limit}-seed-1"
            data = particles(results, run, frame)
            from_above(above, data)
            cut(below, data)
            above.set_xlabel(f"largest here: {np.bincount(data['group'].astype(int)).max()}", fontsize=7)
            leaked = through(results, run, frame * interval)
            below.set_xlabel(f"{leaked:.0f} through" if leaked else "none through", fontsize=7,
                             color=style.RED if leaked else style.GREEN)
        upper[1].set_ylabel(f"from above, {frame * interval:g} s")
        lower[1].set_ylabel(f"cut, {frame * interval:g} s")
        panels.scale_bar(lower[1])
    for ax, (name, *_) in zip(axes[0, 1:], LIMITS.values()):
        ax.set_title(name if name == "unlimited" else f"at most {name}")
    data = particles(results, "unlimited-seed-1", 0)
    from_above(axes[0, 0], data)
    cut(axes[1, 0], data)
    panels.scale_bar(axes[1, 0])
    axes[0, 0].set_title("before")
    key(axes[2, 0])
    axes[3, 0].axis("off")
    axes[3, 0].text(0, 1, "cut: cloth, fluid;\nred: all that\ngot through", va="top", fontsize=7)
    style.save(figure, folder, "fig11-group-limits")


def spread(ax, x, rows, limit, **options):
    """The mean over seeds, and the range as a band."""
    rows, (name, color, line) = np.array(rows), LIMITS[limit]
    ax.plot(x, rows.mean(axis=0), color=color, linestyle=line, label=name, **options)
    ax.fill_between(x, rows.min(axis=0), rows.max(axis=0), color=color, alpha=0.25, linewidth=0)


def curves(results, folder):
    figure, axes = panels.sheet(1, 4, 2.3)
    for limit in LIMITS:
        runs = RUNS.sweep("{limit}-seed-{seed}", limit=limit)
        if limit in RUNS.axis("similar"):
            runs += RUNS.sweep("{similar}-seed-{more}", similar=limit)
        sheets = [style.spectrum(results, run, "cloth") for run in runs]
        frames = min(len(sheet["time"]) for sheet in sheets)
        time = sheets[0]["time"][:frames]
        spread(axes[0], time, [1e3 * sheet["rms"][:frames] for sheet in sheets], limit)
        during = (time >= CONTACT[0]) & (time <= CONTACT[1])
        bands = [[1e3 * np.sqrt(np.mean(sheet[f"rms_{band}"][:frames][during] ** 2)) for band in BANDS] for sheet in sheets]
        spread(axes[1], range(len(BANDS)), bands, limit, marker="o", markersize=3)
        largest, leaked = [], []
        for run in runs:
            data = style.metrics(results, run)
            largest.append(np.interp(time, data["time"], data["largest_group"]))
            leaked.append(np.interp(time, data["time"], data["penetrated"]))
        spread(axes[2], time, largest, limit)
        spread(axes[3], time, leaked, limit)
    axes[0].set_title("rms out of plane, mm")
    axes[1].set_title(f"the same by half-waves, {CONTACT[0]:g} s to {CONTACT[1]:g} s, mm")
    axes[1].set_xticks(range(len(BANDS)), [f"{band}–{2 * band}" for band in BANDS], fontsize=6.5)
    axes[1].set_xlabel("half-waves along an edge")
    axes[1].set_yscale("log")
    style.plain_ticks(axes[1].yaxis, (0.3, 1, 3, 10, 30))
    axes[2].set_title("members of the largest meta-particle")
    axes[2].set_yscale("log")
    style.plain_ticks(axes[2].yaxis, (1, 4, 8, 64, 1000))
    axes[3].set_title("particles that penetrated")
    axes[3].set_yscale("symlog", linthresh=1, linscale=0.4)
    style.plain_ticks(axes[3].yaxis, (0, 1, 3, 10, 30, 100))
    for ax in axes[[0, 2, 3]]:
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=5, bbox_to_anchor=(0.5, 0.0),
                  title="size limit of meta-particles; lines: mean over seeds, bands: their range", title_fontsize=7)
    style.save(figure, folder, "fig11-curves")


if __name__ == "__main__":
    pictures(*sys.argv[1:])
    curves(*sys.argv[1:])
