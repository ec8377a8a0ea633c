#!/bin/sh
# Everything that is promised is the same to the byte for any number of threads, and a second time:
# frames, metrics, summaries, sections, scenes.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: test
time: {end: 0.02, max_step: 5e-4, frame_interval: 5e-3}
materials:
  cloth: {model: mass-spring, stretch: 40, shear: 20, bend: 20}
  ball: {model: peridynamics, stiffness: 100}
bodies:
  sheet: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, shape: {sheet: {cells: [21, 22]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 8e-3, position: [0, 0, 0.075], velocity: [0, 0, -4], shape: {ball: {radius: 0.055}}}
END

# pipeline FOLDER THREADS: from the scene to pictures' data; FOLDER/all lists the bytes.
pipeline() {
    export OMP_NUM_THREADS="$2"
    mkdir "$1" &&
        ms-sample -c scene.yaml -o "$1/initial.hdf" >/dev/null &&
        ms-simulate "$1/initial.hdf" -o "$1" --quiet &&
        ms-analyze "$1" &&
        ms-render-prep "$1/frames/000004.hdf" --section 0,1,0,0 --thickness 0.02 \
            --initial "$1/initial.hdf" -o "$1/section.csv" &&
        ms-render-prep "$1/frames/000004.hdf" --pov -o "$1/scene.pov" || return
    (cd "$1" && sha256sum initial.hdf frames/*.hdf frames.xmf end.json metrics.csv summary.json \
        section.csv scene.pov) >"$1/all"
}

run pipeline one 1
ok 'the pipeline runs' status 0
ok '  and gives everything' [ "$(wc -l <one/all)" = 12 ]
for threads in 2 3 7; do
    run pipeline "threads-$threads" $threads
    ok "$threads threads" same one/all "threads-$threads/all"
done
sleep 1.1 # a time stamp would differ
run pipeline again 1
ok 'a second time' same one/all again/all
ok '  while the manifest tells them apart' differ one/manifest.json again/manifest.json

finish
