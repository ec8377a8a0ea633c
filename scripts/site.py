"""usage: site.py BUILD: makes BUILD/site/index.html, a site with all documents and the reference of all headers, by Doxygen.

Documents (README.md, docs/, the READMEs of experiments) and headers are first written into a folder of their own, in the words that
Doxygen knows: comments of headers become its comments, formulas ($...$) its formulas, experiments pages below their list. What
Doxygen warns of, such as a link to a document that there is not, is an error.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from arithmetic import Fault
from experiment import fail

MATHJAX = "/usr/share/javascript/mathjax"
FORMULAS = ("MathJax.js", "extensions", "jax/input", "jax/element", "jax/output/SVG/jax.js", "jax/output/SVG/config.js", "jax/output/SVG/autoload",
            "jax/output/SVG/fonts/TeX")  # the parts of it that draw them
LEFT_OUT = ("docs/paper.md",)  # for a journal
HEADING = re.compile(r"^(#+) (.*)")
FORMULA = re.compile(r"\$([^$]+)\$")
CODE = re.compile(r"(`+[^`]*`+)")
SET_OFF = re.compile(r"^ {4}.*$", re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

SETTINGS = """
PROJECT_NAME = mergesplit
PROJECT_BRIEF = "Particles that merge and split: three papers, repeated and tested"
OUTPUT_DIRECTORY = "{out}"
HTML_OUTPUT = .
INPUT = "{tree}"
RECURSIVE = YES
FILE_PATTERNS = *.md *.h
STRIP_FROM_PATH = "{tree}/src" "{tree}"
IMAGE_PATH = {images}
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
EXTRACT_STATIC = YES
WARN_AS_ERROR = FAIL_ON_WARNINGS
SORT_MEMBER_DOCS = NO
TOC_INCLUDE_HEADINGS = 2
SOURCE_BROWSER = NO
VERBATIM_HEADERS = NO
SHOW_INCLUDE_FILES = NO
CLASS_GRAPH = NO
HAVE_DOT = NO
GENERATE_LATEX = NO
GENERATE_TREEVIEW = YES
DISABLE_INDEX = YES
HTML_TIMESTAMP = NO
USE_MATHJAX = YES
MATHJAX_FORMAT = SVG
MATHJAX_RELPATH = mathjax
MATHJAX_EXTENSIONS = TeX/AMSmath
QUIET = YES
"""


def escaped(text):
    return re.sub(r"([\\@<>#|]|\.(?=\.))", r"\\\1", text).replace('"', "&quot;").replace("file:", "file&zwj;:")  # between quotation marks it would take nothing back, and file: begins an address


def plain(text, prose=escaped):
    """A text in which nothing but formulas and what `prose` makes of it means anything to Doxygen."""
    return "".join(f"<code>{escaped(part.strip('`'))}</code>" if part.startswith("`") else prose(part) for part in CODE.split(text))


def comment(found):
    """A comment of a header, as Doxygen's: about the file, what stands before it in its line, or what follows. Its first sentence is shown in lists."""
    before = found.string[found.string.rfind("\n", 0, found.start()) + 1:found.start()]
    head = "/** \\file\n" if found.start() == 0 else "/**< " if before.strip() else "/** "
    text = "\n".join(re.sub(r"^\s*\*? ?", "", line) for line in found.group()[2:-2].split("\n")).strip()
    first = re.match(r".*?[.:](?=\s+[A-Z]|\s*$)|.*", text, re.DOTALL)[0]
    rest = text[len(first):].strip()
    lines = "".join(part for pair in zip([plain(part) for part in SET_OFF.split(rest)], [*SET_OFF.findall(rest), ""]) for part in pair)
    return f"{head}\\brief {plain(first)}\n\n{lines} */"


def header(text):
    return COMMENT.sub(comment, text)


def label(path):
    """The name of a document's page: mainpage, docs-make, experiments-fig01-one-collision."""
    folder, name = os.path.split(path[:-len(".md")])
    return "mainpage" if path == "README.md" else (folder if name == "README" else os.path.join(folder, name)).replace("/", "-")


def linked(path, line, documents):
    """A line of a document, whose links lead to other documents of the site."""
    def link(found):
        target = os.path.normpath(os.path.join(os.path.dirname(path), found[2].partition("#")[0]))
        if found[2].startswith("http"):
            return found[0]
        if not os.path.exists(target):
            raise Fault(f"{path}: a link leads to {found[2]}, which there is not")
        return f"[{found[1]}](@ref {label(target)})" if target in documents else found[1]
    line = re.sub(r"(?<!!)\[([^][]*)\]\(([^()]*)\)", link, line)
    return plain(line, lambda part: FORMULA.sub(r"\\f$\1\\f$", part))


def document(path, text, documents):
    """A document as Doxygen's Markdown: fences without names of files, formulas, a label for its page, and pages of experiments below their list."""
    shown, fence, before, titled = [], None, "", False
    for line in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).split("\n"):
        set_off = line.startswith("    ") and before in ("", "set off")
        before = "set off" if set_off else line.strip()
        if before.startswith("```") and fence is None:
            fence = before.split()[0]
            line = r"\f[" if fence == "```math" else fence
        elif before.startswith("```"):
            line, fence = (r"\f]" if fence == "```math" else "```"), None
        elif fence is None and not set_off:
            found = HEADING.match(line)
            if found:
                line = f"{found[1]} {re.sub('[`*]', '', found[2]).replace('<', chr(92) + '<')}" + ("" if titled else f" {{#{label(path)}}}")
                titled = True
            if path == "docs/experiments.md":
                line = re.sub(r"\[`([^`]*)`\]\(\.\./experiments/([\w-]*)/README\.md\)", r'@subpage experiments-\2 "\1"', line)
            line = linked(path, re.sub(r"!\[([^]]*)\]\([^()]*/([^()/]*)\)", r"![\1](\2)", line), documents)
        shown.append(line)
    return "\n".join(shown)


def tree(folder):
    """Writes what Doxygen reads."""
    documents = {"README.md", "CHANGELOG.md", "paper-figures/preview/README.md", *glob.glob("docs/*.md"), *glob.glob("experiments/*/README.md")} - set(LEFT_OUT)
    headers = [path for path in glob.glob("src/**/*.h", recursive=True) if not path.endswith("_parts.h")]
    for path in sorted(documents) + headers:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(header(text) if path.endswith(".h") else document(path, text, documents))


def site(build):
    if not shutil.which("doxygen") or not os.path.exists(MATHJAX):
        raise Fault("the site needs Doxygen and MathJax: apt-get install doxygen libjs-mathjax, or make setup STRICT=1")
    out = os.path.join(build, "site")
    with tempfile.TemporaryDirectory() as scratch:
        tree(scratch)
        shutil.rmtree(out, ignore_errors=True)
        os.makedirs(out)
        images = " ".join(f'"{os.path.abspath(path)}"' for path in ("paper-figures/preview", "docs/pictures") if os.path.isdir(path))
        ended = subprocess.run(["doxygen", "-"], input=SETTINGS.format(out=out, tree=scratch, images=images), text=True, stderr=subprocess.PIPE, check=False)
        if ended.returncode != 0:
            raise Fault(ended.stderr.replace(scratch + "/", "").strip())
    for part in FORMULAS:
        source, copy = os.path.join(MATHJAX, part), os.path.join(out, "mathjax", part)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        (shutil.copytree if os.path.isdir(source) else shutil.copy)(source, copy)
    print(f"  site      {os.path.join(out, 'index.html')}")


def main():
    if len(sys.argv) != 2:
        fail(__doc__)
    try:
        site(sys.argv[1])
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
