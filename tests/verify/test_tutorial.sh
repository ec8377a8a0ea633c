#!/bin/sh
# Every file and every command of README.md and docs/tutorial.md, and the first commands of docs/programs.md, in a copy of the project, one after the other.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS RUN Y PNG E TESTS SCALE
case $BUILD in "$project/build") ;; *) skip_all 'the tutorial is about the build folder build/' ;; esac
"$PYTHON" -c 'import h5py, matplotlib' 2>/dev/null || skip_all 'there is no h5py or matplotlib'
export OMP_NUM_THREADS=1 JOBS=1
cp -rp "$project/Makefile" "$project/scripts" "$project/src" "$project/tests" "$project/configs" "$project/docs" "$project/README.md" .
cp -rp "$BUILD" build
mkdir experiments paper-figures
cp "$project/experiments/claims.py" experiments/
cp -r "$project/experiments/fig03-solid-solid" experiments/

# The fenced blocks: NNN.sh, a shell's, and NNN.file, with its path in the first line.
awk '/^```/ && !inside { inside = 1; file = sprintf("%03d.%s", ++n, $2 ? "file" : "sh"); print ($2 ? $2 : "# " $1) >file; next }
    /^```/ { inside = 0; next }
    inside { print >file }' "$project/README.md" "$project/docs/tutorial.md"
ok 'the tutorial has commands and files' [ "$(ls ./*.sh | wc -l)" -gt 8 -a "$(ls ./*.file | wc -l)" -gt 4 ]
for block in [0-9]*.sh [0-9]*.file; do echo "$block"; done | sort >blocks
while read -r block; do
    case $block in
    *.file)
        path=$(head -n 1 "$block")
        mkdir -p "$(dirname "$path")" && tail -n +2 "$block" >"$path"
        ok "$path is written" test -s "$path"
        ;;
    *)
        run sh -e "$block" </dev/null
        ok "$(sed -n '2{s/  *#.*//;p}' "$block")" status 0
        ;;
    esac
done <blocks
ok 'the scene of the README has twelve lines' [ "$(wc -l <my/splash.yaml)" -eq 12 ]
run sh -c 'build/ms-sample -q -c my/splash.yaml --set time.end=0.02 -o my/splash.hdf && build/ms-simulate -q my/splash.hdf -o my/splash'
ok '  and runs' status 0
ok 'its picture is there' test -s my/ball/picture.png
ok 'the run is there' test -s my/drop/summary.json -a -s my/drop/at-0.1-s.png
# velocity NAME: of the box at the end, along x
velocity() { awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "velocity_x") column = k } END { print $column }' "my/$1/bodies.csv"; }
ok 'the box stays at 15 degrees and slides at 30 as Coulomb says' \
    awk -v flat="$(velocity flat)" -v steep="$(velocity steep)" 'BEGIN { exit !(flat * flat < 1e-18 && (steep - 0.5 * (4.91 - 0.4 * 8.5)) ^ 2 < 1e-14) }'
# Heights scatter by 2.4 % with the solver's tolerance, 1e-5 to 1e-8.
ok 'backward Euler takes energy within 20 ms of the impact, and the swing is the same' "$PYTHON" -B -c '
import sys
sys.path.insert(0, "scripts")
import mergesplit, numpy
runs = [mergesplit.Run(f"my/{run}", tables="numpy") for run in ("drop", "damped")]
at = [run.metrics["energy"][numpy.searchsorted(run.metrics["time"], 0.03)] for run in runs]
heights = [run.body("ball")["z"][8:].max() for run in runs]
print(at, heights)
sys.exit(not (at[0] - at[1] > 0.2 and abs(heights[1] / heights[0] - 1) < 0.05))'
# pictures: what is kept looks as what the commands draw. KEEP=1 sh tests/verify/test_tutorial.sh keeps what they draw now.
cp -r docs/pictures kept
run "$PYTHON" -B scripts/publish.py tutorial
ok 'each picture of the tutorial is drawn by a command of it' status 0
[ -z "${KEEP-}" ] || cp docs/pictures/*.png "$project/docs/pictures"
alike() {
    "$PYTHON" -B -c '
import glob, os, sys
from PIL import Image, ImageChops, ImageStat
other = []
for path in glob.glob("docs/pictures/*.png"):
    kept, drawn = (Image.open(os.path.join(folder, os.path.basename(path))).convert("L") for folder in (sys.argv[1], "docs/pictures"))
    away = max(ImageStat.Stat(ImageChops.difference(kept.resize((50, 50), Image.BOX), drawn.resize((50, 50), Image.BOX))).extrema[0])
    if abs(kept.width - drawn.width) > 20 or abs(kept.height - drawn.height) > 20 or away > 25:
        other.append((path, kept.size, drawn.size, away))
sys.exit(f"{other}" if other or not glob.glob("docs/pictures/*.png") else 0)' "$1"
}
ok '... and is what the repository keeps, as far as one can see' alike kept
first=$(ls docs/pictures | head -n 1)
last=$(ls docs/pictures | tail -n 1)
cp "docs/pictures/$last" "kept/$first"
ok '... and another one would be noticed' sh -c '! alike kept' 2>/dev/null
ok '... together they are small' [ "$(cat docs/pictures/*.png | wc -c)" -lt 300000 ]
ok 'the picture of the experiment is drawn' test -s paper-figures/my-drop.png
ok '  and its claim holds' grep -q '"holds": true' results/small/my-drop/claims.json

awk '/^    / { found = 1; print; next } found { exit }' docs/programs.md >programs
ok 'docs/programs.md has commands' [ "$(wc -l <programs)" -gt 4 ]
command -v povray >/dev/null || { echo '# there is no povray'; sed -i 's/ && povray.*//' programs; }
ls | grep -vx before >before
while read -r command; do
    run sh -e -c "$command" </dev/null
    ok "${command%%  *}" status 0
done <programs
ls | grep -vx 'before\|after' >after
ok '... which leave nothing but in my/' same before after
finish
