#!/bin/sh
# scripts/film.py: runs side by side as a film, with ffmpeg and without; frames of a run on a sheet.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
"$PYTHON" -c 'import PIL, h5py' 2>/dev/null || lacking_all 'there is no PIL or h5py'
film() { run "$PYTHON" -B "$project/scripts/film.py" "$@"; }

ball_on_cloth 0.02 >scene.yaml
# made NAME END: a run
made() {
    mkdir -p "results/toy/$1"
    ms-sample -q -c scene.yaml --set time.end="$2" -o "results/toy/$1/initial.hdf"
    ms-simulate "results/toy/$1/initial.hdf" -o "results/toy/$1" --quiet
}
made short 0.01
made long 0.02

run env PATH=/nowhere "$PYTHON" -B "$project/scripts/film.py" film "$BUILD" results pictures toy
ok 'without ffmpeg a film is an animated GIF' out_has 'pictures/toy.gif: 2 runs, 5 frames'
run "$PYTHON" -c '
from PIL import Image
film = Image.open("pictures/toy.gif")
times = []
for number in range(film.n_frames):
    film.seek(number)
    times.append(film.info["duration"])
print(film.n_frames, film.size, sum(times))'
ok '  of 8 s, both runs side by side' out_is '5 (800, 322) 8000'
ok '  with a still for the page' [ "$(head -c 4 pictures/toy-film.png | tail -c 3)" = PNG ]
if command -v ffmpeg >/dev/null; then
    film film "$BUILD" results pictures toy
    ok 'with ffmpeg it is a film' status 0
    ok '  in a file that plays' [ "$(head -c 8 pictures/toy.mp4 | tail -c 4)" = ftyp ]
    cp pictures/toy.mp4 first.mp4
    film film "$BUILD" results pictures toy
    ok '  with the same bytes a second time' same first.mp4 pictures/toy.mp4
else
    lacking 'there is no ffmpeg' 'with ffmpeg it is a film'
fi
film sheet "$BUILD" results/toy/long sheet.png
ok 'frames of a run are on a sheet' [ "$(head -c 4 sheet.png | tail -c 3)" = PNG ]

# an experiment in whose film gas does not hide its smoke, and from which a run is left out
mkdir -p experiments/gas
printf 'run smoke\nrun other\nfilm gas smoke\n' >experiments/gas/runs
cat >gas.yaml <<'END'
name: gas
time: {end: 0.02, max_step: 5e-3, courant: never, frame_interval: 0.01}
contact: {method: position-based}
materials: {gas: {model: fluid, viscosity: 0}}
bodies: {gas: {material: gas, radius: 0.01, density: 1, shape: {box: {size: [0.1, 0.1, 0.1]}}}}
diffuse: {smoke: {number: 200, shape: {box: {size: [0.1, 0.1, 0.1]}}}}
END
for name in smoke other; do
    mkdir -p "results/gas/$name"
    ms-sample -q -c gas.yaml -o "results/gas/$name/initial.hdf"
    ms-simulate "results/gas/$name/initial.hdf" -o "results/gas/$name" --quiet
done
run env PATH=/nowhere "$PYTHON" -B "$project/scripts/film.py" film "$BUILD" results pictures gas
ok 'a film has the runs that its experiment names' out_has 'pictures/gas.gif: 1 runs, 3 frames'
run "$PYTHON" -c '
from PIL import Image
pixels = list(Image.open("pictures/gas-film.png").convert("RGB").crop((0, 22, 400, 322)).getdata())
print(any(max(p) - min(p) > 8 for p in pixels), any(max(p) < 200 for p in pixels))'
ok '  without what hides the rest: no blue, but smoke' out_is 'False True'

film film "$BUILD" results pictures nothing
ok 'no runs: one line' err_is 'film: results/nothing: no run has frames; make nothing makes them'
film sheet "$BUILD" results/toy/none sheet.png
ok 'no run: one line' err_lines 1
cp -r results damaged && truncate -s 4000 damaged/toy/short/frames/000001.hdf
film film "$BUILD" damaged pictures toy
ok 'a frame that was cut off: its name' err_has 'film: damaged/toy/short/frames/000001.hdf: '
ok '  in one line' err_lines 1
ms-sample -q -c scene.yaml --set time.frame_interval=1e-2 -o other.hdf
mkdir results/toy/other && ms-simulate other.hdf -o results/toy/other --quiet
film film "$BUILD" results pictures toy
ok 'runs whose frames have other times are in step, too' out_has ': 3 runs, 5 frames'
finish
