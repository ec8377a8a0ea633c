#!/bin/sh
# What make install installs is of use where the sources are not: a program in C is compiled, linked and run.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
prefix=$PWD/prefix
! sanitized || skip_all 'a program without sanitizers cannot use a library with them'
! grep -q -e --coverage "$BUILD/flags" || skip_all 'a program that counts no lines cannot use a library that does'
(cd "$project" && DESTDIR='' PREFIX=$prefix scripts/install put "$BUILD") || exit 1
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" PATH="$prefix/bin:$PATH"

# Head-on, masses 1 and 3 at 2 and -1 m/s; without losses they part at -2.5 and 0.5 m/s.
cat >pair.c <<'END_OF_C'
#include "contact/merge.h"
#include <stdio.h>
int main(void)
{
    struct error error = {0};
    struct particles p;
    struct groups groups;
    struct merge_forest forest;
    struct merge_report merged;
    struct split_report split;
    if (particles_create(&p, 2, &error))
        return 1;
    p.mass[0] = 1, p.position[0] = vec3(0, 0, 0), p.velocity[0] = vec3(2, 0, 0);
    p.mass[1] = 3, p.position[1] = vec3(1, 0, 0), p.velocity[1] = vec3(-1, 0, 0);
    struct pair_list pairs = {.n = 1, .pair = &(struct pair){0, 1}};
    struct group_limits limits = {.min = 8, .max = 64, .seed = 1};
    if (groups_create(&groups, &p, &error) || merge_forest_create(&forest, 2, &error) ||
        merge_pairs(&forest, &p, &pairs, &limits, 0, &groups, &merged, &error))
        return 1;
    merged_velocities(&forest, p.velocity);
    printf("%g %g ", p.velocity[0].x, p.velocity[1].x);
    struct split_rule rule = {.alpha = 1.0, .roots = ROOTS_TAKEN};
    split_forest(&forest, &rule, NULL, p.velocity, &split);
    printf("%g %g\n", p.velocity[0].x, p.velocity[1].x);
    return 0;
}
END_OF_C
# shellcheck disable=SC2046 # words
run "${CC:-gcc}" -Wall -Werror -o pair pair.c $(pkg-config --cflags --libs mergesplit)
ok 'a program in C is compiled with the installed headers and linked with the installed library' status 0
ok '  without a word' err_is ''
run ./pair
ok '  it merges two particles and splits them again' out_is '-0.25 -0.25 -2.5 0.5'

(cd "$prefix/include/mergesplit" && find . -name '*.h' | sort | sed 's|.*|#include "&"|') >all.c
ok 'the headers are there' [ "$(wc -l <all.c)" -gt 100 ]
# shellcheck disable=SC2046 # words
run "${CC:-gcc}" -Wall -Werror -D_GNU_SOURCE -fsyntax-only all.c $(pkg-config --cflags mergesplit)
ok '  and need no others' status 0

run pkg-config --modversion mergesplit
ok 'pkg-config knows the version' out_is "$("$BUILD/ms-sample" --version | sed 's/.* //')"
mv "$prefix" moved
run env PKG_CONFIG_PATH=moved/lib/pkgconfig pkg-config --variable=prefix mergesplit
ok '  and the tree may be moved' [ -d "$(cat .run/out)/include/mergesplit" ]
mv moved "$prefix"

cp -r "$prefix/share/mergesplit/examples" examples
run "$prefix/bin/ms-sample" -c examples/mesh.yaml -c "$prefix/share/mergesplit/methods/penalty.yaml" --check
ok 'the examples and methods are those of the programs' status 0
run env -u MERGESPLIT_PROGRAMS PATH=/usr/bin:/bin PYTHONPATH="$(dirname "$(find "$prefix/lib" -name mergesplit -type d)")" "$PYTHON" -B -c '
import mergesplit
print(mergesplit.run("examples/ball-on-cloth.yaml", "out", time__end=0.002).metrics["step"].max())'
ok 'the Python module finds the programs it was installed with' out_is 2
(cd "$project" && DESTDIR='' PREFIX=$prefix scripts/install remove /nowhere)
ok 'nothing is left when all is removed' [ "$(find "$prefix" ! -type d)" = '' ]
finish
