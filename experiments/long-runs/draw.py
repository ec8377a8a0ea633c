"""Energy, overlap, memory and size of frames of five scenes over 10^5 steps."""

import glob
import os
import sys

import numpy as np

import panels
import style
from frame_ends import frame_ends

RUNS = {"cloth": (style.BLUE, "-"), "tank": (style.GREEN, "--"), "ball": (style.ORANGE, "-."), "pile": (style.PURPLE, ":"), "pyramid": (style.BLACK, (0, (4, 1, 1, 1, 1, 1)))}
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
    ends = {ax: {} for ax in axes.flat}

    def draw(ax, run, times, values):
        color, line = RUNS[run]
        ax.plot(times, values, color=color, linestyle=line)
        ends[ax][run] = times[-1], values[-1], color
    for run in RUNS:
        frames = os.path.join(results, run, "frames")
        end = frame_ends(frames)
        memory = style.table(os.path.join(results, run, "memory.csv"))
        draw(axes[0, 0], run, end["time"][:-1], energy_from_end(end)[:-1].clip(SMALLEST))
        if any(end["overlap_max"]):
            draw(axes[0, 1], run, end["time"], end["overlap_max"])
        draw(axes[1, 0], run, memory["time"], [value / 1e6 for value in memory["memory_bytes"]])
        draw(axes[1, 1], run, end["time"], sizes(frames)[1:])
    for ax in axes[0]:
        ax.set_yscale("log")
        low, high = ax.get_ylim()
        ax.set_yticks([tick for tick in (10.0 ** power for power in range(-8, 3, 2)) if low < tick < high])
        ax.minorticks_off()
    axes[0, 0].set_ylabel("|E - E at the end|, mJ")
    axes[0, 1].set_ylabel("overlap / sum of radii")
    axes[1, 0].set_ylabel("memory, MB")
    axes[1, 1].set_ylabel("size of a frame, MB")
    for ax in axes[1]:
        ax.set_xlabel("time, s (a thousand steps each)")
        ax.set_ylim(bottom=0)
    for ax, names in ends.items():
        panels.end_labels(ax, names)
    style.save(figure, folder, "long-runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
