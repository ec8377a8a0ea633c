"""usage: combinations.py BUILD: prints docs/combinations.md, which says what goes with what, as ms-sample's rules have it.

Each combination is a small scene that ms-sample accepts or refuses. What a refusal advises is tried, too: if that is refused in the
end, the exit status is 1.
"""

import os
import re
import subprocess
import sys
import tempfile

INTEGRATORS = {"e": "backward-euler", "n": "newmark", "v": "verlet"}
SOLIDS = {
    "bonds": "{model: peridynamics, stiffness: 800}",
    "loose": "{model: loose}",
    "corotated": "{model: corotated, young_modulus: 1e5, poisson_ratio: 0.3}",
    "rigid": "{model: rigid}",
}
FLUIDS = {
    "SPH": "{model: fluid, pressure: 1e5, viscosity: 1e-3}",
    "FLIP": "{model: flip}",
}
SHAPE = "radius: 0.01, density: 1000, shape: {box: {size: [0.06, 0.06, 0.06]}}"
FLOOR = "walls:\n  floor: {keep: outside, holds: all, position: [0, 0, -0.2], shape: {box: {size: [1, 1, 0.1]}}}\n"
HEAD = """Written by `scripts/combinations.py build >docs/combinations.md` from what `ms-sample` accepts and refuses; `tests/cli/test_combinations.sh`
compares. A refusal names what is possible instead, and what it names is accepted (tried for all that is refused here).

**e**: `solver.integrator: backward-euler`, **n**: `newmark`, **v**: `verlet`; **-**: with none of them. The materials are `peridynamics` (as
`mass-spring`), `loose`, `corotated` and `rigid`, alone; then `rigid` beside bonds, bonds beside a fluid or a wall that `holds: all`, with friction, and with
`contact.detection: swept`."""


def scene(solid, fluid=None, floor=False, other=None):
    text = f"name: c\ntime: {{end: 0.1, frame_interval: 0.1}}\nmaterials:\n  solid: {SOLIDS[solid]}\n"
    text += f"  other: {SOLIDS[other]}\n" if other else ""
    text += f"  fluid: {FLUIDS[fluid]}\n" if fluid else ""
    text += f"bodies:\n  solid: {{material: solid, {SHAPE}}}\n"
    text += f"  other: {{material: other, position: [0, 0, 0.4], {SHAPE}}}\n" if other else ""
    text += f"  fluid: {{material: fluid, position: [0, 0, 0.2], {SHAPE}}}\n" if fluid else ""
    return text + (FLOOR if floor else "")


COLUMNS = {
    "bonds": (scene("bonds"), []),
    "loose": (scene("loose"), []),
    "corotated": (scene("corotated"), []),
    "rigid": (scene("rigid"), []),
    "rigid, bonds": (scene("rigid", other="bonds"), []),
    "bonds, SPH": (scene("bonds", "SPH"), []),
    "bonds, FLIP": (scene("bonds", "FLIP"), []),
    "corotated, SPH": (scene("corotated", "SPH"), []),
    "bonds, wall": (scene("bonds", floor=True), []),
    "corotated, wall": (scene("corotated", floor=True), []),
    "bonds, friction": (scene("bonds"), ["contact.friction=0.3"]),
    "bonds, swept": (scene("bonds"), ["contact.detection=swept"]),
}


class Sampler:
    def __init__(self, build, folder):
        self.program, self.path, self.n = os.path.join(build, "ms-sample"), os.path.join(folder, "scene.yaml"), 0

    def refusal(self, settings):
        """What ms-sample says of these settings of the scene; empty if it takes them."""
        words = [word for setting in settings for word in ("--set", setting)]
        ended = subprocess.run([self.program, "--effective", "--config", self.path, *words], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, check=False)
        return "" if ended.returncode == 0 else ended.stderr.strip() or f"status {ended.returncode}"


def follow(sampler, settings, refusal):
    """Does what refusals advise, one after the other; returns the last one, empty if it ends well."""
    settings = list(settings)
    for _ in range(6 if refusal else 0):
        found = re.search(r"'([\w.-]+)' is .*; (?:give|make it) ([\w.-]+)", refusal)
        if not found:
            return "" if refusal.endswith("leave it out") else refusal
        settings.append(f"{found[1]}={found[2]}")
        refusal = sampler.refusal(settings)
        if not refusal:
            return ""
    return refusal


def advised(refusal):
    """The methods that a refusal of one names."""
    found = re.search(r"'contact.method' is .*; give ([\w-]+(?: or [\w-]+)*)$", refusal, re.MULTILINE)
    return found[1].split(" or ") if found else []


def methods(build):
    listed = subprocess.run([os.path.join(build, "ms-sample"), "--help-config", "contact.method"], stdout=subprocess.PIPE, text=True, check=True)
    return re.search(r"one of (.*?);", listed.stdout)[1].split(", ")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    unhelpful, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        sampler = Sampler(sys.argv[1], folder)
        for method in methods(sys.argv[1]):
            cells = []
            for text, more in COLUMNS.values():
                with open(sampler.path, "w", encoding="utf-8") as file:
                    file.write(text)
                cell = ""
                for letter, integrator in INTEGRATORS.items():
                    settings = [f"contact.method={method}", f"solver.integrator={integrator}", *more]
                    refusal = sampler.refusal(settings)
                    cell += "" if refusal else letter
                    last = follow(sampler, settings, refusal) if refusal else ""
                    for word in advised(refusal):
                        instead = [*settings, f"contact.method={word}"]
                        last = last or follow(sampler, instead, sampler.refusal(instead))
                    if last:
                        unhelpful.append(f"{' '.join(settings)}: {refusal}\n  then: {last}")
                cells.append(cell or "-")
            rows.append(f"| `{method}` | " + " | ".join(cells) + " |")
    print(f"# What goes with what\n\n{HEAD}\n\n| `contact.method` | " + " | ".join(COLUMNS) + " |\n|---|" + "---|" * len(COLUMNS))
    print("\n".join(rows))
    print("\n".join(unhelpful), end="\n" if unhelpful else "", file=sys.stderr)
    sys.exit(bool(unhelpful))


if __name__ == "__main__":
    main()
