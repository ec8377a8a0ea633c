"""usage: pictures_check.py pdf FILE.pdf ...   width and least type of pictures as they would be printed, one line each: FILE INCHES POINTS
          pictures_check.py curves             pairs of methods whose curves look alike in grey or with deuteranopia, one line each
          pictures_check.py captions           pictures of Figures 3 to 11, of tables and where there are captions that have none, and captions of no picture

The distance of colors is that of CIE L*a*b*. Deuteranopia is simulated as by Machado, Oliveira and Fernandes (2009), severity 1.
"""

import glob
import itertools
import math
import os
import re
import sys
import zlib

LEAST = 15  # distance of two colors, or of two greys, that are told apart at a glance on thin lines; just noticeable is 2.3
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


# ---- PDF -------------------------------------------------------------------------------------------

def pdf(path):
    """(width in inches, least size of type in points), as matplotlib writes them."""
    with open(path, "rb") as file:
        data = file.read()
    box = re.search(rb"/MediaBox \[ *([\d. -]+)\]", data)
    left, _, right, _ = (float(number) for number in box[1].split())
    sizes = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL):
        try:
            text = zlib.decompress(stream)
        except zlib.error:
            continue
        sizes += [float(size) for size in re.findall(rb"/F\S+ ([\d.]+) Tf", text)]
    return (right - left) / 72, min(sizes, default=math.inf)


# ---- colors ----------------------------------------------------------------------------------------

def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(color):
    """#rrggbb as linear red, green and blue."""
    values = [int(color[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def lab(rgb):
    x, y, z = (v / w for v, w in zip(times(XYZ, [min(1, max(0, v)) for v in rgb]), WHITE))
    fx, fy, fz = (v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116 for v in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def grey_distance(a, b):
    return abs(lab(linear(a))[0] - lab(linear(b))[0])


def deuteranopia_distance(a, b):
    return math.dist(lab(times(DEUTERANOPIA, linear(a))), lab(times(DEUTERANOPIA, linear(b))))


def alike(looks):
    """Of {name: (color, what else tells it)}: pairs that nothing but color tells apart, and color not enough."""
    for (one, (color, other_look)), (two, (color_two, look_two)) in itertools.combinations(looks.items(), 2):
        if other_look != look_two:
            continue
        for what, distance in (("in grey", grey_distance), ("with deuteranopia", deuteranopia_distance)):
            if distance(color, color_two) < LEAST:
                yield f"{one} and {two} are alike {what}: distance {distance(color, color_two):.1f}"


def curves():
    import style
    # A penalty of any stiffness stands for its kinds, and is never beside them.
    return alike({name: (color, (line, style.mark_of(name), name == "merging-and-splitting")) for name, (_, color, line) in style.METHODS.items()
                  if f"{name}-strong" not in style.METHODS})


# ---- captions --------------------------------------------------------------------------------------

def captions():
    from captions import captions_of
    paths = [path for pattern in ("fig0[3-9]*", "fig1*", "table*") for path in glob.glob(f"experiments/{pattern}/draw.py")]
    paths += [path.replace("captions.md", "draw.py") for path in glob.glob("experiments/*/captions.md")]
    for path in sorted(set(paths)):
        name = os.path.basename(os.path.dirname(path))
        saved = set()
        for part in sorted(glob.glob(path.replace("draw.py", "draw*.py"))):
            with open(part, encoding="utf-8") as file:
                saved.update(re.findall(r'style\.save\([^"\n]*"([\w.-]+)"(?:\)| \+|, )', file.read()))
        found = captions_of(name)
        yield from (f"{name}: no caption of {stem}" for stem in sorted(saved - set(found)))
        yield from (f"{name}: a caption of {stem}, which draw.py does not save" for stem in sorted(set(found) - saved))
        yield from (f"{name}: {stem}: no paragraph that begins with 'Alt:'" for stem, caption in found.items() if not caption.alt)


def main():
    sys.path.insert(0, "scripts")
    if sys.argv[1] == "pdf":
        for path in sys.argv[2:]:
            width, type_size = pdf(path)
            print(f"{path} {width:.4f} {type_size:g}")
    else:
        for line in {"curves": curves, "captions": captions}[sys.argv[1]]():
            print(line)


if __name__ == "__main__":
    main()
