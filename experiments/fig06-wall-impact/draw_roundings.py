"""What runs that differ only in rounding have in common and what not."""

import panels
import style

COLUMNS = (("overlap_depth", "largest overlap / radius", 1.0), ("speed_max", "largest speed / impact speed", None),
           ("debris_fraction", "debris, % of the wall", 100.0))
RUNS = style.experiment(__file__)
STAGES = dict(zip(RUNS.axis("stages"), ((style.SKY, "-"), (style.BLACK, ":"))))


def roundings(results, folder):
    figure, axes = panels.sheet(1, len(COLUMNS), 2.3)
    for stages, (color, line) in STAGES.items():  # dark on light: they are told apart in grey, too
        for number, run in enumerate(RUNS.sweep("stages-{stages}-{aside}", stages=stages)):
            data, impact = style.metrics(results, run), style.summary(results, run)["impact_speed"]
            for ax, (column, _, scale) in zip(axes, COLUMNS):
                ax.plot(1e3 * data["time"], data[column] * (scale or 1.0 / impact), color=color, linestyle=line, alpha=0.7, linewidth=0.8,
                        label=f"{stages} stages" if number == 0 else None)
    for ax, (_, title, _) in zip(axes, COLUMNS):
        ax.set_ylabel(title)
        ax.set_xlabel("time, ms")
        ax.margins(x=0)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", ncol=len(STAGES), bbox_to_anchor=(0.5, 0.0))
    axes[0].axhline(0.25, color=style.GREY, linestyle=":", linewidth=0.8)
    for ax in axes:
        ax.set_ylim(0)
    style.save(figure, folder, "fig06-roundings")
