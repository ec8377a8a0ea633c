"""usage: film.py film BUILD RESULTS PICTURES EXPERIMENT: the runs of an experiment side by side, at the same times, as a loop of 8 s
       film.py sheet BUILD RUN PICTURE.png: some frames of a run on one sheet; of one that has not begun its bodies, in boxes, with their sizes

Frames are drawn by ms-render-prep --preview with one camera per run, which sees nearly all that is shown of any frame. Lines `film` in the
experiment's file `runs` say which runs a film has, and which bodies of them it does not show (scripts/experiment.py). The film is PICTURES/EXPERIMENT.mp4, made
by ffmpeg, with a still from its middle, EXPERIMENT-film.png; without ffmpeg it is an animated EXPERIMENT.gif. The report page shows it.
"""

import math
import os
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from experiment import Experiment, Fault as RunsFault
from mergesplit import Fault, Run

LENGTH = 8.0  # s
WIDTH, HEIGHT, LABEL = 400, 300, 22  # of one panel and of its label, pixels
SHEET = 12  # frames on a sheet
ANGLE, TOWARDS = 35, np.array([0.35, -1, 0.45])  # of view, degrees; where the camera is, from the middle (src/surface/pov.c)
SEEN = 99.5  # percentile of places along each axis, and 100 less that: what flies away makes the rest no smaller
RATE = "800k"  # bits/s at most: films of all figures and the report page that shows them stay below 20 MB


def font(size=13):
    for path in ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",):
        if os.path.exists(path):
            return ImageFont.truetype(path, size)
    return ImageFont.load_default()


def shown_places(frame, hidden):
    """Of particles and diffuse ones, m."""
    shown = [k for k, name in enumerate(frame.bodies) if name not in hidden]
    places = frame["position"][np.isin(frame["body"], shown) & frame.here]
    return np.concatenate([places, frame["diffuse_position"]]) if "diffuse_position" in frame.fields else places


def moved(frames):
    """Marks the particles that in some frame are farther than a diameter from where they begin."""
    start = frames[0]["position"]
    way = np.max([np.linalg.norm(frame["position"] - start, axis=1) for frame in frames], axis=0)
    return way > 2 * frames[0]["radius"]


def camera(run, hidden, moving=False):
    """Words for a camera in the direction of that of ms-render-prep, which sees nearly all places of all frames; moving: of what moves."""
    frames = list(run.frames)
    chosen = moved(frames) if moving else np.zeros(0, dtype=bool)
    places = np.concatenate([frame["position"][chosen & frame.here] if chosen.any() else shown_places(frame, hidden.split(",")) for frame in frames])
    places = places[np.isfinite(places).all(axis=1)]
    if not len(places):
        return []
    low, high = np.percentile(places, (100 - SEEN, SEEN), axis=0)
    middle, reach = (low + high) / 2, np.linalg.norm(high - low) / 2 + max(run.frames[0]["radius"])
    location = middle + TOWARDS / np.linalg.norm(TOWARDS) * reach / math.sin(math.radians(ANGLE * HEIGHT / WIDTH / 2))
    return [f"--camera={','.join(f'{x:.9g}' for x in location)}", f"--look-at={','.join(f'{x:.9g}' for x in middle)}", f"--angle={ANGLE}"]


def preview(build, run, path, picture, hidden, seen):
    initial = os.path.join(run.folder, "initial.hdf")
    words = seen + (["--initial", initial] if os.path.exists(initial) else [])
    words += [f"--without={hidden}"] if hidden else []
    ended = subprocess.run([os.path.join(build, "ms-render-prep"), path, "--preview", "--size", f"{WIDTH},{HEIGHT}", *words, "-o", picture],
                           stderr=subprocess.PIPE, text=True, check=False)
    if ended.returncode != 0:
        raise Fault(ended.stderr.strip())
    with Image.open(picture) as drawn:
        return drawn.convert("RGB")


def panel(build, run, time, label, scratch, seen, hidden=""):
    """What there was at that time, with a label above it: the last frame before it, or of the run."""
    interval, last, begin = run.config["time.frame_interval"], len(run.frames) - 1, run.frames[0].time
    number = int((time - begin) / interval + 1e-6)
    picture = preview(build, run, run.frames.paths[max(min(number, last), 0)], os.path.join(scratch, "panel.png"), hidden, seen)
    if number > last:
        label += f" (ended at {begin + last * interval:g} s)"
    tile = Image.new("RGB", (WIDTH, HEIGHT + LABEL), "white")
    tile.paste(picture, (0, LABEL))
    ImageDraw.Draw(tile).text((6, 3), f"{time:.4g} s  {label}", fill="black", font=font())
    return tile


def tiled(tiles):
    columns = math.ceil(math.sqrt(len(tiles)))
    sheet = Image.new("RGB", (columns * WIDTH, math.ceil(len(tiles) / columns) * (HEIGHT + LABEL)), "white")
    for k, tile in enumerate(tiles):
        sheet.paste(tile, (k % columns * WIDTH, k // columns * (HEIGHT + LABEL)))
    return sheet


def filmed_of(name):
    """What the lines `film` of an experiment say: name of a run -> bodies that are not shown. Empty: all of all runs."""
    folder = os.path.join("experiments", name)
    return Experiment(folder).filmed if os.path.exists(os.path.join(folder, "runs")) else {}


def runs_of(folder, wanted):
    """The runs with frames: name -> run; of those that are wanted, or of all."""
    names = list(wanted) or (sorted(os.listdir(folder)) if os.path.isdir(folder) else [])
    runs = {name: Run(os.path.join(folder, name)) for name in names if os.path.isdir(os.path.join(folder, name, "frames"))}
    runs = {name: run for name, run in runs.items() if len(run.frames)}
    if not runs:
        raise Fault(f"{folder}: no run has frames; make {os.path.basename(folder)} makes them")
    return runs


def times_of(runs):
    """The times of frames, as often as in the run with the most frequent ones, until the longest run ends."""
    intervals, begins = [run.config["time.frame_interval"] for run in runs], [run.frames[0].time for run in runs]
    end = max(begin + (len(run.frames) - 1) * interval for run, interval, begin in zip(runs, intervals, begins))
    return [min(begins) + k * min(intervals) for k in range(round((end - min(begins)) / min(intervals)) + 1)]


def encode(scratch, count, base):
    """Makes a film of LENGTH seconds of the pictures 0000.png ... of a folder, one after the other; returns its path."""
    if shutil.which("ffmpeg"):
        film = base + ".mp4"
        ended = subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-framerate", f"{count / LENGTH:.6f}", "-i", os.path.join(scratch, "%04d.png"),
                                "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-crf", "26", "-maxrate", RATE, "-bufsize", RATE, "-pix_fmt", "yuv420p", "-movflags", "+faststart",
                                "-fflags", "+bitexact", "-flags:v", "+bitexact", "-threads", "1", "-r", "25", film],
                               stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if ended.returncode != 0:
            raise Fault(f"{film}: ffmpeg: {ended.stderr.strip().splitlines()[-1]}")
        return film
    pictures = [Image.open(os.path.join(scratch, f"{k:04d}.png")).convert("P", palette=Image.Palette.ADAPTIVE) for k in range(count)]
    pictures[0].save(base + ".gif", save_all=True, append_images=pictures[1:], duration=1000 * LENGTH / count, loop=0)
    return base + ".gif"


def film(build, results, pictures, experiment):
    filmed = filmed_of(experiment)
    film_of_runs(build, runs_of(os.path.join(results, experiment), filmed), filmed, os.path.join(pictures, experiment))


def film_of_runs(build, runs, filmed, base, moving=False):
    """Of runs by name, some without bodies (filmed_of), into the file BASE.mp4 or .gif, and a still into BASE-film.png."""
    for run in runs.values():
        if not len(run.frames):
            raise Fault(f"{run.folder}: has no frames; ms-simulate makes them")
    seen = {name: camera(run, filmed.get(name, ""), moving) for name, run in runs.items()}
    times = times_of(list(runs.values()))
    with tempfile.TemporaryDirectory() as scratch:
        for number, time in enumerate(times):
            tiles = [panel(build, run, time, name, scratch, seen[name], filmed.get(name, "")) for name, run in runs.items()]
            tiled(tiles).save(os.path.join(scratch, f"{number:04d}.png"))
        os.makedirs(os.path.dirname(base) or ".", exist_ok=True)
        path = encode(scratch, len(times), base)
        with Image.open(os.path.join(scratch, f"{len(times) // 2:04d}.png")) as still:
            still.quantize(64, dither=Image.Dither.NONE).save(f"{base}-film.png", optimize=True)
    print(f"  film      {path}: {len(runs)} runs, {len(times)} frames")


def sheet(build, folder, picture):
    run = Run(folder)
    if not len(run.frames):
        beginning(build, run, picture)
        return
    count = min(SHEET, len(run.frames))
    numbers = sorted({round(k * (len(run.frames) - 1) / max(count - 1, 1)) for k in range(count)})
    seen, begin = camera(run, "", moving=True), run.frames[0].time
    with tempfile.TemporaryDirectory() as scratch:
        tiled([panel(build, run, begin + number * run.config["time.frame_interval"], "", scratch, seen) for number in numbers]).save(picture)
    print(f"  preview   {picture}: {len(numbers)} of {len(run.frames)} frames")


def projected(places, seen):
    """Where a camera of the words `seen` (camera()) shows places, pixels of a picture of WIDTH x HEIGHT."""
    words = {word.lstrip("-").split("=")[0]: [float(x) for x in word.split("=")[1].split(",")] for word in seen}
    location, look_at = np.array(words["camera"]), np.array(words["look-at"])
    ahead = (look_at - location) / np.linalg.norm(look_at - location)
    right = np.cross(ahead, [0, 0, 1]) / np.linalg.norm(np.cross(ahead, [0, 0, 1]))
    away = places - location
    scale = WIDTH / 2 / math.tan(math.radians(words["angle"][0]) / 2) / (away @ ahead)
    return np.stack([WIDTH / 2 + scale * (away @ right), HEIGHT / 2 - scale * (away @ np.cross(right, ahead))], axis=1)


def boxes(frame):
    """Name, lowest and highest corner of each body, m."""
    for number, name in enumerate(frame.bodies):
        own = (frame["body"] == number) & frame.here
        if own.any():
            places, radius = frame["position"][own], frame["radius"][own, None]
            yield name, (places - radius).min(axis=0), (places + radius).max(axis=0)


EDGES = [(a, b) for a in range(8) for b in range(a) if (a ^ b) in (1, 2, 4)]  # of the corners of a box, whose bits are x, y and z
NAMED = 30  # bodies with a name and a size in the picture, at most


def beginning(build, run, picture):
    """A run that has not begun: its particles, and the box of each body with its size."""
    class Begun:
        folder, frames = run.folder, [run.initial]
    seen, found = camera(Begun, ""), list(boxes(run.initial))
    scale = 3
    with tempfile.TemporaryDirectory() as scratch:
        ended = subprocess.run([os.path.join(build, "ms-render-prep"), os.path.join(run.folder, "initial.hdf"), "--preview", "--size", f"{scale * WIDTH},{scale * HEIGHT}",
                                *seen, "-o", os.path.join(scratch, "initial.png")], stderr=subprocess.PIPE, text=True, check=False)
        if ended.returncode != 0:
            raise Fault(ended.stderr.strip())
        with Image.open(os.path.join(scratch, "initial.png")) as drawn:
            drawn = drawn.convert("RGB")
    pen, letters = ImageDraw.Draw(drawn), font(20)
    for name, low, high in found:
        corners = scale * projected(np.array([[(low, high)[k >> axis & 1][axis] for axis in range(3)] for k in range(8)]), seen)
        for a, b in EDGES:
            pen.line([*corners[a], *corners[b]], fill="#444444", width=2)
    for row, (name, low, high) in enumerate(found[:NAMED]):
        corner = scale * projected(np.array([[low[0], low[1], high[2]]]), seen)[0]
        pen.text((corner[0], max(corner[1] - 4, 24)), name, fill="black", font=letters, anchor="lb", stroke_width=3, stroke_fill="white")
        pen.text((8, 8 + 24 * row), f"{name}: {' x '.join(f'{x:.3g}' for x in high - low)} m", fill="black", font=letters, stroke_width=3, stroke_fill="white")
    drawn.save(picture)
    print(f"  preview   {picture}: {len(found)} {'bodies' if len(found) > 1 else 'body'} before the run begins")


def main(task, *words):
    try:
        {"film": film, "sheet": sheet}[task](*words)
    except (Fault, RunsFault) as fault:
        sys.exit(f"film: {fault}")


if __name__ == "__main__":
    main(*sys.argv[1:])
