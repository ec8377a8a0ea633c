#!/bin/sh
# ms-simulate from the outside: exit statuses, messages, stopping, going on, and what a full disk,
# a damaged frame or a wrong folder does.
. "$(dirname "$0")/lib.sh"

two_balls 0.01 >scene.yaml
ms-sample -q -c scene.yaml -o initial.hdf || exit 1
ms-sample -q -c scene.yaml -s time.end=600 -o long.hdf || exit 1
ms-sample -q -c scene.yaml -s seed=5 -o seed.hdf || exit 1

# ---- usage ----

run ms-simulate --version
ok '--version names the program' out_has 'ms-simulate (mergesplit) '
run ms-simulate --help
ok '--help is no failure' status 0
ok '  and shows the options' out_has '--resume'
run sh -c 'ms-simulate --help >/dev/full'
ok 'help that is lost is status 1' status 1
run ms-simulate -o run
ok 'no initial frame: status 2' status 2
ok '  and one line' err_lines 1
run ms-simulate initial.hdf
ok 'no folder: status 2' status 2
ok '  and one line' err_lines 1
run ms-simulate none.hdf -o run -q
ok 'an initial frame that is not there: status 2' status 2
ok '  and one line' err_is 'ms-simulate: none.hdf: cannot be read: No such file or directory'
run ms-simulate scene.yaml -o run -q
ok 'a text instead of a frame: status 2' status 2
ok '  and one line' err_lines 1
mkfifo .run/pipe
run timeout 120 ms-simulate .run/pipe -o run -q
ok 'a pipe instead of a frame: status 2' status 2
ok '  and one line' err_is 'ms-simulate: .run/pipe: cannot be read: it is not a regular file'
ok 'nothing was written by any of these' only initial.hdf long.hdf scene.yaml seed.hdf

# ---- a run ----

run ms-simulate initial.hdf -o run --quiet
ok 'a run: status 0' status 0
ok '  --quiet says nothing' err_is ''
ok '  and it is complete' grep -q '"reason": "complete"' run/end.json
run "$PYTHON" -c 'import json, subprocess
large = bytearray(b"x") * 400000000
subprocess.run(["ms-simulate", "initial.hdf", "-o", "memory", "-q"], check=True, close_fds=False)
print(1000000 < json.load(open("memory/manifest.json"))["peak_memory_bytes"] < 400000000)'
ok '  the memory recorded is its own, whoever started it' out_is True
run "$PYTHON" -c 'import json, sys
m = json.load(open("run/manifest.json"))
left = open(sys.argv[1]).read().strip()
print(m["commit"] == (left.removesuffix("-dirty") or None), m["dirty"] == (left.endswith("-dirty") if left else None))' "$BUILD/commit"
ok '  whoever starts it, the manifest has the commit of the build' out_is 'True True'
run ms-simulate initial.hdf -o loud
ok 'one line of progress where there is no terminal' sh -c 'test "$(grep -c "^100 %" .run/err)" = 1'
ok '  that ends with all of it' err_has '100 %'
ok 'before it, how many steps a wave takes, in one line for bodies that are alike' \
    err_has 'body "a" to "b": a wave of 63.6 m/s takes 0.629 steps of time.max_step, 0.0005 s, through a particle'
run ms-simulate initial.hdf -o run -q
ok 'frames that exist already are kept: status 2' status 2
ok '  and the way out' err_is \
    'ms-simulate: run: holds frames already; go on with --resume, or remove run/frames to start anew'
run ms-simulate seed.hdf -o run -q --resume
ok 'to go on with another configuration: status 2' status 2
ok '  and one line, with what differs' err_is \
    "ms-simulate: run/frames/000002.hdf: belongs to another configuration, in which seed is 1 instead of 5; remove the folder's frames or name another folder"
run ms-simulate initial.hdf -o run/frames -q
ok 'a run among the frames of another: status 2' status 2
ok '  and one line' err_is 'ms-simulate: run/frames: holds the frames of a run themselves (000000.hdf); name a folder of its own'
ok '  and nothing is written there' test ! -e run/frames/frames
run ms-simulate run/frames/000001.hdf -o other -q
ok 'a frame is no initial frame: status 2' status 2
ok '  and one line' err_has 'not an initial frame; make one with ms-sample'
ok '  and no folder' test ! -e other

# ---- stopping and going on ----

rm -r loud
interrupt run-long ms-simulate long.hdf -o run-long -q
ok 'Ctrl-C: status 1' status 1
ok '  and how to go on' err_has 'go on with: ms-simulate long.hdf -o run-long --resume'
ok '  from a checkpoint' test -e run-long/checkpoint.hdf

mkdir -p cut/frames
cp run/frames/000000.hdf run/frames/000001.hdf cut/frames
run ms-simulate initial.hdf -o cut -q --resume
ok 'a run goes on from its last frame: status 0' status 0
ok '  to the same bits' same run/frames/000002.hdf cut/frames/000002.hdf

# ---- damage ----

# spoil FILE 1/N: one byte of it is another, at that fraction of its length
spoil() {
    at=$(($(wc -c <"$1") / $2))
    byte=$(od -An -tu1 -j "$at" -N 1 "$1")
    # shellcheck disable=SC2059 # the escape is the format
    printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$at" conv=notrunc 2>/dev/null
}
# mended WHAT FILE: a run that goes on tells of FILE, and in the end has every frame to the bit
mended() {
    run ms-simulate initial.hdf -o cut -q --resume
    ok "$1: status 0" status 0
    ok '  and one line' err_is "ms-simulate: cut/$2: is damaged; what it held is simulated again"
    ok '  to the same bits' same run/frames/000000.hdf cut/frames/000000.hdf
    ok '  of every frame' same run/frames/000001.hdf cut/frames/000001.hdf
    ok '  to the last' same run/frames/000002.hdf cut/frames/000002.hdf
    ok '  and no other' test "$(ls cut/frames | wc -l)" = 3
}
for middle in 2 3 4 1000; do
    spoil cut/frames/000002.hdf $middle
    mended "a byte spoilt at 1/$middle of the last frame" frames/000002.hdf
done
spoil cut/frames/000001.hdf 3
mended 'a byte spoilt in the middle of the run' frames/000001.hdf
spoil cut/frames/000000.hdf 3
mended 'in the first frame' frames/000000.hdf
head -c 3000 run/frames/000002.hdf >cut/frames/000002.hdf
mended 'a frame cut short' frames/000002.hdf
: >cut/frames/000001.hdf
mended 'an empty frame' frames/000001.hdf
rm cut/frames/000001.hdf
cp run/frames/000001.hdf cut/frames/000017.hdf
run ms-simulate initial.hdf -o cut -q --resume
ok 'a frame that is missing: status 0' status 0
ok '  to the same bits' same run/frames/000001.hdf cut/frames/000001.hdf
ok '  and frames behind it are gone' test ! -e cut/frames/000017.hdf
spoil run-long/checkpoint.hdf 3
interrupt run-long ms-simulate long.hdf -o run-long -q --resume
ok 'a damaged checkpoint: one line tells' err_has 'ms-simulate: run-long/checkpoint.hdf: is damaged; what it held is simulated again'
ok '  and it goes on' err_has 'go on with: ms-simulate long.hdf'
cp initial.hdf spoilt.hdf
spoil spoilt.hdf 3
run ms-simulate spoilt.hdf -o spoilt -q
ok 'a damaged initial frame: status 2' status 2
ok '  and one line' err_is 'ms-simulate: spoilt.hdf: is damaged: its sha256 is not the one written in it; copy it anew, or have it made again'
ok '  and no folder' test ! -e spoilt

# change DATASET INDEX VALUE COMPLAINT: of one number of the initial frame
set_number='file[words[0]][int(words[1])] = float(words[2])'
change() {
    cp initial.hdf changed.hdf
    edit changed.hdf "$set_number" "$1" "$2" "$3"
    run ms-simulate changed.hdf -o changed -q
    ok "$1 $3: status 2" status 2
    ok '  and one line' err_is "ms-simulate: changed.hdf: $4"
    ok '  and no folder' test ! -e changed
}
rm -r cut/frames/000002.hdf
edit cut/frames/000001.hdf "$set_number" body 0 1
run ms-simulate initial.hdf -o cut -q --resume
ok 'a frame with a particle of another body: status 2' status 2
ok '  and one line' err_is \
    'ms-simulate: cut/frames/000001.hdf: body of particle 0 is 1; in the initial frame it is 0'
cp run/frames/000001.hdf foreign.hdf
edit foreign.hdf 'file.move("penetrated", "wrong_side")
file.attrs["fields"] = [b"wrong_side" if field == b"penetrated" else field for field in file.attrs["fields"]]'
run ms-render-prep foreign.hdf --section 0,0,1,0 --thickness 1
ok 'a frame with a field of another version: status 2' status 2
ok '  and one line' err_is "ms-render-prep: foreign.hdf: has a field 'wrong_side', which this program does not know; \
have it made again, or read it with the version that made it"
rm foreign.hdf
change mass 5 -1 'mass of particle 5 is -1; it should be a finite number above 0'
change mass 5 2 "mass of particle 5 is 2 kg; body 'a' has particles of 0.008 kg"
change radius 7 1e9 "radius of particle 7 is 1e+09 m; body 'a' has particles of 0.01 m"
change position 3 nan 'position of particle 3 is (nan, nan, nan); it should be three finite numbers'
change velocity 4 inf 'velocity of particle 4 is (inf, inf, inf); it should be three finite numbers'
change body 6 9 'particle 6 is of body 9, but there are 2'
change body 6 1 'particle 7 is of body 0, the one before it of body 1; particles should be in the order of bodies'

# A limit on the size of files, in units of 512 bytes, stands for a full disk: frame 0 has room, frame
# 1 with its rows of the ledger has not.
blocks=$(($(wc -c <run/frames/000000.hdf) / 512 + 2))
run uncounted sh -c "trap '' XFSZ; ulimit -f $blocks; exec ms-simulate initial.hdf -o full -q"
ok 'a full disk: status 1' status 1
ok '  one line' err_lines 1
ok '  with the cause and the frames that are kept' err_has 'File too large); frames up to number 0 are kept in full/frames'
ok '  and no half of a frame' test "$(ls full/frames)" = 000000.hdf
run ms-simulate initial.hdf -o full -q --resume
ok 'with room again it goes on: status 0' status 0
ok '  to the same bits' same run/frames/000002.hdf full/frames/000002.hdf

run ms-simulate initial.hdf -o scene.yaml -q
ok 'a file where the folder should be: status 1' status 1
ok '  and one line' err_is 'ms-simulate: scene.yaml: cannot make the folder: Not a directory'

# ---- numbers beyond reason ----

ms-sample -q -c scene.yaml -s 'bodies.b.velocity=[0,0,-1e200]' -o fast.hdf || exit 1
run timeout 600 ms-simulate fast.hdf -o fast -q
ok 'a time step of no length: status 1' status 1
ok '  and the step' err_has 'step 1, t = 0 s: the time step has shrunk to 0 s and time stands still'

# ---- fluids ----

cat >fluid.yaml <<'END'
name: fluid
time: {end: 0.1, frame_interval: 0.01}
contact: {method: penalty, stiffness: 1.7e308}
materials:
  water: {model: fluid, pressure: 1e-5, viscosity: 0.01}
  sand: {model: loose}
bodies:
  floor: {material: sand, radius: 0.01, density: 1000, fixed: all, shape: {box: {size: [0.1, 0.1, 0.02]}}}
  drop: {material: water, radius: 0.01, density: 1e-6, position: [0, 0, 0.1], velocity: [0, 0, -1], shape: {ball: {radius: 0.03}}}
END
ms-sample -q -c fluid.yaml -o fluid.hdf || exit 1
run ms-simulate fluid.hdf -o fluid -q
ok 'a fluid that blows up: status 1' status 1
ok '  one line' err_lines 1
ok '  with step and particle' grep -q 'step [0-9]*, t = 0.0[0-9]* s: particle [0-9]* of body "drop" has a position or velocity that is not finite' .run/err
ok '  and the frames that are kept' err_has 'are kept in fluid/frames'
ok '  which are whole' test -s fluid/frames/000003.hdf
ms-sample -q -c fluid.yaml -s 'bodies.drop.velocity_gradient.vx=[1e300, 0, 0]' -s bodies.drop.density=1000 -o strong.hdf || exit 1
run ms-simulate strong.hdf -o strong -q
ok 'forces beyond all numbers: status 1' status 1
ok '  with step and particle' grep -q "step 1, t = 0 s: the fluid's force on particle [0-9]* is not finite" .run/err
ok '  and frame 0 is kept' test -s strong/frames/000000.hdf
run ms-sample -c fluid.yaml -s 'walls.tank={keep: inside, shape: {ball: {radius: 0.1}}}' -o out.hdf
ok 'a fluid beyond a wall: status 2' status 2
ok '  with its place' err_has "fluid.yaml:9:"
ok '  and what would be right' err_has "body 'drop' begins up to 0.0"

# ---- the rebound that backward Euler eats ----

cat >balls.yaml <<'END'
name: balls
gravity: [0, 0, 0]
time: {end: 1e-3, frame_interval: 1e-3, max_step: 5e-4}
materials: {rubber: {model: peridynamics, stiffness: 1000}}
bodies:
  left: {material: rubber, radius: 0.01, density: 1000, position: [-0.05, 0, 0], velocity: [0.5, 0, 0], shape: {ball: {radius: 0.04}}}
  right: {material: rubber, radius: 0.01, density: 1000, position: [0.05, 0, 0], velocity: [-0.5, 0, 0], shape: {ball: {radius: 0.04}}}
END
# rebound SETTING...: what is said before a run with these settings
rebound() {
    rm -rf balls && mkdir balls
    ms-sample -q -c balls.yaml "$@" -o balls/initial.hdf
    run ms-simulate balls/initial.hdf -o balls
}
eaten='would leave the rebound'
rebound
ok 'two elastic balls in long steps of backward Euler: told before the run' \
    err_has 'warning: rebound: an impact of body "left" on body "right" lasts about 0.0012 s, 2.5 steps of time.max_step, and backward-euler would leave the rebound some 9.3 % of its energy; solver.integrator: newmark keeps it; steps would have to be below 1e-05 s'
ok '  once' [ "$(grep -c "$eaten" .run/err)" = 1 ]
for setting in solver.integrator=newmark contact.method=none time.max_step=1e-5 materials.rubber.critical_stretch=0.1; do
    rebound --set $setting --set time.end=1e-5
    ok "  but not with $setting" [ "$(grep -c "$eaten" .run/err)" = 0 ]
done
rebound --set materials.soft.model=peridynamics --set materials.soft.stiffness=10 --set bodies.right.material=soft
ok '  the slower of the two ends the impact' err_has 'lasts about 0.012 s'
sed -i '/^  right/d' balls.yaml
rebound
ok '  not of one ball alone' [ "$(grep -c "$eaten" .run/err)" = 0 ]
floor='{floor: {keep: inside, holds: all, shape: {box: {size: [1, 1, 1]}}}}'
rebound --set "walls=$floor"
ok '  but of one that may hit a wall' err_has 'of body "left" on wall "floor" lasts about 0.0012 s'
cat >>balls.yaml <<'END'
  water: {material: water, radius: 0.01, density: 1000, position: [0.3, 0, 0], shape: {box: {size: [0.04, 0.04, 0.04]}}}
END
sed -i 's|^materials: {|&water: {model: fluid, pressure: 1e5, viscosity: 1e-3}, |' balls.yaml
rebound --set "walls=$floor" --set walls.floor.holds=fluids
ok '  unless it holds only fluids' sh -c 'test -e balls/end.json && ! grep -q "$0" .run/err' "$eaten"

# a body at vertices: what its frame holds is taken, and how far apart they are is known to the end
cat >skin.yaml <<'END'
name: skin
gravity: [0, 0, 0]
time: {end: 0.01, max_step: 5e-3, courant: never, frame_interval: 0.01}
contact: {method: position-based}
materials: {skin: {model: mass-spring, stretch_stiffness: 300, shear_stiffness: 0, bend_stiffness: 0}, water: {model: fluid, viscosity: 0}}
bodies:
  skin: {material: skin, radius: 0.01, density: 300, shape: {ball: {radius: 0.06}}, sampling: {method: vertices, initial_strain: 0.9}}
  water: {material: water, radius: 0.01, density: 1000, shape: {ball: {radius: 0.03}}}
END
ms-sample -q -c skin.yaml -o skin.hdf
mkdir skin
run ms-simulate skin.hdf -o skin
ok 'a surface of vertices that is stretched has holes' status 0
ok '  of which a warning knows' err_has 'particles of body "water" pass between those of "skin"'
finish
