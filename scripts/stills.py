"""usage: stills.py BUILD [MOST]: how long a still picture of 1280 x 720 pixels takes, with two threads, as a table.

Layers ten particles deep of 10^4 to MOST particles (a million), as four kinds of pictures:
  preview   what make preview and films draw, by ms-render-prep alone
  spheres   every particle, by POV-Ray
  surface   of a fluid, by ms-render-prep --surface, and POV-Ray
  skin      of a solid, by ms-render-prep --skin, and POV-Ray
Of each: the time of ms-render-prep, that of POV-Ray, their sum, the most memory of either, the size of the scene that POV-Ray reads,
and the share of the machine that other programs took, in whose presence times are no measure. The aim is 20 s for a surface of 10^5
particles.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

from arithmetic import Fault
from bench import machine

RADIUS, DEPTH, THREADS = 0.01, 10, 2
EDGES = (32, 100, 316)  # 10 240, 100 000 and 998 560 particles
SIZE = 1280, 720
AIM = {("surface", 100): 20.0}  # s
WAITS = 0.1  # a row is marked if the share of other programs is above this

# seen obliquely from above; the layer fills the picture
SCENE = """#version 3.7;
global_settings {{ assumed_gamma 1.0 }}
background {{ rgb 1 }}
camera {{ orthographic location <{far}, -{far}, {far}> sky z right -x * {width} up y * {width} * image_height / image_width look_at 0 }}
light_source {{ <2, -4, 5> * {far}, rgb 0.9 parallel point_at 0 }}
#include "particles.inc"
"""


def layer(edge, material):
    size = 2 * RADIUS * edge
    return f"""name: stills
time: {{end: 1e-6, max_step: 1e-6, frame_interval: 1e-6}}
materials: {{layer: {material}}}
bodies:
  layer: {{material: layer, radius: {RADIUS}, density: 1000, jitter: 0.1, shape: {{box: {{size: [{size}, {size}, {2 * RADIUS * DEPTH}]}}}}}}
"""


MATERIALS = {"fluid": "{model: fluid, pressure: 1e4, viscosity: 1e-2}", "solid": "{model: peridynamics, stiffness: 100, horizon: 2}"}
INITIAL = ["--initial", "run/initial.hdf"]
# kind -> material, and what ms-render-prep does; without a scene for POV-Ray it makes the picture itself
KINDS = {"preview": ("fluid", ["--preview", "--size", f"{SIZE[0]},{SIZE[1]}", *INITIAL]), "spheres": ("fluid", ["--spheres"]),
         "surface": ("fluid", ["--spheres", "--surface", "all", "--spacing", "1.5"]), "skin": ("solid", ["--skin", "all", "--format", "pov", *INITIAL])}


def busy():
    """Seconds that all cores have worked since the machine started."""
    with open("/proc/stat", encoding="utf-8") as file:
        user, nice, system, _, _, *others = map(int, file.readline().split()[1:])
    return (user + nice + system + sum(others[:3])) / os.sysconf("SC_CLK_TCK")


def measured(command, folder):
    """(wall seconds, CPU seconds, most memory in bytes) of a program."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(THREADS), OMP_WAIT_POLICY="passive", HOME=folder)
    before = time.monotonic()
    with open(f"{folder}/log", "wb") as log:
        child = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        with open(f"{folder}/log", encoding="utf-8", errors="replace") as log:
            raise Fault(f"{' '.join(command)}: {log.read().strip()[-400:]}")
    return time.monotonic() - before, usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss


def frames(build, folder, edge, material):
    """Makes an initial state, and the frame after one step."""
    with open(f"{folder}/scene.yaml", "w", encoding="utf-8") as file:
        file.write(layer(edge, MATERIALS[material]))
    os.makedirs(f"{folder}/run", exist_ok=True)
    measured([f"{build}/ms-sample", "--config", "scene.yaml", "-o", "run/initial.hdf"], folder)
    measured([f"{build}/ms-simulate", "run/initial.hdf", "-o", "run", "--quiet"], folder)


def still(build, folder, edge, kind):
    """A row of the table: seconds of both programs, most memory, bytes of the scene, share of other programs."""
    words, width = KINDS[kind][1], 2 * RADIUS * edge * 1.9
    output = "view.png" if kind == "preview" else "particles.inc"
    with open(f"{folder}/scene.pov", "w", encoding="utf-8") as file:
        file.write(SCENE.format(far=2 * width, width=width))
    started, worked = time.monotonic(), busy()
    runs = [measured([f"{build}/ms-render-prep", "run/frames/000001.hdf", *words, "-o", output], folder)]
    if kind != "preview":
        runs.append(measured(["povray", "+Iscene.pov", "+Oview.ppm", "+FP", f"+W{SIZE[0]}", f"+H{SIZE[1]}", "-D", "+A0.1", "+AM2", "+R2", "-J",
                              f"+WT{THREADS}"], folder))
    wall = time.monotonic() - started
    others = (busy() - worked - sum(cpu for _, cpu, _ in runs)) / wall / os.cpu_count()
    return runs[0][0], sum(seconds for seconds, _, _ in runs[1:]), max(memory for *_, memory in runs), os.path.getsize(f"{folder}/{output}"), max(others, 0.0)


def table(build, edges):
    print(f"{machine()}; {SIZE[0]} x {SIZE[1]} pixels, {THREADS} threads")
    print(f"{'':9s}{'particles':>10s}{'prepare, s':>12s}{'render, s':>11s}{'in all, s':>11s}{'memory, MiB':>13s}{'scene, MB':>11s}{'others':>8s}  aim")
    for edge in edges:
        for material in MATERIALS:
            with tempfile.TemporaryDirectory() as folder:
                frames(build, folder, edge, material)
                for kind in (k for k, (of, _) in KINDS.items() if of == material):
                    prepare, render, memory, size, others = still(build, folder, edge, kind)
                    aim = AIM.get((kind, edge))
                    told = f"{'met' if prepare + render < aim else 'missed'}: < {aim:g} s" if aim else ""
                    mark = ", disturbed" if others > WAITS else ""
                    print(f"{kind:9s}{edge * edge * DEPTH:10d}{prepare:12.2f}{render:11.2f}{prepare + render:11.2f}{memory / 2**20:13.0f}{size / 1e6:11.1f}"
                          f"{100 * others:7.0f}%  {told}{mark}".rstrip(), flush=True)


def main():
    build, most = os.path.abspath(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1e6
    try:
        if not shutil.which("povray"):
            raise Fault("povray is not installed (make setup)")
        table(build, [edge for edge in EDGES if edge * edge * DEPTH <= most])
    except (Fault, OSError) as fault:
        sys.exit(f"stills: {fault}")


if __name__ == "__main__":
    main()
