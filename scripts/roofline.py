"""usage: roofline.py BUILD: how near kernels are to what the machine allows, with one and with two threads.

What each kernel at least moves and calculates, as its program counts it from its arrays and its source, against what triad and
registers of this machine allow (tests/bench/bench_machine.c). The larger of both times is the limit.
"""

import sys

import bench

# (kernel, program, its scene, its steps, the value that is its time in ns a particle, the peak that applies)
KERNELS = (
    ("bonds, explicit: forces", "bench_bonds", "46", 5, "evaluation", "peak"),
    ("bonds, implicit: product", "bench_bonds", "46", "9 implicit", "product", "peak"),
    ("SPH: search of neighbors", "bench_fluid", "46", 9, "search", "peak_single"),
    ("SPH: densities", "bench_fluid", "46", 9, "density", "peak_single"),
    ("SPH: forces", "bench_fluid", "46", 9, "forces", "peak_single"),
    ("FLIP: particles to faces", "bench_flip", "50", 9, "deposit", "peak"),
    ("FLIP: faces to particles", "bench_flip", "50", 9, "read", "peak"),
    ("FLIP: product of the pressure", "bench_flip", "50", 9, "product", "peak"),
    ("corotated: panels, all of them", "bench_prefactored", "64 16", 9, "solve", "peak_single"),
    ("positions: contacts of a castle", "bench_positions", "castle 42", 9, "contacts", "peak"),
    ("positions: distances of a sheet", "bench_positions", "sheet 200", 9, "distances", "peak"),
    ("positions: density of layers", "bench_positions", "layers 40", 5, "density", "peak"),
    ("positions: density of gas", "bench_positions", "smoke 22", 9, "density", "peak"),
    ("diffuse particles", "bench_positions", "smoke 22", 9, "diffuse", "peak"),
)


def kernel(values, program, name):
    """(seconds, bytes, operations) of a particle; of panels, of all of them."""
    if name == "density" and program == "bench_fluid":  # what is left of an evaluation
        values = {**values, name: values["evaluation"] - values["search"] - values["forces"]}
    moved = values["stream"] if name == "contacts" else values[f"{name}_bytes"]
    return values[name] * (1 if name == "solve" else 1e-9), moved, values[f"{name}_operations"]


def roofline(build):
    print("\nroofline: one pass of a kernel, per particle")
    print(f"{'':34s}{'threads':>8s}{'bytes':>10s}{'operations':>12s}{'ns':>10s}{'GB/s':>8s}{'Gflop/s':>9s}"
          f"{'limit, ns':>11s}  {'set by':10s}{'share, %':>9s}")
    for threads in (1, 2):
        machine_of, _ = bench.cube_steps(build, "bench_machine", "", 5, threads)
        print(f"{'triad, multiplying and adding':34s}{threads:8d}{'':32s}{1e-9 * machine_of['triad']:8.1f}{1e-9 * machine_of['peak']:9.1f}")
        print(f"{'... in single precision':34s}{threads:8d}{'':40s}{1e-9 * machine_of['peak_single']:9.1f}")
        for title, program, scene, steps, name, peak in KERNELS:
            values, _ = bench.cube_steps(build, program, f"{scene} {steps}", "", threads)
            spent, moved, operations = kernel(values, program, name)
            limits = {"memory": moved / machine_of["triad"], "arithmetic": operations / machine_of[peak]}
            by = max(limits, key=limits.get)
            print(f"{title:34s}{threads:8d}{moved:10.4g}{operations:12.4g}{1e9 * spent:10.4g}"
                  f"{1e-9 * moved / spent:8.2f}{1e-9 * operations / spent:9.2f}"
                  f"{1e9 * limits[by]:11.3g}  {by:10s}{100 * limits[by] / spent:9.1f}", flush=True)


if __name__ == "__main__":
    roofline(sys.argv[1])
