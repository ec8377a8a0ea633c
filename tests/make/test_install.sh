#!/bin/sh
# make install and make uninstall, into a folder whose name a careless script would break.
. "$(dirname "$0")/toy.sh"

cat >src/stages/sample.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--version") == 0)
        puts("toy 1.0");
    else
        puts("Usage: toy [OPTION...]\nDoes nothing.\n\n  -o, --output=FILE          Write it here");
    return 0;
}
END
for stage in analyze render_prep simulate; do
    cp src/stages/sample.c src/stages/$stage.c
done

prefix="$work/a folder's \"name\" of (mine)"
ok "make install" quiet make install PREFIX="$prefix"
for program in analyze render-prep sample simulate; do
    ok "... ms-$program" quiet test -x "$prefix/bin/ms-$program"
    ok "... its manual" quiet test -s "$prefix/share/man/man1/ms-$program.1"
    ok "... its completion" quiet test -s "$prefix/share/bash-completion/completions/ms-$program"
done
ok "... the flags of the build, for the manifests" quiet test -s "$prefix/share/mergesplit/flags"
ok "... the library" quiet test -s "$prefix/lib/libmergesplit.a" -a -s "$prefix/lib/pkgconfig/mergesplit.pc"
ok "... its headers" quiet test -s "$prefix/include/mergesplit/base/program.h"
ok "... the Python module" quiet test -s "$(ls "$prefix"/lib/python3.*/site-packages/mergesplit/runs.py)"
ok "... examples" quiet test -s "$prefix/share/mergesplit/examples/ball-on-cloth.yaml"
ok "... the man page of scenes" quiet test -s "$prefix/share/man/man5/mergesplit-scene.5"
ok "... and methods" quiet test -s "$prefix/share/mergesplit/methods/penalty.yaml"
echo old >"$prefix/include/mergesplit/base/gone.h"
ok "make install again" quiet make install PREFIX="$prefix"
ok "... leaves nothing of an older version in folders of our own" quiet test ! -e "$prefix/include/mergesplit/base/gone.h"
echo mine >"$prefix/bin/another"
ok "make uninstall" quiet make uninstall PREFIX="$prefix"
ok "... leaves only what we did not install" is "$(cd "$prefix" && find . ! -type d)" ./bin/another
ok "... and no folder that it made, but for that" is "$(cd "$prefix" && find . -type d | sort | tr '\n' ' ')" ". ./bin "
mkdir -p "$work/with man/share/man" && make install uninstall -j1 PREFIX="$work/with man" >/dev/null
ok "... nor removes one that was there" is "$(cd "$work/with man" && find . | sort | tr '\n' ' ')" ". ./share ./share/man "
ok "... succeeds a second time" quiet make uninstall PREFIX="$prefix"
ok "... from a folder that was cleaned, too" quiet sh -c 'make clean && make uninstall PREFIX=none && test ! -e build'
ok "DESTDIR is put in front" quiet make install DESTDIR="$work/image of it" PREFIX=/usr
ok "... of everything" quiet test -x "$work/image of it/usr/bin/ms-sample"
ok "... and is removed from there" quiet make uninstall DESTDIR="$work/image of it" PREFIX=/usr
ok "... all of it" is "$(ls -A "$work/image of it")" ""

# the Python module alone, as from a checkout, without network
if "$PYTHON" -c 'import pip' 2>pip.log && "$PYTHON" -c 'import setuptools.build_meta' 2>>pip.log; then
    ok "pip installs the module" quiet "$PYTHON" -m pip install --no-index --no-build-isolation --no-deps --no-warn-script-location --target modules ./scripts
    ok "... which is that of scripts" quiet diff -r --exclude=__pycache__ scripts/mergesplit modules/mergesplit
    ok "... with the version of the programs" is "$(cd / && PYTHONPATH="$work/modules" "$PYTHON" -c 'from importlib import metadata; print(metadata.version("mergesplit"))')" \
        "$(sed -n 's/.*PROGRAM_VERSION "\(.*\)".*/\1/p' "$project/src/base/program.h")"
else
    skip "this Python has no pip or no setuptools" "pip installs the module"
fi

ok "outside a repository the commit is unknown" quiet test -e build/commit -a ! -s build/commit
if command -v git >/dev/null; then
    export HOME="$work"
    quiet git init && git config user.name t && git config user.email t@t && git add Makefile src scripts
    quiet git commit -m t
    ok "in one it is that of the build" quiet make all
    ok "... beside the programs" is "$(cat build/commit)" "$(git rev-parse HEAD)"
    echo '/* changed */' >>src/stages/sample.c
    quiet make all
    ok "... with changed sources" is "$(cat build/commit)" "$(git rev-parse HEAD)-dirty"
    git checkout -q src && mkdir inner && cp -r Makefile src scripts inner
    ok "that of a repository around it is not ours" is "$(inner/scripts/commit)" ""
fi
finish
