"""usage: scaling.py BUILD FOLDER MOST: time and memory of a step against the number of particles and of threads.

Cubes of 10^4 to MOST particles, with one thread and with all cores:
  SPH, FLIP     a cube of fluid, shaken, falls: the first stage
  bonds         a cube of peridynamic bonds to three spacings that widens: the first stage, implicit, per iteration
  contact       the cube of SPH lies on a cloth: detection, merging, synchronizing and splitting
  write, read   a frame of the cube of SPH (read: and compared with itself)
Prints a table and writes FOLDER/scaling.csv, scaling.png and scaling.pdf. Of six steps, the median of the last five counts.
A point is marked if other programs were at work (scripts/timings.py). A cube that does not fit in memory is left out, and
told. The last column is the growth of the cost per particle from the smallest cube to the largest.
"""

import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from arithmetic import Fault
from timings import Timing, record, rows_read

RADIUS, STEP, STEPS = 0.01, 5e-4, 6
EDGES = (22, 32, 46, 68, 100, 147, 187)  # 10 648 to 6 539 203 particles
# kind -> what counts of a step, in columns of Table 1
KINDS = {"SPH": ("stage 1",), "FLIP": ("stage 1",), "bonds": ("stage 1",), "contact": ("detection", "merging", "splitting")}
COLUMNS = ["kind", "particles", "threads", "ns_per_particle", "memory_bytes_per_particle", "disturbed"]


def scene(kind, edge):
    """A cube of edge^3 particles."""
    size = 2 * RADIUS * edge
    material = {"FLIP": "{model: flip}", "bonds": "{model: peridynamics, stiffness: 100, horizon: 3}"}.get(kind, "{model: fluid, pressure: 1e4, viscosity: 1e-2}")
    motion = "velocity_gradient: {vx: [1, 0, 0], vy: [0, 1, 0], vz: [0, 0, 1]}" if kind == "bonds" else "jitter: 0.1, velocity: [0, 0, -1]"
    lines = ["name: scaling", f"time: {{end: 1, max_step: {STEP}, frame_interval: {STEP}}}", "contact: {method: merging-and-splitting}", "materials:",
             f"  cube: {material}", "  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400, bend_stiffness: 20}", "bodies:",
             f"  cube: {{material: cube, radius: {RADIUS}, density: 1000, {motion}, shape: {{box: {{size: [{size}, {size}, {size}]}}}}}}"]
    if kind == "contact":
        lines.append(f"  cloth: {{material: cloth, radius: {RADIUS}, density: 1000, fixed: rim, position: [0.003, 0.004, {-size / 2 - 1.3 * RADIUS}], "
                     f"shape: {{sheet: {{cells: [{edge + 8}, {edge + 8}]}}}}}}")
    return "\n".join(lines) + "\n"


def run(build, program, *words, threads=1):
    """Whether it ran; False if it did not fit in memory."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = subprocess.run([f"{build}/{program}", *words], env=environment, text=True, capture_output=True)
    if done.returncode == 0:
        return True
    if "GB are available" in done.stderr:
        print(f"# {done.stderr.strip()}")
        return False
    raise Fault(f"{program} {' '.join(words)}: {done.stderr.strip()}")


def timed(build, folder, threads):
    """Six steps from the start; None if they do not fit in memory."""
    out = f"{folder}/steps-{threads}"
    initial = f"{folder}/initial.hdf"
    if not run(build, "ms-simulate", initial, "--from", initial, "--steps", str(STEPS), "-o", out, "-q", threads=threads):
        return None
    return Timing(record(out, "initial.hdf"), rows_read(f"{out}/steps.csv")[1:])


def steps_row(kind, timing):
    per_step = [sum(values) for values in zip(*(timing.times(column) for column in KINDS[kind]))]
    if kind == "bonds":
        per_step = [t / row["iterations_first"] for t, row in zip(per_step, timing.rows)]
    record = timing.record
    return [kind, record["particles"], record["threads"], 1e9 * statistics.median(per_step) / record["particles"],
            record["peak_memory_bytes"] / record["particles"], int(bool(timing.disturbed()))]


def frame_rows(build, folder, threads, disturbed):
    """One step with a frame at its end, and the check of that frame's sum."""
    out = f"{folder}/run-{threads}"
    run(build, "ms-simulate", f"{folder}/initial.hdf", "-o", out, "-q", "--until", str(STEP), threads=threads)
    with open(f"{out}/timing.csv", encoding="utf-8", newline="") as file:
        written = next(csv.DictReader(file))
    with open(f"{out}/manifest.json", encoding="utf-8") as file:
        memory = json.load(file)["peak_memory_bytes"]
    particles = int(written["particles"])
    frame = f"{out}/frames/000001.hdf"
    begin = time.monotonic()
    run(build, "ms-analyze", "--compare", frame, frame, threads=threads)
    read = (time.monotonic() - begin) / 2
    for kind, seconds in (("write", float(written["frames_s"])), ("read", read)):
        yield [kind, particles, threads, 1e9 * seconds / particles, memory / particles, disturbed]


def measure(build, most, threads):
    for kind in KINDS:
        for edge in (edge for edge in EDGES if edge ** 3 <= most):
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/scene.yaml", "w", encoding="utf-8") as file:
                    file.write(scene(kind, edge))
                if not run(build, "ms-sample", "-q", "-c", f"{folder}/scene.yaml", "-o", f"{folder}/initial.hdf"):
                    continue
                for n in threads:
                    timing = timed(build, folder, n)
                    if timing:
                        yield steps_row(kind, timing)
                    if timing and kind == "SPH":
                        yield from frame_rows(build, folder, n, int(bool(timing.disturbed())))


# ---- outputs -----------------------------------------------------------------------------------

def table(rows):
    """A line for each kind and number of threads: cost and memory by size, and the growth of the cost."""
    sizes = sorted({row[1] for row in rows if row[0] != "contact"})
    print(f"{'ns per particle and step':28s}" + "".join(f"{size:>11,d}" for size in sizes).replace(",", " ") + f"{'growth':>9s}")
    for kind in dict.fromkeys(row[0] for row in rows):
        for threads in sorted({row[2] for row in rows}):
            found = sorted((row for row in rows if row[0] == kind and row[2] == threads), key=lambda row: row[1])
            cells = "".join(f"{row[3]:10.1f}{'*' if row[5] else ' '}" for row in found)
            if found:
                print(f"{kind + (' per iteration' if kind == 'bonds' else '') + f', {threads} threads':28s}{cells:{11 * len(sizes)}s}{found[-1][3] / found[0][3]:8.2f}x")
    if any(row[5] for row in rows):
        print("* other programs were at work")
    for kind in KINDS:
        found = [row for row in rows if row[0] == kind]
        if found:
            print(f"memory, {kind}: {found[-1][4]:.0f} bytes per particle, everything included, at {found[-1][1]} particles")


def picture(rows, folder):
    import style  # only now: it needs matplotlib
    plt = style.plt
    colors = {"SPH": style.SKY, "FLIP": style.BLUE, "bonds": style.ORANGE, "contact": style.GREEN, "write": style.PURPLE, "read": style.GREY}
    labels = {"bonds": "bonds, per iteration", "contact": "detection, merging, splitting", "write": "writing a frame", "read": "reading a frame"}
    figure, axes = plt.subplots(1, 3, figsize=(8.4, 3.1), width_ratios=(1, 1, 0.52), constrained_layout=True)
    threads = sorted({row[2] for row in rows})
    for kind in dict.fromkeys(row[0] for row in rows):
        for n in threads:
            found = sorted((row for row in rows if row[0] == kind and row[2] == n), key=lambda row: row[1])
            axes[0].plot([row[1] for row in found], [row[3] for row in found], color=colors[kind], linestyle="-" if n == threads[-1] else ":", linewidth=1)
            for row in found:
                axes[0].plot(row[1], row[3], "o", markersize=3.5, color=colors[kind], markerfacecolor="white" if row[5] else colors[kind])
            if kind in KINDS and n == threads[-1]:
                axes[1].plot([row[1] for row in found], [row[4] for row in found], "-o", color=colors[kind], markersize=3.5, linewidth=1)
        axes[2].plot([], [], color=colors[kind], label=labels.get(kind, kind))
    for n in threads:
        axes[2].plot([], [], color="black", linestyle="-" if n == threads[-1] else ":", label=f"{n} thread{'s' if n > 1 else ''}")
    if any(row[5] for row in rows):
        axes[2].plot([], [], "o", color="black", markerfacecolor="white", markersize=3.5, label="other programs\nwere at work")
    for ax, title in zip(axes, ("time, ns per particle and step", "memory of the whole program,\nbytes per particle")):
        ax.set_xscale("log")
        ax.set_yscale("log")
        style.plain_ticks(ax.xaxis, [1e4, 1e5, 1e6, 1e7])
        ax.set_xlim(7e3, 1.2 * max(row[1] for row in rows))
        ax.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}".replace(",", " "))
        ax.set_xlabel("particles")
        ax.set_title(title)
    style.plain_ticks(axes[0].yaxis, [a * 10 ** k for k in range(0, 6) for a in (1, 3)])
    style.plain_ticks(axes[1].yaxis, [200, 300, 500, 1000, 2000, 3000, 5000])
    axes[2].set_axis_off()
    axes[2].legend(loc="center left", bbox_to_anchor=(-0.1, 0.5))
    style.save(figure, folder, "scaling")


def main():
    if len(sys.argv) != 4 or not sys.argv[3].isdigit() or int(sys.argv[3]) < EDGES[0] ** 3:
        raise Fault(f"{__doc__}\nMOST is at least {EDGES[0] ** 3}")
    build, folder, most = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.makedirs(folder, exist_ok=True)
    rows = []
    with open(os.path.join(folder, "scaling.csv.new"), "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(COLUMNS)
        for row in measure(build, most, sorted({1, os.cpu_count()})):
            rows.append(row)
            out.writerow([*row[:3], f"{row[3]:.6g}", f"{row[4]:.6g}", row[5]])
            file.flush()
    os.replace(os.path.join(folder, "scaling.csv.new"), os.path.join(folder, "scaling.csv"))
    table(rows)
    picture(rows, folder)


if __name__ == "__main__":
    try:
        main()
    except (Fault, OSError) as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
