#!/bin/sh
# The files, folders, links and names that texts and comments mention exist, and no file has the address of a host.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
mentions=$project/scripts/mentions.py

cd "$project" || exit 1
run_status=$("$PYTHON" -B "$mentions" >"$scratch/found"; echo $?)
cd "$scratch" || exit 1
ok 'all that is mentioned exists' status 0
sed 's/^/#   /' found

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
