"""usage: refused.py MS-SAMPLE EXPERIMENT ...: of which runs is the configuration faulty?

Prints what ms-sample says, at small and at paper scale. Of runs of the same scenes, layers and keys the first stands for all.
"""

import os
import subprocess
import sys

from arithmetic import Fault
from experiment import Experiment, fail


def configurations(name):
    """The distinct ones of an experiment: files and settings."""
    experiment, seen = Experiment(os.path.join("experiments", name)), set()
    for run in experiment.runs:
        for scale in ("small", "paper"):
            files, settings = experiment.layers(run, scale)
            kind = tuple(files), tuple(token.split("=")[0] for token in settings)
            if kind not in seen:
                seen.add(kind)
                yield run.name, files, settings


def main():
    if len(sys.argv) < 3:
        fail(__doc__)
    try:
        for name in sys.argv[2:]:
            for run, files, settings in configurations(name):
                words = [f"--config={file}" for file in files] + [f"--set={setting}" for setting in settings]
                said = subprocess.run([sys.argv[1], "--effective", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
                if said.returncode:
                    print(f"{name}/{run}: {said.stderr.strip()}")
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
