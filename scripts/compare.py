"""usage: compare.py ARCHIVE.tar.gz SCALE RESULTS PICTURES [EXPERIMENT ...]: how do results differ from those of an archive (scripts/archive.py)?

Of each run the configuration, the digests of its frames and its tables; the values of claims; pictures. What is not the same to
the last bit is judged by the tolerances of scripts/tolerances.py. Exit status 0: all is the same, or within them; 1: something is
not; 2: trouble.
"""

import collections
import gzip
import hashlib
import json
import os
import re
import sys
import tarfile
import tempfile
import zlib

import changes
import flat
from archive import file_bytes, manifest_reduced
from arithmetic import Fault, printable
from chance import chance_read, is_chance
from experiment import fail, plain
from reference import reference_key
from same_results import about_times
from tolerances import PIXEL, PIXELS, distance, stated

SAME, WITHIN, BEYOND = "the same", "within tolerance", "beyond tolerance"

# No archive can make us unpack or read without end. Ours at SCALE=small have some 100 MB, and none of these texts 1 MB.
MOST_BYTES, MOST_FILES, MOST_AT_ONCE = 16_000_000_000, 200_000, 1_000_000
TEXTS, LARGEST_TEXT = ("SHA256SUMS", "drawn.txt", "claims.json", "manifest.json", "config.yaml", "frames.sha256"), 64_000_000


# ---- the archive ---------------------------------------------------------------------------------

class Unzipped(gzip.GzipFile):
    """What a file unzips to, as far as an archive may reach."""

    def read(self, size=-1):
        if not 0 <= size <= MOST_AT_ONCE:
            raise Fault(f"{self.name}: has a header of {size} bytes, and so is no archive of make archive")
        return super().read(size)

    def seek(self, offset, whence=os.SEEK_SET):
        if offset > MOST_BYTES:
            raise Fault(f"{self.name}: unpacks to more than {MOST_BYTES} bytes, the most that is read")
        return super().seek(offset, whence)


def member_fits(path, member):
    """Whether a member of an archive is to be unpacked: all but the source, of which nothing is read."""
    parts = member.name.split("/")
    if parts[1:2] == ["source"]:
        return False
    plain(path, member.name, "file of an archive")
    if not (member.isreg() or member.isdir()) or parts[0] == "" or ".." in parts:
        raise Fault(f"{path}: {member.name} leads out of the archive, or is neither file nor folder; make archive packs nothing like it")
    if parts[-1] in TEXTS and member.size > LARGEST_TEXT:
        raise Fault(f"{path}: {member.name} has {member.size} bytes; none that make archive packs has more than {LARGEST_TEXT}")
    member.mode = 0o755 if member.isdir() else 0o644
    return True


def members_unpacked(path, folder):
    """Unpacks an archive into a folder; returns the names of its files but those of the source."""
    if not os.path.isfile(path):
        raise Fault(f"{path}: is not there, or no file; make archive E=... writes an archive")
    members, number = [], 0
    try:
        with Unzipped(path) as unzipped, tarfile.open(fileobj=unzipped) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # newer versions of Python ask for one
            for number, member in enumerate(archive, 1):
                if number > MOST_FILES or archive.offset > MOST_BYTES:
                    raise Fault(f"{path}: unpacks to more than {MOST_FILES} files or {MOST_BYTES} bytes, the most that is read")
                members += [member] if member_fits(path, member) else []
            archive.extractall(folder, members)
    except (tarfile.TarError, EOFError, ValueError, zlib.error, OSError) as error:
        raise Fault(f"{path}: cannot be read: {(str(error).splitlines() or ['it is damaged'])[0].rstrip(':')}; make archive E=... writes an archive") from error
    return {member.name for member in members if member.isreg()}


def digest_of(path):
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(MOST_AT_ONCE):
            found.update(block)
    return found.hexdigest()


def unpacked(path, folder):
    """Unpacks an archive into a folder and checks its files against their digests; returns the path of the one folder that it has."""
    files = members_unpacked(path, folder)
    tops = {name.split("/")[0] for name in files}
    if len(tops) != 1:
        raise Fault(f"{path}: has no single folder, and so is no archive of make archive")
    top, = tops
    listed = re.findall(r"^([0-9a-f]{64})  (.*)$", changes.file_read(os.path.join(folder, top, "SHA256SUMS")) or "", re.MULTILINE)
    sums = {f"{top}/{name}": digest for digest, name in listed if not name.startswith("source/")}
    for name in sorted(sums.keys() ^ (files - {f"{top}/SHA256SUMS"})):
        raise Fault(f"{path}: {name} is in SHA256SUMS or in the archive, but not in both; make archive lists all that it packs")
    for name, digest in sums.items():
        if digest_of(os.path.join(folder, name)) != digest:
            raise Fault(f"{path}: {name} is damaged: its sha256 is not that of SHA256SUMS")
    return os.path.join(folder, top)


# ---- one file ------------------------------------------------------------------------------------

def names_differ(old, new):
    lost = [name for name in old if name not in new]
    more = [name for name in new if name not in old]
    return f"has no {lost[0]}" if lost else f"{more[0]} is new" if more else ""


def row_of(old, new):
    """Where two values differ most, for readers."""
    shown = changes.shown
    if isinstance(old, str) or not isinstance(old, list) or len(old) != len(new):
        return f"{shown(str(old))} became {shown(str(new))}"
    rows = [k for k, (a, b) in enumerate(zip(old, new)) if a != b]
    row = max(rows, key=lambda k: distance("", [old[k]], [new[k]]))
    return f"row {row}: {shown(old[row])} became {shown(new[row])}"


def file_compared(old, new):
    """(SAME, WITHIN or BEYOND; what differs most) of two files with values."""
    if file_bytes(old) == file_bytes(new):
        return SAME, ""
    try:
        a, b = flat.contents(old), flat.contents(new)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        return BEYOND, f"cannot be read: {error}"
    if names_differ(a, b):
        return BEYOND, names_differ(a, b)
    apart = {name: distance(name, a[name], b[name]) for name in a if a[name] != b[name]}
    if not apart:
        return SAME, ""
    worst = max(apart, key=apart.get)
    return (WITHIN if apart[worst] <= 1 else BEYOND,
            f"{worst}, {row_of(a[worst], b[worst])}, {apart[worst]:.2g} of the tolerance")


def picture_compared(old, new):
    if not os.path.exists(new):
        return BEYOND, "there is none"
    if file_bytes(old) == file_bytes(new):
        return SAME, ""
    if not old.endswith(".png"):
        return BEYOND, "other bytes"
    import numpy  # only where pictures differ
    from PIL import Image
    try:
        images = Image.open(old), Image.open(new)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        return BEYOND, f"cannot be read: {error}"
    with images[0] as a, images[1] as b:
        if a.size != b.size:
            return BEYOND, f"{a.size[0]}x{a.size[1]} pixels became {b.size[0]}x{b.size[1]}"
        change = abs(numpy.asarray(a.convert("RGB"), dtype=int) - numpy.asarray(b.convert("RGB"), dtype=int)).max(axis=2)
    share = 1000 * float((change > PIXEL).mean())
    if not change.any():
        return SAME, ""
    return WITHIN if share <= PIXELS else BEYOND, f"{share:.2g} of 1000 pixels changed by more than {PIXEL} of 255, the most by {change.max()}"


# ---- a run, an experiment ------------------------------------------------------------------------

def frames_compared(old, new):
    """(how many, how many are the same) by their digests."""
    def digests(folder):
        lines = (changes.file_read(os.path.join(folder, "frames.sha256")) or "").splitlines()
        return dict(reversed(line.split("  ", 1)) for line in lines if "  frames/" in line)
    was, now = digests(old), digests(new)
    return len(was), sum(was[name] == now.get(name) for name in was)


def values_in(folder):
    return sorted(name for name in os.listdir(folder) if flat.fits(name) and not name.endswith(".hdf") and name != "claims.json")


def value_file_compared(old, new):
    """(verdict, what differs most) of a file; a configuration is either the same or beyond every tolerance."""
    if not os.path.exists(new):
        return BEYOND, "there is none"
    if os.path.getsize(old) > 10 * os.path.getsize(new) + LARGEST_TEXT:  # which nobody would want to be read
        return BEYOND, f"{os.path.getsize(old)} bytes became {os.path.getsize(new)}"
    verdict, words = file_compared(old, new)
    if verdict != SAME and os.path.basename(old) == "config.yaml":
        return BEYOND, "; ".join(changes.keys_changed(changes.file_read(old), changes.file_read(new)))
    return verdict, words


def folder_compared(old, new):
    """(verdict, what differs most) of the files of a run, or of those beside runs."""
    found = [(name, *value_file_compared(os.path.join(old, name), os.path.join(new, name))) for name in values_in(old)]
    differ = sorted((item for item in found if item[1] != SAME), key=lambda item: item[1] != BEYOND)
    if not differ:
        return SAME, ""
    name, verdict, words = differ[0]
    more = f" (and {len(differ) - 1} more {'files' if len(differ) > 2 else 'file'})" if len(differ) > 1 else ""
    return verdict, f"{name}: {words}{more}"


def claims_of(experiment, folder):
    path = os.path.join(folder, "claims.json")
    try:
        claims = json.loads(changes.file_read(path) or "[]")
        for claim in claims:
            reference_key(experiment, claim)
            if not isinstance(claim["id"], str) or not isinstance(claim["value"], (int, float, type(None))) or "holds" not in claim:
                raise ValueError("a claim has a text as id, a number as value, and says whether it holds")
        return {reference_key(experiment, claim): claim for claim in claims if not claim.get("times")}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Fault(f"{experiment}/claims.json: is not what make writes: {error}; make {experiment} writes it") from error


def claim_compared(claim, other, chance):
    """(verdict, what differs) of a claim; other: None if there is none."""
    if other is None:
        return BEYOND, "there is none"
    was, now = claim["value"], other["value"]
    if was == now:
        return SAME, ""
    words = f"{was} became {now}"
    if claim["holds"] != other["holds"]:
        return BEYOND, f"{words}, and it " + ("holds now" if other["holds"] else "holds no longer")
    if was is None or now is None:
        return BEYOND, words
    near = distance(claim["id"], str(was), str(now)) <= 1 or is_chance(float(now), chance)
    return WITHIN if near else BEYOND, words


def how_made(old, new, runs):
    """What the manifests of runs say differently, once for all of them."""
    found = collections.Counter()
    for run in runs:
        was, now = (os.path.join(folder, run, "manifest.json") for folder in (old, new))
        if os.path.exists(was) and os.path.exists(now):
            try:
                a, b = flat.of_json(json.loads(file_bytes(was))), flat.of_json(json.loads(manifest_reduced(file_bytes(now))))
            except (ValueError, AttributeError, RecursionError) as error:
                found.update([f"manifest.json cannot be read: {error}"])
                continue
            for key in a.keys() | b.keys():
                if a.get(key) != b.get(key) and key != "configuration" and not key.startswith("sha256"):
                    words = changes.words_changed(key, a.get(key, ""), b.get(key, "")) if key == "flags" else [f"{key}: {changes.shown(a.get(key) or 'unknown')} became {changes.shown(b.get(key) or 'unknown')}"]
                    found.update(words)
    return [f"made otherwise: {line}" + (f" (in {count} runs)" if count < len(runs) else "") for line, count in sorted(found.items())]


def counted(counts, what):
    number = sum(counts.values())
    if not number:
        return ""
    parts = [v if number == 1 else f"{'all' if counts[v] == number else counts[v]} {v}" for v in (SAME, WITHIN, BEYOND) if counts[v]]
    return f"{number} {what}{'' if number == 1 else 's'}, {', '.join(parts)}"


class Comparison:
    """How many runs, frames, claims and pictures of an experiment are the same, and lines about those that are not."""

    def __init__(self, name, old, new):
        self.name, self.old, self.new = name, old, new
        self.runs = sorted(entry for entry in os.listdir(old) if os.path.isdir(os.path.join(old, entry)))
        self.counts = {what: collections.Counter() for what in ("run", "claim", "picture")}
        self.frames, self.equal_frames = 0, 0
        self.lines = how_made(old, new, self.runs)

    def _note(self, what, verdict, words, name):
        self.counts[what][verdict] += 1
        if verdict != SAME:
            self.lines.append(f"{name}: {words} ({verdict})")

    def of_runs(self):
        for run in self.runs:
            old, new = os.path.join(self.old, run), os.path.join(self.new, run)
            self._note("run", *(folder_compared(old, new) if os.path.isdir(new) else (BEYOND, "there is no such run")), run)
            frames, equal = frames_compared(old, new)
            self.frames, self.equal_frames = self.frames + frames, self.equal_frames + equal

    def of_values(self, chance):
        """Claims, and the files beside the runs that they and pictures are made of."""
        verdict, words = folder_compared(self.old, self.new)
        self.lines += [f"{words} ({verdict})"] if verdict != SAME else []
        now = claims_of(self.name, self.new)
        for key, claim in claims_of(self.name, self.old).items():
            self._note("claim", *claim_compared(claim, now.get(key), chance.get(key)), f"claim {claim['id']}")

    def of_pictures(self, old, new):
        drawn = (changes.file_read(os.path.join(self.old, "drawn.txt")) or "").split()
        for name in drawn:
            if os.path.basename(name) != name or not os.path.isfile(os.path.join(old, name)):
                raise Fault(f"{self.name}/drawn.txt: '{name}' is no picture of the archive; make archive packs those that it names")
        for name in (name for name in drawn if name.endswith(".png") or f"{os.path.splitext(name)[0]}.png" not in drawn):
            if not about_times(self.old, name):
                self._note("picture", *picture_compared(os.path.join(old, name), os.path.join(new, name)), name)

    def differs(self):
        return any(counts[BEYOND] for counts in self.counts.values())

    def tell(self):
        parts = [counted(counts, what) for what, counts in self.counts.items()]
        parts.insert(1, f"{self.equal_frames} of {self.frames} frames with the same bytes" if self.frames else "")
        print(f"{self.name}: " + "; ".join(part for part in parts if part), *map(printable, self.lines), sep="\n    ", flush=True)


def compared(name, tree, results, figures, pictures):
    old, new = os.path.join(tree, name), os.path.join(results, name)
    if not os.path.exists(os.path.join(new, "claims.json")):
        raise Fault(f"{new}: not made yet; make {name} does")
    comparison = Comparison(name, old, new)
    comparison.of_runs()
    comparison.of_values(chance_read(results))
    comparison.of_pictures(figures, pictures)
    comparison.tell()
    return comparison


def compare(path, scale, results, pictures, chosen):
    with tempfile.TemporaryDirectory() as folder:
        top = unpacked(path, folder)
        tree = os.path.join(top, "results", scale)
        names = sorted(os.listdir(tree)) if os.path.isdir(tree) else []
        names = [name for name in names if not chosen or name in chosen]
        if not names:
            raise Fault(f"{path}: has no results at SCALE={scale}" + (f" of {', '.join(chosen)}" if chosen else ""))
        comparisons = [compared(name, tree, results, os.path.join(top, "figures"), pictures) for name in names]
    print(stated())
    return 1 if any(comparison.differs() for comparison in comparisons) else 0


def main():
    if len(sys.argv) < 5:
        fail(__doc__)
    try:
        sys.exit(compare(*sys.argv[1:5], sys.argv[5:]))
    except (Fault, OSError, ValueError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
