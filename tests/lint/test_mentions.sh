#!/bin/sh
# The files, folders, links and names that texts and comments mention exist, equations are named by their paper, and no file has
# the address of a host.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
mentions=$project/scripts/mentions.py

cd "$project" || exit 1
run_status=$("$PYTHON" -B "$mentions" >"$scratch/found"; echo $?)
ok 'all that is mentioned exists' status 0
sed 's/^/#   /' "$scratch/found"

# Such as what a redirection to a word that was meant for a program leaves.
git ls-files 2>/dev/null | grep -v '^[A-Za-z0-9._/-]*$' >"$scratch/odd"
ok 'names of files are of letters, digits, points, dashes and underscores' same "$scratch/odd" /dev/null

# An equation of the papers that are implemented has one tag: MS 13, CES 29, UPP 20. One of another paper follows its year. Left out
# are sentences that frames contain (src/step/ledger.h) and labels in pictures (draw.py).
# untagged FILE...: the equations without tag
untagged() {
    perl -0777 -ne 'while (/\bEqs?\.[\s*]+[\d(]/g) {
        my $before = substr($_, 0, $-[0]);
        printf "%s:%d\n", $ARGV, 1 + ($before =~ tr/\n//) if $before !~ /\b\d{4}\)?,[\s*]*\z/
    }' "$@"
}
# shellcheck disable=SC2046 # names without blanks
untagged $(find src tests scripts configs docs experiments README.md -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.py' -o -name '*.md' \
    -o -name '*.csv' -o -name '*.yaml' -o -name '*.txt' -o -name runs \) ! -name draw.py ! -path src/step/ledger.h ! -path tests/lint/test_mentions.sh) >"$scratch/bare"
ok 'equations have tags' same "$scratch/bare" /dev/null
sed 's/^/#   /' "$scratch/bare"
for tag in $(seq -f MS-%.0f 20) $(seq -f CES-%.0f 39) $(printf 'UPP-%s\n' 11 12 13 14 15 16 17 21 23 24); do
    grep -rqw "$(echo "$tag" | tr - ' ')" src || echo "$tag"
done >"$scratch/lost"
ok 'each equation is found in src by its tag' same "$scratch/lost" /dev/null
cd "$scratch" || exit 1
printf '/* as in Eq. 13 */\n/* Someone 2005, Eq. 13; Journal 231 (2012),\n * Eq. 27; but by Eqs.\n * 8-16 */\n' >bare.c
run untagged bare.c
ok 'an equation without tag: told' [ "$(cat .run/out)" = 'bare.c:1
bare.c:3' ]

mkdir -p src/base docs experiments/fig99
echo '/* A sum of numbers. */' >src/base/sum.h
echo 'int sum_of_squares(int n); /* base/sum.h */' >src/base/sum.c
echo "# Docs" >docs/other.md
: >experiments/fig99/scene.yaml
text() {
    cat >README.md
    run "$PYTHON" -B "$mentions"
}
text <<'END'
See `src/base/sum.c`, [the sum](src/base/sum.h), `experiments/<name>/scene.yaml`, src/base/*.c, `sum.h`, `sum_of_squares`,
`sum_of`, [elsewhere](https://example.org/sum.h) and build/sum.o.
END
ok 'what exists may be mentioned' status 0

text <<'END'
See
```sh
cat src/base/mean.c
```
END
ok 'what a block of commands names is left out' status 0

# gone TEXT MESSAGE: a text with a mention of what does not exist
gone() {
    echo "$1" >README.md
    run "$PYTHON" -B "$mentions"
    ok "$1: told" status 1
    ok '  with its place' out_has "README.md:1: $2"
}
gone 'See src/base/mean.c.' 'there is no src/base/mean.c'
gone 'See src/base/m*.c.' 'there is no src/base/m*.c'
gone 'See [the mean](src/base/mean.h).' 'the link leads nowhere: src/base/mean.h'
gone 'See docs/sums/.' 'there is no docs/sums/'
gone 'In `mean.c`.' 'there is no file mean.c'
gone 'The column `sum_of_cubes`.' 'nothing is named sum_of_cubes'
gone 'The key `sum.mean_of`.' 'nothing is named sum.mean_of'
host=packages.somewhere
gone "See <http://$host/debian>." "$host is a host"
text <<'END'
See <https://doi.org/10.1145/3480142>.
END
ok 'an identifier may be there' status 0
echo "MirrorURL: http://$host/debian" >docs/image.def
text </dev/null
ok 'a host in any other file: told' out_has "docs/image.def:1: $host is a host"
rm docs/image.def
echo '/* as base/mean.h */' >>src/base/sum.h
text </dev/null
ok 'a comment, too' out_has 'src/base/sum.h:2: there is no base/mean.h'
echo 'const char *path = "base/mean.h";' >src/base/sum.h
text </dev/null
ok '  but not a text in a program' status 0
finish
