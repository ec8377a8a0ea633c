"""usage: same_results.py [--renames FILE] [--jobs N] [--scale SCALE] [--no-pictures] BASE OTHER [EXPERIMENT ...]: are two trees of
results the same?

BASE and OTHER are checkouts, of which results/SCALE counts (small), or folders as results/small. Run by run, frames, tables and values are compared by their names
and to the last bit (scripts/flat.py), and pictures by their bytes. One line for each experiment, below it the first difference
of each run; exit status 1 if there is any, 2 for trouble. Times, host names and explanations are not compared: neither the values of claims
about times, nor pictures named *-times, nor those of an experiment that timed steps.

FILE has the names that changed from BASE to OTHER, one a line, `OLD NEW` (scripts/renames.py); also those that only one of
them has, `OLD -` and `- NEW`.
"""

import argparse
import concurrent.futures
import filecmp
import os
import sys

import flat
from arithmetic import Fault
from experiment import fail
from renames import Renames


# ---- one file ------------------------------------------------------------------------------------

def shown(value):
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def values_differ(name, old, new):
    """Where two values of one name first differ."""
    if isinstance(old, str) or isinstance(new, str) or isinstance(old, flat.Array) and str(old) != str(new):
        return f"{name}: {shown(old)} became {shown(new)}"
    old, new = list(old), list(new)
    if len(old) != len(new):
        return f"{name}: {len(old)} rows became {len(new)}"
    row = next((k for k, (a, b) in enumerate(zip(old, new)) if a != b), None)
    return f"{name}: other bits of the same number" if row is None else f"{name}, row {row}: {shown(old[row])} became {shown(new[row])}"


def within(place, name):
    """The place of a name: in a frame, also which field or table it belongs to."""
    return f"{place}/{name.partition('.')[0]}" if place.endswith(".hdf") else place


def paired(old, new, place, renames):
    """Pairs of one name, and what is wrong with the names that have no partner; old and new are tables of names."""
    moved = {}
    for name, value in old.items():
        moved[renames.of(within(place, name), name)] = (name, value)
    missing = [name for name, (was, _) in moved.items() if name not in new and not renames.may_miss(within(place, was), was)]
    extra = [name for name in new if name not in moved and not renames.may_add(within(place, name), name)]
    faults = [f"{name}: only in BASE" for name in missing] + [f"{name}: only in OTHER" for name in extra]
    return [(name, value, new[name]) for name, (_, value) in moved.items() if name in new], faults


def pixels_differ(old, new):
    from PIL import Image, ImageChops  # only where pictures differ
    with Image.open(old) as a, Image.open(new) as b:
        if a.size != b.size:
            return f"{a.size[0]}x{a.size[1]} pixels became {b.size[0]}x{b.size[1]}"
        box = ImageChops.difference(a.convert("RGB"), b.convert("RGB")).getbbox()
        return f"other pixels within {box}" if box else "the same pixels in other bytes"


def file_fault(old, new, place, renames):
    """What differs first between two files; None if nothing does."""
    if filecmp.cmp(old, new, shallow=False):
        return None
    if not flat.fits(os.path.basename(old)):
        return pixels_differ(old, new) if old.endswith(".png") else "other bytes"
    try:
        pairs, faults = paired(flat.contents(old), flat.contents(new), place, renames)
    except (OSError, ValueError, KeyError) as error:
        return f"cannot be read: {error}"
    for name, a, b in pairs:
        if a != b and renames.value(within(place, name), a) != b:
            faults.append(values_differ(name, a, b))
    return faults[0] if faults else None


# ---- a folder ------------------------------------------------------------------------------------

def files_of(folder):
    """The files of a run that have results, by their path in its folder."""
    found = {}
    for place in ("", "frames"):
        try:
            names = os.listdir(os.path.join(folder, place))
        except FileNotFoundError:
            continue
        found.update({os.path.join(place, name): os.path.join(folder, place, name) for name in names
                      if flat.fits(name) or name.endswith(".png")})
    return dict(sorted(found.items()))


def folder_faults(old, new, place, renames):
    """(files compared, what is wrong) of one run, or of the files of an experiment beside its runs."""
    pairs, faults = paired(files_of(old), files_of(new), place, renames)
    for name, a, b in pairs:
        fault = file_fault(a, b, f"{place}/{name}", renames)
        if fault:
            faults.append(f"{name}: {fault}")
    return len(pairs), faults


def subfolders(folder):
    """The folders in a folder, by name, without those in which a script is at work (scripts/work)."""
    if not os.path.isdir(folder):
        return {}
    paths = {name: os.path.join(folder, name) for name in sorted(os.listdir(folder))}
    return {name: path for name, path in paths.items()
            if os.path.isdir(path) and not os.path.exists(os.path.join(path, ".lock"))}


def pictures_of(results, pictures):
    try:
        with open(os.path.join(results, "drawn.txt"), encoding="utf-8") as file:
            return {name: os.path.join(pictures, name) for name in file.read().split() if not about_times(results, name)}
    except FileNotFoundError:
        return {}


def picture_faults(old, new, renames):
    pairs, faults = paired(old, new, "pictures", renames)
    for name, a, b in pairs:
        gone = [path for path in (a, b) if not os.path.exists(path)]
        fault = f"there is no {gone[0]}" if gone else file_fault(a, b, f"pictures/{name}", renames)
        if fault:
            faults.append(f"{name}: {fault}")
    return len(pairs), faults


# ---- two trees -----------------------------------------------------------------------------------

class Tree:
    def __init__(self, path, scale):
        is_checkout = os.path.exists(os.path.join(path, "Makefile"))
        self.results = os.path.join(path, "results", scale) if is_checkout else path
        self.pictures = os.path.join(self.results, "figures")
        if os.path.normpath(self.results).endswith("results/small"):
            self.pictures = os.path.join(self.results, "..", "..", "paper-figures")
        if not os.path.isdir(self.results):
            raise Fault(f"there is no folder {self.results}")


def has_times(experiment):
    return (any(name.endswith(".bench") for name in os.listdir(experiment))
            or any(os.path.exists(os.path.join(run, "steps.csv")) for run in subfolders(experiment).values()))


def about_times(experiment, picture):
    """Whether a picture of an experiment shows times, which differ from measurement to measurement."""
    return os.path.splitext(picture)[0].endswith("-times") or has_times(experiment)


def counted(number, equal, what):
    return f"{number} {what}{'' if number == 1 else 's'}, {'all' if equal == number else equal} equal"


class Comparison:
    """The comparison of one experiment: its runs are compared by the workers of a pool, its pictures when the result is printed."""

    def __init__(self, pool, name, old, new, renames):
        self.name, self.old, self.new, self.renames = name, old, new, renames
        self.beside = pool.submit(folder_faults, old, new, name, renames)
        runs, self.lone = paired(subfolders(old), subfolders(new), name, renames)
        self.runs = [(run, pool.submit(folder_faults, a, b, f"{name}/{run}", renames)) for run, a, b in runs]

    def tell(self, base, other, with_pictures):
        """Prints the line of the experiment and its differences; returns whether there is none."""
        files, told = 0, list(self.lone)
        for run, future in self.runs:
            number, faults = future.result()
            files += number
            if faults:
                told.append(f"{run}/{faults[0]}" + (f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""))
        runs = len(self.runs) + len(self.lone)
        line = counted(runs, runs - len(told), "run")
        number, faults = self.beside.result()
        files, told = files + number, told + faults
        line += f" ({files} files)"
        if with_pictures:
            number, faults = picture_faults(pictures_of(self.old, base.pictures), pictures_of(self.new, other.pictures), self.renames)
            line, told = line + f"; {counted(number, number - len(faults), 'picture')}", told + faults
        print(f"{self.name}: {line}", *told, sep="\n    ", flush=True)
        return not told


def compare(base, other, chosen, renames, jobs, with_pictures):
    """Whether all is the same."""
    def trees(tree):
        return {name: path for name, path in subfolders(tree.results).items() if name != "figures" and (not chosen or name in chosen)}
    pairs, lone = paired(trees(base), trees(other), "", renames)
    for fault in lone:
        print(fault)
    if not pairs and not lone:
        raise Fault(f"there is nothing to compare in {base.results} and {other.results}")
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        comparisons = [Comparison(pool, name, old, new, renames) for name, old, new in pairs]
        return not sum(not comparison.tell(base, other, with_pictures) for comparison in comparisons) and not lone


def main():
    parser = argparse.ArgumentParser(usage=__doc__.partition("usage: ")[2].partition(":")[0])
    parser.add_argument("--renames")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--scale", default="small")
    parser.add_argument("--no-pictures", action="store_true")
    parser.add_argument("base")
    parser.add_argument("other")
    parser.add_argument("experiment", nargs="*")
    args = parser.parse_args()
    try:
        same = compare(*(Tree(path, args.scale) for path in (args.base, args.other)), args.experiment, Renames(args.renames), args.jobs, not args.no_pictures)
    except (Fault, OSError) as fault:
        fail(fault)
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
