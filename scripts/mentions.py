"""usage: mentions.py: do the files, folders and names exist that texts and comments mention?

Looked at are the texts (*.md), and the comments of C, Python, shell and make. A path begins with a folder of this project or, in
comments, with a room of src/; <name>, NAME and * in it stand for anything. A file that is named without its folder may be in any.
Blocks between ``` of a text are left out: what they name, they make. A name with `_` in backquotes (a column, a key, a function), or each of its parts between points, must be a word of the
sources, tests or experiments. In no file that git knows stands the address of a host: hosts go, names and DOIs stay. Prints one line for each mention of
what does not exist, and for each address.
"""

import fnmatch
import glob
import os
import re
import subprocess
import sys

TEXTS = ("README.md", "CHANGELOG.md", "docs/*.md", "configs/*/*.md", "experiments/*/README.md", "experiments/*/captions.md", "paper-figures/preview/README.md")
COMMENTED = ("Makefile", "scripts/*", "scripts/*/*", "src/*/*.[ch]", "src/*/*/*.[ch]", "tests/*.h", "tests/unit/*.[ch]", "tests/bench/*.c",
             "tests/*/*.sh", "experiments/*/*.py", "experiments/*/runs", "experiments/*/*.yaml", "configs/*/*.yaml")
NAMED = ("src", "scripts", "tests", "experiments", "configs", "Makefile")
MADE = ("build", "results", "paper-figures")  # folders that make fills

LINK = re.compile(r"\]\(([^)\s]+)\)")
FILE = re.compile(r"(?<![\w./<>*-])[\w*-]+\.(?:c|h|py|md)\b(?!\.)")
ADDRESS = re.compile(r"\b[a-z]+://(?:[\w-]+@)?([\w-]+[\w.-]*)")
# of identifiers: those of publications, licences and vocabularies, and of examples
IDENTIFIERS = ("doi.org", "spdx.org", "w3id.org", "schema.org", "www.w3.org", "example.org")
NAME = re.compile(r"`([A-Za-z][\w.]*_[\w.]*)`")
COMMENT_C = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
COMMENT_PYTHON = re.compile(r'"""(?:.*?)"""|(?:^|\s)#[^\n]*', re.DOTALL | re.MULTILINE)
COMMENT_SHELL = re.compile(r"(?:^|\s)#[^\n]*", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def kept():
    """All files of this project that git knows, or, without git, that there are."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    files = listed.stdout.split("\n") if listed.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name)) for folder, _, names in os.walk(".") for name in names]
    return [path for path in files if path and os.path.exists(path)]


class Project:
    def __init__(self):
        files = kept()
        self.paths = set(files)
        for path in files:
            while os.path.dirname(path):
                path = os.path.dirname(path)
                self.paths.add(path)
        self.files = {os.path.basename(path) for path in files}
        self.tops = {path.split("/")[0] for path in files if "/" in path} - set(MADE)
        self.rooms = {os.path.basename(path) for path in glob.glob("src/*") if os.path.isdir(path)}
        words = [re.findall(r"[A-Za-z]\w*", read(path)) for path in files
                 if path.split("/")[0] in NAMED and not path.endswith((".md", ".obj", ".png")) and "/corpus/" not in path]
        self.words = {word for some in words for word in some} | {os.path.splitext(name)[0] for name in self.files}

    def has_path(self, path):
        """Whether a path exists as it is or below src/; what stands for anything matches anything."""
        pattern = re.sub(r"<[\w-]+>|(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z.])|(?<=_)NAME", "*", path.rstrip("/."))
        if pattern in self.paths or f"src/{pattern}" in self.paths:
            return True
        return "*" in pattern and any(fnmatch.fnmatch(known, where) for known in self.paths for where in (pattern, f"src/{pattern}"))

    def has_file(self, name):
        return any(fnmatch.fnmatch(known, name) for known in self.files) if "*" in name else name in self.files

    def has_name(self, name):
        """Whether all parts of a name between points exist, also as a beginning: `momentum` for momentum_x."""
        return all(part in self.words or any(word.startswith(f"{part}_") for word in self.words) for part in name.split(".") if part)

    def faults(self, text, folder):
        """(place in the text, what does not exist); folder: that of a text, or None for comments, where src/ may be left out."""
        begins = self.tops | (self.rooms if folder is None else set())
        for match in re.finditer(rf"(?<![\w./<>*$)-])(?:{'|'.join(sorted(begins))})/[\w.+*<>/-]*[\w*>/]", text):
            if not self.has_path(match[0]):
                yield match.start(), f"there is no {match[0]}"
        for match in FILE.finditer(text):
            if not self.has_file(match[0]):
                yield match.start(), f"there is no file {match[0]}"
        for match in NAME.finditer(text):
            if not FILE.fullmatch(match[1]) and not self.has_name(match[1]):
                yield match.start(), f"nothing is named {match[1]}"
        for match in LINK.finditer(text) if folder is not None else ():
            target = match[1].partition("#")[0]
            if target and not re.match(r"\w+:", target) and os.path.normpath(os.path.join(folder, target)) not in self.paths:
                yield match.start(), f"the link leads nowhere: {match[1]}"


def addresses(path):
    """A line for each address of a host in a file, unless that is the licence, which is not ours to change, or no text."""
    try:
        text = "" if path == "LICENSE" or not os.path.isfile(path) else read(path)
    except UnicodeDecodeError:
        return
    for match in ADDRESS.finditer(text):
        if match[1] not in IDENTIFIERS:
            yield f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]} is a host; leave it out, or name what it has"


def comments(path, text):
    """The text with everything but comments blanked; lines stay lines."""
    pattern = COMMENT_C if path.endswith((".c", ".h")) else COMMENT_PYTHON if path.endswith(".py") else COMMENT_SHELL
    blank, end = [], 0
    for match in pattern.finditer(text):
        blank += [re.sub(r"[^\n]", " ", text[end:match.start()]), match[0]]
        end = match.end()
    return "".join(blank)


def without_blocks(text):
    """The text with its fenced blocks blanked; lines stay lines."""
    return re.sub(r"^```.*?^```", lambda match: re.sub(r"[^\n]", " ", match[0]), text, flags=re.DOTALL | re.MULTILINE)


def main():
    project = Project()
    found = []
    for patterns, is_text in ((TEXTS, True), (COMMENTED, False)):
        for path in sorted(path for pattern in patterns for path in glob.glob(pattern) if os.path.isfile(path)):
            text = read(path)
            looked_at = without_blocks(text) if is_text else comments(path, text)
            found += [f"{path}:{text.count(chr(10), 0, place) + 1}: {fault}"
                      for place, fault in sorted(project.faults(looked_at, os.path.dirname(path) if is_text else None))]
    found += [fault for path in kept() for fault in addresses(path)]
    for fault in found:
        print(fault)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
