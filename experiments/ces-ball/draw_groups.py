"""Iterations of the solve for shape with meta-particles, with a factor and with a diagonal."""

import numpy as np
import panels
import style

WHO = {"alone": "nobody touched", "as-heavy": "a face, each with one other", "10-times": "... 10 times as heavy", "1000-times": "... 1000 times as heavy",
       "patches": "patches of 9 with 9 others", "cubes": "cubes of 8 with 8 others", "itself": "two faces with each other", "fixed": "a face on an obstacle"}


def groups(results, folder):
    values = style.measured(results)
    figure, axes = panels.sheet(1, 2, 2.6, sharey=True)
    rows = np.arange(len(WHO))
    for place, megapascals in zip(axes, (1, 100)):
        for shift, kind, label, color in ((-0.2, "factor", "factor", style.GREEN), (0.2, "diagonal", "diagonal", style.ORANGE)):
            bars = place.barh(rows + shift, [values[f"GROUPS.{who}.{kind}.{megapascals}"] for who in WHO], 0.4, color=color, label=label)
            place.bar_label(bars, fmt="%g", padding=1, fontsize=panels.SMALLEST)
        place.set(xlabel="iterations to 1e-6", title=f"{megapascals} MPa")
        place.margins(x=0.1)
    axes[0].set_yticks(rows, WHO.values())
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0), ncol=2)
    style.save(figure, folder, "ces-ball-groups")
