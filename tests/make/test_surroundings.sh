#!/bin/sh
# Where, as whom and when make runs: two at once, a folder whose name needs quotes, a mask of permissions, clocks that jump; and a table of
# runs that would write elsewhere.
. "$(dirname "$0")/toy.sh"

# The results of a make that nothing disturbs; not those of when and how long.
digests() { (cd "$1" && find results paper-figures -type f ! -name '*.log' ! -name seconds ! -name timing.csv -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }
rm -r build
cp -r . "$work.fresh"
quiet make -j2 figures
digests . >undisturbed

# fresh FOLDER: the project as it was, in a folder of this name
fresh() {
    cp -r "$work.fresh" "$1"
    cd "$1" || exit 1
}
trap 'rm -rf "$scratch" "$work.fresh" "$work.two" "$work.one"; [ -n "$finished" ] || exit 1' EXIT

fresh "$work.two"
# Both may fail, if each meets a run at which the other is at work.
make -j2 figures >first.log 2>&1 &
make -j2 figures >second.log 2>&1
wait $!
quiet make -j2 figures
ok "two makes at once: the next make leaves what one alone would" is "$(digests . | diff - "$work/undisturbed")" ""
ok "... with nothing to do after it" is "$(simulations figures)" 0

cd "$work" || exit 1
odd="it's a \"folder\" of \$HOME & co"
fresh "$odd"
quiet make -j2 figures
ok "a folder whose name needs quotes" is "$(digests . | diff - "$work/undisturbed")" ""
quiet make verify
ok "... claims are verified there" is "$?" 0

cd "$work" || exit 1
fresh "$work.one"
(umask 077 && quiet make -j2 figures)
ok "a mask of permissions: the same results" is "$(digests . | diff - "$work/undisturbed")" ""
ok "... which only their owner may read" is "$(find results paper-figures/* build -perm /077 | head -n 3)" ""

# A clock that was ahead made files whose times are still to come.
find results build -type f -exec touch -d '+2 days' {} +
sed -i 's/-2\]/-7]/' experiments/fig99-toy/runs
touch -d '+3 days' experiments/fig99-toy/runs
timeout 600 make -j2 figures >make.log 2>&1
ok "files from the future: make succeeds" is "$?" 0
ok "... with what has changed" has build/rules/small/fig99-toy.mk "0,0,-7"
sed -i 's/-7\]/-2]/' experiments/fig99-toy/runs
touch -d '+4 days' experiments/fig99-toy/runs
quiet make -j2 figures
ok "... and back to the same results" is "$(digests . | diff - "$work/undisturbed")" ""

cd "$work" || exit 1
for name in . .. ../outside a/b ../../outside -x .hidden; do
    wrong_runs "run $name merging" ":9: '$name' is not a name"
done
wrong_runs 'compare ../outside low-merging low-k1e3 cloth' ":9: '../outside' is not a name"
wrong_runs 'view ../outside body - 400x300 1' ":9: "
ok "nothing was written outside" is "$(ls -d results/outside results/small/outside outside ../outside 2>/dev/null)" ""
finish
