"""usage: texts.py check RESULTS EXPERIMENT ...    are the numbers in texts those of the results of these experiments?
          texts.py write RESULTS EXPERIMENT ...    make them so

Behind a number that comes from results stands its name, in a comment that readers do not see:

    pushes 18<!--=debris--> % of the wall to debris, in seven<!--=methods--> ways

The file `numbers` in the folder of the experiment says how each is computed, there or, behind its name, in another experiment:

    debris = percent(debris(m)); 3
    methods = m.methods()
    speed = fig07: max(m.peak("*", "speed_max"))

The expression is Python. It may use m, the results of the experiment (scripts/measurements.py), all that the experiment's
claims.py defines, and scripts/arithmetic.py. A new number is written as the old one was: with the same decimals or the same
power of ten, with thousands set apart from 10 000 on, and as a word if it was a word and is at most twelve. A text
outside an experiment's folder has the experiment and the expression, or the name in its `numbers`, in the comment:
<!--= fig07: m.count() -->, <!--= fig07: heaviest -->.

A number is right if it is the rounded value of the results. In a chaotic scene another computer may find another value; a
second expression, behind `;`, says how far it may be off: `count = mean(counts(m)); deviation(counts(m))`.
"""

import glob
import os
import re
import sys

import arithmetic
from arithmetic import Fault
from claims import names_read
from experiment import Experiment, fail
from measurements import Measurements
from written import COMPUTED, plain, step_of, written_as

def texts():
    return [*glob.glob("README.md"), *sorted(glob.glob("docs/*.md")), *sorted(glob.glob("experiments/*/README.md")), *sorted(glob.glob("experiments/*/captions.md"))]


class Number:
    """A number in a text, with its expression."""

    def __init__(self, where, shown, experiment, expression, deviation):
        self.where, self.shown, self.experiment = where, shown, experiment
        self.expression, self.deviation = expression, deviation

    def fits(self, value, deviation):
        half = step_of(self.shown) / 2
        return self.shown == written_as(self.shown, value) or abs(value - plain(self.shown)) <= max(deviation, half * (1 + 1e-9))


def known_experiments():
    names = sorted(os.path.basename(os.path.dirname(path)) for path in glob.glob("experiments/*/runs"))
    short = [name.split("-")[0] for name in names]
    return {**{s: name for s, name in zip(short, names) if re.match("fig|table", name) and short.count(s) == 1},
            **{name: name for name in names}}


def named_numbers(folder):
    """What the file `numbers` of an experiment defines: name -> EXPRESSION or EXPRESSION; DEVIATION."""
    path, named = os.path.join(folder, "numbers"), {}
    if not os.path.exists(path):
        return named
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            match = re.fullmatch(r"([a-z]\w*) = (.+)", line.strip())
            if not match:
                raise Fault(f"{path}:{number}: '{line.strip()}' defines no number; write NAME = EXPRESSION, or NAME = EXPRESSION; DEVIATION")
            if match[1] in named:
                raise Fault(f"{path}:{number}: '{match[1]}' again; give each number a name of its own")
            named[match[1]] = match[2]
    return named


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def number_of(path, text, match, home, names, named):
    where = f"{path}:{line_of(text, match.start())}"
    body = match["body"].strip()
    if re.fullmatch(r"[a-z]\w*", body):
        if body not in named:
            raise Fault(f"{where}: the file `numbers` of this folder has no '{body}'; there are {', '.join(named) or 'none'}")
        body = named[body]
    prefix = re.match(r"([\w.-]+):\s", body)
    experiment = names.get(prefix[1]) if prefix else home
    if experiment is None:
        raise Fault(f"{where}: '{body}' names no experiment; write <!--= NAME: EXPRESSION -->, as fig07 or sph-column")
    elsewhere = named_numbers(os.path.join("experiments", experiment)) if prefix else {}
    if prefix and body[prefix.end():] in elsewhere:
        body, prefix = elsewhere[body[prefix.end():]], None
    body, _, deviation = (part.strip() for part in body.partition(";"))
    return Number(where, match["shown"], experiment, " ".join(body[prefix.end():].split() if prefix else body.split()),
                  " ".join(deviation.split()))


def numbers_in(path, text):
    """The numbers of a text, in order, as (match, Number)."""
    names = known_experiments()
    folder = os.path.basename(os.path.dirname(path))
    home = folder if os.path.dirname(path).startswith("experiments") else None
    named = named_numbers(os.path.dirname(path)) if home else {}
    found = [(match, number_of(path, text, match, home, names, named)) for match in COMPUTED.finditer(text)]
    ends = {match.end() for match, _ in found}
    for lost in re.finditer(r"<!--=(.*?-->|)", text, re.DOTALL):
        if lost.end() not in ends:
            raise Fault(f"{path}:{line_of(text, lost.start())}: there is no number before {lost[0]}")
    return found


# ---- what it should be ---------------------------------------------------------------------------

class Reader:
    """Evaluates expressions, with each experiment read once."""

    def __init__(self, results, measurements=Measurements):
        self.results, self.measurements, self.names = results, measurements, {}

    def _names(self, experiment):
        if experiment not in self.names:
            folder = os.path.join("experiments", experiment)
            tools = {name: value for name, value in vars(arithmetic).items() if not name.startswith("_")}
            self.names[experiment] = {**tools, **names_read(folder)[1], "m": self.measurements(Experiment(folder), self.results)}
        return self.names[experiment]

    def value(self, number, expression):
        try:
            return float(eval(expression, self._names(number.experiment)))  # the project's own text
        except Exception as error:  # whatever it is, the number is not known
            raise Fault(f"{number.where}: {expression}: {type(error).__name__}: {error}") from None

    def wanted(self, number):
        """(value, deviation)"""
        return self.value(number, number.expression), self.value(number, number.deviation) if number.deviation else 0.0


def problem(reader, number):
    """What is wrong with a number; None if nothing is."""
    try:
        value, deviation = reader.wanted(number)
    except Fault as fault:
        return str(fault)
    if value == value and number.fits(value, deviation):
        return None
    allowed = f", {deviation:.3g} more or less" if deviation else ""
    return f"{number.where}: the text says {number.shown}, the results {value:.6g}{allowed}: {number.expression}"


def check(results, experiments):
    """(text, how many numbers, problems) of every text that has numbers of these experiments."""
    reader = Reader(results)
    for path in texts():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            numbers = [number for _, number in numbers_in(path, text) if number.experiment in experiments]
        except Fault as fault:
            yield path, 0, [str(fault)]
            continue
        if numbers:
            yield path, len(numbers), [p for p in (problem(reader, number) for number in numbers) if p]


def rewritten(reader, path, text, experiments, problems):
    """The text with the values of the results."""
    parts, end = [], 0
    for match, number in numbers_in(path, text):
        parts.append(text[end:match.start()])
        end = match.end()
        shown = match["shown"]
        if number.experiment in experiments:
            try:
                value = reader.value(number, number.expression)
                if value != value or abs(value) == float("inf"):
                    raise Fault(f"{number.where}: {number.expression} is {value}, no number to write")
                shown = written_as(shown, value)
            except Fault as fault:
                problems.append(str(fault))
        parts.append(shown + match["comment"])
    return "".join(parts) + text[end:]


def write(results, experiments):
    reader, problems = Reader(results), []
    for path in texts():
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            new = rewritten(reader, path, text, experiments, problems)
        except Fault as fault:
            problems.append(str(fault))
            continue
        if new != text:
            temporary = f"{path}.{os.getpid()}"
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(new)
            os.replace(temporary, path)
            print(f"  rewrote   {path}")
    return problems


def main():
    words = sys.argv[1:]
    if len(words) < 2 or words[0] not in ("check", "write"):
        fail(__doc__)
    problems = write(words[1], words[2:]) if words[0] == "write" else [p for _, _, some in check(words[1], words[2:]) for p in some]
    for line in problems:
        print(line, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
