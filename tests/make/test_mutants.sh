#!/bin/sh
# scripts/mutants.py on a toy: one function, one test of it, and defects of every kind.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
mkdir -p src/base src/stages tests/unit tests/mutants scripts
cp "$project/scripts/mutants.py" scripts/
cat >src/base/sum.c <<'END'
int sum(int a, int b);
int sum(int a, int b)
{
    return a + b;
}
END
echo 'int main(void) { return 0; }' >src/stages/toy.c
cat >tests/unit/test_sum.c <<'END'
#include <stdio.h>
int sum(int a, int b);
int main(void)
{
    printf("1..1\n%s 1 - two and two\n", sum(2, 2) == 4 ? "ok" : "not ok");
    return 0;
}
END
cat >Makefile <<'END'
all: build/ms-toy
build/ms-toy: src/stages/toy.c
	@mkdir -p build && cc -o $@ $<
build/tests/%.t: tests/unit/%.c src/base/sum.c
	@mkdir -p build/tests && cc -o $@ $^
END
mutants() { run "$PYTHON" -B scripts/mutants.py --jobs 1 "$@"; }

cat >tests/mutants/toy.txt <<'END'
# a comment
[base/sum.c] a difference @ sum
- a + b
+ a - b
END
mutants
ok 'a defect that a test notices is killed' status 0
ok '  and the test is named' out_has 'killed   base/sum.c: a difference'
ok '  and the numbers are' out_has '1 defects: 1 killed, 0 survived, 0 faults of the table'
ok 'the tree is as it was' grep -q 'a + b' src/base/sum.c
ok '  and no copy of it is left' test ! -e build/mutants
flock build/mutants.lock sh -c '"$PYTHON" -B scripts/mutants.py --jobs 1 2>said'
ok 'while another is at work, it is refused' grep -q 'build/mutants: another mutants.py is at work there; wait for its end' said
mutants
ok '  and afterwards it is not' status 0

cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a product @ sum
- a + b
+ a * b
END
mutants
ok 'a defect that no test notices survives, and that is a failure' status 1
ok '  and it is named' out_has '  survived  base/sum.c: a product'
echo '! two and two make four either way' >>tests/mutants/toy.txt
mutants
ok 'unless the table says why' status 0
ok '  which is repeated' out_has 'a product: two and two make four either way'

cat >tests/mutants/toy.txt <<'END'
[base/sum.c] stale @ sum
- a - b
+ a + b
[base/sum.c] a difference @ sum
- a + b
+ a - b
[base/none.c] no file @ sum
- a
+ b
END
mutants
ok 'a text that is not there is a fault' status 1
ok '  with its place' out_has 'tests/mutants/toy.txt:1: the text stands 0 times in src/base/sum.c, not once: stale'
ok '  so is a file' out_has 'tests/mutants/toy.txt:7: there is no src/base/none.c'
ok '  the others are tried nevertheless' out_has '3 defects: 1 killed, 0 survived, 2 faults of the table'
mutants --list --every 2
ok 'of every two, by their files, only the first is chosen' out_is "$(printf '%s\n' \
    'tests/mutants/toy.txt:7: there is no src/base/none.c' 'base/sum.c: a difference')"
mutants --list --every 0
ok '  and none is no choice' err_has '1 or more'

cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a difference @ sun
- a + b
+ a - b
END
mutants
ok 'a word that no test has in its name is a fault' status 1
ok '  with its place' out_has "tests/mutants/toy.txt:1: no test has 'sun' in its name: a difference"

cat >tests/mutants/toy.txt <<'END'
[base/sum.c] nonsense @ sum
- a + b
+ a +
END
mutants
ok 'what does not compile is a fault, not a kill' out_has '1 defects: 0 killed, 0 survived, 1 faults of the table'
ok '  and a failure' status 1

# Long enough that a busy machine gives the first one its second of computing.
sed -i 's/^COMPUTING = .*/COMPUTING = 1/' scripts/mutants.py
cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a sum without end @ sum
- return a + b;
+ for (;;) continue;
END
mutants
ok 'a test that computes for ever notices the defect' status 0
ok '  by its computing time' out_has 'test_sum.t: status -24 after 0 of None tests'

sed -i 's/^PATIENCE = .*/PATIENCE = 3/' scripts/mutants.py
cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a sum that waits @ sum
- int sum(int a, int b)
- {
-     return a + b;
+ int pause(void);
+ int sum(int a, int b)
+ {
+     return pause() + a + b;
END
mutants
ok 'a test that waits for ever notices the defect' status 0
ok '  by the time that passed' out_has 'test_sum.t: status -9 after 0 of None tests'

sed -i 's/sum(2, 2) == 4/sum(2, 2) == 5/' tests/unit/test_sum.c
cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a difference @ sum
- a + b
+ a - b
END
mutants
ok 'a test that fails anyway kills nothing' out_has 'fails without a defect'
ok '  and is a failure' status 1

sed -i 's/sum(2, 2) == 5/sum(2, 2) == 4/' tests/unit/test_sum.c
mkdir -p results/reference paper-figures/preview
cat >src/stages/toy.c <<'END'
#include <stdio.h>
int sum(int a, int b);
int main(void)
{
    printf("%s 1 - S-two (physics, toy): two and one [%d == 3]\n", sum(2, 1) == 3 ? "ok" : "not ok", sum(2, 1));
    printf("not ok 2 - S-never (physics, toy): it never holds [1 == 0]\n");
    printf("not ok 3 - S-known (physics, toy): known not to hold [1 == 0] # TODO known\n");
    printf("%s 4 - S-lost (physics, toy): not measured if a test fails [%s == 3]\n", sum(2, 1) == 3 ? "ok" : "not ok",
           sum(2, 1) == 3 ? "3" : "nothing");
    return sum(2, 1) != 3;
}
END
cat >>Makefile <<'END'
build/ms-toy: src/base/sum.c
	cc -o $@ src/stages/toy.c src/base/sum.c
verify: build/ms-toy
	@test '$(E)' = toy && build/ms-toy
END
sed -i '/^build.ms-toy: src.stages/,+1d' Makefile
defects() { run "$PYTHON" -B scripts/mutants.py --claims "$@"; }
cat >tests/mutants/toy.txt <<'END'
[base/sum.c] a difference @ sum
- a + b
+ a - b
% toy
[base/sum.c] a product @ sum
- a + b
+ a * b
END
defects
ok 'a defect that a test and a claim notice' status 0
ok '  names the test' out_has '  make check   test_sum.t: not ok 1 - two and two'
ok '  and the claim' out_has '  make verify  toy: S-two [1 == 3]'
ok '  not claims that fail anyway, or are not measured' test "$(grep -c 'make verify' .run/out)" = 1
ok '  and no defect without an experiment' out_has '1 defects: 1 noticed by a test and by a claim'
ok '  and leaves no copy' test ! -e build/defects
echo '% toy' >>tests/mutants/toy.txt
sed -i 's/a \* b/b + a/' tests/mutants/toy.txt
defects product
ok 'one that neither notices is a failure' status 1
ok '  which is said of the test' out_has '  make check   survived'
ok '  and of the claims' out_has '  make verify  toy: no claim'

run sh -c 'cd "$0" && "$PYTHON" -B scripts/mutants.py --list' "$project"
ok 'every text of the tables stands in the sources, and every word in the name of a test' status 0
grep '^tests/mutants/' .run/out | sed 's/^/#   /'
ok '  of many' test "$(wc -l <.run/out)" -gt 100
finish
