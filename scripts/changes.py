"""What is different between then and now, in lines for readers: configurations, scripts, programs. A result's past is what its
manifest, its configuration and build/content say; what these lack, git may know."""

import ast
import difflib
import os
import re
import subprocess

import flat

LINES = 12  # of one difference; more are counted


def output_of(*command):
    """What a command prints; nothing if it fails or does not exist."""
    try:
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return ""
    return found.stdout.decode(errors="replace") if found.returncode == 0 else ""


def file_read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def shortened(lines):
    return lines if len(lines) <= LINES else [*lines[:LINES - 1], f"and {len(lines) - LINES + 1} more"]


def shown(value):
    return value if len(value) <= 60 else value[:57] + "..."


# ---- configurations ------------------------------------------------------------------------------

def keys_changed(was, now):
    """Lines 'key: old became new' of two effective configurations."""
    old, new = flat.of_configuration(was), flat.of_configuration(now)
    lines = []
    for key in sorted(old.keys() | new.keys()):
        if key not in new:
            lines.append(f"{key}: {shown(old[key])} is gone")
        elif key not in old:
            lines.append(f"{key}: {shown(new[key])} is new")
        elif old[key] != new[key]:
            lines.append(f"{key}: {shown(old[key])} became {shown(new[key])}")
    return shortened(lines)


# ---- scripts and scenes --------------------------------------------------------------------------

def readable(path, content):
    """The lines of what scripts/content printed: of Python, the source again, without comments."""
    if path.endswith(".py"):
        try:  # of a Python file, scripts/content prints the syntax tree as an expression of Python
            content = ast.unparse(ast.fix_missing_locations(eval(content, {"__builtins__": {}, **vars(ast)})))
        except (SyntaxError, ValueError, NameError, RecursionError, MemoryError):
            return []
    return content.splitlines()


def script_changed(path, was, now):
    """Lines '- old' and '+ new' of two contents of a script or scene; was: None if it is not known."""
    if was is None or was == now:
        return []
    lines = difflib.unified_diff(readable(path, was), readable(path, now), n=0, lineterm="")
    return shortened([f"{line[0]} {shown(line[1:].strip())}" for line in lines if not re.match(r"---|\+\+\+|@@|.\s*$", line)])


def content_at(commit, path):
    """What counted in a file at a commit; None if git does not know."""
    text = output_of("git", "show", f"{commit}:./{path}") if commit else ""
    if not text:
        return None
    copy = os.path.join("build", f"why-{os.getpid()}{os.path.splitext(path)[1]}")
    try:
        with open(copy, "w", encoding="utf-8") as file:
            file.write(text)
        return output_of("scripts/content", copy)
    finally:
        os.remove(copy)


# ---- programs ------------------------------------------------------------------------------------

def words_changed(what, was, now):
    """One line for two lists of words, of a command line."""
    old, new = was.split(), now.split()
    gone, added = [w for w in old if w not in new], [w for w in new if w not in old]
    return [f"{what}: {' '.join(gone) or 'nothing'} became {' '.join(added) or 'nothing'}"] if gone or added else []


def build_changed(manifest, flags):
    """Compiler and flags of the program that made a result, and of one that would be built now (the two lines of build/flags)."""
    compiler, _, words = flags.strip().partition("\n")
    was = manifest.get("compiler")
    lines = [f"compiler: {was} became {compiler}"] if was and was != compiler else []
    return lines + words_changed("flags", manifest.get("flags") or words, words)


def sources_changed(commit, paths):
    """Lines 'path: +3 -1 lines since COMMIT' of those files that are different now from what git has at the commit."""
    text = output_of("git", "diff", "--numstat", "--relative", commit, "--", *paths) if commit else ""
    found = (line.split("\t") for line in text.splitlines())
    return [f"{path}: +{added} -{removed} lines since {commit[:10]}" for added, removed, path in found]


def commit_changed(manifest):
    """One line if the sources are those of another commit."""
    was = (manifest.get("commit") or "") + ("-dirty" if manifest.get("dirty") else "")
    now = output_of("scripts/commit").strip()
    return [f"commit: {told(was)} became {told(now)}"] if was != now else []


def told(commit):
    """A commit for readers, with the first line of its message."""
    if not commit:
        return "no known one"
    name, _, changed = commit.partition("-")
    subject = output_of("git", "log", "-1", "--format=%s", name).strip()
    return name[:10] + (f" ({shown(subject)})" if subject else "") + (" with changes" if changed else "")
