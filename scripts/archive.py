"""usage: archive.py check                                                  is there a commit that has everything?
          archive.py pack SCALE RESULTS PICTURES OUTPUT.tar.gz EXPERIMENT ...

Packs results into one file from which another machine can make them again: the source of the commit; configurations,
manifests, digests of frames, tables and values; pictures; the versions of the packages that were used. The same results of the
same commit give the same bytes: names in order, the time of the commit for all files, and of the manifests only what results
are made of (not when, where and how fast).
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tarfile

import crate
import flat
from arithmetic import Fault
from experiment import Experiment, checked, fail

DIGESTS = ("frames.sha256", "tables.sha256")
TIMED = ("steps.csv", "steps.json")  # a picture may be made of them
OF_THE_OCCASION = ("date", "wall_s", "processor_s", "peak_memory_bytes")
OF_THE_MACHINE = ("processor",)  # results may depend on the processor, but not on the name, threads and load


def git(*words):
    found = subprocess.run(["git", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if found.returncode != 0:
        raise Fault(f"git {words[0]}: {found.stderr.decode(errors='replace').strip()}; an archive has the source of a commit, so it needs the repository")
    return found.stdout


def committed():
    """The commit; the working tree must be the same."""
    other = git("status", "--porcelain").decode().splitlines()
    if other:
        raise Fault(f"{other[0][3:]}: not as in the commit, or not in it{f', and {len(other) - 1} more' if len(other) > 1 else ''}; "
                    "an archive has the source of a commit, so commit it first")
    return git("rev-parse", "HEAD").decode().strip()


# ---- what is packed: {path: bytes} ---------------------------------------------------------------

def file_bytes(path):
    if not os.path.isfile(path):  # a pipe or a device has no end
        raise Fault(f"{path}: is not there, or no file; make it again")
    with open(path, "rb") as file:
        return file.read()


def own_bytes(path):
    """Of a file of a results folder, which may have come from somebody else: what it links to is none of the results."""
    if os.path.islink(path):
        raise Fault(f"{path}: is a link; remove it and make it again, because an archive has the results themselves")
    return file_bytes(path)


def digest(content):
    return hashlib.sha256(content).hexdigest()


def manifest_reduced(text):
    manifest = {key: value for key, value in json.loads(text).items() if key not in OF_THE_OCCASION}
    if "machine" in manifest:
        manifest["machine"] = {key: manifest["machine"][key] for key in OF_THE_MACHINE if key in manifest["machine"]}
    return (json.dumps(manifest, indent=1) + "\n").encode()


def is_packed(name):
    return flat.fits(name) and not name.endswith(".hdf") or name.endswith(".png") or name in (*DIGESTS, *TIMED)


def run_files(folder, place):
    """The files of a run without its frames, which are large; frames.sha256 tells whether other frames are the same."""
    if not os.path.exists(os.path.join(folder, "tables.sha256")):
        raise Fault(f"{folder}: not finished; make it first")
    for name in os.listdir(folder):
        if is_packed(name):
            yield f"{place}/{name}", own_bytes(os.path.join(folder, name))
    manifest = os.path.join(folder, "manifest.json")
    if os.path.exists(manifest):
        yield f"{place}/manifest.json", manifest_reduced(own_bytes(manifest))


def experiment_files(experiment, scale, results, pictures):
    folder, place = os.path.join(results, experiment.name), f"results/{scale}/{experiment.name}"
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (is_packed(name) or name == "drawn.txt"):
            yield f"{place}/{name}", own_bytes(path)
    for run in experiment.runs:
        yield from run_files(os.path.join(folder, run.name), f"{place}/{run.name}")
    for name in file_bytes(os.path.join(folder, "drawn.txt")).decode(errors="replace").split():
        yield f"figures/{checked(f'{folder}/drawn.txt', name, 'picture')}", own_bytes(os.path.join(pictures, name))


def source_files(commit):
    """(path, bytes, mode, target of a link)."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", commit))) as source:
        for member in source.getmembers():
            if member.isfile():
                yield f"source/{member.name}", source.extractfile(member).read(), member.mode, ""
            elif member.issym():
                yield f"source/{member.name}", b"", member.mode, member.linkname


def packages():
    """Names and versions of the packages of scripts/packages.txt that the package manager knows."""
    with open("scripts/packages.txt", encoding="utf-8") as file:
        names = sorted({line.split()[0].partition(":")[2] or line.split()[0] for line in file if line.strip() and line[0] != "#"})
    try:
        found = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *names], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return b"no package manager that we know\n"
    return b"".join(line for line in found.stdout.splitlines(True) if len(line.split()) == 2)  # others are not installed


def system():
    """Name and code name of the distribution whose packages were used."""
    try:
        known = platform.freedesktop_os_release()
    except (OSError, AttributeError):  # no such file; Python before 3.10
        known = {}
    return known.get("PRETTY_NAME", "a system without a name"), known.get("VERSION_CODENAME", "RELEASE")


def instructions(name, commit, date, scale, experiments):
    distribution, release = system()
    if experiments:
        what, how = "Results of mergesplit", "make them again on another machine and compare"
        steps = f"make SCALE={scale} {' '.join(experiments)}\n    make SCALE={scale} compare ARCHIVE=../../{name}.tar.gz"
        parts = "\n| `results/` | configurations, manifests, digests of frames, tables, values of claims |\n| `figures/` | pictures |"
    else:
        what, how, steps, parts = "mergesplit", "build and test it", "make all check", ""
    return f"""# {name}

{what} at commit {commit}. To {how}:

    tar xzf {name}.tar.gz && cd {name}/source
    make setup
    {steps}

| | |
|---|---|
| `source/` | the source of the commit |{parts}
| `packages.txt` | the packages that were used, with their versions |
| `ro-crate-metadata.json` | what this is and who made it, as a research object (RO-Crate 1.1) |
| `codemeta.json` | the same of the software (CodeMeta 3.0) |
| `SHA256SUMS` | of all other files, for sha256sum -c |

## The packages of that time

`packages.txt` lists packages of {distribution}. `make setup` installs those of today. Those of a date come from an archive of Debian's
snapshots: ADDRESS is the folder in which it has dates, DATE one of them, the first to try {date.strftime("%Y%m%dT000000Z")}, that of the commit.

    apptainer build --build-arg MIRROR=ADDRESS --build-arg SNAPSHOT=DATE --build-arg RELEASE={release} mergesplit.sif configs/apptainer/mergesplit.def
    apptainer run mergesplit.sif dpkg-query -W -f '${{Package}} ${{Version}}\\n' | grep -vxFf - ../packages.txt

in `source/`; the second prints what has another version in the image: take a later date if it is older there. With `apptainer run mergesplit.sif` before them, the
commands above then make the results again. With root and debootstrap, one command does all of it, and compares:

    MIRROR=ADDRESS/DATE RELEASE={release} ARCHIVE={name}.tar.gz {name}/source/scripts/fresh-machine-test

`source/configs/guix/manifest.scm` names the same packages for Guix, which keeps its own past.
""".encode()


# ---- the file ------------------------------------------------------------------------------------

def add(archive, path, content, mode, link, time):
    member = tarfile.TarInfo(path)
    member.mode, member.mtime = mode, time
    if link:
        member.type, member.linkname = tarfile.SYMTYPE, link
    else:
        member.size = len(content)
    archive.addfile(member, None if link else io.BytesIO(content))


def collected(commit, date, name, scale, results, pictures, experiments):
    """{path: (content, mode, target of a link)} of all that an archive has; date: of the commit."""
    files = {path: (content, mode & 0o777, link) for path, content, mode, link in source_files(commit)}
    for experiment in (Experiment(os.path.join("experiments", name)) for name in experiments):
        files.update({path: (content, 0o644, "") for path, content in experiment_files(experiment, scale, results, pictures)})
    files["packages.txt"] = packages(), 0o644, ""
    files["README.md"] = instructions(name, commit, date, scale, experiments), 0o644, ""
    citation = crate.citation_read(files["source/CITATION.cff"][0] if "source/CITATION.cff" in files else b"")
    files["codemeta.json"] = crate.codemeta(citation, commit, date, files["packages.txt"][0].decode()), 0o644, ""
    sizes = {path: None if link else len(content) for path, (content, _, link) in files.items() if not path.startswith("source/")}
    files["ro-crate-metadata.json"] = crate.research_object(citation, commit, date, name, experiments, sizes), 0o644, ""
    sums = "".join(f"{digest(files[path][0])}  {path}\n" for path in sorted(files) if not files[path][2])
    files["SHA256SUMS"] = sums.encode(), 0o644, ""
    return files


def written(output, name, files, time):
    """Writes the archive whole under its final name, or not at all."""
    os.makedirs(os.path.dirname(output) or ".", exist_ok=True)
    temporary = f"{output}.{os.getpid()}"
    try:
        with open(temporary, "wb") as raw:
            with gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
                for path in sorted(files):
                    add(archive, f"{name}/{path}", *files[path], time)
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(temporary, output)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def pack(scale, results, pictures, output, experiments):
    commit, name = committed(), re.sub(r"\.tar\.gz$", "", os.path.basename(output))
    time = int(git("log", "-1", "--format=%ct", commit))
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    files = collected(commit, date, name, scale, results, pictures, experiments)
    written(output, name, files, time)
    print(f"  packed    {output}: {len(files)} files, {os.path.getsize(output) / 1e6:.1f} MB, commit {commit[:10]}")


def main():
    try:
        if sys.argv[1:] == ["check"]:
            committed()
        elif len(sys.argv) > 6 and sys.argv[1] == "pack":
            pack(*sys.argv[2:6], sys.argv[6:])
        else:
            fail(__doc__)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
