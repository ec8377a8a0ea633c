#!/bin/sh
# Everything a run leaves is the same to the last byte for 1, 2 and 3 threads and on a second run;
# times and hosts are in files of their own.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: determinism
seed: 7
time: {end: 0.06, max_step: 1e-3, frame_interval: 0.01}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 40, bend_stiffness: 20, damping: 2e-4}
  ball: {model: peridynamics, stiffness: 100, critical_stretch: 0.05}
bodies:
  cloth: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, shape: {sheet: {cells: [25, 25]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 8e-3, position: [0.003, 0.004, 0.085], velocity: [0, 0, -6], jitter: 0.05, shape: {ball: {radius: 0.06}}}
END

# pipeline FOLDER THREADS METHOD: all four programs
pipeline() {
    mkdir "$1" &&
        export OMP_NUM_THREADS="$2" &&
        ms-sample --config scene.yaml --set "contact.method=$3" -o "$1/initial.hdf" >/dev/null &&
        ms-simulate "$1/initial.hdf" -o "$1" --quiet &&
        ms-analyze "$1" -o "$1" &&
        ms-render-prep "$1/frames/000006.hdf" --section 0,1,0,0 --thickness 0.02 \
            --initial "$1/initial.hdf" -o "$1/section.csv" &&
        ms-render-prep "$1/frames/000006.hdf" --pov --color fragment -o "$1/scene.pov"
}

# results FOLDER: names and hashes of all files but those for times and hosts
results() {
    (cd "$1" && find . -type f ! -name timing.csv ! -name memory.csv ! -name manifest.json | sort | xargs sha256sum)
}

for method in merging-and-splitting penalty sph impulse; do
    run pipeline "$method-1" 1 $method
    ok "$method: the pipeline runs" status 0
    results "$method-1" >expected
    ok "  and leaves frames, metrics and a section" [ "$(wc -l <expected)" -ge 13 ]
    for threads in 2 3; do
        run pipeline "$method-$threads" $threads $method
        results "$method-$threads" >actual
        ok "  the same bytes with $threads threads" same expected actual
    done
done
run pipeline again 1 merging-and-splitting
results again >actual
results merging-and-splitting-1 >expected
ok 'the same bytes on a second run' same expected actual
run pipeline other 1 penalty
results other >actual
ok 'another method leaves other bytes' differ expected actual
finish
