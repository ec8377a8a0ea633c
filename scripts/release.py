"""usage: release.py VERSION: a release, in two steps.

If the files that name the version (VERSIONS) name another one, it is written into them, and CHANGELOG.md gets a heading for what is
unreleased: commit that and call again. Then results/releases/ gets, of that commit,

    mergesplit-VERSION.tar.gz          the source, kept values and previews included, with codemeta.json and ro-crate-metadata.json
    mergesplit-python-VERSION.tar.gz   the Python module, as pip installs it
    SHA256SUMS                         of both

to be tagged and deposited where it gets a DOI. The same commit gives the same bytes.
"""

import datetime
import os
import re
import sys

import archive
from arithmetic import Fault
from experiment import fail

FOLDER = "results/releases"
VERSIONS = {"CITATION.cff": r"^version: (.*)$", "scripts/pyproject.toml": r'^version = "(.*)"$', "src/base/program.h": r'^#define PROGRAM_VERSION "(.*)"$'}
CHANGES, UNRELEASED = "CHANGELOG.md", "## Unreleased\n"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def version_in(path):
    found = re.search(VERSIONS[path], read(path), re.MULTILINE)
    if not found:
        raise Fault(f"{path}: names no version; a line like {VERSIONS[path]} does")
    return found


def write(version):
    """Writes the version where it is another one, and the heading of CHANGELOG.md; returns the files that have changed."""
    changed = []
    for path in VERSIONS:
        found, text = version_in(path), read(path)
        if found[1] != version:
            changed.append((path, text[:found.start(1)] + version + text[found.end(1):]))
    text = read(CHANGES)
    if f"## {version} - " not in text:
        if UNRELEASED not in text:
            raise Fault(f"{CHANGES}: has no heading '{UNRELEASED.strip()}', and none of {version}")
        changed.append((CHANGES, text.replace(UNRELEASED, f"{UNRELEASED}\n## {version} - {datetime.date.today()}\n", 1)))
    for path, new in changed:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    return [path for path, _ in changed]


def module(version, source):
    """The files of the Python module as a source distribution has them."""
    files = {path[len("source/scripts/"):]: content for path, content, _, _ in source
             if path == "source/scripts/pyproject.toml" or path.startswith("source/scripts/mergesplit/")}
    files["PKG-INFO"] = f"Metadata-Version: 2.1\nName: mergesplit\nVersion: {version}\n".encode()
    return {path: (content, 0o644, "") for path, content in files.items()}


def pack(version):
    commit = archive.committed()
    time = int(archive.git("log", "-1", "--format=%ct", commit))
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
    name, of_module = f"mergesplit-{version}", f"mergesplit-python-{version}"
    whole = archive.collected(commit, date, name, "small", "", "", [])
    sums = ""
    for title, files in ((name, whole), (of_module, module(version, archive.source_files(commit)))):
        path = f"{FOLDER}/{title}.tar.gz"
        archive.written(path, title, files, time)
        with open(path, "rb") as file:
            sums += f"{archive.digest(file.read())}  {title}.tar.gz\n"
        print(f"  packed    {path}: {len(files)} files, {os.path.getsize(path) / 1e6:.1f} MB, commit {commit[:10]}")
    with open(f"{FOLDER}/SHA256SUMS", "w", encoding="utf-8") as file:
        file.write(sums)


def main():
    version = sys.argv[1] if len(sys.argv) == 2 else ""
    try:
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            raise Fault(f"'{version}' is no version; write make release V=1.2.0")
        archive.committed()
        changed = write(version)
        if changed:
            print(f"  wrote     version {version} into {', '.join(changed)}: commit that, and make release V={version} again packs it")
        else:
            pack(version)
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
