"""usage: report.py SCALE RESULTS PICTURES [DRAWN [EXPERIMENT]]: writes the pages PICTURES/*.html (scripts/page/): index.html tells the story of
docs/story.md, claims.html says what of the papers holds, gallery.html has all pictures, and each experiment has a page with its
pictures, claims, curves and the command that makes it again; and beside each picture that was drawn here NAME.tex, the picture with
its caption for LaTeX, and captions.tex, a document of all of them (scripts/latex.py). A file is rewritten only when its content
changes. DRAWN: the folder with the lists of drawn pictures, if it is not RESULTS. EXPERIMENT: only its page, in a tenth of the time.
An experiment that was not run here is shown with the previews and values that the repository keeps.
"""

import os
import sys

from arithmetic import Fault
from experiment import fail
from latex import figures
from page.readme import address
from page.render import pages
from page.section import sections


def write(path, new):
    """Writes the file if its content is new; returns whether it was."""
    try:
        with open(path, encoding="utf-8") as file:
            if file.read() == new:
                return False
    except FileNotFoundError:
        pass
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(new)
    os.replace(temporary, path)
    return True


def main():
    scale, results, pictures, *more = sys.argv[1:]
    only = more[1] if len(more) > 1 else None
    os.makedirs(pictures, exist_ok=True)
    shown = sections(scale, results, pictures, *more[:1])
    try:
        changed = [write(os.path.join(pictures, name), text) for name, text in pages(shown, scale, results, only).items()]
        if any(changed):
            print(f"  wrote     {os.path.join(pictures, address(only or 'index'))}")
        for name, text in ({} if only else figures(shown, pictures)).items():
            write(os.path.join(pictures, name), text)
    except Fault as fault:
        fail(fault)


if __name__ == "__main__":
    main()
