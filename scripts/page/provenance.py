"""Where results come from, as the manifests of runs say: commit, machine, date and time; and what the repository keeps."""

import glob
import json
import os
import re
import subprocess

from papers import PAPERS
from reference import reference_path


class Provenance:
    """Where the results of the runs with these manifests come from."""

    def __init__(self, manifests):
        self.runs = len(manifests)
        self.commits = sorted({m["commit"][:10] + (" with changes" if m["dirty"] else "") for m in manifests})
        self.machines = sorted({f"{m['machine']['processor']}, {m['machine']['cores']} cores" for m in manifests})
        self.compilers = sorted({m["compiler"] for m in manifests})
        dates = sorted(m["date"] for m in manifests)
        self.first, self.last = (dates[0][:10], dates[-1][:10]) if dates else ("", "")
        self.seconds = sum(m["wall_s"] for m in manifests)

    @property
    def days(self):
        return self.first if self.first == self.last else f"{self.first} to {self.last}"

    @property
    def duration(self):
        minutes = self.seconds / 60
        return f"{self.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"


def manifests_of(results, name):
    """The manifests of the runs of an experiment. One that lacks something is another version's, and is left out."""
    found = []
    for path in sorted(glob.glob(os.path.join(results, name, "*", "manifest.json"))):
        try:
            with open(path, encoding="utf-8") as file:
                manifest = json.load(file)
            Provenance([manifest])
        except (ValueError, KeyError, TypeError):
            continue
        found.append(manifest)
    return found


def kept_since(results):
    """The file with the values that the repository keeps, and the commit and date of its last change, if git knows them."""
    path = reference_path(results)
    try:
        last = subprocess.run(["git", "log", "-1", "--format=%h of %cs", "--", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return path, last.stdout.strip() if last.returncode == 0 else ""
    except OSError:
        return path, ""


def references():
    """The references of CITATION.cff: {"title", "year", "doi", "authors": family names}; none without it."""
    try:
        with open("CITATION.cff", encoding="utf-8") as file:
            entries = file.read().partition("references:")[2].split("  - type:")[1:]
    except OSError:
        return []
    return [{**dict(re.findall(r"^    (title|year|doi): (.*)$", entry, re.MULTILINE)), "authors": ", ".join(re.findall(r"family-names: ([^,}]+)", entry))}
            for entry in entries]


def cited():
    """The reference of each paper whose statements are tested, by the kind of claims about it; those that CITATION.cff has."""
    return {kind: entry for kind, paper in PAPERS.items() for entry in references() if entry.get("title") == paper.title}
