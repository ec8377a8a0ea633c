#!/bin/sh
# A run that is continued to a later end ends with the bytes of one that had that end from the start, through
# fracture and deferred pairs; what was there before stays as it was.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"

# The end is a multiple of the interval, though 3 x 0.006 is not 0.018 to a computer.
cat >scene.yaml <<'END'
name: later
seed: 3
time: {end: 0.018, max_step: 5e-5, frame_interval: 0.006}
contact: {group_min: 2, group_max: 4}
materials:
  wall: {model: peridynamics, stiffness: 100, critical_stretch: 0.02, damping: 1e-4}
  ball: {model: peridynamics, stiffness: 100, damping: 1e-4}
  water: {model: fluid, pressure: 2e4, viscosity: 0.01}
bodies:
  water: {material: water, radius: 0.01, density: 1000, position: [0.5, 0, -0.1], shape: {box: {size: [0.1, 0.1, 0.1]}}}
  wall: {material: wall, radius: 0.01, particle_mass: 8e-3, shape: {box: {size: [0.2, 0.2, 0.06]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 0.08, position: [0.003, 0.004, 0.085], velocity: [0, 0, -6], shape: {ball: {radius: 0.05}}}
END
ms-sample -c scene.yaml -o initial.hdf >/dev/null
ms-sample -c scene.yaml --set time.end=0.048 -o longer.hdf >/dev/null
run ms-simulate longer.hdf -o straight --quiet
ok 'a long run ends well' status 0
ms-simulate initial.hdf -o later --quiet
sums() { (cd "$1/frames" && sha256sum -- *); }
sums later >before
ok 'a short one has 4 frames' [ "$(wc -l <before)" -eq 4 ]

run ms-simulate initial.hdf -o later --until 0.048 --quiet
ok 'without --resume, frames are in the way' status 2
run ms-simulate initial.hdf -o later --resume --until 0.048 --quiet
ok 'it goes on to a later end' status 0
sums later >after
ok '  the frames before are the same bytes' sh -c 'head -n 4 after | cmp -s - before'
ok '  there are as many as in the long run' [ "$(wc -l <after)" -eq "$(sums straight | wc -l)" ]
for number in 4 5 6 7 8; do
    ok "  frame $number has the bytes of the long run" same straight/frames/00000$number.hdf later/frames/00000$number.hdf
done
ok '  so has the end' same straight/end.json later/end.json
configuration() { sed -n 's/.*"configuration": *//p' "$1/manifest.json"; }
ok '  the manifest is that of the longer configuration' [ "$(configuration later)" = "$(configuration straight)" ]
# The frames of both, but for the configuration that they hold.
cp longer.hdf straight/initial.hdf
cp initial.hdf later/initial.hdf
ms-analyze straight && ms-analyze later
ok '  the numbers of both are the same' same straight/metrics.csv later/metrics.csv
ok '  bonds broke before and after' sh -c "cut -d, -f\$(head -n 1 later/metrics.csv | tr , '\n' | grep -n '^broken_bonds$' | cut -d: -f1) later/metrics.csv | uniq | wc -l | xargs test 20 -lt"
run ms-render-prep later/frames/000008.hdf --section 0,0,1,0 --thickness 0.02 --undeformed --initial initial.hdf -o drawn.csv
ok '  later frames are drawn with the initial frame' status 0

run ms-simulate initial.hdf -o later --resume --quiet
ok 'without --until, a continued run is not cut' status 2
ok '  and the time is said' err_has 'give --until 0.048, or a later time'
sums later | cmp -s - after
ok '  and nothing changed' [ $? -eq 0 ]

# Interrupted on the way, before the old end and behind it.
ms-simulate initial.hdf -o stopped --quiet
ms-simulate initial.hdf -o stopped --resume --until 0.048 --quiet 2>said &
await test -f stopped/frames/000004.hdf
kill -INT $!
run wait $!
ok 'Ctrl-C on the way: status 1' status 1
ok '  the command to go on is complete' grep -q -e '--resume --until 0.048$' said
run ms-simulate initial.hdf -o stopped --resume --until 0.048 --quiet
ok '  goes on' status 0
ok '  to the same bytes' same straight/frames/000008.hdf stopped/frames/000008.hdf

# A run of make that was continued by hand is what its configuration says again.
build=$(dirname "$(command -v ms-simulate)")
step() { (cd "$project" && scripts/steps/simulate "$build" "$scratch/made"); }
mkdir made
cp initial.hdf made
run step
ok 'a run of make' status 0
cp made/frames.sha256 record
ms-simulate initial.hdf -o made --resume --until 0.048 --quiet
ok '  continued by hand has more frames' [ "$(sums made | wc -l)" -gt 4 ]
run step
ok '  is made again' status 0
ok '  as it was' sh -c 'cmp -s made/frames.sha256 record && cd made && sha256sum --status -c ../record'
ok '  with no frame more' [ "$(sums made | wc -l)" -eq 4 ]

# An end between two frames was an instant that a longer run would not have had.
ms-simulate initial.hdf -o odd --until 0.015 --quiet
run ms-simulate initial.hdf -o odd --resume --until 0.048 --quiet
ok 'a run that ended between two frames is refused' status 2
ok '  and it says why' err_has 'ended, or was to end, at 0.015 s, between two frames of a longer one'
for bad in 0 -1 x nan ''; do
    run ms-simulate initial.hdf -o bad --until "$bad" --quiet
    ok "--until '$bad' is wrong usage" status 2
done
ok '  and nothing is written' [ ! -e bad ]
finish
