#!/bin/sh
# Frames without particles, because all have left: what can be made of them is made, and the rest is refused in one line.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

cat >scene.yaml <<'YAML'
name: gone
gravity: [0, 0, 0]
time: {end: 0.02, frame_interval: 0.005, max_step: 1e-3}
materials:
  water: {model: fluid, pressure: 2e4, viscosity: 0.02}
bodies:
  jet: {material: water, radius: 0.01, density: 1000, velocity: [0, 0, -4], position: [0, 0, 0.01], shape: {box: {size: [0.08, 0.08, 0.02]}}}
outlets:
  low: {position: [0, 0, -0.5], shape: {box: {size: [2, 2, 0.99]}}}
YAML
mkdir -p results/toy/gone
ms-sample -q -c scene.yaml -o results/toy/gone/initial.hdf
run ms-simulate results/toy/gone/initial.hdf -o results/toy/gone --quiet
ok 'a run whose particles all leave' status 0
frame=results/toy/gone/frames/000004.hdf
run ms-render-prep $frame --section 0,1,0,0 --thickness 0.1 -o section.csv
ok 'no particle is left: a section' [ "$(wc -l <section.csv)" = 1 ]
run ms-analyze results/toy/gone
ok 'it is analyzed' status 0
run ms-render-prep $frame --spheres -o particles.inc
ok 'no spheres' sh -c '! grep -q "sphere {" particles.inc'
ok '... and no complaint' status 0
run ms-render-prep $frame --preview --size 20,10 -o preview.ppm
ok 'a white preview' [ "$(tail -c 600 preview.ppm | tr -d '\377' | wc -c)" = 0 ]

# ---- a fluid that has left has an empty surface ----

for format in ply obj stl vtk pov; do
    run ms-render-prep $frame --surface all --format $format -o water.$format
    ok "an empty surface as $format" status 0
    ok '  silently' [ ! -s .run/err ]
done
ok '  as ply: whole, of no vertices and no faces' [ "$(grep -a -c -e '^element vertex 0$' -e '^element face 0$' -e '^end_header$' water.ply)" = 3 ]
ok '  and nothing behind its head' [ "$(tail -n 1 water.ply)" = end_header ]
ok '  as obj: without a line' [ ! -s water.obj ]
ok '  as stl: a head and the number 0' [ "$(tail -c +81 water.stl | od -An -td4 | tr -d ' ')" = 0 ]
ok '  as vtk: no points and no polygons' [ "$(grep -a -c -e '^POINTS 0 double$' -e '^POLYGONS 0 0$' water.vtk)" = 2 ]
ok '  for POV-Ray: nothing' [ "$(grep -c mesh2 water.pov)" = 0 ]
run ms-render-prep $frame --surface sea --format ply -o sea.ply
ok 'a fluid that the scene does not have is refused as ever' err_is "ms-render-prep: --surface: $frame has no fluid 'sea'; name its fluids, their model, or give all"

run ms-render-prep $frame --skin all --initial results/toy/gone/initial.hdf --format ply -o skin.ply
ok 'a skin of nothing: one line' err_is "ms-render-prep: --skin: $frame has no cloth and no solid with bonds; --spheres draws particles"

# ---- and a picture without it ----

if command -v povray >/dev/null && "$PYTHON" -c 'import PIL' 2>/dev/null; then
    cat >room.pov <<'POV'
#version 3.7;
global_settings { assumed_gamma 1 }
camera { location <0, -1, 0> look_at 0 }
light_source { <0, -2, 2> rgb 1 }
background { rgb 1 }
#include "particles.inc"
POV
    view=$PWD/results/toy/gone/view-room-body+jet-4.png
    run sh -c "cd '$project' && scripts/steps/view '$BUILD' '$(dirname "$view")' '$view' draft 4 body+jet whole 32x24 '$PWD/room.pov'"
    ok 'a rendering is made' status 0
    ok '  without the fluid: white' "$PYTHON" -c 'import sys; from PIL import Image
sys.exit(Image.open(sys.argv[1]).convert("L").getextrema() != (255, 255))' "$view"
else
    lacking 'there is no POV-Ray or no PIL' 'a rendering of no surface'
fi

# ---- what other programs make of it ----

if "$PYTHON" -c 'import PIL, h5py' 2>/dev/null; then
    run env PATH=/nowhere "$PYTHON" -B "$project/scripts/film.py" film "$BUILD" results pictures toy
    ok 'a film that ends white' out_has 'pictures/toy.gif: 1 runs, 5 frames'
    run "$PYTHON" -B "$project/scripts/film.py" sheet "$BUILD" results/toy/gone sheet.png
    ok 'a sheet of frames' status 0
    run "$PYTHON" -B "$project/scripts/points.py" results/toy/gone points.json
    ok 'particles of the page' status 0
else
    lacking 'there is no PIL or h5py' 'a film that ends white'
fi
if "$PYTHON" -c 'import matplotlib, h5py' 2>/dev/null; then
    run env PYTHONPATH="$project/scripts" "$PYTHON" -B -c '
import mergesplit
from mergesplit import drawing
figure, axes = drawing.plt.subplots()
drawing.particles(axes, mergesplit.Run("results/toy/gone").frames[4])
drawing.save(figure, ".", "gone")'
    ok 'an empty drawing' [ "$(head -c 4 gone.png | tail -c 3)" = PNG ]
else
    lacking 'there is no matplotlib or h5py' 'an empty drawing'
fi
finish
