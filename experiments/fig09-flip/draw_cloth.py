"""Figure 9, top: six instants, cut through the middle and whole; what the cloth takes, and how the water crowds."""

import numpy as np
import panels
import style

RUN = "flip-cloth"
FRAMES = (4, 9, 15, 20, 26, 50)


def sequence(results, folder):
    rows = ("cloth-cut", "body+water", "cut through the middle"), ("cloth-whole", "body+water", "whole")
    figure, _ = style.instants(results, RUN, FRAMES, rows, (panels.PAGE, 6.6), blocks=2)
    style.save(figure, folder, "fig09-flip-cloth")


def curves(results, folder):
    data = style.metrics(results, RUN)
    water, cloth = (style.body(results, RUN, name) for name in ("water", "cloth"))
    figure, axes = panels.sheet(1, 3, 2.2)
    axes[0].plot(water["time"], water["mass"] * water["velocity_z"], color=style.SKY, label="water")
    axes[0].plot(cloth["time"], cloth["mass"] * cloth["velocity_z"], color=style.ORANGE, ls=":", label="cloth")
    axes[0].plot(data["time"], np.cumsum(data["support_impulse_z"]), color=style.GREEN, ls="-.", label="impulse of rim and tank")
    axes[0].plot(data["time"], -np.cumsum(data["gravity_impulse_z"]), color=style.GREY, ls="--", label="of the weight")
    axes[0].set_title("vertical momentum, kg m/s")
    axes[1].plot(data["time"], 1e3 * data["deflection"], color=style.ORANGE)
    axes[1].set_title("deflection of the cloth, mm")
    axes[1].set_ylim(0)
    axes[2].plot(data["time"], data["density_error_max"], color=style.BLUE, lw=0.6, ls="--", label="fullest cell")
    axes[2].plot(data["time"], data["density_error_mean"], color=style.SKY, label="mean over cells")
    axes[2].set_title("excess of fluid in a cell / what fits into it")
    axes[2].set_ylim(0)
    for ax in axes:
        ax.set_xlabel("time, s")
        ax.margins(x=0)
    panels.legend_below(axes[0])
    panels.legend_below(axes[2])
    style.save(figure, folder, "fig09-flip-cloth-curves")


def main(results, folder):
    sequence(results, folder)
    curves(results, folder)
