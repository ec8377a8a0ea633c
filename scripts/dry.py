"""usage: dry.py FIELDS EXPERIMENT ...: do claims and texts name what there is?

Needs no results: every claim and every expression in a text is evaluated on random values. These exist only for runs that
the experiment has, and for columns and keys that `ms-analyze --fields` and `ms-sample --help-config` know (FIELDS is their
output). Names that tests measure are looked up in the sources of the tests. Prints one line for each fault.
"""

import functools
import os
import random
import re
import sys

import texts
from arithmetic import Fault
from claims import claims_read
from experiment import Experiment, fail
from measurements import Measurements
from timings import COLUMNS, Bench, Timing

ROWS = 120


def fields_read(path):
    """Names by section, of `ms-analyze --fields`."""
    sections, names = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.rstrip().endswith(":"):
                names = sections.setdefault(line.strip().rstrip(":"), [])
            elif names is not None and re.match(r"  \w", line):
                names.append(line.split()[0])
    return sections


def settings_read(path):
    """A pattern for the keys of a configuration, from the output of `ms-sample --help-config`; below a key that is a shape come the keys of shapes."""
    with open(path, encoding="utf-8") as file:
        keys = re.findall(r"^  ([a-z_]+(?:\.[\w<>]+)*)$", file.read(), re.MULTILINE)
    if not keys:
        raise Fault(f"{path}: no keys; does it have the output of ms-sample --help-config?")
    shapes = "|".join(re.escape(key[len("shape"):]) for key in keys if key.startswith("shape."))
    return re.compile("|".join(re.escape(key).replace("<name>", r"[\w-]+") + (f"(?:{shapes})?" if key.endswith(("shape", "fixed_in", "region")) else "")
                               for key in keys))


class Setting(float):
    """A made-up setting, which serves as a number and as a list."""
    def __getitem__(self, index):
        return Setting(self + index)

    def __iter__(self):
        return iter([self[0], self[1]])


def section_columns():
    """The columns of a cross-section, from the source that writes its head."""
    with open("src/analysis/section.c", encoding="utf-8") as file:
        heads = re.findall(r'"(id,[\w,]+)%s', file.read())
    if len(heads) != 1:
        raise Fault("src/analysis/section.c: no head of a table that begins with id")
    return set(heads[0].split(","))


def memory_columns():
    """The columns of memory.csv, from the source that writes it."""
    with open("src/store/record_file.c", encoding="utf-8") as file:
        heads = re.findall(r'"(frame,[\w,]+)\\n"', file.read())
    if len(heads) != 1:
        raise Fault("src/store/record_file.c: no head of a table that begins with frame")
    return set(heads[0].split(","))


class Fields:
    def __init__(self, path):
        sections = fields_read(path)

        def named(*parts):
            found = [name for title, names in sections.items() if any(part in title for part in parts) for name in names]
            if not found:
                raise Fault(f"{path}: no section {' or '.join(parts)}; is it the output of ms-analyze --fields?")
            return set(found)
        tables = {file for title in sections for file in re.findall(r"\S+\.csv", title)}
        self.columns = {file: named(file) for file in tables}
        self.columns["distance"] = named("--shape-distance")
        self.columns["section"] = section_columns()
        self.columns["face"] = self.columns["section"] | {"displacement"}
        self.columns["memory.csv"] = memory_columns()
        self.settings = settings_read(path)
        self.keys = {"": named("summary.json")}
        for part in ("bodies", "sheets"):
            self.keys[part] = named(f"{part}.NAME of summary.json")


@functools.lru_cache(maxsize=None)
def things_in(experiment):
    """Names of bodies, from all scenes of an experiment and those of others that its runs have: the keys one level below `bodies:`; of one
    with copies that of the first."""
    own = {f"{experiment.folder}/{file}" for file in os.listdir(experiment.folder) if file.endswith(".yaml")}
    names = set()
    for file in sorted(own.union(*(experiment.layers(run, "small")[0] for run in experiment.runs))):
        with open(file, encoding="utf-8") as scene:
            block = re.search(r"^bodies:\n((?:[ #].*\n|\n)*)", scene.read() + "\n", re.MULTILINE)
        for name, body in re.findall(r"^  ([\w-]+):(.*\n(?:   .*\n)*)", block[1] if block else "", re.MULTILINE):
            names.add(f"{name}-1" if "copies:" in body else name)
    return names


def is_thing(experiment, name):
    return name in things_in(experiment) or re.sub(r"-[1-9]\d*$", "-1", name) in things_in(experiment)


@functools.lru_cache(maxsize=None)
def measured_names(experiment):
    """The names that tests measure, from their sources, with a pattern for what printf() fills in."""
    found = []
    for test in experiment.tests:
        with open(f"tests/unit/test_{test}.c", encoding="utf-8") as file:
            found += re.findall(r'"([^"\s]*\.[^"\s]+)"', file.read())
    return [re.sub(r"%[-+ #0-9.]*l*z*[a-zA-Z]", ".+", re.escape(name).replace("\\%", "%").replace("\\-", "-")) for name in set(found)]


def printed_names(program):
    """The names of the values that a program of tests/bench prints, from its source."""
    with open(f"tests/bench/{program}.c", encoding="utf-8") as file:
        return re.findall(r'printf\("(\w+) %', file.read())


def standin(fields):
    """A class of measurements that makes up values for everything that could exist."""

    class Standin(Measurements):
        def _random(self, *key):
            return random.Random(repr((self.experiment.name, *key)))

        def _known(self, file, name, columns):
            if name not in columns:
                raise Fault(f"{file} has no column '{name}'")

        def _values(self, path, name):
            file = re.sub(r"^(section|face)(-\w+)?-\d+\.csv$", r"\1", os.path.basename(path)) if path.count("/") else "distance"
            self._known(file, name, fields.columns[file])
            generator = self._random(path, name)
            if file in ("section", "face") and name == "body":
                return [generator.choice(sorted(things_in(self.experiment))) for _ in range(ROWS)]
            values = [generator.uniform(0.01, 0.99) for _ in range(ROWS)]
            return sorted(values) if name in ("time", "max_x") else values

        def _of_thing(self, path, thing, name, start, end):
            if not is_thing(self.experiment, thing):
                raise Fault(f"{self.experiment.folder} has no body '{thing}'; there are {', '.join(sorted(things_in(self.experiment)))}")
            return self._values(path, name)

        def _summary(self, run, key):
            part, _, rest = key.partition(".")
            thing, _, last = rest.partition(".")
            known = fields.keys[part] if part in fields.keys and rest else fields.keys[""]
            if (last or key) not in known or (rest and not is_thing(self.experiment, thing)):
                raise Fault(f"summary.json has no '{key}'")
            return self._random(run, key).uniform(0.01, 0.99)

        def _setting(self, run, key):
            if not fields.settings.fullmatch(key):
                raise Fault(f"no configuration has '{key}'")
            return Setting(self._random(run, key).uniform(0.01, 0.99))

        def times(self, runs):
            self._timed = True
            names = {f"{phase}_s" for phases in COLUMNS.values() for phase in phases} | {"wall_s", "processor_s", "machine_s"}
            names |= fields.columns["metrics.csv"]
            record = {"particles": 10, "bonds": 20, "threads": 2, "cores": 2, "peak_memory_bytes": 1}
            return [Timing(record, [{name: self._random(run, name, row).uniform(0.01, 0.99) for name in names} for row in range(2)])
                    for run in self._matching(runs)]

        def cpu(self, runs, *phases):
            self._timed = True
            unknown = [name for name in phases if not any(name in known for known in COLUMNS.values())]
            if unknown:
                raise Fault(f"a step has no phase '{unknown[0]}'")
            return [self._random(run, "cpu", *phases).uniform(0.01, 0.99) for run in self._matching(runs)]

        def _benched(self, name):
            program = {bench[0]: bench[1] for bench in self.experiment.benches}[name]
            value = {printed: self._random(name, printed).uniform(0.01, 0.99) for printed in printed_names(program)}
            return Bench({"value": value, "others": 0, "cores": 2, "threads": 2})

        def ends(self, run, name):
            return self._values(f"{self._matching(run)[0]}/metrics.csv", name)

        def field(self, run, number, name):
            values = self._random(self._matching(run)[0], number, name)
            vector = name.endswith(("position", "velocity"))
            return [[values.uniform(0.01, 0.99) for _ in range(3)] if vector else values.uniform(0.01, 0.99) for _ in range(ROWS)]

        def overlaps(self, run, number):
            return [self._random(run, number, of).uniform(0.01, 0.99) for of in self._matching(run) * 2]

        def measured(self, pattern):
            several = any(c in pattern for c in "*?[")
            if not several and not any(re.fullmatch(name, pattern) for name in measured_names(self.experiment)):
                raise Fault(f"no test measures '{pattern}'")
            return [0.5, 0.6] if several else self._random(pattern).uniform(0.01, 0.99)
    return Standin


def real(error):
    """Whether it is a fault of the claim: random values may lie beyond a table or be zero, but a wrong name is wrong with any values."""
    return not isinstance(error, (ZeroDivisionError, ValueError, IndexError)) and "is not within the points" not in str(error)


def claim_faults(folder, kind):
    measurements = kind(Experiment(folder), "no results")
    for claim in claims_read(folder):
        try:
            claim.function(measurements)
        except Exception as error:  # whatever it is, it is told
            if real(error):
                yield f"{claim.where}: claim {claim.id}: {type(error).__name__}: {error}"


def text_faults(experiments, kind):
    reader = texts.Reader("no results", kind)
    for path in texts.texts():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            numbers = [number for _, number in texts.numbers_in(path, text)]
        except Fault as fault:
            yield str(fault)
            continue
        for number in numbers:
            for expression in (number.expression, number.deviation or "0"):
                try:
                    reader.value(number, expression)
                except Fault as fault:
                    if not re.search("ZeroDivisionError|ValueError|IndexError|is not within the points", str(fault)):
                        yield str(fault)


def twins(experiments):
    seen = {}
    for name in experiments:
        for claim in claims_read(os.path.join("experiments", name)):
            if claim.id in seen:
                yield f"{claim.where}: claim {claim.id} already exists, {seen[claim.id]}; ids are unique"
            seen.setdefault(claim.id, claim.where)


def main():
    if len(sys.argv) < 3:
        fail(__doc__)
    experiments = sys.argv[2:]
    try:
        kind = standin(Fields(sys.argv[1]))
        faults = [fault for name in experiments for fault in claim_faults(os.path.join("experiments", name), kind)]
        faults += [*text_faults(experiments, kind), *twins(experiments)]
    except (Fault, OSError) as fault:
        faults = [str(fault)]
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
