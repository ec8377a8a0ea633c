"""usage: sweep_slurm.py FILE SCALE BUILD RESULTS NAMES-FILE: runs of a sweep as job arrays of Slurm, and waits for their end

Runs are made by the same script that make uses (scripts/steps/swept). How much time and memory an array task may take follows from
the runs of this sweep that have ended: SAFETY times the most that one of them took, and twice as much each time that a run was
submitted and did not end. If none has, one run is submitted alone, to learn from. A task is one run; of runs that take less than
a minute it has several, one after the other, as long as there are TASKS tasks. Everything else, such as the
partition or the account, is taken from Slurm's own variables (SBATCH_PARTITION, SBATCH_ACCOUNT). RESULTS/NAME/slurm/ has the
script, the commands and what the tasks printed.
"""

import json
import math
import os
import re
import shlex
import subprocess
import sys
import time

from arithmetic import Fault
from experiment import fail
from progress import seconds_last
from rules import replace
from sweep import Sweep

SAFETY = 3.0  # another node may be slower, another run larger
TASKS, LEAST_SECONDS = 16, 60  # Slurm starts some tasks per second, and only so many can wait
LEAST_MINUTES, LEAST_MEGABYTES = 2, 200  # what starting takes
PATIENCE = 10  # most seconds between two questions whether a job is still at work


def ask(*command):
    """What a command of Slurm prints."""
    try:
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    except OSError as error:
        raise Fault(f"{command[0]}: {error.strerror}; ENGINE=slurm needs Slurm's commands, here (Debian: slurm-client)") from error
    if found.returncode != 0:
        said = (found.stderr.strip() or found.stdout.strip() or "failed").splitlines()[-1]
        raise Fault(f"{said}; is Slurm running? `scontrol ping` tells")
    return found.stdout


class Jobs:
    def __init__(self, sweep, scale, build, results):
        self.sweep, self.scale, self.build = sweep, scale, build
        self.results, self.folder = results, os.path.join(results, sweep.name, "slurm")
        self.runs = {f"{sweep.name}/{run.name}": run for run in sweep.runs}
        self.threads = os.environ.get("OMP_NUM_THREADS", "1")
        os.makedirs(self.folder, exist_ok=True)

    # ---- what a run needs ------------------------------------------------------------------------

    def took(self):
        """(seconds, bytes) of the runs that have ended."""
        for name in self.runs:
            folder = os.path.join(self.results, name)
            seconds = seconds_last(folder)
            try:
                with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
                    memory = json.load(file).get("peak_memory_bytes")
            except (OSError, ValueError):
                continue
            if os.path.exists(os.path.join(folder, "done")) and seconds is not None:
                yield seconds, memory or 0

    def tries(self, name):
        try:
            with open(os.path.join(self.results, name, "tries"), encoding="utf-8") as file:
                return int(file.read())
        except (OSError, ValueError):
            return 0

    def runs_of_task(self, number):
        """How many runs make one task, if there are `number` runs."""
        longest = max((seconds for seconds, _ in self.took()), default=math.inf)
        return max(1, min(int(LEAST_SECONDS / max(longest, 0.1)), number // TASKS)) if math.isfinite(longest) else 1

    def needs(self, names):
        """Options of sbatch; none if nothing is known."""
        took = list(self.took())
        if not took:
            return []
        factor = SAFETY * 2 ** min(max(map(self.tries, names)), 10)
        minutes = max(LEAST_MINUTES, math.ceil(factor * self.runs_of_task(len(names)) * max(seconds for seconds, _ in took) / 60))
        megabytes = max(LEAST_MEGABYTES, math.ceil(factor * max(memory for _, memory in took) / 1e6))
        return [f"--time={minutes}", f"--mem={megabytes}M"]

    # ---- jobs ------------------------------------------------------------------------------------

    def command(self, name):
        run = self.runs[name]
        return shlex.join(["env", f"RETRY={os.environ.get('RETRY', '')}", f"RUN={os.environ.get('RUN', '')}",
                           f"OMP_NUM_THREADS={self.threads}", "scripts/steps/swept", self.build, os.path.join(self.results, name),
                           *self.sweep.arguments(run, self.scale)])

    def write(self, names, of_task):
        """Writes the job's script and its commands."""
        commands, script = os.path.join(self.folder, "commands"), os.path.join(self.folder, "job.sh")
        replace(commands, "".join(f"{self.command(name)}\n" for name in names))
        replace(script, f"""#!/bin/sh
# Written by scripts/sweep_slurm.py: some runs of a sweep, lines of the file of commands beside it.
cd {shlex.quote(os.getcwd())} || exit 1
last=$((SLURM_ARRAY_TASK_ID * {of_task})) status=0
while read -r command; do
    eval "$command" </dev/null || status=1
done <<END
$(sed -n "$((last - {of_task} + 1)),${{last}}p" {shlex.quote(commands)})
END
exit $status
""")
        return script

    def submit(self, names):
        """Submits one array and waits for its end. A task that does not end well leaves its run as it is, which is told later."""
        of_task = self.runs_of_task(len(names))
        script, needs, tasks = self.write(names, of_task), self.needs(names), math.ceil(len(names) / of_task)
        for name in names:
            os.makedirs(os.path.join(self.results, name), exist_ok=True)
            replace(os.path.join(self.results, name, "tries"), f"{self.tries(name) + 1}\n")
        words = ["sbatch", "--parsable", f"--job-name={self.sweep.name}", f"--array=1-{tasks}", "--ntasks=1", f"--cpus-per-task={self.threads}",
                 f"--output={self.folder}/task-%a.txt", *needs, script]
        job = ask(*words).strip().partition(";")[0]
        replace(os.path.join(self.folder, "job"), f"{job}\n")
        print(f"  submitted {len(names)} {'runs' if len(names) > 1 else 'run'} as job {job} of {tasks} {'tasks' if tasks > 1 else 'task'} "
              f"({' '.join(needs) or 'nothing known of time and memory'})", flush=True)
        wait_for(job)

    def wait_for_earlier(self):
        """Waits for the job of an earlier make that was stopped, which may still be at work."""
        try:
            with open(os.path.join(self.folder, "job"), encoding="utf-8") as file:
                job = file.read().strip()
        except OSError:
            return False
        if not is_active(job):
            return False
        print(f"  waiting   for job {job}, which an earlier make submitted", flush=True)
        wait_for(job)
        return True


def is_active(job):
    found = subprocess.run(["squeue", "--noheader", "--jobs", job], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0 and "Invalid job id" not in found.stderr:
        raise Fault(f"{(found.stderr.strip() or 'squeue failed').splitlines()[-1]}; job {job} may go on, and the next make will wait for it")
    return found.returncode == 0 and bool(found.stdout.strip())


def wait_for(job):
    patience = 0.5
    while is_active(job):
        time.sleep(patience)
        patience = min(1.2 * patience, PATIENCE)


def array_limit():
    found = re.search(r"^MaxArraySize\s*=\s*(\d+)", ask("scontrol", "show", "config"), re.MULTILINE)
    return int(found[1]) - 1 if found else 1000


def main():
    if len(sys.argv) != 6:
        fail(__doc__)
    path, scale, build, results, due = sys.argv[1:]
    try:
        limit = array_limit()
        jobs = Jobs(Sweep(path), scale, build, results)
        with open(due, encoding="utf-8") as file:
            names = file.read().split()
        if jobs.wait_for_earlier():
            sys.exit(3)  # what is due is to be found out anew
        if names and not jobs.needs(names):
            jobs.submit(names[:1])
            names = names[1:]
        for first in range(0, len(names), limit):
            jobs.submit(names[first:first + limit])
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
