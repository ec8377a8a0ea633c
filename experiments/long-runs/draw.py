"""Energy, overlap, memory and size of frames of three scenes over 10^5 steps."""

import glob
import os
import sys

import numpy as np

import style
from frame_ends import frame_ends
from style import plt

RUNS = (("cloth", "cloth under water", style.BLUE), ("tank", "tank", style.GREEN), ("ball", "ball on level ground", style.ORANGE))


SMALLEST = 1e-7  # mJ: what is drawn at the lower edge


def energy_from_end(end):
    """How far the energy is from that at the end, mJ."""
    energy = np.sum([end[name] for name in ("kinetic", "elastic", "gravitational")], axis=0)
    return 1e3 * abs(energy - energy[-1])


def sizes(folder):
    """Of frames, MB."""
    return [os.path.getsize(path) / 1e6 for path in sorted(glob.glob(os.path.join(folder, "*.hdf")))]


def main(results, folder):
    figure, axes = plt.subplots(2, 2, figsize=(7.5, 5.0), sharex=True, constrained_layout=True)
    for run, label, color in RUNS:
        frames = os.path.join(results, run, "frames")
        end = frame_ends(frames)
        memory = style.table(os.path.join(results, run, "memory.csv"))
        axes[0, 0].semilogy(end["time"], energy_from_end(end).clip(SMALLEST), color=color, label=label)
        if any(end["overlap_max"]):
            axes[0, 1].semilogy(end["time"], end["overlap_max"], color=color)
        axes[1, 0].plot(memory["time"], [value / 1e6 for value in memory["memory_bytes"]], color=color)
        axes[1, 1].plot(end["time"], sizes(frames)[1:], color=color)
    axes[0, 0].set_ylabel("energy beyond that at the end, mJ")
    axes[0, 1].set_ylabel("largest overlap, of the sum of radii")
    axes[1, 0].set_ylabel("memory of the program, MB")
    axes[1, 1].set_ylabel("size of a frame, MB")
    for ax in axes[1]:
        ax.set_xlabel("time, s; a thousand steps each")
        ax.set_ylim(bottom=0)
    axes[0, 0].legend()
    style.save(figure, folder, "long-runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
