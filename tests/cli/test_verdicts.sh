#!/bin/sh
# The verdicts of summary.json on small scenes: what is stable and what is not, what sticks and what
# only lies there.
. "$(dirname "$0")/lib.sh"

# scene NAME TEXT: simulates it, with further settings; numbers in NAME/summary.json.
scene() {
    name=$1
    shift
    cat >"$name.yaml"
    mkdir "$name"
    ms-sample -q -c "$name.yaml" "$@" -o "$name/initial.hdf" &&
        ms-simulate "$name/initial.hdf" -o "$name" 2>"$name/warnings" && ms-analyze "$name"
}

# warned TEXT, and unwarned: of the last scene
warned() { grep -q "^ms-simulate: warning: $1" "$name/warnings"; }
unwarned() { ! grep -q 'warning' "$name/warnings"; }

# value KEY, and below KEY MOST: of the last scene's summary
value() { sed -n "s/^  \"$1\": \(.*[0-9]\),\{0,1\}\$/\1/p" "$name/summary.json"; }
below() { awk "BEGIN { exit !($(value "$1") <= $2) }"; }

# is KEY VALUE: in the last scene's summary
is() { grep -q "\"$1\": $2,\{0,1\}\$" "$name/summary.json"; }

hammock() {
    scene "$@" <<'END'
name: hammock
time: {end: 0.25, frame_interval: 0.05, max_step: 1e-3}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400, bend_stiffness: 2, damping: 2e-4}
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  cloth: {material: cloth, radius: 0.01, density: 1000, fixed: corners, shape: {sheet: {cells: [15, 15]}}}
  load: {material: rubber, radius: 0.01, density: 1000, position: [0.003, 0.004, 0.0595], shape: {ball: {radius: 0.045}}}
END
}
run hammock hammock
ok 'a hammock' status 0
ok '  is stable, though it starts to move from next to no speed' is unstable false
ok '  and what lies in it does not stick' is sticking false
ok '  and steps do not make elastic energy' sh -c '! grep -q linearization: hammock/warnings'

# Springs that turn and stretch by several of their lengths in a step.
run hammock thrown -s contact.method=sliding -s time.courant=5 -s time.max_step=1e-2 -s time.end=0.1 -s 'bodies.load.velocity=[0, 0, -5]'
ok 'a hammock in steps much too long' status 0
ok '  is said to have made elastic energy, most of all that there was' warned 'linearization: steps made [0-9.]* J of elastic energy from nothing (linearization_gain), [5-9][0-9.]* %'
ok '  which is many times what is left of it at the end' awk "BEGIN { exit !($(value linearization_gain_max) > 3 * $(value linearization)) }"

# Each stage guesses the contacts of a step anew, and one stage cannot.
stiff() { hammock "$@" -s contact.method=sliding -s materials.rubber.stiffness=1e5 -s time.max_step=4e-3 -s time.end=0.1; }
run stiff guessed -s contact.stages=1
ok 'a stiff ball in a hammock, with one guess of its contacts in a step' status 0
ok '  is said to have some that are not solved' warned 'unresolved contacts: in [1-9][0-9]* of [0-9]* steps contacts'
ok '  which are counted' [ "$(value unresolved)" -gt 0 ]
run stiff settled
ok '  and with eight guesses has none' sh -c '! grep -q "unresolved" settled/warnings'

# What gravity gives the heavy one in a step is 5e4 J, and what of it the light one keeps, as a speed that moves nothing, 5e-4 J.
run scene heavy <<'END'
name: heavy
time: {end: 0.3, frame_interval: 0.3, max_step: 1e-3}
materials: {stone: {model: rigid}}
bodies:
  floor: {material: stone, radius: 0.05, density: 1000, fixed: all, position: [0, 0, -0.05], shape: {box: {size: [0.8, 0.8, 0.1]}}}
  light: {material: stone, radius: 0.05, density: 1e3, position: [0, 0, 0.1], shape: {box: {size: [0.2, 0.2, 0.2]}}}
  heavy: {material: stone, radius: 0.05, density: 1.25e11, position: [0, 0, 0.3], shape: {box: {size: [0.2, 0.2, 0.2]}}}
contact: {method: sliding, friction: 0.5, static_friction: 0.5}
END
ok 'a body of 1e9 kg rests on one of 8 kg' status 0
ok '  and is stable' is unstable false
ok '  without a word of it' sh -c '! grep -q unstable heavy/warnings'

run scene drape <<'END'
name: drape
time: {end: 0.5, frame_interval: 0.1, max_step: 1e-3}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 400, shear_stiffness: 400, bend_stiffness: 2, damping: 2e-4}
  sand: {model: loose}
bodies:
  cloth: {material: cloth, radius: 0.01, density: 1000, position: [0, 0, 0.05], shape: {sheet: {cells: [21, 21]}}}
  post: {material: sand, radius: 0.01, density: 1000, fixed: all, shape: {ball: {radius: 0.04}}}
END
ok 'a cloth that falls around a post' status 0
ok '  is stable' is unstable false
ok '  and does not stick: it hangs' is sticking false

# Newton's cradle between two heavy walls: the light one bounces to and fro ever faster.
run scene squeezed <<'END'
name: squeezed
gravity: [0, 0, 0]
time: {end: 0.1, frame_interval: 0.02, max_step: 1e-4}
materials:
  sand: {model: loose}
bodies:
  left: {material: sand, radius: 0.01, particle_mass: 1e4, position: [-0.1, 0, 0], velocity: [1, 0, 0], shape: {box: {size: [0.02, 0.02, 0.02]}}}
  light: {material: sand, radius: 0.01, particle_mass: 1, position: [-0.04, 0, 0], shape: {box: {size: [0.02, 0.02, 0.02]}}}
  right: {material: sand, radius: 0.01, particle_mass: 1e4, position: [0.1, 0, 0], velocity: [-1, 0, 0], shape: {box: {size: [0.02, 0.02, 0.02]}}}
END
ok 'a light particle between heavy ones' status 0
ok '  becomes as fast as it likes' grep -q '"speed_ratio": \([3-9]\|[1-9][0-9]\)' squeezed/summary.json
ok '  and is stable: no energy came from nowhere' is unstable false

pile() {
    scene "$@" <<'END'
name: pile
time: {end: 0.1, frame_interval: 0.02, max_step: 5e-4}
materials:
  rubber: {model: peridynamics, stiffness: 100, damping: 1e-4}
  rock: {model: loose}
bodies:
  ground: {material: rock, radius: 0.01, density: 1000, fixed: all, shape: {box: {size: [0.2, 0.2, 0.02]}}}
  lower: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.0405], shape: {box: {size: [0.1, 0.1, 0.06]}}}
  upper: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.102], velocity: [0, 0, -1], shape: {box: {size: [0.06, 0.06, 0.06]}}}
END
}
run pile pile
ok 'a pile' status 0
ok '  is stable' is unstable false
ok '  and does not stick' is sticking false
run pile explosion -s contact.method=penalty -s contact.stiffness=1e7
ok 'a pile with penalty forces much too stiff' status 0
ok '  is unstable' is unstable true
ok '  and says so' warned 'unstable: energy_gain'
ok '  and end.json, too' grep -q '"warnings": \[.*"unstable: energy_gain' "$name/end.json"

# A ball between plates that move and then hold it: what moves, and the energy that there was.
run scene pressed <<'END'
name: pressed
gravity: [0, 0, 0]
time: {end: 0.3, max_step: 1e-3, frame_interval: 0.05}
materials:
  rubber: {model: peridynamics, stiffness: 500, horizon: 3, damping: 2e-4}
  plate: {model: loose}
bodies:
  lower: {material: plate, radius: 0.01, density: 1000, fixed: all, position: [0, 0, -0.07], shape: {box: {size: [0.2, 0.2, 0.02]}}}
  upper: {material: plate, radius: 0.01, density: 1000, fixed: all, position: [0, 0, 0.07], shape: {box: {size: [0.2, 0.2, 0.02]}}}
  ball: {material: rubber, radius: 0.01, density: 1000, lattice_rotation: {axis: [1, 2, 3], degrees: 30}, shape: {ball: {radius: 0.05}}}
motions:
  down: {body: upper, velocity: [0, 0, -0.4], stop: 0.1, ramp: 0.02}
  up: {body: lower, velocity: [0, 0, 0.4], stop: 0.1, ramp: 0.02}
END
ok 'a ball that plates press' status 0
ok '  keeps velocities by which nothing moves' awk "BEGIN { exit !($(value kinetic_final) > 1e-3) }"
ok '  they are called by their name' warned 'velocities: of .* of kinetic energy at the end'
ok '  no motion' below speed_of_motion_final 1e-9
ok '  and no energy of it' below kinetic_of_motion_final 1e-20
ok '  what the integrator took is little of the work of the plates' below numerical_dissipation_fraction 0.01
ok '  which is not lost either' awk "BEGIN { exit !($(value energy_kept) > 0.5 && $(value energy_kept) <= 1) }"
ok '  nobody advises what makes energy in lasting contact' sh -c '! grep -q newmark pressed/warnings'

# Sand that falls on a cloth of much larger particles, which stretches.
run scene sieve <<'END'
name: sieve
time: {end: 0.4, frame_interval: 0.1, max_step: 1e-3}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 5, shear_stiffness: 5, bend_stiffness: 0.1, damping: 2e-4}
  sand: {model: loose}
bodies:
  cloth: {material: cloth, radius: 0.02, density: 100, fixed: rim, shape: {sheet: {cells: [9, 9]}}}
  sand: {material: sand, radius: 0.009, density: 8000, position: [0, 0, 0.1], velocity: [0, 0, -3], shape: {box: {size: [0.08, 0.08, 0.08]}}}
END
ok 'a cloth of wide meshes' status 0
ok '  lets something through' warned 'leak: on the other side of a sheet than at the start: [0-9]* particles'
ok '  because it stretched' warned 'stretched: a sheet was stretched by up to [0-9.]* % (strain): from 2.53 % on'

# Both ways to stick: deep in each other, and side by side without any reason.
balls() {
    scene "$@" <<'END'
name: balls
gravity: [0, 0, 0]
time: {end: 0.03, frame_interval: 0.01}
materials:
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  left: {material: rubber, radius: 0.01, density: 1000, position: [-0.062, 0, 0], velocity: [20, 0, 0], shape: {ball: {radius: 0.05}}}
  right: {material: rubber, radius: 0.01, density: 1000, position: [0.062, 0.003, 0.004], velocity: [-20, 0, 0], shape: {ball: {radius: 0.05}}}
END
}
run balls interlocked -s time.motion=absolute -s contact.group_min=2 -s contact.group_max=4
ok 'two balls that hit each other much faster than a step can resolve' status 0
ok '  are stable' is unstable false
ok '  and stick' is sticking true
ok '  and say so' warned 'sticking: bodies'
ok '  and that the integrator took their energy' warned 'dissipation: the time integrator dissipated [0-9.]* % of the energy'
ok '  which is a number, too' grep -q '"numerical_dissipation_fraction": 0.[1-9]' interlocked/summary.json
run balls flying -s time.max_step=5e-4 -s 'bodies.left.velocity=[1010, 0, 0]' -s 'bodies.right.velocity=[1000, 0, 0]'
ok 'much slower than they fly together' status 0
ok '  what the integrator takes counts as a fraction of what they hit each other with' warned 'dissipation: the time integrator dissipated'
run balls parted -s time.max_step=2e-5 -s solver.integrator=newmark -s 'bodies.left.velocity=[2, 0, 0]' -s 'bodies.right.velocity=[-2, 0, 0]'
ok 'slower, in short steps' status 0
ok '  they part' is sticking false
ok '  and nothing touches at the end' is free_contact_time_final 0
ok '  and there is nothing to warn of' unwarned
ok '  in end.json neither' grep -q '"warnings": \[\]' "$name/end.json"
ok '  for nothing is lost' grep -q '"numerical_dissipation_fraction": -\{0,1\}[0-9.]*e-' parted/summary.json

# The energy of forces with fixed rotations is not that of a body that turns: exchanging rotations gives back what it loses.
run scene spinning <<'END'
name: spinning
time: {end: 0.1, frame_interval: 0.1, max_step: 1e-3}
materials:
  rubber: {model: corotated, young_modulus: 1e6, poisson_ratio: 0.3}
bodies:
  plate: {material: rubber, radius: 0.02, density: 1000, spin: [0, 0, 62.83185307], shape: {box: {size: [0.2, 0.2, 0.12]}}}
END
ok 'a corotated plate that turns once' status 0
ok '  what steps took is what it lost' awk "BEGIN { lost = $(value energy_start) - $(value energy_final)
    exit !(lost > 0 && $(value lost_by_steps) < 1.01 * lost && $(value lost_by_steps) > 0.99 * lost) }"

# A lid that presses a block to half of its height: particles of two spacings are not neighbors, and must not become columns.
press() {
    scene "$@" <<'END'
name: press
time: {end: 0.3, max_step: 2e-3, frame_interval: 0.3}
contact: {method: sliding, friction: 0.3}
materials:
  rubber: {model: corotated, young_modulus: 1e5, poisson_ratio: 0.3}
  brittle: {model: peridynamics, stiffness: 100, horizon: 1.5}
bodies:
  lid: {material: rubber, radius: 0.02, density: 1000, position: [0, 0, 0.24], fixed: all, shape: {box: {size: [0.2, 0.2, 0.08]}}}
  block: {material: rubber, radius: 0.02, density: 1000, position: [0, 0, 0.1], shape: {box: {size: [0.12, 0.12, 0.2]}}}
motions:
  push: {body: lid, velocity: [0, 0, -0.4], stop: 0.26}
walls:
  floor: {keep: outside, holds: all, position: [0, 0, -0.5], shape: {box: {size: [1, 1, 1]}}}
END
}
run press pressed-block
ok 'a corotated block that is pressed to half of its height' status 0
ok '  is stable' is unstable false
ok '  and moves no faster than the lid' below speed_ratio 1
ok '  and its particles are not in each other' is self_contacts_max 0
# Bonds of one and a half spacings leave columns of hard spheres between the lid and the floor, which cannot give way.
run press jammed -s bodies.block.material=brittle -s time.end=0.204
ok 'a block whose particles jam' status 0
ok '  has all its energy from the lid' is energy_gain 0
ok '  and is unstable all the same' is unstable true
ok '  and says so, and why' warned 'unstable: speed_ratio .* more energy than there was came within a step, .* supports'

# Rotations lag in long steps, too, where sliding contact leaves no other solver.
soft_beam() {
    scene "$@" <<'END'
name: soft
time: {end: 0.02, frame_interval: 0.02, max_step: 4e-3}
materials:
  rubber: {model: corotated, young_modulus: 2e6, poisson_ratio: 0.3}
bodies:
  beam: {material: rubber, radius: 0.02, density: 1000, shape: {box: {size: [0.4, 0.12, 0.12]}}}
END
}
run soft_beam lagging
ok 'a soft corotated beam in long steps' warned 'slow swings: body "beam" .*; shorter steps, or .solver: newton. of its material, would be right$'
run soft_beam lagging-sliding -s contact.method=sliding
ok '  with sliding contact, which takes no such solver' warned 'slow swings: body "beam" .*; shorter steps would be right$'
run soft_beam three -s 'bodies.beam.copies={counts: [1, 1, 3], spacing: [0, 0, 0.3]}'
ok 'three of them, in one line each time' sh -c 'test "$(grep -c "slow swings" three/warnings) $(grep -c "a wave of" three/warnings)" = "1 1"'
ok '  of what waves do' grep -q 'body "beam-1" to "beam-3": a wave of' three/warnings
ok '  and of how they swing' warned 'slow swings: body "beam-[1-3]" (and 2 more) takes'
finish
