"""usage: verify.py evaluate EXPERIMENT_FOLDER RESULTS OUTPUT.json    measure the claims of one experiment
          verify.py print FINISHED RESULTS EXPERIMENT ...            all of them and the numbers in texts, as TAP
          verify.py short FINISHED RESULTS EXPERIMENT ...            the claims alone, one line each, for people
          verify.py moved FINISHED RESULTS EXPERIMENT ...            have claims other values than those that are kept?
          verify.py keep FINISHED RESULTS EXPERIMENT ...             their values, in results/reference/
          verify.py chance FINISHED RESULTS EXPERIMENT ...           how much of them is chance, from RESULTS-nudge-1, -2 ...
FINISHED is a folder with a file for each experiment whose results are up to date.

The kept values are those of one machine. If a value is different here, that is reported, with whether chance explains it
(scripts/chance.py), but is no failure; for `moved` it is one, if the value is farther from the one kept than

- chance explains, where make chance knows how far runs that differ by roundings spread;
- up to the threshold, where that is one of rounding, below 1e-8 (balances of energy and momentum);
- else 1e-6 of it (scripts/tolerances.py): a scene that amplifies roundings needs make chance E=EXPERIMENT once.

scripts/claims.py explains claims, scripts/texts.py the numbers in texts.
"""

import glob
import json
import os
import sys

import texts
from arithmetic import Fault, NotMeasured
from chance import chance_keep, chance_path, chance_read, distance, is_chance, scatter, values_of
from claims import KINDS, claims_read, described, judged
from experiment import Experiment, fail
from measurements import Measurements
from reference import keep, reference_key, reference_path, reference_read
from tolerances import OF_LARGEST


def measure(claim, measurements):
    """The value of a claim, and whether it holds; or the error that kept it from being known. What a program
    measured whose tests did not all pass can show that a claim does not hold, never that it does."""
    measurements.doubt()
    try:
        value = float(claim.function(measurements))
    except NotMeasured as reason:
        return {"value": None, "holds": False, "error": None, "skipped": str(reason)}
    except Exception as error:  # whatever the error is, the claim was not tested
        return {"value": None, "holds": False, "error": f"{type(error).__name__}: {error}"}
    found, doubt = judged(claim, value), measurements.doubt()
    if doubt and found["holds"]:
        return {"value": None, "holds": False, "error": doubt}
    return {**found, "error": None}


def evaluated(claim, measurements):
    """What claims.json says of a claim."""
    found = {**described(claim), **measure(claim, measurements), "runs": measurements.taken(), "times": measurements.about_times()}
    allows = found["times"] or claim.scatter or found["value"] is None
    return {**found, "scatter": None if allows else scatter(claim, measurements)}


def evaluate(folder, results, output):
    measurements = Measurements(Experiment(folder), results)
    report = [evaluated(claim, measurements) for claim in claims_read(folder)]
    with open(output, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")


def claims_of(finished, results, experiments):
    """(experiment, claim) of all claims that were evaluated, and the experiments whose claims were not."""
    claims = []
    missing = [name for name in experiments if not os.path.exists(os.path.join(finished, name))]
    for experiment in (name for name in experiments if name not in missing):
        with open(os.path.join(results, experiment, "claims.json"), encoding="utf-8") as file:
            claims += [(experiment, claim) for claim in json.load(file)]
    refuse_twins(claims)
    return claims, missing


def refuse_twins(claims):
    """Ids are unique among all experiments: a second claim with the same id counts as not tested."""
    seen = {}
    for _, claim in claims:
        if claim["id"] in seen:
            claim["error"] = f"claim {claim['id']} already exists, {seen[claim['id']]}; ids are unique"
            claim["holds"] = False
        seen.setdefault(claim["id"], claim["where"])


# ---- for people and for prove --------------------------------------------------------------------

def number_text(value):
    return value if isinstance(value, str) else "nothing" if value is None else f"{value:.6g}"


def tap_line(number, experiment, claim):
    if claim.get("skipped"):
        return f"ok {number} - {claim['id']} ({KINDS[claim['kind']]}, {experiment}): {claim['states']} # SKIP {claim['skipped']}"
    line = (f"{'ok' if claim['holds'] else 'not ok'} {number} - {claim['id']} ({KINDS[claim['kind']]}, {experiment}): "
            f"{claim['states']} [{number_text(claim['value'])} {claim['threshold']}]").replace("#", "no.")
    if claim["known"] and not claim["error"]:
        line += f" # TODO {claim['known']}"
    if claim["error"]:
        line += f"\n# {claim['error']}"
    if not claim["holds"]:
        line += f"\n# {claim['where']}; why {claim['threshold']}: {claim['because']}"
    return line


def together(claims):
    """(experiments, claim) with one for each statement that every experiment makes, in place of one for each of them: the value is the
    worst. Alone stay those that are known not to hold, or could not be measured."""
    groups = {}
    for experiment, claim in claims:
        one = claim.get("shared") if not (claim["known"] or claim["error"] or claim.get("skipped")) else None
        groups.setdefault((one, claim["threshold"]) if one else claim["id"], []).append((experiment, claim))
    for key, group in groups.items():
        failing = [experiment for experiment, claim in group if not claim["holds"]]
        worst = max((claim for _, claim in group), key=lambda claim: (not claim["holds"], float(claim["value"] or 0)))
        if len(group) == 1:
            yield group[0]
        else:
            yield (f"not in {', '.join(failing)}" if failing else f"{len(group)} experiments"), {**worst, "id": key[0]}


def state(claim):
    if claim["error"]:
        return "error"
    if claim.get("skipped"):
        return "skipped"
    return "holds" if claim["holds"] else "known" if claim["known"] else "fails"


def counted(claims):
    """'7 claims of the paper: 5 hold, 1 known not to hold, 1 failed' for each kind there is."""
    for kind, name in KINDS.items():
        states = [state(claim) for _, claim in claims if claim["kind"] == kind]
        if states:
            yield (f"{len(states)} {'claims' if len(states) > 1 else 'claim'} of {name}: {states.count('holds')} hold, {states.count('known')} known not to hold, "
                   f"{states.count('fails') + states.count('error')} failed"
                   + (f", {states.count('skipped')} skipped" if "skipped" in states else ""))
    better = [claim["id"] for _, claim in claims if claim["known"] and claim["holds"]]
    if better:
        yield f"now hold, remove their mark: {', '.join(better)}"


def failed(claims):
    return [claim for _, claim in claims if state(claim) in ("fails", "error")]


NEAR = 2  # standard deviations: of twenty values one is farther from the mean


def near_thresholds(results, claims):
    """'2 values are within two standard deviations of their thresholds: M11-leak, M21-jet', if there are such: on which side they are may be chance."""
    chance, near = chance_read(results), []
    for experiment, claim in claims:
        comparison, number = claim["threshold"].split()
        if comparison not in ("==", "!=") and isinstance(claim["value"], float):
            away = distance(claim["value"], float(number), chance.get(reference_key(experiment, claim)), claim.get("scatter"))
            near += [claim["id"]] if away is not None and away < NEAR else []
    if near:
        yield (f"{len(near)} {'values are' if len(near) > 1 else 'value is'} within {NEAR} standard deviations of "
               f"{'their thresholds' if len(near) > 1 else 'its threshold'}: {', '.join(near)}")


BY_CHANCE = {True: "by chance", False: "not by chance", None: "by chance or not"}


def changes_of(results, claims):
    """The kept value of each claim that has another one now, and whether chance explains the difference (None: not known):
    {place in claims: (kept, whether)}."""
    reference, chance, changes = reference_read(results), chance_read(results), {}
    for place, (experiment, claim) in enumerate(claims):
        key = reference_key(experiment, claim)
        kept = reference.get(key)
        if claim["value"] is not None and kept not in (None, "", str(claim["value"])):
            changes[place] = kept, is_chance(float(claim["value"]), chance.get(key))
    return changes


def change_text(change):
    kept, by_chance = change
    return f"{kept}; it changed {BY_CHANCE[by_chance]}"


def changes_counted(claims, changes):
    """'7 values changed by chance' for each verdict there is; those that chance does not explain with their names."""
    for verdict, words in BY_CHANCE.items():
        ids = [claims[place][1]["id"] for place, change in changes.items() if change[1] is verdict]
        if ids:
            yield f"{len(ids)} {'values' if len(ids) > 1 else 'value'} changed {words}" + ("" if verdict else f": {', '.join(ids)}")


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


def print_moved(finished, results, experiments):
    claims, missing = claims_of(finished, results, experiments)
    reference, chance = reference_read(results), chance_read(results)
    moved = [(experiment, claim["id"], text) for experiment, claim in claims if (text := movement(experiment, claim, reference, chance))]
    for experiment, name, text in moved:
        print(f"# moved: {name} ({experiment}): {text}")
    for experiment in missing:
        print(f"# not measured: {experiment}")
    print(f"# {len(claims) - len(moved)} of {len(claims)} values are those of results/reference/")
    return 1 if moved or missing else 0


def print_tap(finished, results, experiments):
    claims, missing = claims_of(finished, results, experiments)
    changes, lines = changes_of(results, claims), list(together(claims))
    changed = {claims[place][1]["id"]: change for place, change in changes.items()}
    number = 0
    for number, (experiment, claim) in enumerate(lines, 1):
        print(tap_line(number, experiment, claim))
        if claim["id"] in changed:
            print(f"# another value than in {reference_path(results)}: {change_text(changed[claim['id']])}")
    for experiment in missing:
        number += 1
        print(f"not ok {number} - {experiment}: its claims could not be measured; make {experiment} says why")
    wrong = 0
    for path, count, problems in texts.check(results, [name for name in experiments if name not in missing]):
        number, wrong = number + 1, wrong + len(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {path}: its numbers are those of the results, {count} of them")
        print("".join(f"# {problem}\n" for problem in problems), end="")
    print(f"1..{number}")
    for line in [*counted(lines), *changes_counted(claims, changes), *near_thresholds(results, claims)]:
        print(f"# {line}")
    if wrong:
        print(f"# {wrong} {'numbers' if wrong > 1 else 'number'} in texts not those of the results; make texts writes them anew")
    return 1 if failed(claims) or missing or wrong or not claims else 0


def print_short(finished, results, experiments):
    """What `make fig07` says at its end."""
    claims, missing = claims_of(finished, results, experiments)
    for _, claim in claims:
        word = {"holds": "  ok     ", "known": "  known  ", "fails": "  FAILS  ", "error": "  ERROR  ", "skipped": "  skipped"}[state(claim)]
        print(f"{word} {claim['id']}: {claim['states']} [{number_text(claim['value'])} {claim['threshold']}]"
              + (f"\n           {claim['error']}" if claim["error"] else "")
              + (f"\n           {claim['skipped']}" if claim.get("skipped") else "")
              + (f"\n           {claim['where']}; why {claim['threshold']}: {claim['because']}" if state(claim) == "fails" else ""))
    for line in counted(claims):
        print(f"  {line}")
    for experiment in missing:
        print(f"{experiment}: not finished; see above", file=sys.stderr)
    return 1 if failed(claims) or missing else 0


def all_measured(finished, results, experiments):
    claims, missing = claims_of(finished, results, experiments)
    if missing:
        raise Fault(f"nothing kept: the claims of {', '.join(missing)} were not measured")
    return claims


def keep_values(finished, results, experiments):
    """Keeps the values; first it says which are different."""
    claims = all_measured(finished, results, experiments)
    changes = changes_of(results, claims)
    for place, change in changes.items():
        experiment, claim = claims[place]
        print(f"  {claim['id']} ({experiment}): {number_text(claim['value'])}, was {change_text(change)}")
    for line in changes_counted(claims, changes):
        print(f"  {line}")
    keep(results, experiments, claims)


def keep_chance(finished, results, experiments):
    all_measured(finished, results, experiments)
    nudged = sorted(glob.glob(f"{results}-nudge-*"))
    if not nudged:
        raise Fault(f"there is no {results}-nudge-1; make chance makes it")
    values = values_of([results, *nudged], experiments)
    chance_keep(results, experiments, values)
    print(f"  {chance_path(results)}: {len(values)} claims, {len(nudged) + 1} values each")


COMMANDS = {"print": print_tap, "short": print_short, "moved": print_moved, "keep": keep_values, "chance": keep_chance}


def main():
    words = sys.argv[1:]
    try:
        if len(words) == 4 and words[0] == "evaluate":
            evaluate(*words[1:])
        elif len(words) >= 3 and words[0] in COMMANDS:
            sys.exit(COMMANDS[words[0]](words[1], words[2], words[3:]))
        else:
            fail(__doc__)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
