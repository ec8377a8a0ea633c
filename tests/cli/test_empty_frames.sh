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
run ms-render-prep $frame --surface all --format ply -o water.ply
ok 'a surface of nothing: status 2' status 2
ok '... and one line' err_is "ms-render-prep: --surface: $frame has no particles of 'all'; another frame would have"
ok '... and no file' [ ! -e water.ply ]
run ms-render-prep $frame --skin all --initial results/toy/gone/initial.hdf --format ply -o skin.ply
ok 'a skin of nothing: one line' err_is "ms-render-prep: --skin: $frame has no solid and no cloth"

if "$PYTHON" -c 'import PIL, h5py' 2>/dev/null; then
    run env PATH=/nowhere "$PYTHON" -B "$project/scripts/film.py" film "$BUILD" results pictures toy
    ok 'a film that ends white' out_has 'pictures/toy.gif: 1 runs, 5 frames'
    run "$PYTHON" -B "$project/scripts/film.py" sheet "$BUILD" results/toy/gone sheet.png
    ok 'a sheet of frames' status 0
    run "$PYTHON" -B "$project/scripts/points.py" results/toy/gone points.json
    ok 'particles of the page' status 0
else
    skip 'there is no PIL or h5py' 'a film that ends white'
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
    skip 'there is no matplotlib or h5py' 'an empty drawing'
fi
finish
