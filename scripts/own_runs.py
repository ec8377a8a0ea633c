"""usage: own_runs.py plot BUILD RUNS COLUMNS PICTURE.png: columns against time, a panel for each, a curve for each run; without the name of a
                      picture, those of one run are on the terminal, by gnuplot, and of several in plot.png
       own_runs.py sweep BUILD FOLDER COLUMNS PICTURE.png: metrics of a sweep (scripts/sweep.py), all or some, against its last axis with numbers, a
                      curve for each combination of the others, with confidence intervals
       own_runs.py compare BUILD RUNS: what differs in their settings, and what came of it, as a table
       own_runs.py film BUILD RUNS: side by side, as a loop of 8 s, beside the first of them
       own_runs.py preview BUILD RUN PICTURE.png: some frames on one sheet, around what moves; before the run its bodies, in boxes
       own_runs.py render BUILD RUN PICTURE.png NUMBER: a frame, or the last one, by POV-Ray: fluids, solids, rigid bodies and cloths as surfaces, the
                      rest as spheres, water so that one sees what is in it, around what moves
       own_runs.py watch BUILD RUN: draws the newest frame into RUN-now.png, again whenever there is another, until the run ends

RUNS are folders of runs with blanks between them; quotes as in a shell keep the blanks of a name together. A column is one of
metrics.csv, or BODY.COLUMN of bodies.csv, such as ball.z. Tables that are missing or older than the frames are made by ms-analyze.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from PIL import Image, ImageChops

import film
from columns import columns_read
from mergesplit import Fault, Run
from mergesplit.frames import Frame
from mergesplit.runs import Frames

PAUSE = 1.0  # s, between looks at a run


def runs_named(text, least=1):
    """Folders -> label: the shortest ends of their paths that tell them apart."""
    try:
        folders = [text] if os.path.isdir(text) else shlex.split(text)
    except ValueError as error:
        raise Fault(f"RUN: {error}; write RUN='FOLDER FOLDER', each in quotes if it has blanks") from None
    if len(folders) < least:
        raise Fault("no run is given; write RUN=results/small/EXPERIMENT/NAME" if least == 1 else "write RUN='A B', the folders of two runs or more")
    for folder in folders:
        if not os.path.isdir(folder):
            raise Fault(f"{folder}: there is no such folder; RUN='A B' are folders of runs")
    parts = [os.path.abspath(folder).split(os.sep) for folder in folders]
    for depth in range(1, max(map(len, parts)) + 1):
        labels = [os.sep.join(part[-depth:]) for part in parts]
        if len(set(labels)) == len(labels):
            return dict(zip(folders, labels))
    raise Fault(f"{folders[0]}: is named twice")


def one_run(text):
    folders = list(runs_named(text))
    if len(folders) > 1:
        raise Fault(f"RUN has {len(folders)} folders; give one, in quotes if its name has blanks")
    return folders[0]


def analyzed(build, folder, table):
    """The path of a table that is not older than the run's newest frame."""
    path, frames = os.path.join(folder, table), Frames(os.path.join(folder, "frames")).paths
    if not frames and not os.path.exists(path):
        raise Fault(f"{folder} has neither {table} nor frames; give the folder of a run, as RUN=results/small/EXPERIMENT/NAME")
    if frames and (not os.path.exists(path) or os.path.getmtime(path) < os.path.getmtime(frames[-1])):
        ended = subprocess.run([os.path.join(build, "ms-analyze"), "-q", folder], stderr=subprocess.PIPE, text=True, check=False)
        if ended.returncode != 0:
            raise Fault(ended.stderr.strip())
    return path


# ---- plot ----------------------------------------------------------------------------------------

def units_known(build):
    """Unit of each column that ms-analyze --fields explains: {table: {column: unit}}."""
    units, table = {}, None
    for line in subprocess.run([os.path.join(build, "ms-analyze"), "--fields"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        if line.endswith(".csv:"):
            table = units.setdefault(line.rstrip(":").split()[-1], {})
        elif table is not None and line.startswith("  "):
            table[line[2:26].split()[0]] = (line[2:].split() + ["1"])[1]
        else:
            table = None
    return units


def curve(build, folder, name):
    """Times and values."""
    body, _, column = name.rpartition(".")
    path = analyzed(build, folder, "bodies.csv" if body else "metrics.csv")
    data = columns_read(path)
    if body and body not in data["body"]:
        raise Fault(f"{path} has no body '{body}'; there are {', '.join(dict.fromkeys(data['body']))}")
    if column not in data:
        raise Fault(f"{path} has no column '{column}'; ms-analyze --fields lists them, as Y=kinetic,ball.z")
    rows = [k for k in range(len(data["time"])) if not body or data["body"][k] == body]
    return [data["time"][k] for k in rows], [data[column][k] for k in rows]


LINES = "-", "--", ":", "-."  # of the curves of a picture, because printed in grey some colors are the same


def picture_named(name):
    """Refuses it before anything is made."""
    name = name or "plot.png"
    if not name.endswith(".png"):
        raise Fault(f"'{name}' is not a name for a PNG file; write PNG=name.png")
    if not os.path.isdir(os.path.dirname(name) or "."):
        raise Fault(f"{name}: there is no folder {os.path.dirname(name)}")
    return name


TERMINAL = """set terminal dumb noenhanced size {columns},{rows}
set datafile missing 'nan'
set xlabel 'time, s'
set key above
set border 3
set tics nomirror
set title ARG1
plot for [k = 0:{last}] '{data}' index k using 1:2 with lines title columnheader(2)
"""


def terminal(curves, title):
    """Curves of one run, name -> times and values, on the terminal: a quick look."""
    if not shutil.which("gnuplot"):
        raise Fault("gnuplot is not installed; make setup installs it, or write PNG=plot.png")
    size = shutil.get_terminal_size((100, 30))
    with tempfile.TemporaryDirectory() as scratch:
        data, script = os.path.join(scratch, "data"), os.path.join(scratch, "script")
        with open(data, "w", encoding="utf-8") as file:
            for name, (times, values) in curves.items():
                file.write("\n".join([f"time {name}"] + [f"{time!r} {value!r}" for time, value in zip(times, values)]) + "\n\n\n")
        with open(script, "w", encoding="utf-8") as file:
            file.write(TERMINAL.format(columns=size.columns, rows=size.lines - 2, last=len(curves) - 1, data=data))
        ended = subprocess.run(["gnuplot", "-c", script, title], check=False)
    if ended.returncode != 0:
        raise Fault("gnuplot failed; write PNG=plot.png")


def plot(build, text, columns, picture):
    names = [name for name in (columns or "kinetic,elastic,energy").split(",") if name]
    if not names:
        raise Fault(f"Y={columns} names no column; write Y=kinetic,ball.z")
    runs, on_terminal = runs_named(text), not picture
    if len(runs) > 1 or not on_terminal:
        picture, on_terminal = picture_named(picture), False
    curves, units = {name: {folder: curve(build, folder, name) for folder in runs} for name in names}, units_known(build)
    if on_terminal:
        terminal({name: own for name in names for own in curves[name].values()}, next(iter(runs)))
        return
    from mergesplit import drawing  # here: matplotlib takes long to load
    figure, axes = drawing.plt.subplots(len(names), 1, sharex=True, squeeze=False, figsize=(4.5, 0.6 + 1.5 * len(names)))
    for panel, name in zip(axes[:, 0], names):
        for number, folder in enumerate(runs):
            panel.plot(*curves[name][folder], color=drawing.OTHERS[number % len(drawing.OTHERS)], linestyle=LINES[number % len(LINES)], label=runs[folder])
        unit = units["bodies.csv" if "." in name else "metrics.csv"].get(name.rpartition(".")[2], "1")
        panel.set_ylabel(name.replace("_", " ").replace(".", ", ") + ("" if unit == "1" else f", {unit}"))
    axes[-1, 0].set_xlabel("time, s")
    if len(runs) == 1:
        axes[0, 0].set_title(*runs.values())
    saved(figure, axes, len(runs), picture, f"{', '.join(names)} of {len(runs)} run{'s' if len(runs) > 1 else ''}")


def saved(figure, axes, labels, picture, what):
    """Saves panels on top of each other whose curves have labels, in the first of them."""
    from mergesplit import drawing
    figure.align_ylabels()
    if labels > 1:
        axes[0, 0].legend(loc="lower left", bbox_to_anchor=(0, 1), ncol=min(labels, 3))
    folder, name = os.path.split(picture[:-len(".png")])
    drawing.save(figure, folder or ".", name)
    print(f"  plot      {picture} and .pdf: {what}")


def is_number(value):
    return isinstance(value, float)


def sweep(build, folder, columns, picture):
    del build
    path = os.path.join(folder, "sweep.csv")
    if not os.path.exists(path):
        raise Fault(f"{folder}: has no sweep.csv; write SWEEP=results/small/sweep-NAME, what make sweep S=NAME.yaml made")
    picture = picture_named(picture)
    data = columns_read(path)
    axes_of = list(data)[:list(data).index("runs")]
    metrics = [name for name in data if f"{name}_ci" in data]
    names = [name for name in columns.split(",") if name] or metrics
    if not set(names) <= set(metrics):
        raise Fault(f"{path} has no metric '{(set(names) - set(metrics)).pop()}'; there are {', '.join(metrics)}")
    along = next((name for name in reversed(axes_of) if all(map(is_number, data[name]))), axes_of[-1])
    others = [name for name in axes_of if name != along]
    curves = {}
    for row, _ in enumerate(data["runs"]):
        curves.setdefault(tuple(data[name][row] for name in others), []).append(row)
    from mergesplit import drawing
    figure, panels = drawing.plt.subplots(len(names), 1, sharex=True, squeeze=False, figsize=(4.5, 0.6 + 1.5 * len(names)))
    for panel, name in zip(panels[:, 0], names):
        for number, (place, rows) in enumerate(curves.items()):
            panel.errorbar([data[along][row] for row in rows], [data[name][row] for row in rows], [data[f"{name}_ci"][row] for row in rows], capsize=2, marker="o^sDvx"[number % 6], markersize=3,
                           color=drawing.OTHERS[number % len(drawing.OTHERS)], linestyle=LINES[number % len(LINES)], label=", ".join(map(shown, place)))
        panel.set_ylabel(name.replace("_", " "))
    panels[-1, 0].set_xlabel(along)
    saved(figure, panels, len(curves), picture, f"{', '.join(names)} against {along}, of {len(data['runs'])} combinations")


# ---- compare -------------------------------------------------------------------------------------

ROWS = (  # what a summary says (ms-analyze --fields)
    ("ended", "end"), ("simulated time, s", "time"), ("steps", "steps"), ("mean step, s", "dt_mean"),
    ("particles through sheets, most", "penetrated_max"), ("particles through sheets, at the end", "penetrated_final"),
    ("overlap of bodies, most", "overlap_max"), ("interlocked pairs, at the end", "interlocked_final"), ("sticking", "sticking"),
    ("energy at the start, J", "energy_start"), ("energy at the end, J", "energy_final"), ("made by contact, J", "energy_created"),
    ("imbalance of the energy, relative", "energy_imbalance_relative"), ("drift of momentum, relative", "momentum_drift"),
    ("drift of angular momentum, relative", "angular_drift"), ("broken bonds", "broken_bonds"), ("fragments", "fragments"), ("unstable", "unstable"))


def shown(value):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, (int, float)) else str(value)


def spent(run):
    """What the run took, of all its invocations together."""
    rows = columns_read(os.path.join(run.folder, "timing.csv"))
    phases = [name for name in rows if name.endswith("_s") and name not in ("preparing_s", "frames_s")]
    steps = sum(rows["steps"])
    return {"time per step, ms": 1e3 * sum(sum(rows[name]) for name in phases) / steps if steps else None, "threads": rows["threads"][-1],
            "processor time, s": run.manifest["processor_s"] if len(rows["steps"]) == 1 else None, "most memory, MB": run.manifest["peak_memory_bytes"] / 1e6}


def table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]).rstrip())


def settings(config):
    """Key -> value, and of each body, wall, material or other thing with a name that it is given."""
    given = {".".join(key.split(".")[:2]): "given" for key in config if key.count(".") > 1}
    return {**dict(config), **given}


def different(configs):
    """The keys whose values differ; of what only some runs have, such as a body, its name alone."""
    keys = [key for key in dict.fromkeys(key for config in configs for key in config) if len({str(config.get(key)) for config in configs}) > 1]
    absent = {key for key in keys if any(config.get(key) == "given" for config in configs)}
    return [key for key in keys if key.count(".") < 2 or ".".join(key.split(".")[:2]) not in absent]


def compare(build, text):
    named = runs_named(text, least=2)
    for folder in named:
        analyzed(build, folder, "summary.json")
    runs = [Run(folder) for folder in named]
    configs, summaries = [settings(run.config) for run in runs], [run.summary for run in runs]
    keys = different(configs)
    costs = [spent(run) for run in runs]
    table([["", *named.values()]] + [[key, *(shown(config.get(key)) for config in configs)] for key in keys if key != "name"]
          + [["", *("" for _ in runs)]] + [[label, *(shown(summary.get(key)) for summary in summaries)] for label, key in ROWS if any(summary.get(key) is not None for summary in summaries)]
          + [[label, *(shown(cost[label]) for cost in costs)] for label in costs[0]])


# ---- pictures ------------------------------------------------------------------------------------

def film_of(build, text):
    named = runs_named(text)
    first = os.path.normpath(next(iter(named)))
    base = os.path.join(os.path.dirname(first), "-".join([os.path.basename(first)] + [os.path.basename(os.path.normpath(folder)) for folder in list(named)[1:]]))
    film.film_of_runs(build, {label: Run(folder) for folder, label in named.items()}, {}, base, moving=True)


def preview(build, text, picture):
    film.sheet(build, one_run(text), picture_named(picture))


SCENE = """#version 3.7;
global_settings {{ assumed_gamma 1.0 }}
background {{ rgb 1 }}
camera {{ perspective location <{camera}> sky z right -x * image_width / image_height angle {angle} look_at <{look_at}> }}
light_source {{ <4, -12, 14> * 100, rgb 0.9 parallel point_at 0 }}
light_source {{ <-8, -10, 3> * 100, rgb 0.45 shadowless parallel point_at 0 }}
#declare Surface_Material = material {{ texture {{ pigment {{ srgbt <0.45, 0.7, 0.92, 0.55> }} finish {{ ambient 0.15 diffuse 0.6 specular 0.6 roughness 0.004 }} }} }}
{parts}"""
SKINNED, FLUID = ("mass-spring", "peridynamics", "corotated", "rigid"), ("fluid", "dfsph", "flip")  # models that --skin and --surface of ms-render-prep draw


def models_of(run):
    """The model of each body of a frame, and whether it has a surface; copies are named BODY-1, BODY-2 and so on."""
    config, frame = run.config, run.frames[0]
    of = lambda name, key: config.get(f"bodies.{name}.{key}") or config.get(f"bodies.{name.rpartition('-')[0]}.{key}")
    models = {name: config[f"materials.{of(name, 'material')}.model"] for name in frame.bodies}
    alone = {name for number, name in enumerate(frame.bodies) if (frame["body"] == number).sum() < 2}
    return models, [name for name, model in models.items() if model in SKINNED and name not in alone
                    and (model != "rigid" or of(name, "sampling.method") in (None, "lattice"))]


def told(words, cwd=None):
    ended = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, cwd=cwd)
    if ended.returncode != 0:
        raise Fault(ended.stderr.strip().splitlines()[-1])


def cropped(path):
    """A picture without what is white around it, but for a margin."""
    with Image.open(path) as picture:
        drawn = picture.convert("RGB")
    margin = drawn.width // 40
    left, top, right, bottom = ImageChops.difference(drawn, Image.new("RGB", drawn.size, "white")).getbbox() or (0, 0, *drawn.size)
    return drawn.crop((max(left - margin, 0), max(top - margin, 0), min(right + margin, drawn.width), min(bottom + margin, drawn.height)))


def render(build, text, picture, number):
    folder, picture = one_run(text), picture_named(picture)
    if not shutil.which("povray"):
        raise Fault("povray is not installed; make setup installs it")
    run = Run(folder)
    if not len(run.frames) or not (number or "0").isdecimal() or int(number or 0) >= len(run.frames):
        raise Fault(f"{folder}: has no frame '{number or 'at all'}'; there are {len(run.frames)}, from 0, as N=3")
    frame, (models, skins) = run.frames.paths[int(number) if number else -1], models_of(run)
    rest = [name for name in models if name not in skins]
    prepare, initial = [os.path.abspath(os.path.join(build, "ms-render-prep")), os.path.abspath(frame)], os.path.abspath(os.path.join(folder, "initial.hdf"))
    with tempfile.TemporaryDirectory() as scratch:
        parts = []
        if skins:
            told([*prepare, "--skin", ",".join(skins), "--initial", initial, "--thickness", f"{2 * float(run.frames[0]['radius'].min()):.9g}", "--format", "pov", "-o", os.path.join(scratch, "skins.inc")])
            parts.append('#include "skins.inc"')
        if rest:
            surface = ["--surface", "all"] if any(models[name] in FLUID for name in rest) else []
            told([*prepare, "--spheres", *surface, *(["--without", ",".join(skins)] if skins else []), "-o", os.path.join(scratch, "rest.inc")])
            parts.append('#include "rest.inc"')
        seen = dict(word.lstrip("-").split("=") for word in film.camera(run, "", moving=True))
        with open(os.path.join(scratch, "scene.pov"), "w", encoding="utf-8") as file:
            file.write(SCENE.format(camera=seen["camera"], look_at=seen["look-at"], angle=seen["angle"], parts="\n".join(parts)))
        told(["povray", "+Iscene.pov", "+Oscene.png", f"+W{4 * film.WIDTH}", f"+H{4 * film.HEIGHT}", "+A0.1", "+AM2", "+R3", "-D", "-GA"], cwd=scratch)
        cropped(os.path.join(scratch, "scene.png")).save(picture)
    print(f"  render    {picture}: t = {Frame(frame).time:g} s")


def watch(build, text):
    folder = one_run(text)
    picture, drawn = os.path.normpath(folder) + "-now.png", None
    while True:
        ended, run = os.path.exists(os.path.join(folder, "end.json")), Run(folder)
        newest = run.frames.paths[-1] if len(run.frames) else None
        if newest and newest != drawn:
            with tempfile.TemporaryDirectory(dir=os.path.dirname(picture) or ".") as scratch:
                tile = film.panel(build, run, run.frames[-1].time, run.config["name"], scratch, [])
                tile.save(os.path.join(scratch, "now.png"))
                os.replace(os.path.join(scratch, "now.png"), picture)
            drawn = newest
            print(f"  watch     {picture}: t = {run.frames[-1].time:g} of {run.config['time.end']:g} s", flush=True)
        if ended:
            return
        time.sleep(PAUSE)


def main(task, *words):
    try:
        {"plot": plot, "sweep": sweep, "compare": compare, "film": film_of, "preview": preview, "render": render, "watch": watch}[task](*words)
    except Fault as fault:
        print(f"{task}: {fault}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
