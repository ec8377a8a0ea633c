"""usage: publish.py PICTURES: renews PICTURES/preview/, the small pictures that the repository keeps.
       publish.py tutorial: renews docs/pictures/, which the tutorial shows, from what its commands have drawn in my/ and in paper-figures/.

A preview is a picture that README.md or the README of an experiment shows: ![text](../../paper-figures/preview/NAME.png)
stands for PICTURES/NAME.png, smaller and with fewer colors; NAME.paper.png for the picture of SCALE=paper, which make draws
in results/paper/figures. The same picture gives the same bytes. A preview whose picture was not drawn here stays as it is; one
that no README shows any more is removed. PICTURES/preview/README.md lists them all.
"""

import glob
import io
import os
import re
import sys

from PIL import Image

from arithmetic import Fault
from experiment import fail

WIDTH, COLORS = 1000, 256  # with fewer, shaded surfaces have tints that they should not have
LIMIT = 8_000_000  # bytes of all previews
TOLD = re.compile(r"!\[[^\]]*\]\(pictures/([\w-]+)\.png\)")
SHOWN = re.compile(r"!\[[^\]]*\]\((?:\.\./)*paper-figures/preview/([\w.-]+)\.png\)")


def titled(path):
    """The title of a README, and the previews that it shows."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return text.partition("\n")[0].lstrip("# "), SHOWN.findall(text)


def picture_of(pictures, name):
    """The full-size picture that a preview is made of; of another scale if its name ends with that scale."""
    stem, _, scale = name.partition(".")
    return os.path.join("results", scale, "figures", f"{stem}.png") if scale else os.path.join(pictures, f"{name}.png")


def shrunk(path):
    """The bytes of a preview."""
    with Image.open(path) as picture:
        picture = picture.convert("RGBA")
        white = Image.new("RGBA", picture.size, "white")
        picture = Image.alpha_composite(white, picture).convert("RGB")
    if picture.width > WIDTH:
        picture = picture.resize((WIDTH, round(picture.height * WIDTH / picture.width)), Image.LANCZOS)
    output = io.BytesIO()
    # not by median cut: it gives thin lines of different colors the same one, because they cover little of a picture
    picture.quantize(COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(output, "PNG", optimize=True)
    return output.getvalue()


def write(path, new):
    """Writes the file if its content is new; returns whether it was."""
    try:
        with open(path, "rb") as file:
            if file.read() == new:
                return False
    except FileNotFoundError:
        pass
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write(new)
    os.replace(temporary, path)
    print(f"  published {path}")
    return True


def index(shown):
    """The lines of the list of all previews, as Markdown; shown: (experiment, title, names) of each experiment."""
    yield "# Previews"
    yield ""
    yield ("Smaller copies of one picture of each experiment, written by `make publish`. `make figures ablations` draws all pictures "
           "at full size and the pages that `paper-figures/index.html` leads to.")
    for experiment, title, names in shown:
        yield ""
        yield f"## [{title}](../../experiments/{experiment}/README.md)"
        for name in names:
            yield ""
            yield f"![{name}]({name}.png)"


def remove_others(folder, names):
    for file in sorted(os.listdir(folder)):
        if file.endswith(".png") and file[:-4] not in names:
            os.remove(os.path.join(folder, file))
            print(f"  removed   {os.path.join(folder, file)}: nothing shows it")


def publish(pictures):
    folder = os.path.join(pictures, "preview")
    paths = sorted(glob.glob("experiments/*/README.md"))
    paths.sort(key=lambda path: not re.match("experiments/(fig|table)", path))
    shown = [(os.path.basename(os.path.dirname(path)), *titled(path)) for path in paths]
    names = {name for _, _, some in shown for name in some}
    if os.path.exists("README.md"):
        names.update(titled("README.md")[1])
    os.makedirs(folder, exist_ok=True)
    missing, old = [], []
    for name in sorted(names):
        picture, preview = picture_of(pictures, name), os.path.join(folder, f"{name}.png")
        if os.path.exists(picture):
            write(preview, shrunk(picture))
        elif os.path.exists(preview):
            old.append(name)
        else:
            missing.append(picture)
    if old:
        print(f"  kept      the previews of pictures that were not drawn here: {', '.join(old)}")
    write(os.path.join(folder, "README.md"), ("\n".join(index(shown)) + "\n").encode())
    remove_others(folder, names)
    if missing:
        raise Fault(f"not drawn here, and no preview is kept: {', '.join(missing)}")
    size = sum(os.path.getsize(path) for path in glob.glob(os.path.join(folder, "*.png")))
    if size > LIMIT:
        raise Fault(f"the previews take {size} bytes, and the repository has room for {LIMIT}: show fewer")


def tutorial():
    """Each is a picture of the same name in my/ or paper-figures/, smaller."""
    with open("docs/tutorial.md", encoding="utf-8") as file:
        names = TOLD.findall(file.read())
    os.makedirs("docs/pictures", exist_ok=True)
    for name in names:
        drawn = next((path for folder in ("my", "paper-figures") for path in [os.path.join(folder, f"{name}.png")] if os.path.exists(path)), None)
        if not drawn:
            raise Fault(f"docs/tutorial.md shows pictures/{name}.png, and none of its commands has drawn my/{name}.png")
        write(os.path.join("docs/pictures", f"{name}.png"), shrunk(drawn))
    remove_others("docs/pictures", names)


def main():
    if len(sys.argv) != 2:
        fail(__doc__)
    try:
        tutorial() if sys.argv[1] == "tutorial" else publish(sys.argv[1])
    except (Fault, OSError) as fault:
        fail(fault)


if __name__ == "__main__":
    main()
