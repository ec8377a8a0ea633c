"""usage: peer_step.py BUILD [REPEATS]: the explicit step of bonds beside that of LAMMPS.

Both programs simulate the cube of tests/bench/bench_bonds.c with the same bonds, velocities and steps, one thread each, in
turns; LAMMPS (Debian's package lammps) uses its PERI/PMB. There a particle has a volume V, and a bond pulls with c V^2 per
unit strain. PERI/PMB also weakens bonds near the horizon, over half a lattice constant, as materials with
`volumes: reduced` do; a lattice constant that is set to 1 nm once the particles exist makes all volumes whole. And it lets
particles repel each other that come closer than 0.9 of their first distance, which does not happen here. The two programs
compute the same motion, so their energies must agree. The times are those with whole volumes. Both programs check whether
bonds break. Our step does more: contacts and the ledger.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench import machine

EDGE, STEPS = 46, 30
SPACING, MASS, STIFFNESS, STEP = 0.02, 8e-3, 5000.0, 2e-5  # as in tests/bench/bench_bonds.c
HORIZON = 3.000001 * SPACING
VOLUME = SPACING ** 3
# Of 0.1, 0.3 and 1 mm, LAMMPS is fastest with this one.
SKIN = 1e-3

INPUT = f"""units si
boundary s s s
atom_style peri
atom_modify map array
neighbor {SKIN} bin
lattice sc {SPACING}
region cube block -0.25 {EDGE - 0.75} -0.25 {EDGE - 0.75} -0.25 {EDGE - 0.75}
create_box 1 cube
create_atoms 1 region cube
{{lattice}}
pair_style peri/pmb
pair_coeff * * {STIFFNESS / VOLUME ** 2} {HORIZON} 10.0 0.25
set group all volume {VOLUME}
set group all density {MASS / VOLUME}
variable wave equal 2*PI/{SPACING * EDGE}
variable vx atom sin(v_wave*y)
variable vy atom sin(v_wave*z)
variable vz atom sin(v_wave*x)
velocity all set v_vx v_vy v_vz sum no units box
fix move all nve
timestep {STEP}
thermo {STEPS}
thermo_style custom step ke pe
thermo_modify norm no format float %.15g
run {STEPS}
"""


def environment():
    return dict(os.environ, OMP_NUM_THREADS="1")


# The lattice constant of LAMMPS decides which volumes it uses.
VOLUMES = {"whole": "lattice sc 1e-9", "reduced": ""}


def ours(build, volumes="whole"):
    output = subprocess.run([f"{build}/tests/bench_bonds.t", str(EDGE), str(STEPS), volumes], check=True, text=True,
                            stdout=subprocess.PIPE, env=environment()).stdout
    return {name: float(value) for name, value in map(str.split, output.splitlines())}


def lammps(program, folder, volumes="whole"):
    with open(f"{folder}/peri.in", "w", encoding="utf-8") as file:
        file.write(INPUT.format(lattice=VOLUMES[volumes]))
    run = subprocess.run([program, "-in", "peri.in", "-log", "none"], cwd=folder, text=True, env=environment(),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode:
        sys.exit(f"lammps failed:\n{run.stdout[-2000:]}")
    wall, n = re.search(r"Loop time of (\S+) on 1 procs for \d+ steps with (\d+) atoms", run.stdout).groups()
    fraction = float(re.search(r"([\d.]+)% CPU use", run.stdout).group(1)) / 100
    kinetic, elastic = re.search(rf"^\s*{STEPS} (\S+) (\S+)\s*$", run.stdout, re.M).groups()
    wall = 1e9 * float(wall) / (STEPS * int(n))
    return {"wall": wall, "cpu": fraction * wall, "particles": float(n),
            "bonds": float(re.search(r"bonds/atom = (\S+)", run.stdout).group(1)),
            "kinetic": VOLUME * float(kinetic), "elastic": VOLUME * float(elastic)}


def skip_without(program):
    if program is None:
        print("skipped: there is no program lmp (LAMMPS; apt-get install lammps)")
        sys.exit()
    if "peri/pmb" not in subprocess.run([program, "-h"], text=True, stdout=subprocess.PIPE).stdout:
        print("skipped: this LAMMPS was built without its package PERI")
        sys.exit()


def main():
    build, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    program = shutil.which("lmp")
    skip_without(program)
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(ours(build), lammps(program, folder)) for _ in range(repeats)]
        energies = {"whole": pairs[0], "reduced": (ours(build, "reduced"), lammps(program, folder, "reduced"))}
    us, them = pairs[0]
    print(machine())
    print(f"\n{us['particles']:.0f} and {them['particles']:.0f} particles, {us['bonds']:.2f} and {them['bonds']:.2f} bonds each, "
          f"{STEPS} steps, 1 thread, {repeats} repeats")
    print(f"{'':44s}{'mergesplit':>14s}{'LAMMPS':>14s}{'ratio':>10s}")
    for key, name in (("cpu", "CPU time"), ("wall", "wall time")):
        for of, which in ((min, "smallest"), (statistics.median, "median")):
            a, b = (of([pair[k][key] for pair in pairs]) for k in (0, 1))
            print(f"{name + ' per particle and step, ' + which + ', ns':44s}{a:14.0f}{b:14.0f}{b / a:10.2f}")
    for volumes, (us, them) in energies.items():
        for key in ("kinetic", "elastic"):
            print(f"{key + ' energy after them, ' + volumes + ' volumes, J':44s}{us[key]:14.9g}{them[key]:14.9g}"
                  f"{them[key] / us[key]:12.9f}")
    for volumes, (us, them) in energies.items():
        total = us["kinetic"] + us["elastic"]
        if max(abs(us[key] - them[key]) for key in ("kinetic", "elastic")) > 1e-9 * total:
            sys.exit(f"{volumes} volumes: the energies differ by more than 1e-9 of their sum: the two do not compute the same")


if __name__ == "__main__":
    main()
