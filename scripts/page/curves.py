"""The time series of an experiment's runs, thinned out, as the page's curves.js draws them."""

import json
import math
import os

from columns import columns_read
from methods import method_of

POINTS = 160  # of a curve, in pairs: the least and the largest value of each piece of time
RUNS = 40  # an experiment with more has too many curves for one drawing

# column of metrics.csv -> what it is; of these, those that are not zero throughout are drawn
QUANTITIES = {
    "penetrated": "particles that penetrated",
    "overlap_max": "largest overlap / distance of contact",
    "deflection": "deflection of the sheet, m",
    "energy": "mechanical energy, J",
    "kinetic": "kinetic energy, J",
    "elastic": "elastic energy, J",
    "speed_max": "largest speed, m/s",
    "contacts": "pairs in contact",
    "largest_group": "members of the largest meta-particle",
    "debris_fraction": "debris, fraction of the body",
    "largest_fraction": "largest fragment, fraction of the body",
    "dt": "time step, s",
}


def thinned(times, values):
    """(times, values) of the extremes of each piece, in order; the first and the last are kept."""
    if len(values) <= POINTS:
        return times, values
    pieces = POINTS // 2
    chosen = {0, len(values) - 1}
    for k in range(pieces):
        first, end = k * len(values) // pieces, (k + 1) * len(values) // pieces
        finite = [value for value in values[first:end] if math.isfinite(value)]
        if finite:
            chosen.update((values.index(min(finite), first), values.index(max(finite), first)))
    places = sorted(chosen)
    return [times[i] for i in places], [values[i] for i in places]


def short(value):
    """Four digits are more than a screen shows; null is a gap in the curve."""
    return float(f"{value:.4g}") if math.isfinite(value) else None


def methods_of(results, name, runs):
    """The method of each run; none where all runs have the same, because its color would tell nothing apart."""
    found = {}
    for run in runs:
        try:
            with open(os.path.join(results, name, run, "summary.json"), encoding="utf-8") as file:
                found[run] = method_of(run, json.load(file)["config"]["contact.method"])
        except (FileNotFoundError, ValueError, KeyError):
            found[run] = None
    return found if len(set(found.values())) > 1 else dict.fromkeys(runs)


def curves_of(results, name, runs):
    """The curves as JSON text; nothing if no run has metrics here, or if there are too many runs."""
    paths = {run: os.path.join(results, name, run, "metrics.csv") for run in runs}
    paths = {run: path for run, path in paths.items() if os.path.exists(path)}
    if not paths or len(paths) > RUNS:
        return ""
    data, seen, methods = [], set(), methods_of(results, name, paths)
    for run, path in paths.items():
        columns = columns_read(path, {"time", *QUANTITIES})
        series = {}
        for quantity in (q for q in QUANTITIES if q in columns and columns["time"]):
            times, values = thinned(columns["time"], columns[quantity])
            series[quantity] = [[short(t) for t in times], [short(v) for v in values]]
            if any(values):
                seen.add(quantity)
        data.append({"run": run, "method": methods[run], "series": series})
    quantities = {q: title for q, title in QUANTITIES.items() if q in seen}
    for entry in data:
        entry["series"] = {q: s for q, s in entry["series"].items() if q in seen}
    return json.dumps({"quantities": quantities, "runs": data}, separators=(",", ":")).replace("</", "<\\/") if quantities else ""
