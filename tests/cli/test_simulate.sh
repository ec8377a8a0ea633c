#!/bin/sh
# ms-simulate from the outside: exit statuses, messages, stopping, going on, and what a full disk,
# a damaged frame or a wrong folder does.
. "$(dirname "$0")/lib.sh"

cat >scene.yaml <<'END'
name: test
time: {end: 0.02, frame_interval: 0.01}
materials:
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  a: {material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.05}}}
  b: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.12], velocity: [0, 0, -5], shape: {ball: {radius: 0.05}}}
END
ms-sample -q -c scene.yaml -o initial.hdf || exit 1
ms-sample -q -c scene.yaml -s time.end=600 -o long.hdf || exit 1
ms-sample -q -c scene.yaml -s seed=5 -o seed.hdf || exit 1

# ---- usage ----

run ms-simulate --version
ok '--version names the program' out_is 'ms-simulate (mergesplit) 0.1.0'
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
ok 'nothing was written by any of these' only initial.hdf long.hdf scene.yaml seed.hdf

# ---- a run ----

run ms-simulate initial.hdf -o run --quiet
ok 'a run: status 0' status 0
ok '  --quiet says nothing' err_is ''
ok '  and it is complete' grep -q '"reason": "complete"' run/end.json
run /usr/bin/python3 -c 'import json, subprocess
large = bytearray(b"x") * 400000000
subprocess.run(["ms-simulate", "initial.hdf", "-o", "memory", "-q"], check=True, close_fds=False)
print(1000000 < json.load(open("memory/manifest.json"))["peak_memory_bytes"] < 400000000)'
ok '  the memory recorded is its own, whoever started it' out_is True
run ms-simulate initial.hdf -o loud
ok 'a line of progress where there is no terminal' err_lines 1
ok '  that ends with all of it' err_has '100 %'
run ms-simulate initial.hdf -o run -q
ok 'frames that exist already are kept: status 2' status 2
ok '  and the way out' err_is \
    'ms-simulate: run: holds frames already; go on with --resume, or remove run/frames to start anew'
run ms-simulate seed.hdf -o run -q --resume
ok 'to go on with another configuration: status 2' status 2
ok '  and one line' err_has 'run/frames/000002.hdf: belongs to another configuration'
run ms-simulate run/frames/000001.hdf -o other -q
ok 'a frame is no initial frame: status 2' status 2
ok '  and one line' err_has 'not an initial frame; make one with ms-sample'
ok '  and no folder' test ! -e other

# ---- stopping and going on ----

rm -r loud
# a background job of a shell ignores SIGINT from the start; setsid's child does not inherit more
env --default-signal=INT ms-simulate long.hdf -o run-long -q 2>stopped &
process=$!
for _ in $(seq 100); do
    [ -e run-long/frames/000001.hdf ] && break
    sleep 0.05
done
run true
kill -INT "$process"
wait "$process"
ok 'Ctrl-C: status 1' test $? -eq 1
ok '  and how to go on' grep -q 'go on with: ms-simulate long.hdf -o run-long --resume$' stopped
ok '  from a checkpoint' test -e run-long/checkpoint.hdf

mkdir -p cut/frames
cp run/frames/000000.hdf run/frames/000001.hdf cut/frames
run ms-simulate initial.hdf -o cut -q --resume
ok 'a run goes on from its last frame: status 0' status 0
ok '  to the same bits' same run/frames/000002.hdf cut/frames/000002.hdf

# ---- damage ----

# HDF5 itself loses some memory over damaged metadata; the leak sanitizer need not tell us.
export LSAN_OPTIONS=detect_leaks=0
size=$(wc -c <run/frames/000002.hdf)
for middle in 2 3 4; do
    at=$((size / middle))
    cp run/frames/000002.hdf cut/frames/000002.hdf
    byte=$(od -An -tu1 -j "$at" -N 1 cut/frames/000002.hdf)
    # shellcheck disable=SC2059 # the escape is the format
    printf "\\$(printf %o $((255 - byte)))" |
        dd of=cut/frames/000002.hdf bs=1 seek="$at" conv=notrunc 2>/dev/null
    run ms-simulate initial.hdf -o cut -q --resume
    ok "a byte spoilt at 1/$middle of the frame: noticed, or harmless" test "$run_status" -ne 1 -a "$run_status" -lt 3
    ok '  and at most one line' test "$(wc -l <.run/err)" -le 1
done
head -c 3000 run/frames/000002.hdf >cut/frames/000002.hdf
run ms-simulate initial.hdf -o cut -q --resume
ok 'a frame cut short: status 2' status 2
ok '  and one line' err_lines 1

unset LSAN_OPTIONS

# A limit on the size of files, in units of 512 bytes, stands for a full disk: frame 0 has room, frame
# 1 with its rows of the ledger has not.
blocks=$(($(wc -c <run/frames/000000.hdf) / 512 + 2))
run sh -c "trap '' XFSZ; ulimit -f $blocks; exec ms-simulate initial.hdf -o full -q"
ok 'a full disk: status 1' status 1
ok '  one line' err_lines 1
ok '  with the cause and the frames that are kept' err_has 'File too large); frames up to number 0 are kept in full/frames'
ok '  and no half of a frame' test "$(ls full/frames)" = 000000.hdf
run ms-simulate initial.hdf -o full -q --resume
ok 'with room again it goes on: status 0' status 0
ok '  to the same bits' same run/frames/000002.hdf full/frames/000002.hdf

run ms-simulate initial.hdf -o scene.yaml -q
ok 'a file where the folder should be: status 1' status 1
ok '  and one line' err_lines 1

# ---- numbers beyond reason ----

ms-sample -q -c scene.yaml -s 'bodies.b.velocity=[0,0,-1e200]' -o fast.hdf || exit 1
run timeout 60 ms-simulate fast.hdf -o fast -q
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
ok '  with step and particle' grep -q 'step [0-9]*, t = 0.0[0-9]* s: particle [0-9]* of body "drop" has a velocity that is not finite' .run/err
ok '  and the frames that are kept' err_has 'are kept in fluid/frames'
ok '  which are whole' test -s fluid/frames/000003.hdf
ms-sample -q -c fluid.yaml -s materials.water.cohesion=1e308 -s bodies.drop.density=1000 -o strong.hdf || exit 1
run ms-simulate strong.hdf -o strong -q
ok 'forces beyond all numbers: status 1' status 1
ok '  with step and particle' grep -q "step 1, t = 0 s: the fluid's force on particle [0-9]* is not finite" .run/err
ok '  and frame 0 is kept' test -s strong/frames/000000.hdf
run ms-sample -c fluid.yaml -s 'walls.tank={keep: inside, shape: {ball: {radius: 0.1}}}' -o out.hdf
ok 'a fluid beyond a wall: status 2' status 2
ok '  with its place' err_has "fluid.yaml:9:"
ok '  and what would be right' err_has "body 'drop' begins up to 0.0"

finish
