"""The values of claims that the repository keeps, results/reference/<scale>.csv: those of one machine, to compare with."""

import csv
import os

from claims import claims_read, described, judged

REFERENCE = ["experiment", "id", "kind", "statement", "threshold", "value", "scatter"]
KEY = {"experiment", "id", "threshold"}


def reference_path(results):
    return os.path.join("results", "reference", os.path.basename(results) + ".csv")


def reference_key(experiment, claim):
    return experiment, claim["id"], claim["threshold"]


def reference_read(results):
    try:
        with open(reference_path(results), encoding="utf-8", newline="") as file:
            return {(row["experiment"], row["id"], row["threshold"]): row["value"] for row in csv.DictReader(file)}
    except FileNotFoundError:
        return {}


def replace_rows(path, columns, experiments, rows):
    """Writes a table of experiments, in their order; its rows of these experiments are new, and what it had of others stays."""
    others = []
    try:
        with open(path, encoding="utf-8", newline="") as file:
            others = [row for row in csv.DictReader(file) if KEY <= set(row) and row["experiment"] not in experiments
                      and os.path.exists(os.path.join("experiments", row["experiment"]))]
    except FileNotFoundError:
        pass
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(sorted([[row.get(name, "") for name in columns] for row in others] + rows, key=lambda row: row[0]))
    os.replace(temporary, path)


def keep(results, experiments, claims):
    """Keeps (experiment, claim) of these experiments."""
    rows = [[experiment, claim["id"], claim["kind"], claim["states"], claim["threshold"], claim["value"], claim["scatter"]] for experiment, claim in claims]
    replace_rows(reference_path(results), REFERENCE, experiments, rows)


def kept_claims(results, name):
    """The claims of an experiment with the values that were kept; an empty list if that of one claim was not."""
    reference, claims = reference_read(results), []
    for claim in claims_read(os.path.join("experiments", name)):
        value = reference.get(reference_key(name, described(claim)))
        if value is None or value == "":
            return []
        claims.append({**described(claim), **judged(claim, float(value)), "error": None})
    return claims
