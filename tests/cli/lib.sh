# The vocabulary of shell tests; they print TAP. A test script reads:
#
#     . "$(dirname "$0")/lib.sh"
#     run ms-sample --nonsense
#     ok 'a wrong option is bad usage' status 2
#     ok '  and one line says so' err_is "ms-sample: unrecognized option '--nonsense'"
#     finish
#
# It runs in an empty folder of its own, which is removed at the end. The exit status is 0 only if the script reached
# `finish` and no test failed; without `finish` there is no plan either.
export LC_ALL=C
# make names it; a test that is started by hand finds it as make does.
: "${PYTHON:=$(command -v /usr/bin/python3 || command -v python3)}"
export PYTHON
scratch=$(mktemp -d) || exit 1
finished=
trap 'rm -rf "$scratch"; [ -n "$finished" ] || exit 1' EXIT
trap 'exit 1' HUP INT TERM
cd "$scratch" || exit 1
mkdir .run
: >.run/out
: >.run/err
command_line=nothing run_status=-
tests=0 failures=0

# run COMMAND...: keeps its exit status, standard output and standard error for what follows.
run() {
    command_line=$*
    "$@" >.run/out 2>.run/err
    run_status=$?
}

# uncounted COMMAND...: one that cannot write files, or is killed while it does. What it counts of its lines (make coverage) goes
# where nothing is counted, without a word; half a file of counts would spoil those of all that come after.
uncounted() {
    mkdir -p -m 777 "$scratch/.run/counts"
    GCOV_PREFIX="$scratch/.run/counts" GCOV_ERROR_FILE=/dev/null "$@"
}

# await COMMAND...: until it succeeds. Twenty minutes are for busy machines; whether it has succeeded is what the next test sees.
await() {
    for _ in $(seq 60000); do
        "$@" && return
        sleep 0.02
    done
    return 1
}

# another_frame FOLDER NUMBER: there are more frames than that
another_frame() { [ "$(ls "$1" 2>/dev/null | grep -c '\.hdf$')" -gt "$2" ]; }

# interrupt FOLDER COMMAND...: as run, but with a Ctrl-C once another frame is in FOLDER/frames.
interrupt() {
    frames=$1/frames
    shift
    command_line=$*
    before=$(ls "$frames" 2>/dev/null | grep -c '\.hdf$')
    # a background job of a shell ignores SIGINT from the start
    env --default-signal=INT "$@" >.run/out 2>.run/err &
    process=$!
    await another_frame "$frames" "$before"
    kill -INT "$process"
    wait "$process"
    run_status=$?
}

# ok 'what it shows' PREDICATE...: one test; when it fails, what the last run did is shown.
ok() {
    what=$1
    shift
    tests=$((tests + 1))
    if "$@"; then
        echo "ok $tests - $what"
        return
    fi
    failures=$((failures + 1))
    echo "not ok $tests - $what"
    # to where prove leaves it
    {
        echo "# ${0##*/}, $tests - $what"
        echo "#   not true: $*"
        echo "#   after: $command_line"
        echo "#   status $run_status"
        sed 's/^/#   stdout: /' .run/out | head -n 20
        sed 's/^/#   stderr: /' .run/err | head -n 20
    } >&2
}

# Whether the programs have a sanitizer, which takes and asks for memory itself.
sanitized() { grep -q fsanitize "$BUILD/flags"; }

# skip 'why' 'what': one test that cannot be made here.
skip() {
    tests=$((tests + 1))
    echo "ok $tests - $2 # SKIP $1"
}

# skip_all 'why': the whole script cannot run here; before the first test.
skip_all() {
    echo "1..0 # SKIP $1"
    finished=yes
    exit 0
}

# lacking 'why' 'what', lacking_all 'why': the same for want of a package. Where all packages are (STRICT, of continuous
# integration), that is a failure.
lacking() {
    [ -n "${STRICT:-}" ] || { skip "$@"; return; }
    tests=$((tests + 1))
    failures=$((failures + 1))
    echo "not ok $tests - $2: $1"
}
lacking_all() {
    [ -n "${STRICT:-}" ] || skip_all "$1"
    lacking "$1" 'can be run'
    finish
}

finish() {
    finished=yes
    echo "1..$tests"
    exit $((failures > 0))
}

# edit FRAME CODE [WORD...]: a frame as another program would change it: CODE is Python that has the open HDF5 `file`, `h5py` and
# the `words`; then the frame is signed again.
edit() {
    "$PYTHON" - "$@" <<'END' || exit 1
import hashlib, sys, h5py
name, code, *words = sys.argv[1:]
with h5py.File(name, "r+") as file:
    exec(code)
with open(name, "r+b") as file:
    text = file.read()
    sum = hashlib.sha256(text[512:]).hexdigest()
    file.seek(0)
    file.write(f"mergesplit frame\nsha256 of all bytes from byte 512 on:\n{sum}\n".encode().ljust(512, b"\0"))
END
}

# ---- scenes, for the first layer of a configuration ------------------------------------------------

# two_balls FRAME_INTERVAL: one of rubber falls on another.
two_balls() {
    cat <<END
name: test
time: {end: 0.02, frame_interval: $1}
materials:
  rubber: {model: peridynamics, stiffness: 100}
bodies:
  a: {material: rubber, radius: 0.01, density: 1000, shape: {ball: {radius: 0.05}}}
  b: {material: rubber, radius: 0.01, density: 1000, position: [0, 0, 0.12], velocity: [0, 0, -5], shape: {ball: {radius: 0.05}}}
END
}

# ball_on_cloth END: a ball falls on a cloth that is fixed at its rim.
ball_on_cloth() {
    cat <<END
name: test
time: {end: $1, max_step: 5e-4, frame_interval: 5e-3}
materials:
  cloth: {model: mass-spring, stretch_stiffness: 40, shear_stiffness: 20, bend_stiffness: 20}
  ball: {model: peridynamics, stiffness: 100}
bodies:
  sheet: {material: cloth, radius: 0.01, particle_mass: 8e-3, fixed: rim, shape: {sheet: {cells: [11, 12]}}}
  ball: {material: ball, radius: 0.01, particle_mass: 8e-3, position: [0, 0, 0.055], velocity: [0, 0, -4], shape: {ball: {radius: 0.035}}}
END
}

# ---- predicates ----------------------------------------------------------------------------------

status() { [ "$run_status" -eq "$1" ]; }
out_has() { grep -qF -e "$1" .run/out; }
out_is() { [ "$(cat .run/out)" = "$1" ]; }
out_lines() { [ "$(wc -l <.run/out)" -eq "$1" ]; }
err_has() { grep -qF -e "$1" .run/err; }
err_is() { [ "$(cat .run/err)" = "$1" ]; }
err_lines() { [ "$(wc -l <.run/err)" -eq "$1" ]; }
# Nothing in the folder but the files named.
only() { [ "$(ls)" = "$(for f; do echo "$f"; done | sort)" ]; }
same() { cmp -s "$1" "$2"; }
differ() { ! cmp -s "$1" "$2"; }
