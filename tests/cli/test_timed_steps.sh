#!/bin/sh
# ms-simulate --from FRAME --steps N: the steps are those of the run that the frame came from, which stays as it is, and
# each has its times.
. "$(dirname "$0")/lib.sh"

two_balls 0.005 >scene.yaml
ms-sample -q -c scene.yaml -o initial.hdf || exit 1
ms-sample -q -c scene.yaml -s seed=5 -o seed.hdf || exit 1
ms-sample -q -c scene.yaml -s bodies.b.shape.ball.radius=0.04 -o small.hdf || exit 1
mkdir run tables
cp initial.hdf run/
ms-simulate initial.hdf -o run -q || exit 1
find run -type f ! -name timing.csv ! -name memory.csv ! -name manifest.json -exec sha256sum {} + >.run/before

# value FILE COLUMN ROW: of a table
value() {
    "$PYTHON" -c 'import csv, sys; print(list(csv.DictReader(open(sys.argv[1])))[int(sys.argv[3])][sys.argv[2]])' "$@"
}
steps=$(($(ms-analyze run -o tables >/dev/null && value tables/metrics.csv step -1) / 4))

# ---- usage ----

run ms-simulate initial.hdf -o timed --steps 3
ok '--steps alone: status 2' status 2
ok '  and one line' err_is 'ms-simulate: --from FRAME and --steps N belong together; see ms-simulate --help'
run ms-simulate initial.hdf -o timed --from run/frames/000001.hdf
ok '--from alone: status 2' status 2
run ms-simulate initial.hdf -o timed --from run/frames/000001.hdf --steps 3 --resume
ok 'with --resume: status 2' status 2
for n in 0 -1 2.5 many; do
    run ms-simulate initial.hdf -o timed --from run/frames/000001.hdf --steps=$n
    ok "--steps $n: status 2" status 2
    ok '  and one line' err_is "ms-simulate: --steps: \"$n\" is no number of steps; give 1 or more; see ms-simulate --help"
done
run ms-simulate initial.hdf -o timed --from none.hdf --steps 3
ok 'a frame that is not there: status 2' status 2
ok '  and one line' err_is 'ms-simulate: none.hdf: cannot be read: No such file or directory'
run ms-simulate seed.hdf -o timed --from run/frames/000001.hdf --steps 3
ok 'a frame of another configuration: status 2' status 2
ok '  and one line, with what differs' err_is \
    'ms-simulate: run/frames/000001.hdf: belongs to another configuration, in which seed is 1 instead of 5; give the initial frame that its run began with'
run ms-simulate small.hdf -o timed --from run/frames/000001.hdf --steps 3
ok 'a frame with more particles: status 2' status 2
ok '  and one line, with their cause' err_is \
    'ms-simulate: run/frames/000001.hdf: belongs to another configuration, in which bodies.b.shape.ball.radius is 0.05 instead of 0.04; give the initial frame that its run began with'
cp run/frames/000001.hdf more.hdf
edit more.hdf 'del file["config"]; h5py.File(words[0]).copy("config", file)' small.hdf
run ms-simulate small.hdf -o timed --from more.hdf --steps 3
ok 'a frame with more particles than its configuration makes: status 2' status 2
ok '  and one line' err_is \
    'ms-simulate: more.hdf: has 162 particles, the initial frame of the same configuration has 113: another version of ms-sample made one of them; give the initial frame that its run began with'
rm more.hdf
run ms-simulate initial.hdf -o timed --from run/frames/000004.hdf --steps 3
ok 'the last frame: status 2' status 2
ok '  and one line' err_is \
    'ms-simulate: run/frames/000004.hdf: the run ends here, at t = 0.02 s; go on from an earlier frame, or give a later --until'
cp run/frames/000001.hdf one.hdf
run ms-simulate initial.hdf -o run --from one.hdf --steps 3
ok 'a folder with frames: status 2' status 2
ok '  and one line' err_is 'ms-simulate: run: holds frames; the times of steps need a folder of their own'
rm one.hdf
run ms-simulate initial.hdf -o run/frames --from run/frames/000001.hdf --steps 3
ok 'the folder of the frames themselves: status 2' status 2
ok '  and one line' err_is 'ms-simulate: run/frames: holds the frames of a run themselves (000000.hdf); name a folder of its own'
ok '  and nothing was written there' test "$(ls run/frames | grep -cv '^00000[0-4].hdf$')" = 0
ok 'nothing was written by any of these' test ! -e timed

# ---- steps ----

run ms-simulate initial.hdf -o timed --from run/frames/000001.hdf --steps "$steps"
ok 'steps between two frames: status 0' status 0
ok '  nothing is said' err_is ''
ok '  each has a row' test "$(wc -l <timed/steps.csv)" = $((steps + 1))
ok '  the first follows the frame' test "$(value timed/steps.csv step 0)" = $((steps + 1))
run ms-analyze --compare timed/checkpoint.hdf run/frames/000002.hdf
ok '  and the last ends with the next frame, to the bit' out_is 'frame: number differs in 1 entries, the first at 0: max abs 1, max rel 0.5'
run "$PYTHON" -c 'import csv
rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(open("timed/steps.csv"))]
phases = [name for name in list(rows[0])[3:] if name.endswith("_s")][:-3]
spent, wall = sum(row[name] for row in rows for name in phases), sum(row["wall_s"] for row in rows)
print(len(phases), abs(spent - wall) <= 1e-9 * len(phases) * len(rows),
      all(row["first_stage_s"] > 0 for row in rows), all((row["later_stages_s"] > 0) == (row["stages"] > 1) for row in rows))'
ok '  the phases of a step are all of it, up to rounding' out_is '12 True True True'
ok '  what comes before the first step is in none' test "$(value timed/steps.csv preparing_s 0)" = 0.000000000
ok '  but in the times of the run' test "$(value timed/timing.csv preparing_s 0)" != 0.000000
ok '  and how much there was to do is in metrics.csv, too' test "$(value timed/steps.csv contacts -1)" = "$(value tables/metrics.csv contacts $((2 * steps - 1)))"
cp timed/checkpoint.hdf half.hdf
run ms-simulate initial.hdf -o again --from half.hdf --steps 1
ok 'from the state after them: status 0' status 0
ms-simulate initial.hdf -o other --from run/frames/000002.hdf --steps 1 || exit 1
ok '  to the bits of the frame that was due there' same again/checkpoint.hdf other/checkpoint.hdf
ms-simulate initial.hdf -o two --from run/frames/000001.hdf --steps 2 || exit 1
ms-simulate initial.hdf -o five --from two/checkpoint.hdf --steps 3 || exit 1
ms-simulate initial.hdf -o straight --from run/frames/000001.hdf --steps 5 || exit 1
ok 'steps in two parts: the same bits as in one' same five/checkpoint.hdf straight/checkpoint.hdf
run ms-simulate initial.hdf -o further --from run/frames/000003.hdf --steps $((steps + 1))
ok 'more steps than the run has: status 1' status 1
ok '  and one line' err_is \
    "ms-simulate: further: the run ends after $steps of the $((steps + 1)) steps, at t = 0.02 s; go on from an earlier frame, or give a later --until"
ok '  with the times of those there are' test "$(wc -l <further/steps.csv)" = $((steps + 1))
run ms-simulate initial.hdf -o later --from run/frames/000003.hdf --steps $((steps + 1)) --until 0.03
ok 'with a later end: status 0' status 0
run ms-simulate initial.hdf -o first --from initial.hdf --steps 2
ok 'from the initial frame itself: status 0' status 0
run ms-simulate initial.hdf -o first --from first/checkpoint.hdf --steps 2
ok 'a frame that would be overwritten: status 2' status 2
ok '  and one line' err_is \
    'ms-simulate: first/checkpoint.hdf: is the input first/checkpoint.hdf itself, which would be overwritten; write elsewhere'
run sha256sum --check --quiet .run/before
ok 'the run itself stays as it is' status 0
finish
