"""Figure 11: the cloth from above, colored by meta-particle, and cut with the fluid on it; how it bends."""

import sys

import numpy as np
import panels
import style

# limit -> (label, color, line style)
LIMITS = {"unlimited": ("unlimited", style.RED, "-"), "64": ("64", style.ORANGE, "--"), "8-64": ("8 to 64", style.GREEN, "-."),
          "8": ("8", style.SKY, ":"), "4": ("4", style.PURPLE, (0, (6, 1, 1, 1, 1, 1)))}
RUNS = style.experiment(__file__)
FRAMES = (3, 16)  # impact, and lasting contact
PALETTE = (style.ORANGE, style.SKY, style.GREEN, style.YELLOW, style.BLUE, style.RED, style.PURPLE)
ALONE = "#d9d9d9"
BANDS = (1, 2, 4, 8, 16)
CONTACT = (0.05, 0.4)  # s


def particles(results, run, number):
    """All of a frame by id: x, y, z, and what else the section holds, as arrays."""
    data = style.section(results, run, number)
    order = np.argsort(np.array(data["id"]))
    arrays = {name: np.array(values)[order] for name, values in data.items()}
    return {**arrays, "x": arrays["u"], "y": arrays["v"], "z": -arrays["depth"]}


def group_colors(data, cloth):
    """A color for every particle of the cloth: neighbors of other meta-particles have other colors."""
    group = data["group"].astype(int)
    members = np.bincount(group)
    n = round(np.sqrt(np.count_nonzero(cloth)))
    grid, merged = group[cloth].reshape(n, n), (members[group[cloth]] > 1).reshape(n, n)
    beside = {}
    for dx, dy in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a, b = grid[:n - dx, max(-dy, 0):n - max(dy, 0)], grid[dx:, max(dy, 0):n + min(dy, 0)]
        for p, q in zip(a.ravel(), b.ravel()):
            if p != q:
                beside.setdefault(p, set()).add(q)
                beside.setdefault(q, set()).add(p)
    color = {}
    for g in sorted(set(grid[merged]), key=lambda g: -members[g]):
        taken = {color.get(other) for other in beside.get(g, ())}
        free = [k for k in range(len(PALETTE)) if k not in taken] or [0]
        color[g] = free[g % min(len(free), 4)]
    return [PALETTE[color[g]] if m else ALONE for g, m in zip(grid.ravel(), merged.ravel())]


def from_above(ax, data):
    cloth = data["body"] == "cloth"
    style.circles(ax, data["x"][cloth], data["y"][cloth], data["radius"][cloth], group_colors(data, cloth))
    half = 1.05 * data["x"][cloth].max() + data["radius"][cloth].max()
    ax.set_xlim(-half, half)
    ax.set_ylim(-half, half)


def cut(ax, data):
    """The middle row of the cloth, the fluid's layer beside it, and all that went through the cloth."""
    radius, beside = data["radius"], np.abs(data["y"])
    cloth, leaked = data["body"] == "cloth", (data["penetrated"] > 0) & (data["body"] != "cloth")
    layer = np.where(cloth, beside < 0.5 * radius, np.abs(data["y"] - radius) < radius)
    colors = np.where(leaked, style.RED, np.where(cloth, style.BLUE, style.SKY))
    rank = np.where(leaked, 2, np.where(cloth, 1, 0))
    order = [i for i in np.argsort(rank, kind="stable") if layer[i] or leaked[i]]
    style.circles(ax, data["x"][order], data["z"][order], radius[order], list(colors[order]))
    half = 1.05 * data["x"][cloth].max() + radius.max()
    ax.set_xlim(-half, half)
    ax.set_ylim(-0.4 * 2 * half, 0.42 * 2 * half)
    style.count_outside(ax, data["x"][order], data["z"][order], "lower right")


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
    for ax in axes[2:, 0]:
        ax.axis("off")
    axes[2, 0].text(0, 1, "above: the cloth alone,\na color per meta-particle,\ngrey: not merged\n\n"
                    "cut: cloth, fluid;\nred: all that got through", va="top", fontsize=7)
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
