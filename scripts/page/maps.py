"""The numbers of every run of a map, an experiment named map-*: the page's maps.js has a slider for each axis of its runs."""

import json
import os

from experiment import named

# of summary.json -> what it is; of these, those that are not the same in all runs are shown
MEASURES = {
    "penetrated_max": "particles that penetrated, most at any time",
    "unstable": "unstable",
    "overlap_depth_max": "largest overlap / radius",
    "energy_gain": "largest energy gain / energy available",
    "speed_ratio": "speed (99.9th percentile) / speed allowed",
    "speed_max": "largest speed, m/s",
    "fragments": "fragments at the end",
    "debris_fraction": "debris, fraction of the body",
    "largest_fraction": "largest fragment, fraction of the body",
    "deflection_max": "largest deflection of the sheet, m",
    "largest_group": "members of the largest meta-particle",
    "dt_mean": "mean time step, s",
    "steps": "time steps done",
    "end": "how the run ended",
}


def summary_of(folder):
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, ValueError):
        return None


def shown(value):
    """As JSON has it: true and false, a number of some digits, a word; null for nothing, nan or infinity in words."""
    return value if isinstance(value, (bool, str)) or value is None else float(f"{value:.6g}")


def one_slider(experiment, names):
    """Axis -> the axis whose slider moves it: the first with the same values that sets a key of this one, too."""
    def alike(a, b):
        return experiment.axes[a] == experiment.axes[b] and set(experiment.axis_keys[a]) & set(experiment.axis_keys[b])
    return {name: next(first for first in names if first == name or alike(first, name)) for name in names}


def map_of(results, experiment):
    """The map as JSON text; nothing if the experiment is no map, or has no results here."""
    if not experiment.name.startswith("map-"):
        return ""
    found = [(run, summary_of(os.path.join(results, experiment.name, run.name))) for run in experiment.runs if run.place]
    found = [(run, summary) for run, summary in found if summary is not None]
    values = {key: [shown(summary.get(key)) for _, summary in found] for key in MEASURES}
    keys = [key for key, column in values.items() if len(set(map(str, column))) > 1]
    if not keys:
        return ""
    slider = one_slider(experiment, [axis for axis in experiment.axes if any(axis in run.place for run, _ in found)])
    axes = [{"name": axis, "values": experiment.axes[axis],
             "keys": sorted(set.intersection(*(set(experiment.axis_keys[other]) for other in slider if slider[other] == axis)))}
            for axis in dict.fromkeys(slider.values())]
    runs = [{"run": run.name, "pattern": named(run.pattern, {axis: "{" + slider[axis] + "}" for axis in run.place}),
             "place": {slider[axis]: value for axis, value in run.place.items()}, "values": [values[key][k] for key in keys]}
            for k, (run, _) in enumerate(found)]
    data = {"axes": axes, "measures": [[key, MEASURES[key]] for key in keys], "runs": runs}
    return json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
