"""usage: unscattered.py FIELDS SCALE EXPERIMENT ...: of which claims is it not known how much is chance?

Prints `EXPERIMENT ID` for each. Needs no results, as dry.py, whose FIELDS these are. Known it is

- of a claim that takes nothing from runs, or only from those of an experiment in which nothing is chaotic (`samples none`);
- by samples, and by nudges that results/reference/SCALE-chance.csv has (scripts/chance.py);
- if the claim says itself how it allows for chance (`scatter`), as one about times must in its reason;
- of a count that must be a certain number, and of a remainder that must be as small as rounding.
"""

import os
import sys

from arithmetic import Fault
from chance import chance_read, scatter
from claims import claims_read
from dry import Fields, real, standin
from experiment import Experiment, fail
from verify import limit_of


def takes_from_runs(claim, measurements):
    """Whether it takes results of runs, and not their times."""
    measurements.taken(), measurements.about_times()
    try:
        claim.function(measurements)
    except Exception as error:  # random values may be impossible; a wrong name is told by dry.py
        if real(error):
            raise Fault(f"{claim.where}: claim {claim.id}: {error}") from None
    runs = set(measurements.taken()) - set(measurements.experiment.tests)
    return bool(runs) and not measurements.about_times()


def is_known(claim, measurements, nudged):
    return (claim.comparison in ("==", "!=") or limit_of({"threshold": claim.threshold}) is not None or claim.scatter or nudged
            or not takes_from_runs(claim, measurements) or scatter(claim, measurements) is not None)


def unknown(name, kind, nudged):
    folder = os.path.join("experiments", name)
    experiment = Experiment(folder)
    if not experiment.steady:
        measurements = kind(experiment, "no results")
        for claim in claims_read(folder):
            if not is_known(claim, measurements, (name, claim.id) in nudged):
                yield claim.id


def main():
    if len(sys.argv) < 4:
        fail(__doc__)
    try:
        kind = standin(Fields(sys.argv[1]))
        nudged = {key[:2] for key in chance_read(os.path.join("results", sys.argv[2]))}
        for name in sys.argv[3:]:
            for claim in unknown(name, kind, nudged):
                print(name, claim)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
