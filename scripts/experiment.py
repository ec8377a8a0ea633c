"""The runs of an experiment: experiments/<name>/runs, one statement per line; `#` begins a comment:

    axis NAME VALUE ... : TOKEN ...    values of a sweep; {} in the tokens stands for the value
    axis NAME                          ... or one value per indented line:
        VALUE TOKEN ...
    run NAME TOKEN ...                 one run, or, with {axis} in its name, one per combination
    samples AXIS ...                   axes whose values differ by chance alone, as seeds do, and displacements that cannot be seen:
                                       how far apart they bring a claim's value is its scatter (scripts/chance.py)
    samples none                       nothing collides, breaks or flows: a nudge changes values by as little as itself
    section PLANE THICKNESS NUMBER ... [: RUN ...]    of these runs (without `:`, of all; * in RUN stands for anything): cross-sections
                                       of these frames (or of the last frame, if the run ended earlier)
    face NAME PLANE THICKNESS NUMBER ... [: RUN ...]  the same in the coordinates of the initial frame: the particles
                                       that were near the plane at the start, in their present state
    view NAME COLOR CUT SIZE NUMBER ... [: RUN ...]   the same runs: these frames, colored
                                       by body, fragment or damage, with the camera and lights of
                                       <folder>/NAME.pov; with COLOR+FLUID,... these fluids are drawn as
                                       surfaces; CUT: a plane, in front of which everything is
                                       cut away, or `whole`; SIZE: 400x300
    points RUN ...                     of these runs: the particles of all frames, which the report page shows and lets
                                       one turn (scripts/points.py)
    film HIDDEN RUN ...                the film has these runs, of all such lines (without any, all runs); HIDDEN: bodies that it does not
                                       show, such as the gas that hides its smoke, BODY,..., or `none`
    compare NAME RUN_A RUN_B BODY      distance between the shapes of a body in two runs; with {axis} in all three names,
                                       one per combination of those in NAME
    test NAME                          tests/unit/test_NAME.c, for the values it measures
    steps N                            of every run: the wall times of N steps, one by one, after the frame that the
                                       busiest N steps follow (scripts/timings.py); no result is made of them
    bench NAME PROGRAM ARGUMENT ...    what the program tests/bench/<program>.c prints, lines "name value": times, of which no result is made
    rows N                             of every run: metrics.csv has a row for every N-th step and for the last, not for each;
                                       for runs of very many steps. Sums and extremes over all steps are in summary.json

A TOKEN is a setting `key=value`, where a value MESHES/FILE is this file of the folder that make's variable MESHES names
(a run is left out if that is not given, or has no such file); a scene in the same folder, `<scene>.yaml`, to be used instead
of scene.yaml; a scene of another experiment, `<experiment>/<scene>.yaml`; or the name of a layer,
configs/methods/<name>.yaml. Layers come in this order: scenes of other experiments, <folder>/<scene>.yaml (of which there
need not be one then), methods, settings. Behind a scene comes its <scene>.<scale>.yaml if there is one.
"""

import copy
import fnmatch
import itertools
import os
import re
import sys

from arithmetic import Fault

PLAIN = re.compile(r"[\w.+/][\w.+/-]*", re.ASCII)  # as src/config/config_mesh.c has it
COLORINGS = ("body", "fragment", "damage")


def whole(where, number):
    if not re.fullmatch(r"[0-9]{1,18}", number):
        raise Fault(f"{where}: '{number}' is not a frame number; write 0, 1, 2 ...")
    return number


def plain(where, path, what):
    """A path that a data file names, for the text of make and sh: no character of it means anything there, and it is no option."""
    if not PLAIN.fullmatch(path):
        raise Fault(f"{where}: '{path}' is not a path for a {what}; use letters, digits and . _ - + /, and no - at the beginning")
    return path


def checked(where, name, what):
    """A name that becomes one of a file: it does not lead out of its folder, hide, or look like an option."""
    if not re.fullmatch(r"\w[\w.+-]*", name, re.ASCII):
        raise Fault(f"{where}: '{name}' is not a name for a {what}; use letters, digits and . + - _, and begin with a letter or digit")
    return name


def named(pattern, place):
    """A pattern with the value of each axis in the place of its {axis}."""
    for axis, value in place.items():
        pattern = pattern.replace("{" + axis + "}", value)
    return pattern


def with_mesh(token):
    """A token with the path of a mesh in the place of MESHES/FILE; None if there is no such file."""
    key, equals, value = token.partition("=")
    if not value.startswith("MESHES/"):
        return token
    path = os.path.join(os.environ.get("MESHES") or "", value[len("MESHES/"):])
    return f"{key}={os.path.abspath(path)}" if os.environ.get("MESHES") and os.path.exists(path) else None


def of_runs(words):
    """NUMBER ... [: RUN ...] as numbers and names of runs; no names are those of all."""
    colon = words.index(":") if ":" in words else len(words)
    return words[:colon], words[colon + 1:]


def is_among(run, patterns):
    return not patterns or any(fnmatch.fnmatchcase(run, pattern) for pattern in patterns)


class Run:
    def __init__(self, name, tokens, pattern, place):
        self.name, self.tokens = name, tokens
        self.pattern, self.place = pattern, place  # of the statement, "{speed}-{step}", and {axis: value}


class Experiment:
    def __init__(self, folder):
        self.folder = folder
        self.name = os.path.basename(os.path.normpath(folder))
        self.axes = {}  # the values of each, in order
        self.axis_keys = {}  # the keys of the configuration that they set
        self.runs, self.sections, self.views, self.compares, self.tests = [], [], [], [], []
        self.benches = []  # (name, program, arguments)
        self.points = []  # the names of runs
        self.filmed = {}  # name of a run -> names of bodies that its film does not show, "gas,core"; "" for none
        self.samples = []  # the axes whose values differ by chance alone
        self.steady = False  # whether nothing is chaotic
        self.steps = None  # how many steps are to be timed
        self.rows = None  # metrics.csv has a row for every so many steps; None: for each
        self._read_runs(os.path.join(folder, "runs"))

    def _read_runs(self, path):
        axes, open_axis = {}, None
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                where = f"{path}:{number}"
                words = re.sub(r"(^|\s)#.*", "", line.rstrip("\n")).split()
                if not words:
                    continue
                if line[0].isspace():
                    if open_axis is None:
                        raise Fault(f"{where}: an indented line outside an axis; begin with 'axis NAME'")
                    open_axis.append((words[0], words[1:]))
                    continue
                open_axis = None
                kind, words = words[0], words[1:]
                if kind == "axis" and words:
                    axes[checked(where, words[0], "axis")] = values = []
                    if ":" in words:
                        colon = words.index(":")
                        values += [(v, [t.replace("{}", v) for t in words[colon + 1:]])
                                   for v in words[1:colon]]
                    elif len(words) == 1:
                        open_axis = values
                    else:
                        raise Fault(f"{where}: values without ':'; write 'axis NAME VALUE ... : TOKEN ...'")
                elif kind == "run" and words:
                    self._add_runs(where, words[0], words[1:], axes)
                elif kind == "samples" and words:
                    self._add_samples(where, words, axes)
                elif kind == "section" and len(words) >= 3:
                    self._add_sections(where, "section", words[0], words[1], [], *of_runs(words[2:]))
                elif kind == "face" and len(words) >= 4:
                    self._add_face(where, *words[:3], *of_runs(words[3:]))
                elif kind == "view" and len(words) >= 5:
                    self._add_views(where, words)
                elif kind == "points" and words:
                    self.points += [word for word in words if word not in self.points]
                elif kind == "film" and len(words) >= 2:
                    self._add_film(where, words[0], words[1:])
                elif kind == "compare" and len(words) == 4:
                    self._add_compares(where, words, axes)
                elif kind == "test" and len(words) == 1:
                    self._add_test(where, words[0])
                elif kind == "steps" and len(words) == 1:
                    self._set_steps(where, words[0])
                elif kind == "bench" and len(words) >= 2:
                    self._add_bench(where, *words[:2], words[2:])
                elif kind == "rows" and len(words) == 1:
                    self._set_rows(where, words[0])
                else:
                    raise Fault(f"{where}: '{line.strip()}' is not a statement; there are "
                                "axis, run, samples, section, face, view, points, film, compare, test, steps, bench and rows (scripts/experiment.py)")
        self.axes = {axis: [value for value, _ in values] for axis, values in axes.items()}
        self.axis_keys = {axis: sorted({token.partition("=")[0] for _, tokens in values for token in tokens if "=" in token}) for axis, values in axes.items()}
        if self.steps and self.rows:
            raise Fault(f"{path}: 'steps' needs metrics.csv with a row for every step; leave out 'rows'")
        names = [run.name for run in self.runs]
        for name in names:
            if names.count(name) > 1:
                raise Fault(f"{path}: two runs are named '{name}'; give them different names")
        for kind, statements in (("view", self.views), ("section", self.sections)):
            for run in (run for statement in statements for run in statement[-1]):
                if not fnmatch.filter(names, run):
                    raise Fault(f"{path}: {kind} of '{run}', which is not a run; the runs are {', '.join(names)}")
        for kind, wanted in (("points", self.points), ("film", self.filmed)):
            for name in wanted:
                if name not in names:
                    raise Fault(f"{path}: {kind} of '{name}', which is not a run; the runs are {', '.join(names)}")
        for compare in self.compares:
            for name in compare[1:3]:
                if name not in names:
                    raise Fault(f"{path}: compare of '{name}', which is not a run; "
                                f"the runs are {', '.join(names)}")

    def _add_samples(self, where, names, axes):
        self.steady = names == ["none"]
        for name in [] if self.steady else names:
            if len(axes.get(name, [])) < 2 or name in self.samples:
                raise Fault(f"{where}: '{name}' is not an axis of two values or more above this line that is named once; the axes are {', '.join(axes) or 'none'}")
            self.samples.append(name)

    def _add_sections(self, where, name, plane, thickness, options, numbers, runs):
        for number in numbers:
            self.sections.append((f"{name}-{whole(where, number)}.csv", [number, plane, thickness, *options], runs))

    def _add_face(self, where, name, plane, thickness, numbers, runs):
        self._add_sections(where, f"face-{checked(where, name, 'face')}", plane, thickness, ["--undeformed"], numbers, runs)

    def sections_of(self, run):
        """(file, arguments) of the cross-sections and faces of the run of this name."""
        return [(file, arguments) for file, arguments, runs in self.sections if is_among(run, runs)]

    def _add_views(self, where, words):
        (name, color, cut, size), (numbers, runs) = words[:4], of_runs(words[4:])
        scene = f"{self.folder}/{checked(where, name, 'view')}.pov"
        if not numbers:
            raise Fault(f"{where}: a view of no frame; write 'view NAME COLOR CUT SIZE NUMBER ... [: RUN ...]'")
        if color.split("+")[0] not in COLORINGS:
            raise Fault(f"{where}: '{color}' is not a coloring; there are {', '.join(COLORINGS)}")
        if not re.fullmatch(r"\w+(\+[\w.-]+(,[\w.-]+)*)?", color, re.ASCII):
            raise Fault(f"{where}: '{color}' names no fluids; write {color.split('+')[0]}+WATER,...")
        if not re.fullmatch(r"[1-9]\d*x[1-9]\d*", size):
            raise Fault(f"{where}: '{size}' is not a picture size; write 400x300")
        if not os.path.exists(scene):
            raise Fault(f"{where}: there is no {scene}")
        for number in numbers:
            self.views.append((f"view-{name}-{color}-{whole(where, number)}.png", scene,
                               [number, color, cut, size, scene], runs))

    def views_of(self, run):
        """(file, scene, arguments) of the views of the run of this name."""
        return [(file, scene, arguments) for file, scene, arguments, runs in self.views if is_among(run, runs)]

    def _add_film(self, where, hidden, runs):
        if not re.fullmatch(r"[\w.-]+(,[\w.-]+)*", hidden, re.ASCII):
            raise Fault(f"{where}: '{hidden}' names no bodies to be hidden; write 'film BODY,... RUN ...', or 'film none RUN ...'")
        self.filmed.update((run, "" if hidden == "none" else hidden) for run in runs)

    def _set_steps(self, where, number):
        if not re.fullmatch(r"[1-9]\d*", number) or self.steps is not None:
            raise Fault(f"{where}: 'steps {number}' is not the number of steps to be timed; write it once, as 'steps 20'")
        self.steps = number

    def _set_rows(self, where, number):
        if not re.fullmatch(r"[1-9]\d*", number) or self.rows is not None:
            raise Fault(f"{where}: 'rows {number}' is not how many steps have a row; write it once, as 'rows 100'")
        self.rows = number

    def _add_test(self, where, name):
        source = f"tests/unit/test_{checked(where, name, 'test')}.c"
        if not os.path.exists(source):
            raise Fault(f"{where}: there is no {source}")
        if name in self.tests:
            raise Fault(f"{where}: test {name} already exists; name it once")
        self.tests.append(name)

    def _add_bench(self, where, name, program, arguments):
        source = f"tests/bench/{checked(where, program, 'program')}.c"
        if not os.path.exists(source):
            raise Fault(f"{where}: there is no {source}")
        if name in [bench[0] for bench in self.benches]:
            raise Fault(f"{where}: bench {name} already exists; give it another name")
        self.benches.append((checked(where, name, "bench"), program, arguments))

    @staticmethod
    def _combinations(where, pattern, axes):
        """For each combination of the axes named in a pattern: {axis: value} and the tokens of these values."""
        used = re.findall(r"\{(\w+)\}", pattern)
        for axis in used:
            if axis not in axes:
                raise Fault(f"{where}: there is no axis '{axis}'; the axes are {', '.join(axes) or 'none'}")
        for values in itertools.product(*(axes[axis] for axis in used)):
            yield dict(zip(used, (value for value, _ in values))), [token for _, tokens in values for token in tokens]

    def _add_runs(self, where, pattern, tokens, axes):
        for place, axis_tokens in self._combinations(where, pattern, axes):
            name = checked(where, named(pattern, place), "run")
            found = [with_mesh(token) for token in axis_tokens + tokens]
            if None not in found:
                self.runs.append(Run(name, found, pattern, place))

    def _add_compares(self, where, words, axes):
        for place, _ in self._combinations(where, words[0], axes):
            name, *others = (named(word, place) for word in words)
            self.compares.append((checked(where, name, "distance"), *others))

    def axis(self, name):
        """The values of a sweep as they are written in the names of runs, in order."""
        if name not in self.axes:
            raise Fault(f"{self.folder}/runs has no axis '{name}'; there are {', '.join(self.axes) or 'none'}")
        return self.axes[name]

    def sweep(self, pattern, **place):
        """The names of the runs of the statement `run PATTERN`, in order; with axis=value only those at this value."""
        for axis, value in place.items():
            if value not in self.axis(axis):
                raise Fault(f"{self.folder}/runs: axis {axis} has no '{value}'; there are {', '.join(self.axis(axis))}")
        found = [run for run in self.runs if run.pattern == pattern]
        if not found:
            raise Fault(f"{self.folder}/runs has no 'run {pattern}'; there are {', '.join(dict.fromkeys(run.pattern for run in self.runs))}")
        return [run.name for run in found if all(run.place.get(axis) == value for axis, value in place.items())]

    def without(self, axis, value):
        """The same experiment without the runs at this value of an axis."""
        fewer = copy.copy(self)
        fewer.axes = {**self.axes, axis: [other for other in self.axis(axis) if other != value]}
        fewer.runs = [run for run in self.runs if run.place.get(axis) != value]
        return fewer

    def layers(self, run, scale):
        """Configuration files of a run, in order, and its settings."""
        scenes = [t for t in run.tokens if t.endswith(".yaml")]
        others = [f"{os.path.dirname(self.folder)}/{t}" for t in scenes if "/" in t]
        own = [f"{self.folder}/{t}" for t in scenes if "/" not in t][-1:] or ([] if others else [f"{self.folder}/scene.yaml"])
        files = []
        for scene in others + own:
            overlay = f"{scene[:-len('.yaml')]}.{scale}.yaml"
            files += [scene] + ([overlay] if os.path.exists(overlay) else [])
        files += [f"configs/methods/{t}.yaml" for t in run.tokens if "=" not in t and not t.endswith(".yaml")]
        return files, [t for t in run.tokens if "=" in t]


def fail(fault):
    print(fault, file=sys.stderr)
    sys.exit(2)
