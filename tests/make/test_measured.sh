#!/bin/sh
# Claims about values that a test measured.
. "$(dirname "$0")/toy.sh"
mkdir -p tests/unit
# program LINES...: the test program, which prints these lines and counts its runs in ran.log
program() {
    printf '#include <stdio.h>\nint main(void)\n{\n    FILE *log = fopen("ran.log", "a");\n    fputs("tested\\n", log);\n    fclose(log);\n' >tests/unit/test_toy.c
    for line; do
        printf '    puts("%s");\n' "$line" >>tests/unit/test_toy.c
    done
    printf '    return 0;\n}\n' >>tests/unit/test_toy.c
}
# claim EXPRESSION: of a value below 2; status and output of make verify
claim() {
    claims ablation-tested T-3 '< 2' "$1" ''
    status=0
    make verify >make.log 2>&1 || status=$?
}
mkdir experiments/ablation-tested
echo '# A tested toy' >experiments/ablation-tested/README.md
echo 'test toy' >experiments/ablation-tested/runs
cat >experiments/ablation-tested/draw.py <<'END'
import sys
import style
figure, axes = style.plt.subplots()
axes.plot([style.measured(sys.argv[1])["T3.first"]], "o")
style.save(figure, sys.argv[2], "ablation-tested")
END
program 1..2 'ok 1 - a' '# measured T3.first 1.5' '# measured T3.second 1e-3' 'ok 2 - b'

claim 'm.measured("T3.first")'
ok "a claim uses a measured value" has make.log "T-3 (our own, ablation-tested): of T-3 [1.5 < 2]"
ok "... status 0" is "$status" 0
make ablations >make.log 2>&1
ok "... and so does a picture" quiet test -s paper-figures/ablation-tested.pdf
claim 'len(m.measured("T3.*"))'
ok "a pattern stands for several values" has make.log "of T-3 [2 < 2]"
claim 'len(m.measured("T3.*")) - 1'
ok "... as a list" has make.log "of T-3 [1 < 2]"
claim 'm.measured("T3.third")'
ok "a value that nobody measured is a failure" is "$status" 2
ok "... with the names there are" has make.log "no test measured 'T3.third'; measured are T3.first, T3.second"
claim 'm.measured("T3.second")'
ok "nothing is measured twice" is "$(simulations ablations)" 0
touch tests/unit/test_toy.c
echo '/* a comment */' >>tests/unit/test_toy.c
ok "... for a comment" is "$(simulations ablations)" 0
rm results/small/ablation-tested/toy.tap
ok "a removed result is measured again" is "$(simulations ablations)" 1
sed -i 's/1.5/1.6/' tests/unit/test_toy.c
make plan >plan.log 2>&1
ok "make plan names what would be measured" has plan.log "measure   ablation-tested/toy"
ok "a changed test is run again" is "$(simulations ablations)" 1
ok "... and its picture drawn" has make.log "drew      ablation-tested"

# broken MESSAGE LINES...: a program that prints these lines measures nothing
broken() {
    message=$1
    shift
    program "$@"
    printf 'import sys\nimport style\nstyle.save(style.plt.figure(), sys.argv[2], "ablation-tested")\n' \
        >experiments/ablation-tested/draw.py
    claim 'm.measured("T3.first")'
    ok "$message: a failure" is "$status" 2
    ok "... and not a value" has make.log "[nothing < 2]"
}
broken "a test that fails" 1..2 'not ok 1 - a' '# measured T3.first 1' 'ok 2 - b'
broken "a test that was skipped" 1..1 '# measured T3.first 1' 'ok 1 - a # SKIP no reason'
broken "a test that ended early" 1..2 '# measured T3.first 1' 'ok 1 - a'
broken "a name measured twice" 1..1 '# measured T3.first 1' '# measured T3.first 2' 'ok 1 - a'
broken "a value without a number" 1..1 '# measured T3.first' 'ok 1 - a'
program 1..2 '# measured T3.first 1' 'not ok 1 - a' 'ok 2 - b'
sed -i 's/return 0/return 1/' tests/unit/test_toy.c
claim 'm.measured("T3.first")'
ok "what a test that fails measured does not hold" is "$status" 2
ok "... whatever its value" has make.log "[nothing < 2]"
ok "... and the program is named" has make.log "not every test passed; see make check TESTS=test_toy"
claim 'm.measured("T3.first") + 2'
ok "... unless its value says so" has make.log "[3 < 2]"
program 1..1 '# measured T3.first nan' 'ok 1 - a'
claim 'm.measured("T3.first")'
ok "a value that is not a number fails" is "$status" 2
ok "... and is printed" has make.log "[nan < 2]"
sed -i 's/return 0/return 3/' tests/unit/test_toy.c
claim 'm.measured("T3.first")'
ok "a program that fails stops make" has make.log "test_toy.t failed"
echo 'test nobody' >experiments/ablation-tested/runs
make ablations >make.log 2>&1
ok "a test that does not exist stops make" has make.log "experiments/ablation-tested/runs:1: there is no tests/unit/test_nobody.c"
printf 'test toy\ntest toy\n' >experiments/ablation-tested/runs
make ablations >make.log 2>&1
ok "a test named twice stops make" has make.log "experiments/ablation-tested/runs:2: test toy already exists"
finish
