"""The effective configuration of a run, as a flat table: key -> value, 'time.max_step' -> 0.001.

It is YAML, of which ms-sample writes only a part (src/config/config_effective.c): mappings, two blanks per level, lists of
shapes, numbers, words, quoted texts and [x, y, z]. So no parser of YAML is needed.
"""

import re

from .faults import Fault

LINE = re.compile(r"((?:  )*)((?:- )?)(\"[^\"]*\"|[\w.+-]+):(?: (.*))?$")


def value_read(text):
    """A number, a list of values, or a text."""
    if text.startswith("["):
        return [value_read(part.strip()) for part in text[1:-1].split(",")]
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def config_read(text, place):
    """Members of a list are counted from 0: 'bodies.cup.shape.union.1.ball.radius'."""
    table, above, counts = {}, [], {}
    for number, line in enumerate(text.splitlines(), 1):
        found = LINE.match(line)
        if not found:
            raise Fault(f"{place}:{number}: '{line}' is no line of an effective configuration")
        level = len(found[1]) // 2
        above = above[:level]
        if found[2]:
            parent = ".".join(above)
            counts[parent] = counts.get(parent, -1) + 1
            above.append(str(counts[parent]))
        above.append(found[3].strip('"'))
        if found[4] is not None and found[4] != "{}":
            table[".".join(above)] = value_read(found[4])
    return table
