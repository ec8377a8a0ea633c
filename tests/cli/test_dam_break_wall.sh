#!/bin/sh
# The scene of Figure 8, middle, with particles of twice the radius, a weaker wall and water that is under way: walls that hold pieces,
# a fluid, and bonds that break. The same bytes for 1, 2 and 3 threads, and for a run that ends in the middle of it all and goes on.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"
scene=$project/experiments/fig08-solids-and-water/dam.yaml

ms-sample --config "$scene" --set bodies.wall.radius=0.04 --set bodies.water.radius=0.04 --set materials.clay.critical_stretch=2e-4 \
    --set bodies.water.velocity='[4, 0, 0]' --set time.end=0.1 --set time.frame_interval=0.025 -o initial.hdf >/dev/null

# simulate FOLDER THREADS OPTION...
simulate() {
    folder=$1
    OMP_NUM_THREADS=$2
    export OMP_NUM_THREADS
    shift 2
    ms-simulate initial.hdf -o "$folder" --quiet "$@"
}

# broken FRAME: whether the wall is in more than one piece there
broken() {
    ms-render-prep "$1" --section 1,0,0,1.82 --thickness 1 -o section.csv &&
        [ "$(grep -v '^#' section.csv | awk -F, 'NR > 1 && $6 == "wall" { print $9 }' | sort -u | wc -l)" -gt 1 ]
}

run simulate one 1
ok 'the run ends well' status 0
ok '  and breaks the wall' broken one/frames/000004.hdf
for threads in 2 3; do
    run simulate "threads-$threads" $threads
    for number in 1 2 3 4; do
        ok "$threads threads: frame $number has the same bytes" same one/frames/00000$number.hdf threads-$threads/frames/00000$number.hdf
    done
done
run simulate resumed 2 --until 0.05
ok 'a run that ends in the middle' status 0
run simulate resumed 1 --resume
ok '  goes on' status 0
for number in 3 4; do
    ok "  frame $number has the same bytes" same one/frames/00000$number.hdf resumed/frames/00000$number.hdf
done
finish
