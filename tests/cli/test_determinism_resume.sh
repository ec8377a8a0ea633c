#!/bin/sh
# A run that was interrupted, by Ctrl-C or killed, and went on ends with the bytes of one that was
# not, also when bonds broke and pairs were deferred before and after, a wall had fallen to pieces or had not
# yet, and a fluid fills a tank.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: resume
seed: 3
time: {end: 0.06, max_step: 1e-4, frame_interval: 0.01}
contact: {group_min: 2, group_max: 4}
materials:
  wall: {model: peridynamics, stiffness: 100, fracture_energy: 168.8407, strengthening: 0.25, damping: 1e-4}
  ball: {model: peridynamics, stiffness: 100, damping: 1e-4}
  water: {model: fluid, pressure: 2e4, viscosity: 0.01}
walls:
  tank: {keep: inside, position: [1, 0, 0], shape: {box: {size: [0.2, 0.1, 0.3]}}}
bodies:
  water: {material: water, radius: 0.01, density: 1000, position: [0.95, 0, -0.1], shape: {box: {size: [0.1, 0.1, 0.1]}}}
  wall: {material: wall, radius: 0.01, particle_mass: 8e-3, shape: {box: {size: [0.3, 0.3, 0.06]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 0.08, position: [0.003, 0.004, 0.105], velocity: [0, 0, -6], shape: {ball: {radius: 0.06}}}
END
ms-sample -c scene.yaml -o initial.hdf >/dev/null
run ms-simulate initial.hdf -o straight --quiet
ok 'a run ends well' status 0
summary() { # of the run, a key
    sed -n 's/^  "'"$1"'": \([0-9]*\).*/\1/p' straight/summary.json
}
cp initial.hdf straight
ms-analyze straight
ok '  and breaks bonds' [ "$(summary broken_bonds)" -gt 0 ]
ok '  which makes fragments' [ "$(summary fragments)" -gt 10 ]
ok '  and a through-crack, after frame 3 and before frame 4' sh -c "[ $(summary through_crack_step) -gt 300 ] && [ $(summary through_crack_step) -lt 400 ]"
ok '  and defers pairs for several steps' [ "$(summary deferred_longest)" -gt 1 ]

# stop FOLDER SIGNAL FRAMES: lets a run write so many frames, then sends the signal
stop() {
    ms-simulate initial.hdf -o "$1" --quiet 2>/dev/null &
    await test -f "$1/frames/00000$3.hdf"
    kill -"$2" $!
    wait $!
}

run stop interrupted INT 2
ok 'Ctrl-C: status 1' status 1
ok '  leaves a checkpoint' [ -f interrupted/checkpoint.hdf ]
run ms-simulate initial.hdf -o interrupted --resume --quiet
ok '  goes on' status 0
ok '  and removes the checkpoint' [ ! -f interrupted/checkpoint.hdf ]
run stop killed KILL 4
ok 'a kill leaves whole frames' [ -f killed/frames/000004.hdf ]
run ms-simulate initial.hdf -o killed --resume --quiet
ok '  goes on' status 0
for folder in interrupted killed; do
    for number in 0 1 2 3 4 5 6; do
        ok "$folder: frame $number has the same bytes" same straight/frames/00000$number.hdf $folder/frames/00000$number.hdf
    done
done
finish
