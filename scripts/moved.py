"""usage: moved.py FINISHED RESULTS EXPERIMENT ...: fails if a claim has another value than the one that results/reference/ keeps.

FINISHED is a folder with a file for each experiment whose results are up to date. How far a value may be from the one kept:

- where make chance knows how far runs that differ by roundings spread: as far as chance explains (scripts/chance.py);
- where the threshold itself is one of rounding, below 1e-8 (balances of energy and momentum): anywhere below it;
- else by 1e-6 of it (scripts/tolerances.py): a scene that amplifies roundings needs make chance E=EXPERIMENT once.

A claim of which nothing is kept has moved, too: make reference E=EXPERIMENT keeps it.
"""

import sys

from arithmetic import Fault
from chance import chance_read, is_chance
from experiment import fail
from reference import reference_key, reference_read
from tolerances import OF_LARGEST
from verify import claims_of

ROUNDING = 1e-8


def limit_of(claim):
    """The threshold of a claim that a remainder is small, else None."""
    comparison, number = claim["threshold"].split()
    return float(number) if comparison in ("<", "<=") and 0 < float(number) < ROUNDING else None


def movement(experiment, claim, reference, chance):
    """What is different about a claim's value, or None."""
    key = reference_key(experiment, claim)
    kept, value = reference.get(key), claim["value"]
    if claim.get("skipped"):
        return None
    if kept in (None, ""):
        return "no value is kept; make reference keeps it"
    if value is None:
        return f"it could not be measured; {kept} is kept"
    value, kept = float(value), float(kept)
    if value == kept or limit_of(claim) is not None and value <= limit_of(claim):
        return None
    if key in chance:
        return None if is_chance(value, chance[key]) else f"{value:g}, not {kept:g}, and chance does not explain it"
    if abs(value - kept) <= OF_LARGEST * abs(kept):
        return None
    return f"{value:g}, not {kept:g}, and what chance does to it is not known"


def main():
    if len(sys.argv) < 4:
        fail(__doc__)
    try:
        finished, results, experiments = sys.argv[1], sys.argv[2], sys.argv[3:]
        claims, missing = claims_of(finished, results, experiments)
        reference, chance = reference_read(results), chance_read(results)
        moved = [(experiment, claim["id"], text) for experiment, claim in claims if (text := movement(experiment, claim, reference, chance))]
        for experiment, name, text in moved:
            print(f"# moved: {name} ({experiment}): {text}")
        for experiment in missing:
            print(f"# not measured: {experiment}")
        print(f"# {len(claims) - len(moved)} of {len(claims)} values are those of results/reference/")
        sys.exit(1 if moved or missing else 0)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
