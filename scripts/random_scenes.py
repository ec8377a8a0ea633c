"""usage: random_scenes.py COUNT [FIRST]     runs the scenes of the seeds FIRST (1), FIRST + 1, ... and prints as TAP whether

* the program takes the scene and comes to its end;
* frames have the same bytes with one, two and three threads, and after a stop at half time and a resume with another number;
* every value of the tables is finite, energy and momentum are accounted for to rounding, and so is what merging stores;
* nothing overlaps where a method promises it: swept sliding contact (1e-3 radii), the barrier (not at all);
* no more was dissipated than there was, unless energy came from nowhere;
* every setting that a warning advises, as in "solver.integrator: newmark", is another one than the scene's, and is taken
  (`tests/cli/test_advice.sh` does that with the scenes of examples and experiments).

The folder of a scene that fails is kept, with the command that runs it again. The programs are those in $BUILD (build).
"""

import filecmp
import glob
import json
import math
import os
import re
import shutil
import sys
import tempfile
import warnings

from arithmetic import Fault
from mergesplit import ProgramError, Run, analyze, sample, simulate
from mergesplit.configuration import config_read
from mergesplit.programs import call
from random_scene import random_scene

STOP = 0.01  # s: half time, where every scene has a frame
MOST_IMBALANCE = 1e-9  # of the largest energy
MOST_DRIFT = 1e-11  # of the largest momentum
MOST_OVERLAP = {"sliding": 1e-3, "barrier": 0.0}
MOST_LOST = 1 + 1e-9  # of the energy that there was
ADVICE = re.compile(r"\b([a-z_]+\.[a-z_]+): ([a-z-]+)")
ADVICE_ON_MATERIAL = re.compile(r"body \"([^\"]+)\".*'([a-z_]+): ([a-z-]+)' of its material")
ADVICE_ON_BODY = re.compile(r"body \"([^\"]+)\".*\b(mass_from): ([a-z-]+)")
UNDEFINED = {"angular_drift"}  # nan wherever angular momentum is not kept


class Wrong(Exception):
    pass


def frames(folder):
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(folder, "frames", "*.hdf")))


def demand_same(folder, other, names, what):
    if not names:
        raise Wrong(f"{what}: there are no frames")
    _, differ, missing = filecmp.cmpfiles(os.path.join(folder, "frames"), os.path.join(other, "frames"), names, shallow=False)
    if differ or missing:
        raise Wrong(f"{what}: {(differ + missing)[0]} differs")


def check_threads(folder, initial):
    for threads in (1, 2, 3):
        simulate(os.path.join(folder, f"threads-{threads}"), initial, threads=threads)
    for threads in (2, 3):
        one, more = (os.path.join(folder, f"threads-{t}") for t in (1, threads))
        demand_same(one, more, sorted({*frames(one), *frames(more)}), f"{threads} threads")


def check_resumed(folder, initial):
    """Frames before the stop have another end time than those of an undisturbed run."""
    resumed, whole = os.path.join(folder, "resumed"), os.path.join(folder, "threads-1")
    simulate(resumed, initial, until=STOP, threads=2)
    before = frames(resumed)
    simulate(resumed, initial, resume=True, threads=1)
    demand_same(whole, resumed, [name for name in frames(whole) if name not in before], "resumed")


def largest(columns, *names):
    return max(max(abs(value) for value in columns[name]) for name in names)


def check_tables(folder, scene):
    shutil.copy(os.path.join(folder, "initial.hdf"), os.path.join(folder, "threads-1"))
    metrics = Run(analyze(os.path.join(folder, "threads-1")).folder, tables="numpy").metrics
    columns = {name: metrics[name].astype(float).tolist() for name in metrics.dtype.names}
    for name, values in columns.items():
        if name not in UNDEFINED and not all(map(math.isfinite, values)):
            raise Wrong(f"{name} is not finite")
    energy = largest(columns, "kinetic", "elastic")
    if not sum(map(abs, columns["energy_imbalance"])) <= MOST_IMBALANCE * energy:
        raise Wrong(f"energy_imbalance: {sum(map(abs, columns['energy_imbalance'])) / energy:.2g} of the largest energy")
    virtual = sum(sign * sum(columns[name]) for sign, name in ((1, "merge_stored"), (1, "sync_stored"), (-1, "split_returned"), (-1, "merge_dissipated"),
                                                               (-1, "sync_dissipated")))
    if not abs(virtual) <= MOST_IMBALANCE * energy:
        raise Wrong(f"virtual bonds: {virtual / energy:.2g} of the largest energy is not accounted for")
    if not largest(columns, "momentum_remainder") <= MOST_DRIFT:
        raise Wrong(f"momentum_remainder: {largest(columns, 'momentum_remainder'):.2g}")
    check_overlap(scene["contact"], largest(columns, "overlap_max"))
    summary = Run(os.path.join(folder, "threads-1")).summary
    check_lost(columns, summary["energy_kept"])


def check_overlap(contact, overlap):
    promised = contact["method"] == "barrier" or contact.get("detection") == "swept"
    if promised and not overlap <= MOST_OVERLAP.get(contact["method"], math.inf):
        raise Wrong(f"overlap_max: {overlap:.2g}")


def check_lost(columns, kept):
    """What contact or linearization made, or what a fluid's pressure gave, can be dissipated as well."""
    made = sum(max(value, 0.0) for name in ("linearization", "contact_gain", "sync_stored", "coupling", "residual_work", "rotation_renewal")
               for value in columns.get(name, ()))
    made -= sum(min(value, 0.0) for name in ("pressure_work", "link_work", "friction", "coupling", "control_work") for value in columns.get(name, ()))
    most = MOST_LOST + made / (columns["energy_available"][-1] or 1.0)
    lost = {"numerical_dissipation_fraction": max(columns["numerical_dissipation_fraction"]), "energy_kept": 1.0 - (1.0 if kept is None else kept)}
    for name, fraction in lost.items():
        if not fraction <= most:
            raise Wrong(f"{name}: {fraction:.3g} of the energy that there was is lost")


def advised(warning, config):
    """The settings, KEY=VALUE, that a warning advises in a scene of this effective configuration."""
    settings = [f"{key}={value}" for key, value in ADVICE.findall(warning)]
    settings += [f"materials.{config[f'bodies.{body}.material']}.{key}={value}" for body, key, value in ADVICE_ON_MATERIAL.findall(warning)]
    return settings + [f"bodies.{body}.{key}={value}" for body, key, value in ADVICE_ON_BODY.findall(warning)]


def check_advice(scene, warned):
    """The scene with a setting that a warning advises is one that ms-sample takes, and another scene. Returns the settings."""
    plain = call("ms-sample", "--config", scene, "--effective")
    settings = [(setting, warning) for warning in warned for setting in advised(warning, config_read(plain, scene))]
    for setting, warning in settings:
        if call("ms-sample", "--config", scene, "--set", setting, "--effective") == plain:
            raise Wrong(f"'{setting}' is advised and in use: {warning}")
    return [setting for setting, _ in settings]


def judge(seed, folder):
    """Raises Wrong with what does not hold."""
    scene = random_scene(seed)
    with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as file:
        json.dump(scene, file, indent=2)
    try:
        initial = sample(scene, folder)
        check_threads(folder, initial)
        check_resumed(folder, initial)
        check_tables(folder, scene)
        check_advice(os.path.join(folder, "scene.yaml"), Run(os.path.join(folder, "threads-1")).end["warnings"])
    except ProgramError as error:
        raise Wrong(str(error)) from error


def title(scene):
    contact = scene["contact"]
    models = ", ".join(material["model"] for material in scene["materials"].values())
    return f"{contact['method']} ({contact.get('detection', 'discrete')}), {scene['solver']['integrator']}: {models}"


def main(count, first):
    os.environ["MERGESPLIT_PROGRAMS"] = os.path.abspath(os.environ.get("BUILD", "build"))
    warnings.simplefilter("ignore")
    failed, base = 0, tempfile.mkdtemp(prefix="random-scenes-")
    print(f"1..{count}", flush=True)
    for number, seed in enumerate(range(first, first + count), start=1):
        folder = os.path.join(base, str(seed))
        os.makedirs(folder)
        line = f"{number} - seed {seed}, {title(random_scene(seed))}"
        try:
            judge(seed, folder)
            shutil.rmtree(folder)
            print(f"ok {line}", flush=True)
        except Wrong as wrong:
            failed += 1
            print(f"not ok {line}\n# {wrong}\n# kept in {folder}; again: scripts/random_scenes.py 1 {seed}", flush=True)
    if not failed:
        os.rmdir(base)
    return 1 if failed else 0


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or not all(word.isdigit() for word in sys.argv[1:]):
        sys.exit(__doc__)
    try:
        sys.exit(main(int(sys.argv[1]), int((sys.argv + ["1"])[2])))
    except Fault as fault:
        sys.exit(f"random_scenes.py: {fault}")
