# shellcheck shell=sh
# A copy of the toy, which toy_project.sh has made once for all tests: the project with stand-ins for the programs, which are built,
# and the experiments fig99-toy and ablation-other, which are not made yet.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
work=$scratch
toy=${BUILD:-$project/build}/tests/toy
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD SCALE QUALITY DEBUG SANITIZE NATIVE TESTS RUN CC OMP_NUM_THREADS
# started by hand
[ -e "$toy.stamp" ] || make -s -C "$project" build/tests/toy.stamp >&2 || exit 1
# Contents and times: make sees what it has made.
cp -a "$toy/project/." .

# made: also the results and pictures of both experiments, as `make figures ablations` leaves them
made() { cp -a "$toy/made/." .; }

# real_page: the page by its own script, for tests that look at it; a fifth of a second each time
real_page() { cp "$project/scripts/report.py" scripts/; }
toy_page() { cp "$toy/project/scripts/report.py" scripts/; }

# real_drawing: the drawing of fig99-toy by a script as those of experiments; a second
real_drawing() {
    cat >experiments/fig99-toy/draw.py <<'END'
import sys
import style
figure, axes = style.plt.subplots()
data = style.metrics(sys.argv[1], "low-merging")
axes.plot(data["time"], data["penetrated"], "-")
style.save(figure, sys.argv[2], "fig99-toy")
END
}
# claims EXPERIMENT [ID HOLDS EXPRESSION KNOWN]...: the claims of an experiment, findings; with a text as KNOWN, of physics
claims() {
    file=experiments/$1/claims.py
    shift
    echo 'from claims import claim' >"$file"
    while [ $# -gt 0 ]; do
        printf '@claim("%s", kind="%s", states="of %s", holds="%s", because="so"%s)\ndef f%s(m):\n    return %s\n' \
            "$1" "$([ "$4" ] && echo physics || echo finding)" "$1" "$2" "${4:+, known=\"$4\"}" $# "$3" >>"$file"
        shift 4
    done
}

# is ACTUAL EXPECTED
is() {
    [ "$1" = "$2" ] || { echo "# got '$1', expected '$2'"; return 1; }
}

# has FILE TEXT
has() {
    grep -qF -- "$2" "$1" || { echo "# no '$2' in $1:"; sed 's/^/#   /' "$1"; return 1; }
}

# lines FILE NUMBER: it has at least so many
lines() { [ "$(wc -l <"$1")" -ge "$2" ]; }

# quiet COMMAND...: its output is no TAP
quiet() {
    "$@" >quiet.log 2>&1 || { sed 's/^/#   /' quiet.log; return 1; }
}

# How many simulations `make $@` starts.
simulations() {
    : >ran.log
    make "$@" >make.log 2>&1 || { cat make.log >&2; echo failed; return; }
    wc -l <ran.log | tr -d ' '
}

# wrong_runs LINE MESSAGE: of a table of runs with that last line make has nothing but the message (what it does then: test_alone.sh)
wrong_runs() {
    cp experiments/fig99-toy/runs runs.good
    printf '%s\n' "$1" >>experiments/fig99-toy/runs
    "$PYTHON" -B scripts/rules.py experiments/fig99-toy small wrong.mk
    ok "'$1': the experiment is broken" has wrong.mk 'broken += fig99-toy'
    ok "... and why" has wrong.fault "experiments/fig99-toy/runs$2"
    rm -f wrong.*
    mv runs.good experiments/fig99-toy/runs
}
