"""Names that two versions of this project call differently: a table from old to new.

One rename a line, `#` begins a comment: `OLD NEW`. `OLD -` is a name that only the old version has, `- NEW` one that only the
new one has. A `*` stands for letters, digits, `_` and `-`. A name counts as a whole word, wherever it stands: in names of
fields, columns, keys, files and runs, and in texts. `PLACE: OLD NEW` counts only in files whose path within the results fits
PLACE, as */summary.json, or, in frames, the path and the name of a field or table, as *.hdf/ledger or *.hdf/config.
"""

import fnmatch
import re

from arithmetic import Fault

WORD = re.compile(r"[\w-]+")


def fits(place, where):
    """Whether a rule for `where` counts at a place; a place in a file belongs to the file, too."""
    return where == "*" or fnmatch.fnmatch(place, where) or (".hdf/" in place and fnmatch.fnmatch(place.rpartition("/")[0], where))


def renamed(rules, word):
    for _, pattern, new in rules:
        match = pattern.fullmatch(word)
        if match:
            parts = iter(match.groups())
            return re.sub(r"\*", lambda _: next(parts), new)
    return word


class Renames:
    def __init__(self, path=None):
        self.rules, self.dropped, self.added, self.known, self.fitting = [], [], [], {}, {}
        if path:
            with open(path, encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    self._add(f"{path}:{number}", line.partition("#")[0].strip())

    def _add(self, where, line):
        rule = re.fullmatch(r"(?:(?P<place>\S+):\s+)?(?P<old>\S+)\s+(?P<new>\S+)", line)
        if not line:
            return
        if not rule or rule["old"].count("*") != rule["new"].count("*") and "-" not in (rule["old"], rule["new"]):
            raise Fault(f"{where}: '{line}' is not a rename; write `OLD NEW`, `OLD -`, `- NEW` or `PLACE: OLD NEW`, with as many * on both sides")
        pattern = re.compile(re.escape(rule["new" if rule["old"] == "-" else "old"]).replace(r"\*", r"([\w-]*)"))
        place = rule["place"] or "*"
        if rule["old"] == "-":
            self.added.append((place, pattern))
        elif rule["new"] == "-":
            self.dropped.append((place, pattern))
        else:
            self.rules.append((place, pattern, rule["new"]))

    def _rules(self, place):
        """The rules that count at a place."""
        if place not in self.fitting:
            self.fitting[place] = tuple(rule for rule in self.rules if fits(place, rule[0]))
        return self.fitting[place]

    def of(self, place, value):
        """A name or a text of the old version as the new one has it."""
        rules = self._rules(place)
        if not rules:
            return value
        if (rules, value) not in self.known:
            self.known[rules, value] = WORD.sub(lambda word: renamed(rules, word[0]), value)
        return self.known[rules, value]

    def value(self, place, value):
        if isinstance(value, list):
            return [self.of(place, text) for text in value]
        return self.of(place, value) if isinstance(value, str) else value

    @staticmethod
    def _declared(rules, place, name):
        return any(fits(place, where) and any(pattern.fullmatch(part) for part in (name, *re.split(r"[./]", name)))
                   for where, pattern in rules)

    def may_miss(self, place, name):
        return self._declared(self.dropped, place, name)

    def may_add(self, place, name):
        return self._declared(self.added, place, name)
