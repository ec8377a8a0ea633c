# shellcheck shell=sh
# A copy of the project in a temporary folder, with stand-ins for the programs (milliseconds instead
# of minutes) and one experiment; the Makefile and scripts are the real ones.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
work=$scratch
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD SCALE QUALITY DEBUG SANITIZE NATIVE TESTS RUN CC

cp -r "$project/Makefile" "$project/scripts" .
mkdir docs
cp "$project/docs/paper.csv" "$project/docs/corotated-paper.csv" docs/
mkdir -p src/stages src/base configs/methods configs/examples experiments/fig99-toy paper-figures
cp "$project"/tests/make/toy/*.c src/stages/
echo 'extern int nothing; int nothing = 0;' >src/base/nothing.c
echo '#define PROGRAM_VERSION "1.0"' >src/base/program.h
echo 'm: penalty' >configs/methods/penalty.yaml
echo 'm: merging' >configs/methods/merging.yaml
echo 'e: 1' >configs/examples/ball-on-cloth.yaml
echo 'a: 1' >experiments/fig99-toy/scene.yaml
cat >experiments/fig99-toy/README.md <<'END'
# A toy

The paper says nothing of it.
END
cat >experiments/fig99-toy/runs <<'END'
axis height
    low  velocity=[0,0,-1]   # a comment
    high velocity=[0,0,-2]
axis k 1e3 1e4 : penalty stiffness={}
run {height}-k{k} name=weak
run {height}-merging merging
section 0,1,0,0 0.02 1
compare merging-against-k low-merging low-k1e3 cloth
END
# Stands in for a drawing with Matplotlib: four pixels, which follow from the table and the line.
cat >experiments/fig99-toy/draw.py <<'END'
import sys
import zlib
from PIL import Image


def draw(results, pictures, run, name, line):
    with open(f"{results}/{run}/metrics.csv", "rb") as file:
        pixels = zlib.crc32(file.read() + line.encode()).to_bytes(4, "big")
    Image.frombytes("L", (4, 1), pixels).save(f"{pictures}/{name}.png")
    with open(f"{pictures}/{name}.pdf", "w") as file:
        file.write(f"%PDF-1.4\n% {pixels.hex()}\n")


draw(*sys.argv[1:3], "low-merging", "fig99-toy", "-")
END
# real_drawing: the same by a script as those of experiments; a second
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
mkdir experiments/ablation-other
cp experiments/fig99-toy/scene.yaml experiments/fig99-toy/README.md experiments/ablation-other/
echo 'run only merging' >experiments/ablation-other/runs
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
claims fig99-toy T-1 '== 0' 'max(m.column("*-merging", "penetrated"))' ''
claims ablation-other T-2 '== 0' 'max(m.column("only", "penetrated"))' ''
sed 's/low-merging/only/; s/fig99-toy/ablation-other/' experiments/fig99-toy/draw.py >experiments/ablation-other/draw.py

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
