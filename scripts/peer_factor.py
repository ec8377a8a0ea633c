"""usage: peer_factor.py BUILD [REPEATS]: the factor of a corotated beam beside that of CHOLMOD (SuiteSparse).

Both factor the same matrices, those of tests/bench/bench_prefactored.c, in orders by METIS, and solve for three right sides,
in turns. CHOLMOD (Debian's package libsuitesparse-dev) computes and keeps its supernodes in double precision, with the BLAS
that is installed. Ours computes in double and keeps the factor in single precision, and gives the same bits for any number
of threads.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from bench import machine

BEAMS = ((40, 10), (64, 16), (80, 20))  # particles along and across: 4000, 16 384, 32 000
HEADER = "/usr/include/suitesparse/cholmod.h"
SOURCE = os.path.join(os.path.dirname(__file__), "..", "tests", "bench", "peer_cholmod.c")


def compiled(folder):
    """The program that asks CHOLMOD, compiled in the folder."""
    program = f"{folder}/peer_cholmod"
    source = os.path.abspath(SOURCE)
    root = os.path.dirname(os.path.dirname(os.path.dirname(source)))
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-D_GNU_SOURCE", f"-I{root}/src", f"-I{root}/tests",
                    f"-I{os.path.dirname(HEADER)}", "-o", program, source, "-lcholmod", "-lm"], check=True)
    return program


def values(command, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads))
    output = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env=environment).stdout
    return {name: float(value) for name, value in map(str.split, output.splitlines())}


def blas(program):
    """The file of the BLAS that the program uses."""
    output = subprocess.run(["ldd", program], check=True, text=True, stdout=subprocess.PIPE).stdout
    return next((os.path.realpath(line.split()[2]) for line in output.splitlines() if "libblas" in line), "of no name")


def row(name, pairs, key, unit, factor):
    us, them = (factor * statistics.median(pair[k][key] for pair in pairs) for k in (0, 1))
    print(f"{name + ', ' + unit:44s}{us:14.5g}{them:14.5g}{them / us:10.2f}")


def compare(build, program, folder, beam, threads, repeats):
    length, width = map(str, beam)
    matrix = f"{folder}/{length}.mtx"
    pairs = [(values([f"{build}/tests/bench_prefactored.t", length, width, "15", matrix], threads),
              values([program, matrix, "15"], threads)) for _ in range(repeats)]
    print(f"\n{pairs[0][0]['particles']:.0f} particles, {threads} thread{'s' if threads > 1 else ''}, median of {repeats} turns")
    print(f"{'':44s}{'mergesplit':>14s}{'CHOLMOD':>14s}{'ratio':>10s}")
    row("order of elimination", pairs, "order", "s", 1)
    row("factor", pairs, "factor", "s", 1)
    row("three right sides", pairs, "solve", "ms", 1e3)
    row("relative residual", pairs, "residual", "1", 1)
    row("entries on and below the diagonal", pairs, "entries", "millions", 1e-6)
    row("memory of the factor", pairs, "kept", "MB", 1e-6)
    row("and at its peak", pairs, "predicted", "MB", 1e-6)


def main():
    build, repeats = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    if not os.path.exists(HEADER) or not shutil.which("ldd"):
        print("skipped: there is no CHOLMOD (apt-get install libsuitesparse-dev)")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        print(f"{machine()}\nBLAS of CHOLMOD: {blas(program)}")
        for beam in BEAMS:
            for threads in (1, 2):
                compare(build, program, folder, beam, threads, repeats)


if __name__ == "__main__":
    main()
