#!/bin/sh
# A slide with kept friction leaves the same bytes for 1, 2, 3 and 7 threads, and when it is stopped in its middle and goes
# on: a rigid block in the edge of one wall, with slips at two faces, grains behind it, and a second block that falls into it.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END_OF_SCENE'
name: slide
gravity: [4, -5, -6]
time: {end: 0.6, max_step: 8e-3, courant: 100, frame_interval: 0.2}
contact: {method: position-based, friction: 0.3, static_friction: 0.4}
position: {friction: kept}
materials: {stone: {model: rigid, field: one-sided}, sand: {model: loose}}
bodies:
  block: {material: stone, radius: 0.02, density: 1000, position: [0.06, 0.06, 0.06], shape: {box: {size: [0.12, 0.12, 0.12]}}}
  rider: {material: stone, radius: 0.02, density: 1000, position: [0.09, 0.09, 0.21], velocity: [0, 0, -8], rotation: {axis: [0, 0, 1], degrees: 30}, shape: {box: {size: [0.12, 0.12, 0.12]}}}
  heap: {material: sand, radius: 0.01, density: 1000, position: [-0.05, 0.06, 0.06], shape: {box: {size: [0.08, 0.12, 0.12]}}}
walls:
  room: {keep: inside, holds: all, position: [0.9, 1, 1], shape: {box: {size: [2, 2, 2]}}}
END_OF_SCENE

# simulate FOLDER THREADS OPTIONS...
simulate() {
    folder=$1
    export OMP_NUM_THREADS="$2"
    shift 2
    ms-simulate initial.hdf -o "$folder" --quiet "$@"
}

results() {
    (cd "$1" && sha256sum frames/*.hdf)
}

for friction in kept velocity; do
    rm -rf one
    ms-sample --config scene.yaml --set position.friction=$friction -o initial.hdf >/dev/null
    run simulate one 1
    ok "$friction: a run ends well" status 0
    results one >expected
    ok '  and leaves frames' [ "$(wc -l <expected)" -eq 4 ]
    cp initial.hdf one
    ms-analyze one
    ok '  it slides with friction before it stops and after' [ "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR > 1 {n += $at["friction"] > 0} END {print (n > 70)}' one/metrics.csv)" = 1 ]
    ok '  and the summary has what friction took' [ "$(awk -F, 'NR == 1 {for (k = 1; k <= NF; k++) at[$k] = k} NR > 1 {sum += $at["friction"]} END {printf "%.6g", sum}' one/metrics.csv)" = \
        "$(sed -n 's/^  "friction": \(.*\),$/\1/p' one/summary.json | awk '{printf "%.6g", $1}')" ]
    for threads in 2 3 7; do
        run simulate "$friction-$threads" $threads
        results "$friction-$threads" >actual
        ok "  the same bytes with $threads threads" same expected actual
    done
    run simulate "$friction-stopped" 1 --until 0.4
    ok '  stops' status 0
    run simulate "$friction-stopped" 7 --resume
    ok '  goes on' status 0
    ok '  to the same bytes' same one/frames/000003.hdf "$friction-stopped/frames/000003.hdf"
done
finish
