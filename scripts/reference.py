"""The values of claims that the repository keeps, results/reference/<scale>.csv: those of one machine, to compare with.

Statements that every experiment makes are in one table, <scale>-shared.csv: a row for each experiment, a column for each statement, with
its threshold.
"""

import csv
import functools
import os

from claims import claims_read, described, judged

REFERENCE = ["experiment", "id", "kind", "statement", "threshold", "value", "scatter"]


def reference_path(results):
    return os.path.join("results", "reference", os.path.basename(results) + ".csv")


def shared_path(results):
    return os.path.join("results", "reference", os.path.basename(results) + "-shared.csv")


def reference_key(experiment, claim):
    return experiment, claim["id"], claim["threshold"]


def rows_read(path):
    """Those of a table, as {column: text}; none if there is no such file."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        return []


@functools.lru_cache(maxsize=1)
def reference_read(results):
    kept = {(row["experiment"], row["id"], row["threshold"]): row["value"] for row in rows_read(reference_path(results))}
    for row in rows_read(shared_path(results)):
        for subject, _, threshold in (name.partition(" ") for name in row if name != "experiment"):
            kept[row["experiment"], f"{subject}-{row['experiment']}", threshold] = row[f"{subject} {threshold}"]
    return kept


def replace_rows(path, columns, experiments, rows):
    """Writes a table of experiments, in their order; its rows of these experiments are new, and what it had of others stays."""
    others = [row for row in rows_read(path) if set(columns[:1]) <= set(row) and row["experiment"] not in experiments
              and os.path.exists(os.path.join("experiments", row["experiment"]))]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(sorted([[row.get(name, "") for name in columns] for row in others] + rows, key=lambda row: row[0]))
    os.replace(temporary, path)


def keep(results, experiments, claims):
    """Keeps (experiment, claim) of these experiments."""
    rows = [[experiment, claim["id"], claim["kind"], claim["states"], claim["threshold"], claim["value"], claim["scatter"]]
            for experiment, claim in claims if not claim.get("shared")]
    replace_rows(reference_path(results), REFERENCE, experiments, rows)
    found = {(experiment, f"{claim['shared']} {claim['threshold']}"): claim["value"] for experiment, claim in claims if claim.get("shared")}
    names = {name for row in rows_read(shared_path(results)) for name in row if name != "experiment"} | {name for _, name in found}
    if names:
        columns = ["experiment", *sorted(names)]
        replace_rows(shared_path(results), columns, experiments, [[name, *(found.get((name, column), "") for column in columns[1:])]
                                                                   for name in dict.fromkeys(experiment for experiment, _ in found)])


def kept_claims(results, name):
    """The claims of an experiment with the values that were kept; an empty list if that of one claim was not."""
    reference, claims = reference_read(results), []
    for claim in claims_read(os.path.join("experiments", name)):
        value = reference.get(reference_key(name, described(claim)))
        if value is None or value == "":
            return []
        claims.append({**described(claim), **judged(claim, float(value)), "error": None})
    return claims
