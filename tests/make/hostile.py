"""Names from files that would do something in make or sh, in every place of `runs`, of a sweep and of a scene from which a name comes
to the text of make: each is refused in one line that says where, or make hands on the very same words.

usage: hostile.py, in a copy of the project with the experiment fig99-toy (tests/make/toy.sh). Prints a line for each fault, and at the
end how many names were refused and how many were handed on.
"""

import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, "scripts")
import sweep as sweeps
from arithmetic import Fault
from experiment import Experiment
from rules import inputs, rules

HOSTILE = ("a';touch${IFS}PWNED;'b", 'a";touch${IFS}PWNED;"b', "$(touch${IFS}PWNED)", "$(shell${IFS}touch${IFS}PWNED)", "`touch${IFS}PWNED`", "$$(touch${IFS}PWNED)",
           "a;touch${IFS}PWNED", "a|b", "a&b", "a>PWNED", "*", "?", "[a]", "{a,b}", "~", "a\\b", "a\\", "\\#a", "a#b", "a%b", "a=b", "a:b", "!a", "(a)",
           "../a", "../../clean", "/etc/passwd", "/dev/zero", ".", "..", "-x", "--help", "a\x1b[2J", "a\x07", "\u202ea", "\u00e9")
OF_YAML = ("a b", "a\nb", "a\tb", "$(touch PWNED)", "a\n\ttouch PWNED")  # what no word of `runs` can have

RUNS = ("axis @ 1 2 : stiffness={}", "axis x @ 2 : stiffness={}\nrun r-{x} merging", "axis x 1 2 : @\nrun r-{x} merging",
        "axis x 1 2 : stiffness=@\nrun r-{x} merging", "run @ merging", "run r @", "run r @.yaml", "run r @/scene.yaml", "run r @=1", "run r stiffness=@", "samples @",
        "section @ 0.1 1", "section 0,1,0,0 @ 1", "section 0,1,0,0 0.1 @", "face @ 0,1,0,0 0.1 1", "face f @ 0.1 1", "face f 0,1,0,0 @ 1", "face f 0,1,0,0 0.1 @",
        "view @ body whole 4x3 1", "view v @ whole 4x3 1", "view v body+@ whole 4x3 1", "view v body @ 4x3 1", "view v body whole @ 1", "view v body whole 4x3 @",
        "view v body whole 4x3 1 : @", "points @", "compare @ low-merging high-merging cloth", "compare c @ high-merging cloth", "compare c low-merging @ cloth",
        "compare c low-merging high-merging @", "test @", "steps @", "bench @ bench_toy", "bench b @", "bench b bench_toy @", "rows @", "@ x")
SWEEP = """scene: experiments/fig99-toy/scene.yaml
set: {velocity: [0, 0, -1]}
axes: {k: {values: {low: {layer: configs/methods/merging.yaml, stiffness: 1}}}}
metrics: {drawn: summary seed}
"""
SWEEPS = {"scene: experiments/fig99-toy/scene.yaml": "scene: @", "velocity: [0, 0, -1]": "velocity: @", "velocity": "@", "{k:": "{@:", "low:": "@:",
          "layer: configs/methods/merging.yaml": "layer: @", "stiffness: 1": "stiffness: @", "stiffness": "@", "{drawn:": "{@:", "seed": "@"}
SCENES = ("a: {mesh: {file: @}}\n", "a:\n  mesh:\n    file: @\n", "union: [{mesh: {file: good.obj}}, {mesh: {'file': @, scale: 1}}]\n", "mesh:\n  file: @ # a comment\n",
          "mesh:\n  file:\n    @\n")

handed, refused, faults = [], 0, []


def yaml_text(name):
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t").replace("\x1b", "\\e").replace("\x07", "\\a") + '"'


def tried(what, name, place, function):
    """What the facts say with this name; None if it is refused, as it should be, with the place and nothing that a terminal obeys."""
    global refused
    try:
        return function()
    except Fault as fault:
        refused += 1
        text = str(fault)
        if not re.match(place, text) or not text.isprintable():
            faults.append(f"{what!r} with {name!r}: refused, but in the words {text!r}")
    return None


def written(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def facts_checked(what, name, facts):
    """Facts have the name only as an argument in quotes; all other text of them is plain."""
    for fact in (line for part in facts for line in part.split("\n")):
        variable, _, value = fact.partition(" := ")
        if fact.startswith("# ") or variable == "hash":
            continue
        bare = re.sub(r"(?<=[ '])'[^']*'|(?<=\\\\')'[^']*'", "", f" {value}").replace("\\'", "") if variable.startswith("arguments_") else value
        if not re.fullmatch(r"[\w./,+= -]*", variable + bare, re.ASCII):
            faults.append(f"{what!r} with {name!r}: {fact!r} came to make")
        elif "'" in value and not re.fullmatch(r"[\w./,+=' \[\]-]*", value, re.ASCII):
            handed.append((what, name, value))


def of_runs():
    with open("experiments/fig99-toy/runs", encoding="utf-8") as file:
        good = file.read()
    for line in RUNS:
        for name in HOSTILE:
            written("experiments/fig99-toy/runs", good + line.replace("@", name) + "\n")
            facts_checked(line, name, tried(line, name, "experiments/fig99-toy", lambda: list(rules(Experiment("experiments/fig99-toy"), "small"))) or ())
    written("experiments/fig99-toy/runs", good)


def of_sweeps():
    for old, new in SWEEPS.items():
        for name in HOSTILE + OF_YAML:
            written("toy.yaml", SWEEP.replace(old, new.replace("@", yaml_text(name)), 1))
            facts_checked(new, name, tried(new, name, "toy.yaml:", lambda: list(sweeps.rules(sweeps.Sweep("toy.yaml"), "small"))) or ())


def of_meshes():
    for scene in SCENES:
        for name in HOSTILE + OF_YAML:
            for mesh in (name + ".obj", name):
                for text in (yaml_text(mesh), f"'{mesh}'", mesh):
                    written("toy.yaml", scene.replace("@", text))
                    for path in tried(scene, text, r"toy.yaml:\d+: ", lambda: list(inputs(["toy.yaml"]))) or ():
                        if not re.fullmatch(r"[\w.+/][\w.+/-]*\.obj", path, re.ASCII):
                            faults.append(f"{scene!r} with {text!r}: {path!r} came to make")


def words_through_make():
    """Make and sh hand on what the facts quote: each as one word, and the same as Python's own reader of shell text has."""
    with open("handed.mk", "w", encoding="utf-8") as file:
        file.write("hash := \\#\nall:" + "".join(f" h{k}" for k in range(len(handed))) + "\n")
        for k, (_, _, value) in enumerate(handed):
            file.write(f"arguments_{k} := {value}\nh{k}:\n\t@printf '%s\\0' {k} $(arguments_{k})\n")
    found = subprocess.run(["make", "-rs", "-f", "handed.mk"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    said = found.stdout.decode().split("\0")
    expected = []
    for k, (_, _, value) in enumerate(handed):
        expected += [str(k), *shlex.split(value.replace("$(hash)", "#").replace("$$", "$"))]
    if said[:-1] != expected or found.returncode != 0:
        wrong = next((a for a, b in zip(said, expected) if a != b), found.stderr.decode()[:200])
        faults.append(f"make handed on other words: {wrong!r}")
    for what, name, value in handed:
        if not any(name in word for word in shlex.split(value.replace("$(hash)", "#").replace("$$", "$"))):
            faults.append(f"{what!r}: {name!r} is not in {value!r}")


def main():
    os.makedirs("tests/bench", exist_ok=True)
    for path in ("experiments/fig99-toy/v.pov", "tests/bench/bench_toy.c", "clean.obj"):
        written(path, "")
    of_runs()
    of_sweeps()
    of_meshes()
    words_through_make()
    if os.path.exists("PWNED"):
        faults.append("a name was run")
    print(*faults[:20], sep="\n", end="\n" if faults else "")
    print(f"{refused} refused, {len(handed)} handed on, {len(faults)} faults")


if __name__ == "__main__":
    main()
