"""usage: bench.py BUILD [REPEATS]: what a time step costs.

Solids: the first 0.1 s of Figure 3 after the impact of the ball from 0.2 m, with one thread. Fluids: a
few steps of a cube of 97 336 and of a million particles, with one and with two threads
(tests/bench/bench_fluid.c). Explicit bonds: the same of a cube of 97 336 particles
(tests/bench/bench_bonds.c). A row gives the smallest and the median of the repeats beside the aim, if
there is one; the machine and its load stand above. A repeat that got less than 90 % of its cores is
counted as disturbed.
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

import h5py
import numpy as np

SCENE = ["--config", "configs/scales/small.yaml", "--config", "experiments/fig03-solid-solid/scene.yaml",
         "--config", "configs/methods/merging-and-splitting.yaml", "--set", "time.end=0.1",
         "--set", "time.frame_interval=0.1"]


def machine():
    model = "unknown processor"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.2f}"


def bonds_of(initial):
    """Bonds of the scene by definition: a cloth's springs, and all pairs within a ball's horizon of
    three spacings."""
    with h5py.File(initial) as file:
        names = [n.decode() if isinstance(n, bytes) else n for n in file["body_name"][:]]
        body, x, radius = file["body"][:], file["position"][:], file["radius"][:]
    ball, cloth = body == names.index("ball"), body == names.index("cloth")
    n = round(np.sqrt(np.count_nonzero(cloth)))
    springs = 2 * n * (n - 1) + 2 * (n - 1) ** 2 + 2 * n * (n - 2)
    distance = np.linalg.norm(x[ball][:, None] - x[ball][None], axis=2)
    horizon = 3 * 2 * radius[ball][0] * (1 + 1e-9)
    return len(x), springs + int(np.count_nonzero((distance <= horizon) & (distance > 0))) // 2


def simulate(build, folder):
    """Seconds by phase, iterations, peak memory in bytes, and the share of a core it got."""
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    before = time.monotonic()
    pid = os.posix_spawn(f"{build}/ms-simulate",
                         ["ms-simulate", f"{folder}/initial.hdf", "-o", f"{folder}/run", "--quiet"], environment)
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - before
    if status != 0:
        sys.exit("ms-simulate failed")
    subprocess.run([f"{build}/ms-analyze", f"{folder}/run", "-o", f"{folder}/run"], check=True)
    with open(f"{folder}/run/timing.csv", encoding="utf-8") as file:
        phases = {name: float(value) for name, value in next(csv.DictReader(file)).items()}
    with open(f"{folder}/run/metrics.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with open(f"{folder}/run/manifest.json", encoding="utf-8") as file:
        memory = json.load(file)["peak_memory_bytes"]
    iterations = [sum(float(row[name]) for row in rows) for name in ("iterations_first", "iterations_later")]
    later_steps = sum(float(row["stages"]) > 1 for row in rows)
    return phases, iterations, later_steps, memory, (usage.ru_utime + usage.ru_stime) / wall


def measure(build, initial, particles, bonds):
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(initial, f"{folder}/initial.hdf")
        os.mkdir(f"{folder}/run")
        os.symlink(initial, f"{folder}/run/initial.hdf")
        t, iterations, later_steps, memory, share = simulate(build, folder)
        output = sum(os.path.getsize(f) for f in glob.glob(f"{folder}/run/frames/*.hdf"))
    total = sum(value for name, value in t.items() if name.endswith("_s"))
    contact = t["contact_s"] + t["splitting_s"]
    particle_steps = particles * t["steps"]
    first_of_later_steps = t["first_stage_s"] * later_steps / t["steps"]
    return {
        ("time step", "ms", None): 1e3 * total / t["steps"],
        ("stage per bond and iteration", "ns", None):
            1e9 * (t["first_stage_s"] + t["later_stages_s"]) / (bonds * sum(iterations)),
        ("iterations per step, first stage", "", None): iterations[0] / t["steps"],
        ("iterations per step, later stages", "", None): iterations[1] / max(later_steps, 1),
        ("search of neighbors per particle", "ns", None): 1e9 * t["detection_s"] / particle_steps,
        ("merging and splitting per particle", "ns", None): 1e9 * contact / particle_steps,
        ("share of merging and splitting", "%", "< 3"): 100 * contact / total,
        ("share of search, merging and splitting", "%", None): 100 * (contact + t["detection_s"]) / total,
        ("stage 2 over stage 1", "", "< 0.6"): t["later_stages_s"] / max(first_of_later_steps, 1e-300),
        ("peak memory per particle", "bytes", None): memory / particles,
        ("peak memory per bond", "bytes", None): memory / bonds,
        ("frame per particle", "bytes", None): output / 2 / particles,
    }, share


def table(title, results, shares):
    disturbed = sum(share < 0.9 for share in shares)
    print(f"\n{title}, {len(results)} repeats" + (f", {disturbed} of them disturbed by other work" if disturbed else ""))
    print(f"{'':40s}{'smallest':>12s}{'median':>12s}  {'unit':6s} aim")
    for name, unit, aim in results[0]:
        values = [result[name, unit, aim] for result in results]
        print(f"{name:40s}{min(values):12.4g}{statistics.median(values):12.4g}  {unit:6s} {aim or ''}".rstrip())


def bench_solid(build, repeats):
    with tempfile.TemporaryDirectory() as folder:
        initial = f"{folder}/initial.hdf"
        subprocess.run([f"{build}/ms-sample", *SCENE, "-o", initial], check=True, stdout=subprocess.DEVNULL)
        particles, bonds = bonds_of(initial)
        results = [measure(build, initial, particles, bonds) for _ in range(repeats)]
    table(f"Figure 3: {particles} particles, {bonds} bonds, 1 thread", *zip(*results))


def cube_steps(build, program, edge, steps, threads):
    """What bench_fluid or bench_bonds prints, and the share of a core that it got."""
    before, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([f"{build}/tests/{program}.t", str(edge), str(steps)], check=True, text=True,
                            stdout=subprocess.PIPE, env=dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive")).stdout
    wall, after = time.monotonic() - before, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    return {name: float(value) for name, value in map(str.split, output.splitlines())}, cpu / wall


def bench_fluid(build, edge, steps, repeats):
    results, shares = [], []
    for _ in range(repeats):
        one, share = cube_steps(build, "bench_fluid", edge, steps, 1)
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
        shares.append(share)
    table(f"fluid: {one['particles']:.0f} particles, {one['neighbors']:.1f} neighbors each", results, shares)


def bench_bonds(build, edge, steps, repeats):
    results, shares = [], []
    for _ in range(repeats):
        one, share = cube_steps(build, "bench_bonds", edge, steps, 1)
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
        shares.append(share)
    table(f"explicit bonds: {one['particles']:.0f} particles, {one['bonds']:.1f} bonds each", results, shares)


def main():
    build, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(machine())
    bench_solid(build, repeats)
    bench_bonds(build, 46, 20, repeats)
    bench_fluid(build, 46, 20, repeats)
    bench_fluid(build, 100, 5, repeats)


if __name__ == "__main__":
    main()
