#!/bin/sh
# The exit status of a test program says whether its tests passed, for those who do not read TAP.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"

# program BODY [PATIENCE]: a test program with two tests; the second one is BODY. A test may compute for 1 s, and take as long as a
# busy machine needs for that, or PATIENCE.
program() {
    cat >test.c <<END
#include "tap.h"
TEST(first) { check(true); }
TEST(second) { $1 }
END
    "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -DTAP_SECONDS=1 -DTAP_PATIENCE="${2:-600}" -I"$project/tests" -o test.t test.c -lm || exit 1
}
program 'check(1 + 1 == 2);'
run ./test.t
ok 'a program whose tests pass: status 0' status 0
run sh -c './test.t >/dev/full'
ok '  but not if its lines are lost' status 1
program 'check(1 + 1 == 3);'
run ./test.t
ok 'a program with a test that fails: status 1' status 1
ok '  and which one it was' out_has 'not ok 2 - second'
program 'abort();'
run ./test.t
ok 'a test that crashes: status 1' status 1
ok '  and how it ended' err_has 'killed by signal 6'
program 'skip("no reason");'
run ./test.t
ok 'a test that is skipped: status 0' status 0
program 'for (;;) continue;'
run ./test.t
ok 'a test that computes for ever: status 1' status 1
ok '  because of its computing time' err_has 'killed by signal 24 (CPU time limit exceeded)'
program 'sleep(2);'
run ./test.t
ok 'a test that has to wait for the machine passes' status 0
program 'pause();' 1
run ./test.t
ok 'a test that waits for ever: status 1' status 1
ok '  because of the time that passed' err_has 'killed by signal 14 (Alarm clock)'

# script BODY: a shell test that runs BODY after its first test.
script() {
    printf '#!/bin/sh\n. "%s/tests/cli/lib.sh"\nrun true\nok first status 0\n%s\n' "$project" "$1" >test.sh
    run sh test.sh
}
script finish
ok 'a script whose tests pass: status 0' status 0
script 'ok second status 1
ok third status 0
finish'
ok 'a script with a test that fails: status 1' status 1
ok '  after all its tests' out_has '1..3'
script ''
ok 'a script that ends before finish: status 1' status 1
script 'exit 0'
ok '  even if it says 0' status 1
script 'skip "no reason" second
finish'
ok 'a test that is skipped: status 0' status 0
unset STRICT
script 'lacking "no package" second
finish'
ok '  for want of a package, too' status 0
export STRICT=1
run sh test.sh
ok '  but not where all packages are to be there' status 1
ok '  and which one is not' out_has 'not ok 2 - second: no package'
printf '. "%s/tests/cli/lib.sh"\nlacking_all "no package"\n' "$project" >test.sh
run sh test.sh
ok '  nor a whole script' status 1
printf '. "%s/tests/cli/lib.sh"\nskip_all "no reason"\n' "$project" >test.sh
run sh test.sh
ok 'a script that is skipped: status 0' status 0
ok '  with its reason' out_is '1..0 # SKIP no reason'
finish
