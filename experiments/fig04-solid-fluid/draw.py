"""Figure 4: cross-sections of all methods at two instants, and the surface of the fluid, cut open; penetration, energy and speed over time."""

import sys

import numpy as np
import panels
import style

METHODS = {**style.METHODS,
           "penalty-tuned": ("penalty, tuned", style.ORANGE, "--")}
RUNS = ("penalty-weak", "penalty-tuned", "penalty-strong", "sph-weak", "sph-strong", "impulse", "merging-and-splitting")
SHOWN = [run for run in RUNS if run != "penalty-tuned"]
FRAMES = (8, 30)
WINDOW = (-0.56, 0.56, -0.42, 0.3)
BEYOND = "#c4ccd2"  # fluid that went over the rim
TOO_FAST = 2  # times the speed that jet and gravity allow


def title(results, run):
    """The method and, if it has forces, their stiffness as a power of ten: weak and strong ones are decades apart."""
    method = style.setting(results, run, "contact.method")
    name = METHODS[run][0].replace("-and-", "-\nand-").replace(", ", ",\n")
    if method not in ("penalty", "sph"):
        return name
    decades = np.log10(style.setting(results, run, "contact.stiffness"))
    return f"{name}\n1e{decades:g} {'N/m' if method == 'penalty' else 'Pa'}"


def fates(results, run, frame):
    """(section, what of it is shown, {what became of fluid: which particles}): the cloth's middle row and the two layers of fluid beside it;
    of all layers, what is through the cloth and what is too fast."""
    data = {name: np.array(values) for name, values in style.section(results, run, frame).items()}
    cloth, beside = data["body"] == "cloth", np.abs(data["depth"])
    rim, radius = np.abs(data["u"][cloth]).max(), data["radius"]
    through = ~cloth & (data["penetrated"] > 0)
    fast = ~cloth & ~through & (data["speed"] > TOO_FAST * style.at_frame(results, run, frame, "speed_allowed"))
    over = ~cloth & ~through & (np.maximum(np.abs(data["u"]), beside) > rim + radius)
    layer = np.where(cloth, beside < 0.5 * radius, beside < 2 * radius)
    marked = {"over the rim": over, "through": through, "too fast": fast}
    return data, layer & ~over & ~through & ~fast, marked, over & layer


def verdict(results, run, frame, marked):
    """Lines below a panel, and their color: counts at that instant and, at the last one, what the whole run came to."""
    counts = {name: np.count_nonzero(of) for name, of in marked.items()}
    lines = [f"{counts['through'] or 'none'} through", f"{counts['over the rim'] or 'none'} over the rim"]
    lines += [f"{counts['too fast']} too fast"] if counts["too fast"] else []
    return "\n".join(lines), style.RED if counts["through"] or counts["too fast"] else style.GREEN


def cross_sections(results, folder):
    figure, axes = panels.sheet(len(FRAMES), len(SHOWN), 2.9)
    interval = style.setting(results, SHOWN[0], "time.frame_interval")
    for row, frame in zip(axes, FRAMES):
        for ax, run in zip(row, SHOWN):
            data, shown, marked, over = fates(results, run, frame)
            style.draw_solids(ax, data, WINDOW, [(over, BEYOND), (marked["through"], style.RED), (marked["too fast"], style.BLACK)], shown)
            if frame == FRAMES[0]:
                ax.set_title(title(results, run))
            words, color = verdict(results, run, frame, marked)
            ax.set_xlabel(words, color=color, fontsize=6.5)
        panels.scale_bar(row[0])
        row[0].set_ylabel(f"after {frame * interval:.2g} s")
    style.save(figure, folder, "fig04-cross-sections")


def surfaces(results, folder):
    figure, axes = panels.sheet(1, len(SHOWN), 1.7)
    interval = style.setting(results, SHOWN[0], "time.frame_interval")
    for ax, run in zip(axes, SHOWN):
        style.view(ax, results, run, "front", "body+fluid", FRAMES[-1], bar=ax is axes[0])
        ax.set_title(title(results, run))
        time = min(style.summary(results, run)["time"], FRAMES[-1] * interval)
        ax.set_xlabel(f"after {time:.2g} s")
    style.save(figure, folder, "fig04-surfaces")


def curves(results, folder):
    quantities = [
        ("particles that penetrated", lambda m, _: m["penetrated"], ("symlog", 1), (0, 1, 10, 100, 1000)),
        ("mechanical energy gained / kinetic energy at impact",
         lambda m, n: (m["energy"] - m["energy"][0] - m["energy_passed"]) / n["impact_kinetic"],
         ("linear", None), range(-4, 14, 2)),
        ("99.9th percentile of speed so far / speed allowed", lambda m, _: m["speed_ratio"], ("log", None),
         (1, 1.5, 2, 3, 5, 8, 20)),
    ]
    figure, axes = panels.sheet(1, len(quantities), 2.3)
    for ax, (quantity, value, (scale, linear), ticks) in zip(axes, quantities):
        for run in RUNS:
            name, color, line = METHODS[run]
            data, numbers = style.metrics(results, run), style.summary(results, run)
            style.method_curve(ax, data["time"], value(data, numbers), run, name, color, line)
        ax.set_yscale(scale, **({"linthresh": linear} if linear else {}))
        style.plain_ticks(ax.yaxis, ticks)
        ax.set_title(quantity)
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "fig04-curves")


def momentum(results, folder):
    """The vertical momentum that fluid and cloth gain or lose, by cause."""
    data = style.metrics(results, "merging-and-splitting")
    figure, ax = panels.sheet(1, 1, 2.4, panels.COLUMN)
    for name, label, color, line in (("support_impulse_z", "from the rim", style.BLUE, "-"),
                                     ("inlet_impulse_z", "from the jet", style.ORANGE, "-."),
                                     ("gravity_impulse_z", "gravity", style.GREY, ":")):
        ax.plot(data["time"], np.cumsum(data[name]), color=color, linestyle=line, label=label)
    change = data["momentum_z"] - data["momentum_z"][0]
    ax.plot(data["time"], change, color=style.BLACK, linestyle="--", label="fluid and cloth: sum")
    ax.set_xlabel("time, s")
    ax.set_ylabel("vertical momentum gained, N s")
    ax.margins(x=0)
    ax.legend(loc="upper center", bbox_to_anchor=(0.45, -0.22), ncol=2)
    style.save(figure, folder, "fig04-momentum")


if __name__ == "__main__":
    cross_sections(*sys.argv[1:])
    surfaces(*sys.argv[1:])
    curves(*sys.argv[1:])
    momentum(*sys.argv[1:])
