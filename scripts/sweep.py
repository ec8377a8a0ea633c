"""A sweep: one file that says which runs there are, and what is wanted of them.

usage: sweep.py rules FILE SCALE OUTPUT.mk                 its runs as facts for make
       sweep.py check FILE SCALE BUILD                     do the programs know its keys, values and metrics?
       sweep.py due FILE SCALE BUILD RESULTS < NAMES       those of the runs of these names that are really to be done

    scene: configs/examples/ball-on-cloth.yaml   # or several layers, [A.yaml, B.yaml]; paths from the folder of the Makefile
    set: {time.end: 0.05}                        # settings of all runs
    axes:                                        # every combination is run
      alpha: {key: contact.alpha, values: [0, 0.5, 1]}
      contact:                                   # values that are more than a number have names
        values:
          sliding: {layer: configs/methods/sliding.yaml}
          soft: {layer: configs/methods/penalty.yaml, contact.stiffness: 1e4}
    seeds: 5                                     # every combination with seed=1 to 5; or [11, 12, 13]; without: as the scene says
    metrics:                                     # columns of the results
      gain: summary energy_gain                  # a value of summary.json
      overlap: max metrics overlap_max           # of a column of a table: first, last, min, max, mean or sum
      height: last bodies z ball                 # ... of the rows of a body

Values are taken as they are written. Scenes have overlays as those of experiments, A.paper.yaml.
"""

import itertools
import math
import os
import re
import subprocess
import sys

import yaml

from arithmetic import Fault
from experiment import fail, plain
from progress import begin, seconds_last
from rules import HEAD, command, follow_clock, inputs, replace

NAME = re.compile(r"[\w.+-]+", re.ASCII)
LARGEST, DEEPEST, MOST_RUNS, LONGEST_NAME = 1_000_000, 12, 100_000, 200
TAKES = ("first", "last", "min", "max", "mean", "sum")
KEYS = ("scene", "set", "axes", "seeds", "metrics")


class Run:
    def __init__(self, name, place, seed, layers, settings):
        self.name, self.place, self.seed = name, place, seed  # place: {axis: value}
        self.layers, self.settings = layers, settings


class Metric:
    """A metric of the form 'summary KEY' (take is None) or 'TAKE TABLE COLUMN [THING]'."""

    def __init__(self, name, words, place):
        self.name, self.text, self.place = name, " ".join(words), place
        self.take, self.table, self.column, self.thing = None, None, None, None
        if len(words) == 2 and words[0] == "summary":
            self.column = words[1]
        elif len(words) in (3, 4) and words[0] in TAKES:
            self.take, self.table, self.column = words[:3]
            self.thing = words[3] if len(words) == 4 else None
        else:
            raise Fault(f"{place}: '{self.text}' is no metric; write 'summary KEY' or '{'|'.join(TAKES)} TABLE COLUMN [BODY]'")


# ---- nodes of YAML, which know their place -------------------------------------------------------

class Reader:
    def __init__(self, path):
        self.path = path

    def place(self, node):
        return f"{self.path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"

    def read(self):
        """The root of what the file says; no file can make us read on without end."""
        try:
            with open(self.path, encoding="utf-8") as file:
                text = file.read(LARGEST + 1)
            if len(text) > LARGEST:
                raise Fault(f"{self.path}:1:1: has more than {LARGEST} characters; a sweep is a short text")
            self._refuse_deep(text)
            node = yaml.compose(text, yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise Fault(f"{self.path}:{mark.line + 1}:{mark.column + 1}: {error.problem}; a sweep is YAML (head of scripts/sweep.py)") from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise Fault(f"{self.path}:1:1: {str(error).splitlines()[0]}; a sweep is YAML in UTF-8 (head of scripts/sweep.py)") from error
        if node is None:
            raise Fault(f"{self.path}:1:1: is empty; a sweep has {', '.join(KEYS)} (head of scripts/sweep.py)")
        return node

    def _refuse_deep(self, text):
        depth = 0
        for event in yaml.parse(text, yaml.SafeLoader):
            depth += isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)) - isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent))
            if isinstance(event, yaml.AliasEvent):
                raise Fault(f"{self.place(event)}: an alias; write the value itself")
            if depth > DEEPEST:
                raise Fault(f"{self.place(event)}: more than {DEEPEST} levels; a sweep has scene, set, axes, seeds and metrics, and below them few levels")

    def mapping(self, node, what):
        """{key: node}, in order."""
        if not isinstance(node, yaml.MappingNode):
            raise Fault(f"{self.place(node)}: {what} is no mapping; write 'key: value' lines")
        found = {}
        for key, value in node.value:
            word = self.scalar(key, f"a key of {what}")
            if word in found:
                raise Fault(f"{self.place(key)}: {what} has '{word}' twice; name it once")
            found[word] = value
        return found

    def scalar(self, node, what):
        if not isinstance(node, yaml.ScalarNode) or not node.value.strip():
            raise Fault(f"{self.place(node)}: {what} is no single value; write a number or a word")
        if not node.value.isprintable():
            raise Fault(f"{self.place(node)}: {what} has a line break or another character that cannot be printed; write it on one line")
        return node.value.strip()

    def value(self, node):
        """A value of the configuration, as it is written."""
        if isinstance(node, yaml.SequenceNode):
            return f"[{', '.join(self.value(item) for item in node.value)}]"
        return self.scalar(node, "a setting")

    def several(self, node, what):
        """The nodes of a list, or the one that there is."""
        nodes = node.value if isinstance(node, yaml.SequenceNode) else [node]
        if not nodes:
            raise Fault(f"{self.place(node)}: {what} is empty; write at least one")
        return nodes

    def layer(self, node):
        path = self.scalar(node, "a layer")
        if not plain(self.place(node), path, "layer").endswith(".yaml"):
            raise Fault(f"{self.place(node)}: '{path}' is not called a layer; write FOLDER/NAME.yaml")
        if not os.path.isfile(path):
            raise Fault(f"{self.place(node)}: there is no {path}; paths begin at the folder of the Makefile")
        return path


# ---- the sweep -----------------------------------------------------------------------------------

class Sweep:
    def __init__(self, path):
        self.path, reader = path, Reader(path)
        stem = os.path.splitext(os.path.basename(path))[0]
        if not path.endswith(".yaml") or not NAME.fullmatch(stem):
            raise Fault(f"{path}: is no name for a sweep; write NAME.yaml, with letters, digits and . + - _")
        self.name = f"sweep-{stem}"
        root = reader.read()
        top = reader.mapping(root, "a sweep")
        for key, node in top.items():
            if key not in KEYS:
                raise Fault(f"{reader.place(node)}: a sweep has no '{key}'; there are {', '.join(KEYS)}")
        for key in ("scene", "metrics"):
            if key not in top:
                raise Fault(f"{reader.place(root)}: a sweep needs '{key}' (head of scripts/sweep.py)")
        self.scenes = [reader.layer(node) for node in reader.several(top["scene"], "scene")]
        self.common = self._settings(reader, top["set"], "set") if "set" in top else []
        self.axes = {}  # {axis: {value: (place, layers, settings)}}
        for axis, node in reader.mapping(top["axes"], "axes").items() if "axes" in top else ():
            self.axes[axis] = self._axis(reader, axis, node)
        self.seeds = self._seeds(reader, top["seeds"]) if "seeds" in top else [None]
        self.metrics = [Metric(name, reader.scalar(node, "a metric").split(), reader.place(node))
                        for name, node in reader.mapping(top["metrics"], "metrics").items()]
        self._refuse_twins()
        number = math.prod(map(len, self.axes.values())) * len(self.seeds)
        if number > MOST_RUNS:
            raise Fault(f"{path}:1:1: {number} runs; write several sweeps of at most {MOST_RUNS}")
        self.runs = list(self._combinations())

    def _settings(self, reader, node, what):
        return [f"{key}={reader.value(value)}" for key, value in reader.mapping(node, what).items()]

    def _axis(self, reader, axis, node):
        if not re.fullmatch(r"\w[\w-]*", axis, re.ASCII):
            raise Fault(f"{reader.place(node)}: '{axis}' is not a name for an axis; use letters, digits, _ and -")
        parts = reader.mapping(node, f"axis {axis}")
        if "values" not in parts or set(parts) - {"key", "values"}:
            raise Fault(f"{reader.place(node)}: axis {axis} has {', '.join(parts) or 'nothing'}; write {{key: KEY, values: [...]}}, or values with names and settings")
        if isinstance(parts["values"], yaml.MappingNode):
            found = reader.mapping(parts["values"], f"values of {axis}")
            values = [(name, item, *self._named(reader, item)) for name, item in found.items()]
        elif "key" not in parts:
            raise Fault(f"{reader.place(node)}: axis {axis} has no key; write {{key: KEY, values: [...]}}")
        else:
            key = reader.scalar(parts["key"], "a key")
            items = reader.several(parts["values"], f"axis {axis}")
            values = [(reader.value(item), item, [], [f"{key}={reader.value(item)}"]) for item in items]
        table = {}
        for name, item, layers, settings in values:
            if not NAME.fullmatch(name):
                raise Fault(f"{reader.place(item)}: '{name}' cannot be part of a run's name; give the value a name, {{low: {{KEY: {name}}}}}")
            if name in table:
                raise Fault(f"{reader.place(item)}: axis {axis} has '{name}' twice; name it once")
            table[name] = reader.place(item), layers, settings
        if not table:
            raise Fault(f"{reader.place(node)}: axis {axis} has no values; write at least one")
        return table

    def _named(self, reader, node):
        """(layers, settings) of a value with a name."""
        parts = reader.mapping(node, "a value with a name")
        layers = [reader.layer(item) for item in reader.several(parts.pop("layer"), "layer")] if "layer" in parts else []
        return layers, [f"{key}={reader.value(value)}" for key, value in parts.items()]

    @staticmethod
    def _seeds(reader, node):
        words = [reader.scalar(item, "a seed") for item in reader.several(node, "seeds")]
        for word in words:
            if not re.fullmatch(r"[0-9]{1,19}", word) or words.count(word) > 1:
                raise Fault(f"{reader.place(node)}: '{word}' is no number of seeds or list of different seeds; write 5, or [11, 12, 13]")
        if isinstance(node, yaml.SequenceNode):
            return words
        if not 1 <= int(words[0]) <= 10000:
            raise Fault(f"{reader.place(node)}: {words[0]} seeds; write a number from 1 to 10000")
        return [str(seed) for seed in range(1, int(words[0]) + 1)]

    def _refuse_twins(self):
        """Refuses a name that occurs twice, because axes and metrics are columns of one table, beside those that every sweep has."""
        columns = ["seed", "runs", "failed", "run", "reason", *self.axes]
        for metric in self.metrics:
            columns += [metric.name, f"{metric.name}_ci"]
        for name in columns:
            if columns.count(name) > 1:
                raise Fault(f"{self.path}:1:1: two columns of the results would be named '{name}'; give an axis or metric another name")

    def _combinations(self):
        for values in itertools.product(*self.axes.values()):
            place = dict(zip(self.axes, values))
            chosen = [self.axes[axis][value] for axis, value in place.items()]
            for seed in self.seeds:
                words = [f"{axis}-{value}" for axis, value in place.items()] + ([f"seed-{seed}"] if seed else [])
                settings = self.common + [s for _, _, own in chosen for s in own] + ([f"seed={seed}"] if seed else [])
                if sum(map(len, words)) + len(words) > LONGEST_NAME:
                    raise Fault(f"{self.path}:1:1: the name of run {'_'.join(words)} is longer than {LONGEST_NAME}; give axes and values shorter names")
                yield Run("_".join(words) or "only", place, seed, self.scenes + [layer for _, layers, _ in chosen for layer in layers], settings)

    def layers(self, run, scale):
        """Configuration files of a run, in order, and its settings."""
        files = []
        for layer in run.layers:
            overlay = f"{layer[:-len('.yaml')]}.{scale}.yaml"
            files += [layer] + ([overlay] if os.path.exists(overlay) else [])
        return files, run.settings

    def arguments(self, run, scale):
        """The arguments of ms-sample for a run."""
        files, settings = self.layers(run, scale)
        return [word for path in files for word in ("--config", path)] + [word for setting in settings for word in ("--set", setting)]


# ---- for make ------------------------------------------------------------------------------------

def rules(sweep, scale):
    yield HEAD
    yield "swept := " + " ".join(f"{sweep.name}/{run.name}" for run in sweep.runs)
    for run in sweep.runs:
        name, files = f"{sweep.name}/{run.name}", sweep.layers(run, scale)[0]
        yield f"arguments_{name} := " + command(sweep.arguments(run, scale))
        yield f"layers_{name} := " + " ".join(files)
        yield f"inputs_{name} := " + " ".join(sorted(set(inputs(files))))


def refusal(sweep, run, scale, build):
    """What the program says of the configuration of a run; nothing if it takes it."""
    found = subprocess.run([os.path.join(build, "ms-sample"), "--effective", *sweep.arguments(run, scale)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    return (found.stderr.decode(errors="replace").strip().splitlines() or ["refused"])[-1] if found.returncode == 2 else ""


def refuse_unknown(sweep, scale, build):
    """Refuses a value with which no run is possible. A value that is only impossible together with some others makes those runs fail, and no more."""
    places = [(place, lambda run, axis=axis, value=value: run.place[axis] == value)
              for axis, values in sweep.axes.items() for value, (place, _, _) in values.items()]
    for place, has in places or [(f"{sweep.path}:1:1", lambda run: True)]:
        words = ""
        for run in filter(has, sweep.runs):
            said = refusal(sweep, run, scale, build)
            words = words or f"{place}: run {run.name}: {said}"
            if not said:
                break
        else:
            raise Fault(words)


def refuse_metrics(sweep, build):
    """Refuses names of tables, columns and keys that ms-analyze does not have."""
    from dry import fields_read  # not for every start: it reads most other scripts

    listed = subprocess.run([os.path.join(build, "ms-analyze"), "--fields"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if listed.returncode != 0 or not listed.stdout:
        return
    path = os.path.join(build, f"fields.{os.getpid()}")
    try:
        replace(path, listed.stdout.decode())
        sections = fields_read(path)
    finally:
        os.remove(path)
    for metric in sweep.metrics:
        file = f"{metric.table}.csv" if metric.table else "summary.json"
        known = {name for title, names in sections.items() if file in title for name in names}
        if not known:
            raise Fault(f"{metric.place}: '{metric.text}': a run has no {file}; ms-analyze --tables lists the tables")
        if metric.table and metric.column not in known or not metric.table and metric.column.rpartition(".")[2] not in known:
            raise Fault(f"{metric.place}: '{metric.text}': {file} has no '{metric.column}'; ms-analyze --fields lists what it has")


def really_due(sweep, scale, build, results, names):
    """The names without those of runs whose inputs are newer but have the same content."""
    import concurrent.futures  # not for every start, of which it is a third

    runs = {f"{sweep.name}/{run.name}": run for run in sweep.runs}

    def current(name):
        words = ["scripts/steps/swept", "--current", build, os.path.join(results, name), *sweep.arguments(runs[name], scale)]
        return subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return [name for name, done in zip(names, pool.map(current, names)) if not done]


def main():
    words = sys.argv[1:]
    try:
        if len(words) == 4 and words[0] == "rules":
            replace(words[3], "\n".join(rules(Sweep(words[1]), words[2])) + "\n")
            follow_clock(words[3], words[1], __file__)
        elif len(words) == 4 and words[0] == "check":
            sweep = Sweep(words[1])
            refuse_metrics(sweep, words[3])
            refuse_unknown(sweep, words[2], words[3])
        elif len(words) == 5 and words[0] == "due":
            names = really_due(Sweep(words[1]), *words[2:], sys.stdin.read().split())
            begin(words[3], {os.path.join(words[4], name): seconds_last(os.path.join(words[4], name)) for name in names})
            print("".join(f"{name}\n" for name in names), end="")
        else:
            fail(__doc__)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
