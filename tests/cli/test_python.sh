#!/bin/sh
# The Python module scripts/mergesplit: runs, frames and tables as it reads them, the programs as it drives them.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
export OMP_NUM_THREADS=1 PYTHONPATH="$project/scripts" PYTHONDONTWRITEBYTECODE=1 MERGESPLIT_PROGRAMS="$BUILD" MPLBACKEND=Agg MPLCONFIGDIR="$PWD/.matplotlib"
"$PYTHON" -c 'import h5py, numpy' 2>/dev/null || lacking_all 'there is no h5py'

# python <CODE: with the module as `m`, numpy as `np`, and show(what, value), which prints a line. A value that is a function is
# called; what it raises is shown as a user would see it.
python() {
    {
        cat <<'HEAD'
import numpy as np
import mergesplit as m
def show(what, value):
    try:
        value = value() if callable(value) else value
    except m.Fault as fault:
        value = f"{type(fault).__name__}: {fault}"
    print(f"{what}: {value}")
HEAD
        cat
    } >.run/code.py
    run "$PYTHON" .run/code.py
    cp .run/out shown
}
# shown WHAT: what was shown of it
shown() { sed -n "s|^$1: ||p" shown; }
# is_shown WHAT TEXT...: a test that this was shown; begins WHAT TEXT: that what was shown begins so, and is one line
is_shown() { ok "$1" [ "$(shown "$1")" = "${2-True}" ]; }
begins() {
    case $(shown "$1") in
    "$2"*) ok "$1" [ "$(shown "$1" | wc -l)" = 1 ] ;;
    *) ok "$1" [ "$(shown "$1")" = "$2..." ] ;;
    esac
}

# ---- the programs ----

ball_on_cloth 0.02 >scene.yaml
python <<'END_OF_CODE'
import os
show("a scene becomes a run", m.run("scene.yaml", "out", time__frame_interval=0.01, **{"contact.alpha": 0.5}))
on = m.run([m.Run("out").frames[1], {"gravity": [1, 0, -9]}], "on", time__end=0.03)
show("a frame goes on as another run", [round(frame.time, 6) for frame in on.frames] == [0.01, 0.02, 0.03] and on.config["gravity"] == [1, 0, -9])
m.sample({"name": "test", "time": {"end": 1e-3, "frame_interval": 1e-3}, "materials": {"a": {"model": "loose"}},
          "bodies": {"b": {"material": "a", "radius": 0.01, "density": 1000, "shape": {"box": {"size": [0.02, 0.02, 0.04]}}}}}, "own")
show("a scene may be a mapping", len(m.simulate("own", threads=1).frames[-1]))
show("a run goes on", len(m.simulate("own", resume=True, until=3e-3).frames))
m.sample(["scene.yaml", {"time": {"max_step": 1e-5}}], "layers", time__end=0.5)
config = m.Run("layers").config
show("layers override each other, and settings override layers", (config["time.max_step"], config["time.end"]))
show("what a program complains of becomes an exception", lambda: m.sample("scene.yaml", "none", time__ende=1))
show("  with its place", lambda: m.sample("nowhere.yaml", "none"))
try:
    m.simulate("none")
except m.ProgramError as error:
    show("  its program and its status", (error.program, error.status))
os.environ["MERGESPLIT_PROGRAMS"] = os.environ["PATH"] = "/nowhere"
m.programs.__file__ = "/nowhere/scripts/mergesplit/programs.py"
show("programs that are not there", lambda: m.analyze("out"))
END_OF_CODE
ok 'the programs are driven' status 0
is_shown 'a frame goes on as another run'
is_shown 'a scene becomes a run' "Run('out': 3 frames)"
ms-sample -q -c scene.yaml --set time.frame_interval=0.01 --set contact.alpha=0.5 -o initial.hdf
ok '  the same as by hand' same initial.hdf out/initial.hdf
is_shown 'a scene may be a mapping' 2
is_shown 'a run goes on' 4
is_shown 'layers override each other, and settings override layers' '(1e-05, 0.5)'
is_shown 'what a program complains of becomes an exception' "ProgramError: --set time.ende=1:1:6: unknown key 'ende'; did you mean 'end'?"
begins '  with its place' 'ProgramError: nowhere.yaml:1:1: cannot be read: No such file or directory'
is_shown '  its program and its status' "('ms-simulate', 2)"
is_shown 'programs that are not there' 'Fault: ms-analyze is not found; build it with make, or give its folder as MERGESPLIT_PROGRAMS'

# ---- a run ----

ms-render-prep out/frames/000001.hdf --section 0,1,0,0 --thickness 0.02 -o out/section-1.csv
ms-analyze --fields >fields
cat >nested.yaml <<'END_OF_SCENE'
name: nested
time: {end: 1, frame_interval: 1}
materials: {a: {model: loose}}
bodies:
  b:
    material: a
    radius: 0.1
    density: 1000
    shape: {difference: [{union: [{ball: {radius: 0.5}}, {box: {size: [1, 1, 2]}}]}, {ball: {radius: 0.2}}]}
END_OF_SCENE
python <<'END_OF_CODE'
import warnings
r = m.Run("out", tables="numpy")
show("the configuration is the one of summary.json", r.config == r.summary["config"] and r.config["contact.alpha"] == 0.5)
show("metrics have a row per step", len(r.metrics) == r.summary["steps"] and r.metrics["step"][-1] == r.end["step"])
listed = [" ".join(line.split()) for line in open("fields")]
units = [f"{name} {r.units[name]} " for name in r.metrics.dtype.names]
show("  and each column the unit of --fields", [unit for unit in units if not any(line.startswith(unit) for line in listed)])
f = r.frames[-1]
center = np.average(f["position"][f.of("ball"), 2], weights=f["mass"][f.of("ball")])
show("bodies move as frames say", np.isclose(r.body("ball")["z"][-1], center, rtol=1e-12))
energy = 0.5 * (f["mass"] * (f["velocity"]**2).sum(1))[f["state"] == 0].sum()
show("the kinetic energy of a frame is that of metrics", np.isclose(energy, r.metrics["kinetic"][-1], rtol=1e-12))
f = r.at(0.012)
show("a frame says what it is", (f.number, f.time, f.bodies, f.unit("velocity"), len(f) == len(f["id"])))
show("frames can be cut and counted from the end", ([f.number for f in r.frames[1:]], r.frames[-1].number))
show("cross-sections are tables", (r.sections, sorted(set(r.section(1)["body"]))))
show("the manifest says who made it", r.manifest["program"])
m.sample("nested.yaml", "nested")
c = m.Run("nested").config
show("shapes in shapes are counted", (c["bodies.b.shape.difference.0.union.1.box.size"], c["bodies.b.shape.difference.1.ball.radius"]))
m.sample("scene.yaml", "still", **{"solver.integrator": "backward-euler", "time.end": 0.05, "materials.ball.stiffness": 4})
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    m.simulate("still")
show("warnings of a program are warnings", [str(w.message)[:49] for w in said][-1:])
END_OF_CODE
ok 'a run is read' status 0
is_shown 'the configuration is the one of summary.json'
is_shown 'metrics have a row per step'
is_shown '  and each column the unit of --fields' '[]'
is_shown 'bodies move as frames say'
is_shown 'the kinetic energy of a frame is that of metrics'
is_shown 'a frame says what it is' "(1, 0.01, ['ball', 'sheet'], 'm/s', True)"
is_shown 'frames can be cut and counted from the end' '([1, 2], 2)'
is_shown 'cross-sections are tables' "([1], ['ball', 'sheet'])"
is_shown 'the manifest says who made it' ms-simulate
is_shown 'shapes in shapes are counted' '([1, 1, 2], 0.2)'
is_shown 'warnings of a program are warnings' "['ms-simulate: dissipation: the time integrator dis']"

# ---- what can be wrong ----

cp out/frames/000001.hdf cut.hdf && truncate -s -100 cut.hdf
cp out/frames/000001.hdf flipped.hdf && printf 'x' | dd of=flipped.hdf bs=1 seek=9000 conv=notrunc 2>/dev/null
: >empty.hdf
mkdir no-run && cp -r out torn && rows=$(wc -l <torn/metrics.csv) && printf '1,2' >>torn/metrics.csv
printf '{"steps": ' >torn/summary.json
python <<'END_OF_CODE'
import sys
show("no folder", lambda: m.Run("nowhere"))
show("a folder that is no run", lambda: m.Run("no-run"))
show("no table", lambda: m.Run("layers").metrics)
show("no body of this name", lambda: m.Run("out").body("cloth"))
show("no field of this name", lambda: m.Run("out").frames[0]["speed"])
show("no cross-section", lambda: m.Run("out").section(2))
show("a form of tables that there is not", lambda: m.Run("out", tables="excel"))
for name in "scene.yaml", "cut.hdf", "flipped.hdf", "empty.hdf", "gone.hdf":
    show(f"a frame from {name}", lambda: m.Frame(name))
show("a table that was cut off", lambda: m.Run("torn").metrics)
show("a summary that was cut off", lambda: m.Run("torn").summary)
sys.modules["pandas"] = sys.modules["h5py"] = None
show("no pandas", lambda: m.Run("out", tables="pandas"))
show("  which is no fault where numpy will do", type(m.Run("out").metrics).__module__)
show("no h5py", lambda: m.Run("out").frames[0])
END_OF_CODE
ok 'faults are told' status 0
begins 'no folder' 'Fault: nowhere: there is no such folder'
begins 'a folder that is no run' 'Fault: no-run: is no run: it has neither initial.hdf nor frames'
begins 'no table' "Fault: layers: has no table 'metrics'; there are none; mergesplit.analyze writes"
begins 'no body of this name' "Fault: bodies.csv: no row has 'cloth' as body; there are ball, sheet"
begins 'no field of this name' "Fault: out/frames/000000.hdf: has no field 'speed'; there are "
begins 'no cross-section' 'Fault: out: has no cross-section of frame 2; there are [1]'
begins 'a form of tables that there is not' "Fault: tables: 'excel' is no form of tables; there are auto, pandas, numpy"
begins 'a frame from scene.yaml' 'Fault: scene.yaml: is no frame of mergesplit'
begins 'a frame from cut.hdf' 'Fault: cut.hdf: is damaged or was cut off: its checksum does not fit; ms-simulate --resume makes it again'
begins 'a frame from flipped.hdf' 'Fault: flipped.hdf: is damaged or was cut off'
begins 'a frame from empty.hdf' 'Fault: empty.hdf: is no frame of mergesplit'
begins 'a frame from gone.hdf' 'Fault: gone.hdf: cannot be read: No such file or directory'
begins 'a table that was cut off' "Fault: torn/metrics.csv:$((rows + 1)): 2 cells, but"
begins 'a summary that was cut off' 'Fault: torn/summary.json: is damaged'
begins 'no pandas' "Fault: pandas is not installed (Debian: python3-pandas); tables='numpy' does without"
is_shown '  which is no fault where numpy will do' numpy
begins 'no h5py' 'Fault: h5py is not installed (Debian: python3-h5py)'

# ---- with pandas, and pictures ----

if "$PYTHON" -c 'import pandas' 2>/dev/null; then
    python <<'END_OF_CODE'
p, n = m.Run("out", tables="pandas"), m.Run("out", tables="numpy")
show("pandas has the same numbers", all(np.array_equal(p.metrics[c], n.metrics[c], equal_nan=True) for c in p.metrics))
show("  and the same rows of a body", p.body("ball")["z"].tolist() == n.body("ball")["z"].tolist())
END_OF_CODE
    is_shown 'pandas has the same numbers'
    is_shown '  and the same rows of a body'
else
    lacking 'there is no pandas' 'pandas has the same numbers'
fi
if "$PYTHON" -c 'import matplotlib' 2>/dev/null; then
    python <<'END_OF_CODE'
from mergesplit import drawing
r = m.Run("out", tables="numpy")
figure, axes = drawing.plt.subplots(1, 3)
drawing.curves(axes[0], r, "kinetic", "elastic")
drawing.particles(axes[1], r.frames[1])
drawing.particles(axes[2], r.frames[1], towards=(0, 0, 1))
show("curves have quantities and units", (axes[0].get_xlabel(), axes[0].get_ylabel()))
x, seen = r.frames[1]["position"], axes[2].collections[0].get_offsets()
show("from above, x is to the right and y up", np.allclose(seen, x[np.argsort(x[:, 2], kind="stable"), :2], atol=1e-12))
show("all particles are drawn", len(axes[1].collections[0].get_offsets()) == len(x))
show("curves of two units", lambda: drawing.curves(axes[0], r, "kinetic", "deflection"))
drawing.save(figure, ".", "picture")
END_OF_CODE
    is_shown 'curves have quantities and units' "('time, s', 'J')"
    is_shown 'from above, x is to the right and y up'
    is_shown 'all particles are drawn'
    begins 'curves of two units' 'Fault: curves of one picture have one unit, but these are in J, m'
    ok 'pictures are PNG and PDF' [ "$(head -c 4 picture.png | tail -c 3)$(head -c 4 picture.pdf)" = PNG%PDF ]
else
    lacking 'there is no matplotlib' 'a run is drawn'
fi
# ---- meshes ----

python <<'END_OF_CODE'
import sys
from mergesplit import meshes
corner = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)], dtype=float)
tetra = [[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]
cube = [[0, 1, 3, 2, 4, 5, 7, 6]]
def volume(faces):
    """By the divergence theorem: negative where faces are clockwise."""
    return sum(np.dot(corner[f[0]], np.cross(corner[f[k]], corner[f[k + 1]])) for f in faces for k in range(1, len(f) - 1)) / 6
for kind, cells, count in ("tetra", tetra, 12), ("hexahedron", cube, 6), ("wedge", [[0, 1, 2, 4, 5, 6], [1, 3, 2, 5, 7, 6]], 8), ("pyramid", [[0, 1, 3, 2, 4]], 5), ("tetra10", np.pad(tetra, ((0, 0), (0, 6)))[:1], 4):
    faces = meshes.faces_of([("line", [[0, 1]]), (kind, np.array(cells)), ("triangle", np.array([[0, 1, 2]]))])
    show(f"the surface of cells: {kind}", len(faces) == count and meshes.Surface(corner, faces).closed)
    expected = {"pyramid": 1 / 3, "tetra10": 1 / 6}.get(kind, 1)
    show(f"  which is turned outwards: {kind}", abs(volume(faces) - expected) < 1e-12)
show("of a surface its own cells", len(meshes.faces_of([("quad", np.array([[0, 1, 3, 2]])), ("triangle", np.array([[4, 5, 6]]))])) == 2)
show("  which is open", meshes.Surface(corner, [(0, 1, 3, 2)]).closed)
show("a name that ms-sample would not read", lambda: meshes.convert("cube.vtu", "cube.vtu"))
sys.modules["meshio"] = None
show("without meshio", lambda: meshes.convert("cube.vtu", "cube.ply"))
END_OF_CODE
for kind in tetra hexahedron wedge pyramid tetra10; do
    is_shown "the surface of cells: $kind"
    is_shown "  which is turned outwards: $kind"
done
is_shown 'of a surface its own cells'
is_shown '  which is open' False
is_shown 'a name that ms-sample would not read' 'Fault: cube.vtu: is written as PLY; give it a name that ends in .ply'
is_shown 'without meshio' 'Fault: cube.vtu: needs meshio; pip install meshio (Debian: python3-meshio), or give an OBJ, PLY or STL file'
if "$PYTHON" -c 'import meshio' 2>/dev/null; then
    python <<'END_OF_CODE'
import meshio
corner = np.array([[i, j, k] for k in (0, 1) for j in (0, 1) for i in (0, 1)]) * 60 / 7
meshio.Mesh(corner, [("tetra", np.array([[0, 1, 2, 4], [3, 2, 1, 7], [5, 4, 7, 1], [6, 7, 4, 2], [1, 2, 4, 7]]))]).write("cube.vtu")
from mergesplit import meshes
meshes.convert("cube.vtu", "cube.ply")
scene = {"name": "cube", "time": {"end": 1, "frame_interval": 1}, "materials": {"s": {"model": "loose"}},
         "bodies": {"c": {"material": "s", "radius": 0.01, "density": 1000, "shape": {"mesh": {"file": "cube.ply", "scale": 0.007, "relative_to": "working-directory"}}}}}
show("a mesh of another format is sampled at its size", m.sample(scene, "cube"))
rest = m.Run("cube").initial["position"]
show("  where it is", (len(rest), bool(abs(rest.min(axis=0) - 0.01).max() < 1e-12), bool(abs(rest.max(axis=0) - 0.05).max() < 1e-12)))
open("text.vtu", "w").write("nonsense")
open("text.nonsense", "w").write("nonsense")
show("what is no mesh", lambda: meshes.surface("text.vtu"))
show("what meshio does not know", lambda: meshes.surface("text.nonsense"))
show("what there is not", lambda: meshes.surface("none.vtu"))
END_OF_CODE
    is_shown '  where it is' '(27, True, True)'
    begins 'what is no mesh' 'Fault: text.vtu: '
    begins 'what meshio does not know' 'Fault: text.nonsense: is damaged: Could not deduce'
    is_shown 'what there is not' 'Fault: none.vtu: there is no such file'
else
    lacking 'there is no meshio' 'a mesh of another format is sampled'
fi
finish
