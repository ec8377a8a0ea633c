"""usage: make -n --trace ... | why.py BUILD SCALE RESULTS THEN TARGET: why would TARGET, an experiment or EXPERIMENT/RUN, be made again?

Prints the chain from what would be made down to the inputs that changed, each with its old and its new value. What the present
results were made of is in their configurations and manifests, and in THEN: a copy of build/content from before this make looked
at the scripts, and `flags`, those of a build now. Nothing is built, as with plan.py.
"""

import json
import os
import signal
import sys

import changes
from arithmetic import Fault
from experiment import Experiment, fail
from plan import Plan, trace_read
from progress import modified

SIMULATED = ("config.yaml", "initial.hdf", "frames.sha256")  # the steps up to the frames of a run
ENDS = {"drawn": "its pictures would be drawn again", "claims.json": "its claims would be measured again"}


def told(causes, depth, seen):
    """Prints (text, causes of it), each below what it causes; what stands above already is not told again."""
    for text, below in causes:
        again = len(below) > 1 and tuple(below) in seen
        seen.add(tuple(below))
        print("    " * depth + text + (", as above" if again else ", because" if below and isinstance(below[0], tuple) else ""))
        if not again:
            told([item if isinstance(item, tuple) else (item, ()) for item in below], depth + 1, seen)


def counted(names, of):
    if len(names) > 1 and of == f"{len(names)} runs":
        return f"all {of}"
    few = ", ".join(names[:4]) + (f" and {len(names) - 4} others" if len(names) > 4 else "")
    return few if len(names) == 1 else f"{len(names)} of {of} ({few})" if of != "files" else few


def grouped(what, of, causes):
    """Groups the names that have causes in common; causes is a list of (name, its causes)."""
    names = {}
    for name, found in causes:
        for cause in dict.fromkeys(found):
            names.setdefault(cause, []).append(name)
    groups = {}
    for cause, together in names.items():
        groups.setdefault(tuple(together), []).append(cause)
    return [(f"{counted(together, of)} would be {what} again", found) for together, found in groups.items()]


class Why:
    def __init__(self, plan, then, experiment):
        self.plan, self.then, self.experiment = plan, then, experiment
        self.flags = changes.file_read(os.path.join(then, "flags")) or ""
        self.other_flags = self.flags != (changes.file_read(os.path.join(plan.build, "flags")) or "")

    def folder(self, *parts):
        return os.path.join(self.plan.results, self.experiment.name, *parts)

    def manifest(self, run):
        """The manifest of the present run; empty if there is none that can be read."""
        try:
            return json.loads(changes.file_read(self.folder(run, "manifest.json")) or "{}")
        except ValueError:
            return {}

    def reasons(self, *parts):
        """The prerequisites for which make would make a file of the results."""
        stamp = f"{self.folder(*parts)}.stamp"
        found = self.plan.targets.get(stamp, [])
        return found if os.path.exists(stamp) or not found else ["FORCE"]

    # ---- one input -------------------------------------------------------------------------------

    def leaves(self, target):
        """The files that stand at the beginning of the chain to a target that make would make."""
        below = self.plan.targets.get(target)
        return {target} if below is None else {leaf for name in below if name != "FORCE" for leaf in self.leaves(name)}

    def stale(self, program):
        return self.other_flags or self.plan.stale(program)

    def sources(self, program):
        """The files of src/ that are newer than a program that must be built again."""
        build = f"{self.plan.build}/"
        leaves = (leaf[len(build):-1] + "c" if leaf.startswith(build) and leaf.endswith(".o") else leaf for leaf in self.leaves(f"{build}{program}.stamp"))
        return {leaf for leaf in leaves if leaf.startswith("src/")}

    def programs(self, names, manifest):
        """Why these programs would give other results."""
        stale = [name for name in names if self.stale(name)]
        newer = sorted(set().union(*map(self.sources, stale)))
        lines = changes.sources_changed(manifest.get("commit"), newer or ["src"])
        seen = {line.partition(":")[0] for line in lines}
        lines += [f"{path}: newer than the program" for path in newer if path not in seen]
        return (f"{' and '.join(names)} {'must be built again' if stale else 'is another program'}",
                tuple(changes.commit_changed(manifest) + changes.build_changed(manifest, self.flags) + changes.shortened(lines)))

    def script(self, path, manifest):
        now = changes.file_read(os.path.join(self.plan.build, "content", path))
        was = changes.file_read(os.path.join(self.then, "content", path))
        if was == now:  # an earlier make has looked at the script already
            was = changes.content_at(manifest.get("commit"), path)
        return (f"{path} changed", tuple(changes.script_changed(path, was, now or "")))

    def cause(self, prerequisite, manifest):
        """What a prerequisite that is newer means; None if that is a step of this experiment, which is told by itself."""
        build = self.plan.build + "/"
        if prerequisite.startswith(build + "content/"):
            return self.script(prerequisite[len(build + "content/"):], manifest)
        if prerequisite.startswith(build + "rules/"):
            return None
        if prerequisite.startswith(build):
            return self.programs([prerequisite[len(build):]], manifest)
        if prerequisite == "FORCE":
            return ("there is no result, or a file of it is gone", ())
        if prerequisite.startswith(self.plan.results + "/"):
            return None
        return (f"{prerequisite} changed", tuple(changes.sources_changed(manifest.get("commit"), [prerequisite])))

    # ---- steps -----------------------------------------------------------------------------------

    def configuration(self, run):
        """Why the configuration of a run is different; nothing if it is not."""
        if not self.plan.due(self.experiment.name, run.name, "config.yaml"):
            return []
        was, now, wrong = self.plan.configurations(self.experiment, run)
        if was is not None and was == now:
            return []
        made = modified(self.folder(run.name, "config.yaml.stamp"))
        sources = [*self.experiment.layers(run, self.plan.scale)[0], f"{self.experiment.folder}/runs"]
        files = [path for path in sources if modified(path) > made]
        lines = [wrong] if now is None else ["there was none"] if was is None else changes.keys_changed(was.decode(), now.decode())
        return [("its configuration changed" + (f", by {' and '.join(files)}" if files else ""), tuple(lines))]

    def frames(self, run):
        """Why a run would be simulated again."""
        because, manifest = self.plan.why(self.experiment, run), self.manifest(run.name)
        stale = [name for name in ("ms-sample", "ms-simulate") if self.stale(name)]
        if because is None and not stale:
            return []
        if not self.is_there(run.name):
            return [(because, ())]
        found = [self.programs(stale, manifest)] if stale else []
        found += self.configuration(run)
        layers = self.experiment.layers(run, self.plan.scale)[0]
        reasons = [name for step in SIMULATED for name in self.reasons(run.name, step) if name not in layers]
        causes = [self.cause(name, manifest) for name in dict.fromkeys(reasons) if os.path.basename(name) not in stale]
        return found + [cause for cause in causes if cause] or [(because, ())]

    def tables(self, run):
        """Why the tables of a run would be made again, apart from its frames."""
        if not self.is_there(run.name):
            return []
        manifest = self.manifest(run.name)
        found = [self.programs(["ms-analyze"], manifest)] if self.stale("ms-analyze") else []
        reasons = [name for name in self.reasons(run.name, "tables.sha256") if not found or os.path.basename(name) != "ms-analyze"]
        return found + [cause for cause in (self.cause(name, manifest) for name in reasons) if cause]

    def others(self, chosen):
        """(file, causes) of sections, views, distances and measured values."""
        head = self.folder("")
        steps = {self.folder(run.name, step) for run in self.experiment.runs for step in (*SIMULATED, "tables.sha256")}
        steps |= {self.folder(step) for step in ENDS}
        for target in self.plan.targets:
            result, name = target[:-len(".stamp")], target[len(head):-len(".stamp")]
            run = os.path.dirname(name)
            if not target.startswith(head) or not target.endswith(".stamp") or result in steps or chosen not in ("", run):
                continue
            if not run or self.is_there(run):
                yield name, [cause for cause in (self.cause(p, self.manifest(run)) for p in self.reasons(name)) if cause]

    def is_there(self, run):
        return os.path.exists(self.folder(run, "frames.sha256"))

    def ends(self):
        """The causes of pictures and claims."""
        manifest = self.manifest(self.experiment.runs[0].name) if self.experiment.runs else {}
        for name, what in ENDS.items():
            causes = [cause for cause in (self.cause(p, manifest) for p in self.reasons(name)) if cause]
            if causes:
                yield what, list(dict.fromkeys(causes))

    def of(self, chosen):
        """All causes; chosen: the name of a run, or nothing for the experiment."""
        runs = [run for run in self.experiment.runs if chosen in ("", run.name)]
        of = f"{len(self.experiment.runs)} runs"
        found = grouped("simulated", of, [(run.name, self.frames(run)) for run in runs])
        found += grouped("analyzed", of, [(run.name, self.tables(run)) for run in runs])
        found += grouped("made", "files", list(self.others(chosen)))
        return found if chosen else found + list(self.ends())


def main():
    build, scale, results, then, target = sys.argv[1:]
    name, _, run = target.partition("/")
    try:
        experiment = Experiment(os.path.join("experiments", name))
        names = [found.name for found in experiment.runs]
        if run and run not in names:
            raise Fault(f"{experiment.folder} has no run '{run}'; the runs are {', '.join(names)}")
        found = Why(Plan(build, scale, results, trace_read(sys.stdin)), then, experiment).of(run)
    except (Fault, OSError) as fault:
        fail(fault)
    print(f"{target} would be made again, because" if found else f"{target}: nothing that it is made of changed")
    told(found, 1, set())


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `make why T=fig05 | head` ends quietly
    main()
