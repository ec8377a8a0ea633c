"""usage: timings.py busiest RUN STEPS       prints the name of the frame that the busiest steps of a run follow
          timings.py record TIMED FRAME      prints what steps.json has, of steps that ms-simulate timed in the folder TIMED
          timings.py quiet FOLDER            exit status 0 if nothing else was at work; FOLDER: with steps.json, timed/steps.csv
          timings.py bench PROGRAM ARG...    runs a program of tests/bench, and prints what it measured, as JSON
          timings.py alone FILE.bench        exit status 0 if nothing else was at work meanwhile

Times of steps, measured one by one (ms-simulate --from FRAME --steps N): RUN/steps.csv and RUN/steps.json; and times of parts
of the program, NAME.bench. They differ from measurement to measurement and are no results.

The CPU time of all steps of a run (spent_read) is that of the run itself, which has one thread and may share the machine with others.

The busiest steps are those that merge most pairs: each merging of two particles or meta-particles is undone by one split,
and splits are counted. A measurement is disturbed if other programs had more of the cores than the threads left to them.
"""

import csv
import json
import os
import resource
import statistics
import subprocess
import sys
import time

from arithmetic import Fault
from columns import columns_read

# Share of a core that the system itself may take.
SPARE = 0.1

# The system counts the computing time of each core in hundredths of a second.
COUNTED = 0.01

# Columns of the paper's Table 1 -> phases of a step (src/schemes/timing.h).
COLUMNS = {
    "detection": ("detection",),
    "merging": ("merging",),
    "stage 1": ("first_stage",),
    "stage 2": ("later_stages",),
    "splitting": ("synchronizing", "splitting"),
    "rest": ("outside", "moving", "ledger", "measures"),
}


def rows_read(path):
    columns = columns_read(path)
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def merged(row):
    return row["splits_with_root"] + row["splits_without_root"]


class Timing:
    """The timed steps of one run."""

    def __init__(self, record, rows):
        self.record, self.rows = record, rows

    def _of(self, phases):
        return [sum(row[f"{phase}_s"] for phase in phases) for row in self.rows]

    def times(self, column):
        """Wall times of a column, s, of every step; 'total': of the whole step."""
        return [row["wall_s"] for row in self.rows] if column == "total" else self._of(COLUMNS[column])

    def mean(self, column):
        return statistics.fmean(self.times(column))

    def median(self, column):
        return statistics.median(self.times(column))

    def least(self, column):
        return min(self.times(column))

    def count(self, name):
        """Mean per step of a column of steps.csv that counts: contacts, groups, iterations_first ..."""
        return statistics.fmean(row[name] for row in self.rows)

    def merged(self):
        return statistics.fmean(map(merged, self.rows))

    def stages_ratio(self):
        """The cost of a later stage over that of the first, in the steps that had later ones; nan if none had."""
        several = [(row["stages"] - 1, first, later) for row, first, later in zip(self.rows, self.times("stage 1"), self.times("stage 2")) if row["stages"] > 1]
        return sum(later for _, _, later in several) / sum(number * first for number, first, _ in several) if several else float("nan")

    def wall(self):
        return sum(row["wall_s"] for row in self.rows)

    def others(self):
        """Cores that other programs took meanwhile, as a mean."""
        return sum(row["machine_s"] - row["processor_s"] for row in self.rows) / self.wall()

    def disturbed(self):
        """Why the times count for nothing: 'others took 0.3 cores'; None if nothing disturbed them, or if what was counted may be
        an error of counting, as in a tenth of a second."""
        return disturbance(self.others(), self.record, COUNTED * self.record["cores"] / self.wall())


def disturbance(others, record, error=0.0):
    """Why times count for nothing, if other programs took so many cores, with this error; None if they did not disturb."""
    if others != others:
        return "the system does not say what other programs did"
    free = max(record["cores"] - record["threads"], 0)
    return f"other programs took {others:.2f} of {record['cores']} cores" if others > free + SPARE + error else None


def timing_read(folder, table="steps.csv"):
    with open(os.path.join(folder, "steps.json"), encoding="utf-8") as file:
        timing = Timing(json.load(file), rows_read(os.path.join(folder, table)))
    if not timing.rows:
        raise Fault(f"{folder}: no steps were timed")
    return timing


# ---- whole runs ----------------------------------------------------------------------------------

# Phases that belong to no step of a method: what comes before the first one, and what we write down of a run.
OURS = ("preparing_s", "ledger_s", "measures_s", "frames_s")


class Spent:
    """What ms-simulate says of the time that a whole run took."""

    def __init__(self, processor, wall, parts):
        self.processor, self.wall = processor, wall  # s: of the CPU, and passed
        self.parts = parts  # a run that was interrupted has several
        self.threads = int(max((part["threads"] for part in parts), default=0))

    def steps(self):
        """CPU time of the steps alone, s, without what we write down of them: its share in the time that passed."""
        return self.phases(*(name[:-2] for name in self.parts[0] if name.endswith("_s") and name not in OURS))

    def phases(self, *names):
        """That of these phases (src/schemes/timing.h), s."""
        return self.processor * sum(part[f"{name}_s"] for part in self.parts for name in names) / self.wall

    def unknown(self):
        """Why the CPU time of the whole run is not known; None if it is."""
        if len(self.parts) != 1:
            return "was interrupted"
        return f"had {self.threads} threads, and CPU time counts their waiting, too" if self.threads != 1 else None


def spent_read(folder):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    return Spent(manifest["processor_s"], manifest["wall_s"], rows_read(os.path.join(folder, "timing.csv")))


def kept_from_cores(spent):
    """Why the CPU times of these runs count for nothing: others had their cores for a while, and what of caches they left in the
    meantime nobody knows; None if that is not so."""
    share = 1 - sum(each.processor for each in spent) / sum(each.wall for each in spent)
    return f"other programs had their cores for {100 * share:.0f} % of the time" if share > SPARE else None


# ---- programs of tests/bench ---------------------------------------------------------------------

def machine_busy():
    """Seconds that all cores have computed; nan if the system does not say."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, *interrupts = map(float, file.readline().split()[1:9])
    except (OSError, ValueError):
        return float("nan")
    return (user + nice + system + sum(interrupts)) / os.sysconf("SC_CLK_TCK")


def children_busy():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def bench(program, *arguments):
    wall, machine, own = time.monotonic(), machine_busy(), children_busy()
    run = subprocess.run([program, *arguments], check=False, text=True, stdout=subprocess.PIPE)
    wall, machine, own = time.monotonic() - wall, machine_busy() - machine, children_busy() - own
    if run.returncode != 0:
        raise Fault(f"{program} ended with status {run.returncode}")
    return {"threads": int(os.environ["OMP_NUM_THREADS"]), "cores": os.cpu_count(), "others": (machine - own) / wall,
            "value": {name: float(value) for name, value in map(str.split, run.stdout.splitlines())}}


class Bench:
    """What a program of tests/bench measured."""

    def __init__(self, record):
        self.record = record
        self.value = record["value"]

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as file:
            return Bench(json.load(file))

    def disturbed(self):
        return disturbance(self.record["others"], self.record)


# ---- the frame to begin with ---------------------------------------------------------------------

def frame_steps(run, rows):
    """(name, step) of each frame."""
    with open(os.path.join(run, "bodies.csv"), encoding="utf-8", newline="") as file:
        times = {int(row["frame"]): float(row["time"]) for row in csv.DictReader(file)}
    of_time = {row["time"]: int(row["step"]) for row in rows}
    return [(f"{number:06d}.hdf", of_time[time] if time > 0 else 0) for number, time in sorted(times.items())]


def busiest(run, steps):
    rows = rows_read(os.path.join(run, "metrics.csv"))
    best = None
    for name, step in frame_steps(run, rows):
        following = rows[step:step + steps]
        pairs = sum(map(merged, following))
        if len(following) == steps and (best is None or pairs > best[0]):
            best = pairs, name
    if best is None:
        raise Fault(f"{run}: no frame is followed by {steps} steps; let it run for longer")
    return best[1]


def record(folder, frame):
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    with open(os.path.join(folder, "timing.csv"), encoding="utf-8", newline="") as file:
        counts = next(csv.DictReader(file))
    machine = manifest["machine"]
    return {"frame": frame, "particles": int(counts["particles"]), "bonds": int(counts["bonds"]), "threads": int(counts["threads"]),
            "cores": machine["cores"], "processor": machine["processor"], "load_after": machine["load"],
            "peak_memory_bytes": manifest["peak_memory_bytes"], "date": manifest["date"], "commit": manifest["commit"],
            "dirty": manifest["dirty"], "compiler": manifest["compiler"]}


def main():
    words = sys.argv[1:]
    if len(words) == 3 and words[0] == "busiest":
        print(busiest(words[1], int(words[2])))
    elif len(words) == 3 and words[0] == "record":
        print(json.dumps(record(*words[1:]), indent=1))
    elif len(words) >= 2 and words[0] == "bench":
        print(json.dumps(bench(*words[1:]), indent=1))
    elif len(words) == 2 and words[0] == "alone":
        sys.exit(1 if Bench.read(words[1]).disturbed() else 0)
    elif len(words) == 2 and words[0] == "quiet":
        sys.exit(1 if timing_read(words[1], "timed/steps.csv").disturbed() else 0)
    else:
        raise Fault(__doc__)


if __name__ == "__main__":
    try:
        main()
    except (Fault, OSError) as fault:
        print(fault, file=sys.stderr)
        sys.exit(2)
