"""usage: bench.py BUILD [REPEATS]: what a time step costs.

Solids: the first 0.1 s of Figure 3 after the ball's impact from 0.2 m, with one thread, and the first steps of Figure 6
at the paper's size, with two threads. Fluids: a few steps of cubes of 97 336 and of a million particles, with one and with two threads
(tests/bench/bench_fluid.c). FLIP: the same for tanks of 125 000 and of a million particles (tests/bench/bench_flip.c); incompressible
SPH: for one of 97 336 (tests/bench/bench_dfsph.c).
Explicit bonds: the same for a cube of 97 336 particles (tests/bench/bench_bonds.c).
Links: a few steps of heaps of loose particles with 10^2 to 10^4 contacts in one component, with one thread
(tests/bench/bench_links.c).
Factored systems: beams of 4 000 to 32 000 particles of corotated solids (tests/bench/bench_prefactored.c), and 20 steps of
the same beams in the scene of ces-tables, with one and with two threads.
Skins: a mesh of 16 000 vertices that follows 32 000 particles (tests/bench/bench_skin.c).
Position-based steps: 1000 rigid bodies of 44 particles, a block of 74 088 grains, a sheet of 40 000 particles
(tests/bench/bench_positions.c), with one and with two threads.
Bodies: 100, 1000 and 5000 of them, in pairs that meet; and 10^4, 10^5 and 10^6 steps of two particles, in one frame: what
programs take of CPU time and memory, with one thread. Costs that grow with the square show here. Steps of bodies are timed
one by one, because reading and writing the configuration of a body takes as long as tens of its steps.
A row gives the smallest and the median value of all repeats, and the aim if there is one; the machine and its load are
printed first. A repeat that got less than 90 % of its cores counts as disturbed.
"""

import csv
import glob
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from timings import rows_read

METHOD = ["--config", "configs/methods/merging-and-splitting.yaml"]
CLOTH = ["--config", "experiments/fig03-solid-solid/scene.yaml", *METHOD,
         "--set", "time.end=0.1", "--set", "time.frame_interval=0.1"]
WALL = ["--config", "experiments/fig06-wall-impact/scene.yaml",
        "--config", "experiments/fig06-wall-impact/scene.paper.yaml", *METHOD,
        "--set", "time.end=2.4e-4", "--set", "time.frame_interval=2.4e-4"]


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"


def spawned(build, program, *arguments, threads=1):
    """(usage, seconds passed) of a program of ours."""
    before = time.monotonic()
    pid = os.posix_spawn(f"{build}/{program}", [program, *arguments], dict(os.environ, OMP_NUM_THREADS=str(threads)))
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{program} failed")
    return usage, time.monotonic() - before


def simulate(build, folder, threads):
    """(row, fraction): the row of timing.csv with iterations, steps with a second stage, peak memory in bytes and size of the
    frames added, and the fraction of its cores that the run got."""
    usage, wall = spawned(build, "ms-simulate", f"{folder}/initial.hdf", "-o", f"{folder}/run", "--quiet", threads=threads)
    subprocess.run([f"{build}/ms-analyze", f"{folder}/run", "--quiet", "-o", f"{folder}/run"], check=True)
    with open(f"{folder}/run/timing.csv", encoding="utf-8") as file:
        t = {name: float(value) for name, value in next(csv.DictReader(file)).items()}
    with open(f"{folder}/run/metrics.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with open(f"{folder}/run/manifest.json", encoding="utf-8") as file:
        t["memory"] = json.load(file)["peak_memory_bytes"]
    t["first"], t["later"] = (sum(float(row[name]) for row in rows) for name in ("iterations_first", "iterations_later"))
    t["later_steps"] = sum(float(row["stages"]) > 1 for row in rows)
    t["output"] = sum(os.path.getsize(f) for f in glob.glob(f"{folder}/run/frames/*.hdf"))
    t["cpu"] = usage.ru_utime + usage.ru_stime
    t["total"] = sum(value for name, value in t.items() if name.endswith("_s") and name != "preparing_s")
    # only of the steps that had a second stage
    t["later_over_first"] = t["later_stages_s"] / max(t["first_stage_s"] * t["later_steps"] / t["steps"], 1e-300)
    return t, (usage.ru_utime + usage.ru_stime) / wall / threads


def run_scene(build, scene, threads):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([f"{build}/ms-sample", *scene, "-o", f"{folder}/initial.hdf"], check=True,
                       stdout=subprocess.DEVNULL)
        os.mkdir(f"{folder}/run")
        os.symlink(f"{folder}/initial.hdf", f"{folder}/run/initial.hdf")
        return simulate(build, folder, threads)


def cloth_row(t):
    contact = t["merging_s"] + t["synchronizing_s"] + t["splitting_s"]
    particle_steps = t["particles"] * t["steps"]
    return {
        ("time step", "ms", None): 1e3 * t["total"] / t["steps"],
        ("stage per bond and iteration", "ns", None):
            1e9 * (t["first_stage_s"] + t["later_stages_s"]) / (t["bonds"] * (t["first"] + t["later"])),
        ("iterations per step, first stage", "", None): t["first"] / t["steps"],
        ("iterations per step, later stages", "", None): t["later"] / max(t["later_steps"], 1),
        ("search of neighbors per particle", "ns", None): 1e9 * t["detection_s"] / particle_steps,
        ("merging and splitting per particle", "ns", None): 1e9 * contact / particle_steps,
        ("fraction of merging and splitting", "%", "< 3"): 100 * contact / t["total"],
        ("fraction of search, merging and splitting", "%", None): 100 * (contact + t["detection_s"]) / t["total"],
        ("stage 2 over stage 1", "", "< 0.6"): t["later_over_first"],
        ("peak memory per particle", "bytes", None): t["memory"] / t["particles"],
        ("peak memory per bond", "bytes", None): t["memory"] / t["bonds"],
        ("frame per particle", "bytes", None): t["output"] / 2 / t["particles"],
    }


def wall_row(t):
    allowed = 40 * t["bonds"] + 600 * t["particles"]
    return {
        ("time step", "s", "< 3.5"): t["total"] / t["steps"],
        ("stage 1", "s", None): t["first_stage_s"] / t["steps"],
        ("stage 1 per bond and iteration", "ns", None): 1e9 * t["first_stage_s"] / (t["bonds"] * t["first"]),
        ("stage 2 over stage 1", "", "< 0.5"): t["later_over_first"],
        ("iterations, first stage", "", None): t["first"] / t["steps"],
        ("iterations, second stage", "", None): t["later"] / max(t["later_steps"], 1),
        ("all but the stages", "s", None): (t["total"] - t["first_stage_s"] - t["later_stages_s"]) / t["steps"],
        ("peak memory per particle", "bytes", None): t["memory"] / t["particles"],
        ("peak memory per bond", "bytes", None): t["memory"] / t["bonds"],
        ("memory over 40 a bond and 600 a particle", "", "< 1"): t["memory"] / allowed,
    }


def table(title, results, fractions):
    disturbed = sum(fraction < 0.9 for fraction in fractions)
    print(f"\n{title}, {len(results)} repeats" + (f", {disturbed} of them disturbed by other work" if disturbed else ""))
    print(f"{'':40s}{'smallest':>12s}{'median':>12s}  {'unit':6s} aim")
    for name, unit, aim in results[0]:
        values = [result[name, unit, aim] for result in results]
        print(f"{name:40s}{min(values):12.4g}{statistics.median(values):12.4g}  {unit:6s} {aim or ''}".rstrip())


def repeated(build, scene, threads, row, repeats):
    """(timing of the last run, rows, fractions)."""
    results, fractions = [], []
    for _ in range(repeats):
        t, fraction = run_scene(build, scene, threads)
        results.append(row(t))
        fractions.append(fraction)
    return t, results, fractions


def bench_cloth(build, repeats):
    t, results, fractions = repeated(build, CLOTH, 1, cloth_row, repeats)
    table(f"Figure 3: {t['particles']:.0f} particles, {t['bonds']:.0f} bonds, 1 thread", results, fractions)


def bench_wall(build, repeats):
    t, results, fractions = repeated(build, WALL, 2, wall_row, repeats)
    table(f"Figure 6: {t['particles']:.0f} particles, {2 * t['bonds'] / t['particles']:.1f} bonds each, "
          f"{t['steps']:.0f} steps from the impact, 2 threads", results, fractions)


def cube_steps(build, program, edge, steps, threads):
    """(values, fraction): what bench_fluid or bench_bonds prints, and the fraction of a core that it got."""
    before, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([f"{build}/tests/{program}.t", *str(edge).split(), *str(steps).split()], check=True, text=True,
                            stdout=subprocess.PIPE, env=dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive",
                                                             GOMP_SPINCOUNT="1000")).stdout
    wall, after = time.monotonic() - before, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return {name: float(value) for name, value in map(str.split, output.splitlines())}, cpu / wall


def bench_fluid(build, edge, steps, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_fluid", edge, steps, 1)
        two, _ = cube_steps(build, "bench_fluid", edge, steps, 2)
        pairs = one["neighbors"] / 2
        rest = one["evaluation"] - one["search"]
        results.append({
            ("time step per particle", "ns", "< 650"): one["step"],
            ("search of neighbors per particle", "ns", None): one["search"],
            ("density and forces per particle", "ns", None): rest,
            ("time step per neighbor pair", "ns", None): one["step"] / pairs,
            ("density and forces per neighbor pair", "ns", None): rest / pairs,
            ("stage 2 over stage 1", "%", "< 15"): 100 * one["stage"] / (one["evaluation"] + one["stage"]),
            ("time step with 2 threads per particle", "ns", None): two["step"],
            ("2 threads: times as fast", "", "> 1.8"): one["step"] / two["step"],
            ("peak memory per particle", "bytes", "< 400"): one["memory"],
        })
        fractions.append(fraction)
    table(f"fluid: {one['particles']:.0f} particles, {one['neighbors']:.1f} neighbors each", results, fractions)


def bench_dfsph(build, edge, steps, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_dfsph", edge, steps, 1)
        two, _ = cube_steps(build, "bench_dfsph", edge, steps, 2)
        results.append({
            ("time step per particle", "ns", None): one["step"],
            ("neighbors and compressions per particle", "ns", None): one["find"],
            ("masses and diagonal per particle", "ns", None): one["join"],
            ("product per particle", "ns", None): one["product"],
            ("product over neighbors and compressions", "", "< 1.5"): one["product"] / one["find"],
            ("products for velocities", "", None): one["velocity_products"],
            ("products for the density", "", None): one["density_products"],
            ("product with 2 threads per particle", "ns", None): two["product"],
            ("2 threads: times as fast", "", "> 1.7"): one["step"] / two["step"],
            ("peak memory per particle", "bytes", "< 440"): one["memory"],
        })
        fractions.append(fraction)
    table(f"incompressible SPH: {one['particles']:.0f} particles, {one['neighbors']:.1f} neighbors each", results, fractions)


def bench_flip(build, edge, steps, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_flip", edge, steps, 1)
        two, _ = cube_steps(build, "bench_flip", edge, steps, 2)
        first = one["prepare"] + one["stage"]
        results.append({
            ("time step per particle", "ns", "< 400"): one["step"],
            ("sorting and volumes per particle", "ns", None): one["prepare"],
            ("from particles to faces, and back", "ns", None): one["deposit"] + one["read"],
            ("pressure, its matrix and groups", "ns", None): one["matrix"] + one["pressure"],
            ("... per cell with pressure", "ns", None): (one["matrix"] + one["pressure"]) * one["particles"] / one["cells"],
            ("iterations", "", "<= 20"): one["iterations"],
            ("fraction of transfers", "%", None): 100 * (one["deposit"] + one["read"]) / one["step"],
            ("fraction of pressure, matrix and groups", "%", None): 100 * (one["matrix"] + one["pressure"]) / one["step"],
            ("stage 2 over stage 1", "", "< 0.5"): one["later"] / first,
            ("time step with 2 threads per particle", "ns", None): two["step"],
            ("2 threads: times as fast", "", "> 1.7"): one["step"] / two["step"],
            ("peak memory per particle", "bytes", None): one["memory"],
        })
        fractions.append(fraction)
    table(f"FLIP: {one['particles']:.0f} particles, {one['cells']:.0f} cells with pressure", results, fractions)


def bench_bonds(build, edge, steps, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_bonds", edge, steps, 1)
        two, _ = cube_steps(build, "bench_bonds", edge, steps, 2)
        bonds = one["bonds"] / 2
        results.append({
            ("time step per particle", "ns", "< 600"): one["step"],
            ("time step per bond", "ns", None): one["step"] / bonds,
            ("evaluation of all bonds per particle", "ns", None): one["evaluation"],
            ("evaluation per bond", "ns", None): one["evaluation"] / bonds,
            ("one stage per particle", "ns", None): one["stage"],
            ("CPU time of a step per particle", "ns", None): one["cpu"],
            ("time step with 2 threads per particle", "ns", None): two["step"],
            ("time step with 2 threads per bond", "ns", None): two["step"] / bonds,
            ("2 threads: times as fast", "", None): one["step"] / two["step"],
            ("peak memory per particle", "bytes", None): one["memory"],
        })
        fractions.append(fraction)
    table(f"explicit bonds: {one['particles']:.0f} particles, {one['bonds']:.1f} bonds each", results, fractions)


def bench_links(build, edge, steps, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_links", edge, steps, 1)
        results.append({
            ("time step per link", "ns", None): one["step"],
            ("merging and integration per link", "ns", None): one["solution"],
            ("fraction of links that are loaded", "%", None): 100 * one["loaded"],
            ("stages per step", "", "< 2.5"): one["stages"],
            ("peak memory per link", "bytes", None): one["memory"],
        })
        fractions.append(fraction)
    table(f"links: {one['links']:.0f} of them in one component", results, fractions)


def bench_prefactored(build, length, width, aims, repeats):
    """aims: of setting up with 2 threads, s, and of peak memory, MiB."""
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_prefactored", f"{length} {width}", 50, 1)
        two, _ = cube_steps(build, "bench_prefactored", f"{length} {width}", 50, 2)
        results.append({
            ("rest quantities and matrix, 2 threads", "s", None): two["rest"] + two["matrix"],
            ("order of elimination", "s", None): two["order"],
            ("factor, 2 threads", "s", None): two["factor"],
            ("all of these, 2 threads", "s", f"< {aims[0]}"): two["set_up"],
            ("all of these, 1 thread", "s", None): one["set_up"],
            ("solution of 3 right sides, 1 thread", "ms", None): 1e3 * one["solve"],
            ("solution of 3 right sides, 2 threads", "ms", None): 1e3 * two["solve"],
            ("reads panels, of a copy's bandwidth", "%", "> 60" if width > 13 else None): 100 * two["stream"] / two["copy"],
            ("entries of the factor", "million", None): 1e-6 * two["entries"],
            ("residual", "1e-7", "< 10"): 1e7 * two["residual"],
            ("peak memory", "MiB", f"< {aims[1]}"): two["memory"] / 2**20,
        })
        fractions.append(fraction)
    table(f"factored system: {two['particles']:.0f} particles", results, fractions)


# Length of a spacing, m; across; the aim of a step, ms.
BEAMS = ((0.05, 0.5, 1.9), (0.04, 0.52, 6.5), (0.03125, 0.5, 16), (0.025, 0.5, 40))


def beam(spacing, width):
    """The scene of ces-tables with another spacing; three layers are held."""
    body = {"radius": spacing / 2, "shape.box.size": [2, width, width], "fixed_in.box.center": [1.5 * spacing - 1, 0, 0],
            "fixed_in.box.size": [3 * spacing, 1, 1]}
    return ["--config", "experiments/ces-tables/scene.yaml", *METHOD,
            *(word for key, value in body.items() for word in ("--set", f"bodies.beam.{key}={value}"))]


def bench_elastic(build, spacing, width, aim, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = run_scene(build, beam(spacing, width), 1)
        two, _ = run_scene(build, beam(spacing, width), 2)
        results.append({
            ("elastic solve of a step, 2 threads", "ms", f"< {aim}"): 1e3 * two["first_stage_s"] / two["steps"],
            ("elastic solve of a step, 1 thread", "ms", None): 1e3 * one["first_stage_s"] / one["steps"],
            ("iterations", "", None): two["first"] / two["steps"],
            ("its ledger, 2 threads", "ms", None): 1e3 * two["ledger_s"] / two["steps"],
            ("peak memory of the program", "MiB", None): two["memory"] / 2**20,
        })
        fractions.append(fraction)
    table(f"corotated beam: {two['particles']:.0f} particles, {two['steps']:.0f} steps", results, fractions)


def bench_skin(build, edge, repeats):
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_skin", edge, 21, 1)
        two, _ = cube_steps(build, "bench_skin", edge, 21, 2)
        results.append({
            ("neighbors and weights, once", "ms", None): 1e3 * one["create"],
            ("a frame", "ms", None): 1e3 * one["follow"],
            ("vertices per second", "million", None): 1e-6 * one["vertices"] / one["follow"],
            ("vertices per second, 2 threads", "million", None): 1e-6 * two["vertices"] / two["follow"],
        })
        fractions.append(fraction)
    table(f"skin: {one['vertices']:.0f} vertices, {one['particles']:.0f} particles", results, fractions)


def bench_positions(build, scene, edge, steps, frame, repeats):
    """frame: its steps, and the aim of a frame, ms."""
    results, fractions = [], []
    for _ in range(repeats):
        one, fraction = cube_steps(build, "bench_positions", f"{scene} {edge}", steps, 1)
        two, _ = cube_steps(build, "bench_positions", f"{scene} {edge}", steps, 2)
        parts = {part: one[part] for part in ("search", "iterations", "scheme", "rest")}
        results.append({
            ("frame of 16 ms with 2 threads", "ms", frame[1] and f"< {frame[1]}"): 1e-6 * frame[0] * two["step"] * two["particles"],
            ("time step per particle", "ns", None): one["step"],
            **{(f"... {part}", "%", None): 100 * value / sum(parts.values()) for part, value in parts.items()},
            **{(f"{group} per particle and iteration", "ns", None): one[group] for group in ("contacts", "distances", "shapes") if group in one},
            ("contacts at a particle", "", None): one["acting"],
            ("contacts move, of a copy's bandwidth", "%", None): 100 * one["streaming"] / one["copy"],
            ("2 threads: times as fast", "", None): one["step"] / two["step"],
            ("peak memory per particle", "bytes", None): one["memory"],
        })
        fractions.append(fraction)
    table(f"position-based, {scene}: {one['particles']:.0f} particles", results, fractions)


# ---- very many bodies, very many steps -------------------------------------------------------------

STEPS = 20
MANY = """name: many
gravity: [0, 0, 0]
time: {{end: {end}, max_step: 1e-3, frame_interval: {end}}}
materials:
  soft: {{model: mass-spring, stretch_stiffness: 60, shear_stiffness: 40, bend_stiffness: 5, damping: 2e-3}}
bodies:
"""
BODY = ("  b{k}: {{material: soft, radius: 0.01, density: 1000, position: [{x:.3f}, {y:.3f}, {z:.4f}], "
        "velocity: [{u:.3f}, {v:.3f}, {w:.3f}], shape: {{box: {{size: [0.04, 0.04, 0.04]}}}}}}\n")


def pairs(n, end):
    """A scene of n bodies of 8 particles: all pairs meet in the same way, each pair with a velocity of its own."""
    text, edge = MANY.format(end=end), round((n / 2) ** (1 / 3) + 0.5)
    for k in range(n):
        pair, upper = divmod(k, 2)
        common = [0.2 * (pair * prime % 101 / 50 - 1) for prime in (7, 31, 73)]
        text += BODY.format(k=k, x=0.2 * (pair % edge), y=0.2 * (pair // edge % edge), z=0.2 * (pair // edge**2) + 0.0402 * upper,
                            u=common[0], v=common[1], w=common[2] + (-0.2 if upper else 0.2))
    return text


def cpu_and_memory(build, folder, text, rows=1):
    """{program: usage} of a scene that is sampled, simulated and analyzed."""
    scene, initial = f"{folder}/scene.yaml", f"{folder}/initial.hdf"
    with open(scene, "w", encoding="utf-8") as file:
        file.write(text)
    for name in glob.glob(f"{folder}/frames/*.hdf"):
        os.remove(name)
    return {"sample": spawned(build, "ms-sample", "-q", "-c", scene, "-o", initial)[0],
            "simulate": spawned(build, "ms-simulate", "-q", initial, "-o", folder)[0],
            "analyze": spawned(build, "ms-analyze", "-q", "--every", str(rows), folder, "-o", f"{folder}/tables")[0]}


def cpu(usage):
    return usage.ru_utime + usage.ru_stime


def cpu_of_step(build, folder):
    """The median over the steps of a run but the first, which is the first to use the program's memory."""
    initial = f"{folder}/initial.hdf"
    spawned(build, "ms-simulate", "-q", initial, "--from", initial, "--steps", str(STEPS), "-o", f"{folder}/timed")
    return statistics.median(row["processor_s"] for row in rows_read(f"{folder}/timed/steps.csv")[1:])


def spent_on_bodies(build, n):
    """({what: CPU time in s}, bytes) of n bodies: of a step, of sampling, of analyzing two frames; what programs take for few
    bodies, as at their start, is in it."""
    rounds = min(10, max(1, 2000 // n))
    spent, memory = {"step": 0.0, "sampling": 0.0, "analyzing": 0.0}, 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            usage = cpu_and_memory(build, folder, pairs(n, 1e-3 * STEPS))
            spent["step"] += cpu_of_step(build, folder) / rounds
        spent["sampling"] += cpu(usage["sample"]) / rounds
        spent["analyzing"] += cpu(usage["analyze"]) / rounds
        memory = 1024 * usage["simulate"].ru_maxrss
    return spent, memory


def bench_bodies(build, counts, repeats):
    fewest = {}
    for n in counts:
        results = []
        for _ in range(repeats):
            idle, _ = spent_on_bodies(build, 2)
            spent, memory = spent_on_bodies(build, n)
            each = {what: 1e6 * (spent[what] - idle[what]) / (n - 2) for what in spent}
            fewest.setdefault("each", each)
            over = {what: each[what] / fewest["each"][what] for what in each}
            results.append({
                ("a step per body", "us", None): each["step"],
                (f"... over that of {counts[0]} bodies", "", "< 1.2"): over["step"],
                ("sampling per body", "us", None): each["sampling"],
                (f"... over that of {counts[0]} bodies ", "", "< 1.2"): over["sampling"],
                ("analyzing two frames per body", "us", None): each["analyzing"],
                (f"... over that of {counts[0]} bodies  ", "", "< 1.2"): over["analyzing"],
                ("peak memory of ms-simulate per body", "bytes", None): memory / n,
            })
        table(f"{n} bodies of 8 particles, CPU time", results, [])


TWO = """name: two
gravity: [0, 0, 0]
time: {{end: {end}, max_step: 1e-4, frame_interval: {end}}}
contact: {{method: none}}
materials: {{loose: {{model: loose}}}}
bodies:
  a: {{material: loose, radius: 0.01, particle_mass: 1, velocity: [0.001, 0, 0], shape: {{box: {{size: [0.02, 0.02, 0.02]}}}}}}
  b: {{material: loose, radius: 0.01, particle_mass: 1, position: [1, 0, 0], shape: {{box: {{size: [0.02, 0.02, 0.02]}}}}}}
"""


def bench_steps(build, steps, repeats):
    results = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            usage = cpu_and_memory(build, folder, TWO.format(end=1e-4 * steps), rows=1000)
        results.append({
            ("ms-simulate per step", "us", None): 1e6 * cpu(usage["simulate"]) / steps,
            ("ms-analyze per step", "us", None): 1e6 * cpu(usage["analyze"]) / steps,
            ("peak memory of ms-simulate", "MiB", "< 40"): usage["simulate"].ru_maxrss / 1024,
            ("peak memory of ms-analyze", "MiB", "< 40"): usage["analyze"].ru_maxrss / 1024,
        })
    table(f"{steps} steps of two particles, CPU time", results, [])


def main():
    build, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(machine())
    bench_cloth(build, repeats)
    bench_wall(build, repeats)
    bench_bonds(build, 46, 20, repeats)
    bench_fluid(build, 46, 20, repeats)
    bench_fluid(build, 100, 5, repeats)
    bench_dfsph(build, 46, 9, repeats)
    bench_flip(build, 50, 9, repeats)
    bench_flip(build, 100, 5, repeats)
    for edge, steps in ((4, 50), (8, 20), (15, 5)):
        bench_links(build, edge, steps, repeats)
    for length, width, aims in ((40, 10, (0.15, 60)), (50, 13, (0.4, 120)), (64, 16, (0.9, 250)), (80, 20, (2.2, 500))):
        bench_prefactored(build, length, width, aims, repeats)
    for spacing, width, aim in BEAMS:
        bench_elastic(build, spacing, width, aim, repeats)
    bench_skin(build, 32, repeats)
    for scene, edge, steps, frame in (("pile", 10, 60, (2, 24)), ("castle", 42, 20, (2, 90)), ("sheet", 200, 20, (2, None))):
        bench_positions(build, scene, edge, steps, frame, repeats)
    bench_bodies(build, (100, 1000, 5000), repeats)
    for steps in (10**4, 10**5, 10**6):
        bench_steps(build, steps, repeats)


if __name__ == "__main__":
    main()
