"""Energy, overlap, memory and size of frames of five scenes over 10^5 steps."""

import glob
import os
import sys

import numpy as np

import panels
import style
from frame_ends import frame_ends

RUNS = (("cloth", "cloth under water", style.BLUE, "-"), ("tank", "tank", style.GREEN, "--"), ("ball", "ball on level ground", style.ORANGE, "-."),
        ("pile", "pile of particles", style.PURPLE, ":"), ("pyramid", "pyramid of particles", style.BLACK, (0, (4, 1, 1, 1, 1, 1))))
SMALLEST = 1e-7  # mJ: what is drawn at the lower edge


def energy_from_end(end):
    """How far the energy is from that at the end, mJ."""
    energy = np.sum([end[name] for name in ("kinetic", "elastic", "gravitational")], axis=0)
    return 1e3 * abs(energy - energy[-1])


def sizes(folder):
    """Of frames, MB."""
    return [os.path.getsize(path) / 1e6 for path in sorted(glob.glob(os.path.join(folder, "*.hdf")))]


def main(results, folder):
    figure, axes = panels.sheet(2, 2, 4.0, sharex=True)
    for run, label, color, line in RUNS:
        frames = os.path.join(results, run, "frames")
        end = frame_ends(frames)
        memory = style.table(os.path.join(results, run, "memory.csv"))
        look = {"color": color, "linestyle": line}
        axes[0, 0].semilogy(end["time"], energy_from_end(end).clip(SMALLEST), label=label, **look)
        if any(end["overlap_max"]):
            axes[0, 1].semilogy(end["time"], end["overlap_max"], **look)
        axes[1, 0].plot(memory["time"], [value / 1e6 for value in memory["memory_bytes"]], **look)
        axes[1, 1].plot(end["time"], sizes(frames)[1:], **look)
    axes[0, 0].set_ylabel("|E - E at the end|, mJ")
    axes[0, 1].set_ylabel("overlap / sum of radii")
    axes[1, 0].set_ylabel("memory, MB")
    axes[1, 1].set_ylabel("size of a frame, MB")
    for ax in axes[1]:
        ax.set_xlabel("time, s (a thousand steps each)")
        ax.set_ylim(bottom=0)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="upper center", ncol=len(RUNS), bbox_to_anchor=(0.5, 0.0))
    style.save(figure, folder, "long-runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
