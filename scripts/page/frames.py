"""The particles of an experiment's runs, as scripts/points.py packed them, for the page's frames.js."""

import json
import os


def frames_of(results, name, runs):
    """The points of all runs as JSON text; nothing if no run has points here."""
    found = []
    for run in runs:
        try:
            with open(os.path.join(results, name, run, "points.json"), encoding="utf-8") as file:
                found.append({"run": run, **json.load(file)})
        except (FileNotFoundError, ValueError):
            continue
    return json.dumps(found, separators=(",", ":")).replace("</", "<\\/") if found else ""
