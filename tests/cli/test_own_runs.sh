#!/bin/sh
# make plot, compare, film, preview and watch of runs of one's own, whatever their folders are called. The data behind a picture are
# those of the tables; test_plot.sh has the terminal.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS RUN Y PNG E
case $BUILD in "$project/build") ;; *) skip_all 'make would build build/' ;; esac
"$PYTHON" -c 'import h5py, matplotlib, PIL' 2>/dev/null || lacking_all 'there is no h5py, matplotlib or PIL'
export OMP_NUM_THREADS=1

# own GOAL SETTING...: a goal of make, without the line that make adds to a failure.
own() {
    run sh -c 'make --no-print-directory -C "$0" "$@"' "$project" "$@"
    sed -i '/^make: \*\*\* /d' .run/err
}
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ]; }

odd="it's \$(shell touch made-by-a-name) \$HOME"
two_balls 0.005 >scene.yaml
for name in "$odd" b; do
    mkdir "$name"
    ms-sample -q -c scene.yaml --set time.end=0.01 --set contact.alpha="$([ "$name" = b ] && echo 0 || echo 1)" -o "$name/initial.hdf"
    ms-simulate -q "$name/initial.hdf" -o "$name"
done
mkdir on
ms-sample -q --from b/frames/000001.hdf --set time.end=0.015 -o on/initial.hdf
ms-simulate -q on/initial.hdf -o on

own plot "RUN=\"$PWD/$odd\" $PWD/b $PWD/on" Y=kinetic,b.z "PNG=$PWD/plot.png"
ok 'three runs are plotted' status 0
ok '  into a picture' is_png plot.png
ok '  and one to print' [ "$(head -c 4 plot.pdf)" = %PDF ]
run "$PYTHON" -B -c 'import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/mergesplit"]
import own_runs
times, heights = own_runs.curve(sys.argv[2], "on", "b.z")
print(times, heights == sorted(heights, reverse=True), own_runs.units_known(sys.argv[2])["bodies.csv"]["z"])' "$project/scripts" "$BUILD"
ok '  the curve of a body has its times, and the unit of its column' out_is '[0.005, 0.01, 0.015] True m'
own compare "RUN='$PWD/b' \"$PWD/$odd\""
ok 'two runs are compared' status 0
ok '  what differs in their settings' sh -c "grep -Eq '^contact.alpha +0 +1\$' .run/out"
ok '  and what came of it' sh -c "grep -Eq '^energy at the end, J +[0-9.]+ +[0-9.]+\$' .run/out && grep -Eq '^overlap of bodies, most' .run/out"
ok '  and what it took' sh -c "grep -Eq '^time per step, ms +[0-9.]+ +[0-9.]+\$' .run/out"
mkdir more
ms-sample -q --from b/frames/000001.hdf --set time.end=0.01 --set 'bodies.c={material: rubber, radius: 0.01, particle_mass: 1, position: [9, 0, 0], shape: {box: {size: [0.1, 0.1, 0.1]}}}' -o more/initial.hdf &&
    ms-simulate -q more/initial.hdf -o more
own compare "RUN=$PWD/b $PWD/more"
ok 'a body that only one run has is one row' sh -c "grep -Eq '^bodies.c +- +given\$' .run/out && [ \$(grep -c '^bodies\.' .run/out) -eq 1 ]"
own preview "RUN=$PWD/$odd" "PNG=$PWD/$odd.png"
ok 'frames of a run are on a sheet' is_png "$odd.png"
mkdir begins
cp b/initial.hdf begins
own preview "RUN=$PWD/begins" "PNG=$PWD/begins.png"
ok 'before a run its bodies are drawn' out_has 'begins.png: 2 bodies before the run begins'
run "$PYTHON" -B -c 'import sys
sys.path[:0] = [sys.argv[1]]
import film, numpy
from mergesplit import Run
from PIL import Image
class Begun:
    frames = [Run("begins").initial]
seen, picture = film.camera(Begun, ""), Image.open("begins.png")
for name, low, high in film.boxes(Begun.frames[0]):
    middle, beyond = 3 * film.projected(numpy.array([(low + high) / 2, high + 0.3 * (high - low)]), seen)
    print(name, *(f"{x:.3g}" for x in high - low), picture.getpixel(tuple(map(int, middle))) != (255, 255, 255), picture.getpixel(tuple(map(int, beyond))) == (255, 255, 255))' "$project/scripts"
ok '  where the camera sees them, with their sizes' out_is 'a 0.1 0.1 0.1 True True
b 0.1 0.1 0.1 True True'
own film "RUN=$PWD/b $PWD/on"
ok 'a film of two runs, one of which begins later, from the first to the last time' out_has ': 2 runs, 4 frames'
own watch "RUN=$PWD/on"
ok 'a run that ended is watched once' out_has 'on-now.png: t = 0.015 of 0.015 s'
ok '  in a picture' is_png on-now.png
mkdir swept
cat >swept/sweep.csv <<'CSV'
contact,speed,runs,failed,kept,kept_ci,overlap,overlap_ci
merging,1,3,0,0.8,0.02,0.1,0.01
merging,2,3,0,0.7,0.03,0.2,0.02
sliding,1,3,0,0.9,0.01,0,0
sliding,2,1,2,0.85,,0,
CSV
own plot "SWEEP=$PWD/swept" "PNG=$PWD/swept.png"
ok 'a sweep is plotted against its axis with numbers' out_has "swept.png and .pdf: kept, overlap against speed, of 4 combinations"
ok '  into a picture' is_png swept.png
own plot "SWEEP=$PWD/swept" Y=lost
ok 'a metric that there is not: one line' err_is "sweep: $PWD/swept/sweep.csv has no metric 'lost'; there are kept, overlap"
if command -v povray >/dev/null; then
    run "$PYTHON" -B -c 'import sys
sys.path[:0] = [sys.argv[1]]
import film, own_runs
from PIL import Image
film.WIDTH, film.HEIGHT = 40, 30
own_runs.main("render", sys.argv[2], "b", "render.png", "1")
picture = Image.open("render.png")
print(max(picture.size) <= 160, len(set(picture.getdata())) > 50, picture.getpixel((0, 0)))' "$project/scripts" "$BUILD"
    ok 'a frame is rendered, cropped to what is in it' out_is '  render    render.png: t = 0.005 s
True True (255, 255, 255)'
else
    lacking 'there is no povray' 'a frame is rendered'
fi
for goal in plan figures verify why; do
    own "$goal" "E=\$(shell touch made-by-a-name)" "T=\$(shell touch made-by-a-name)"
    ok "make $goal of what is no experiment: status 2" status 2
done
own render "RUN=$PWD/$odd" "N=$odd"
ok 'what is no number of a frame is refused' status 2
ok 'nothing in a name was carried out' [ ! -e made-by-a-name -a ! -e "$project/made-by-a-name" ]

own compare "RUN='$PWD/b"
ok 'a quote that is not closed: status 2' status 2
ok '  and one line' err_is "compare: RUN: No closing quotation; write RUN='FOLDER FOLDER', each in quotes if it has blanks"
mkdir empty
run "$PYTHON" -B -c 'import sys
sys.path[:0] = [sys.argv[1]]
import own_runs
more = {"plot": ["kinetic", "none.png"], "preview": ["none/none.png"], "render": ["none.png", ""]}
for task, runs in (("compare", "b"), ("compare", "b none"), ("plot", "b b"), ("plot", "empty b"), ("preview", "b"), ("watch", "b on"), ("render", "b on")):
    try:
        own_runs.main(task, sys.argv[2], runs, *more.get(task, []))
        sys.exit(1)
    except SystemExit as end:
        assert end.code == 2' "$project/scripts" "$BUILD"
ok 'what cannot be compared or plotted: status 2' status 0
ok '  and a line each' err_is "compare: write RUN='A B', the folders of two runs or more
compare: none: there is no such folder; RUN='A B' are folders of runs
plot: b: is named twice
plot: empty has neither metrics.csv nor frames; give the folder of a run, as RUN=results/small/EXPERIMENT/NAME
preview: none/none.png: there is no folder none
watch: RUN has 2 folders; give one, in quotes if its name has blanks
render: RUN has 2 folders; give one, in quotes if its name has blanks"
finish
