#!/bin/sh
# A machine without some packages, by stand-ins: a dpkg-query that does not know them, an apt-get that notes its arguments,
# an id that prints the user we choose.
. "$(dirname "$0")/toy.sh"
rm -r build
mkdir fake
cat >fake/dpkg-query <<'END'
#!/bin/sh
shift 3
for package; do
    grep -qx -e "$package" absent || printf '%s installed.' "$package"
done
! grep -q . absent
END
cat >fake/apt-get <<'END'
#!/bin/sh
echo "apt-get $*" >>apt.log
[ ! -f apt-fails ] || exit 100
: >absent
END
cat >fake/id <<'END'
#!/bin/sh
cat uid
END
cat >fake/sudo <<'END'
#!/bin/sh
[ -f may-sudo ] || exit 1
[ "$1" != -n ] || shift
exec "$@"
END
chmod +x fake/*
PATH=$work/fake:$PATH
printf 'libgts-dev\nhelp2man\n' >absent
echo 0 >uid
command="apt-get install -y --no-install-recommends libgts-dev help2man"

# without make setup nothing is installed, not even as root
for goal in all check figures plan install; do
    make $goal >make.log 2>&1
    ok "make $goal: status 2" is "$?" 2
    ok "... with the command that installs them" has make.log "    $command"
    ok "... and the target that runs it" has make.log '`make setup`'
done
ok "nothing was installed by these" quiet test ! -e apt.log
ok "nothing was built" quiet test ! -e build/flags

echo 1000 >uid
make figures >make.log 2>&1
ok "without rights: the command has sudo" has make.log "    sudo $command"
make setup >make.log 2>&1
ok "make setup without rights: status 2" is "$?" 2
ok "... with the command that installs them" has make.log "    sudo $command"
touch may-sudo
ok "with passwordless sudo it is installed" quiet make setup
ok "... by name" has apt.log "$command"
rm -f build/setup.mk may-sudo apt.log
echo 0 >uid
echo libgsl-dev >absent
ok "as root it is installed, and the rest is done" quiet make setup build/ms-sample
ok "... only what is missing" is "$(sed 's/ -o .*//' apt.log)" "apt-get install -y --no-install-recommends libgsl-dev"
ok "... with the programs" quiet test -x build/ms-sample

# a Python without the modules: neither Debian's nor one that has them
printf '#!/bin/sh\nexec "%s" -I -S "$@"\n' "$PYTHON" >fake/bare
chmod +x fake/bare
rm build/setup.mk
make PYTHON="$work/fake/bare" all >make.log 2>&1
ok "a Python without the modules: status 2" is "$?" 2
ok "... with what it lacks" has make.log "fake/bare has no matplotlib, h5py, numpy, yaml, PIL, jinja2, markdown; name one that has, as in"
ok "... and another one is taken" quiet make PYTHON="$PYTHON" build/ms-sample
rm apt.log
touch scripts/packages.txt
make setup >/dev/null 2>&1
ok "if nothing is missing, nothing is installed" quiet test ! -e apt.log
touch apt-fails
echo libgsl-dev >absent
touch scripts/packages.txt
make setup >make.log 2>&1
ok "an installation that fails: status 2" is "$?" 2
ok "... after an update of the lists" quiet grep -q "^apt-get.* update" apt.log
ok "... with advice" has make.log "try: apt-get update &&"
rm -f apt-fails
: >absent
ok "make CC=clang asks for its OpenMP" quiet sh -c '
    echo libomp-dev >absent
    make CC=clang build/clang/setup.mk 2>&1 | grep -q libomp-dev'
# an HDF5 that pkg-config does not know, in the folders of compilers
cp build/setup.mk known.mk
cat >fake/pkg-config <<END
#!/bin/sh
case "\$*" in *hdf5*) echo "no hdf5-serial" >&2; exit 1 ;; esac
exec $(command -v pkg-config) "\$@"
END
chmod +x fake/pkg-config
mkdir -p include && : >include/hdf5.h
ok "HDF5 where compilers look" quiet env CPATH="$work/include" "$project/scripts/setup" gcc other.mk
ok "... is linked" is "$(grep -o -e '-lmetis.*' other.mk)" "-lmetis -lhdf5"
scripts/setup gcc other.mk >make.log 2>&1
ok "HDF5 nowhere: status 2" is "$?" 2
ok "... with the name of Debian" has make.log "no hdf5-serial"
rm fake/pkg-config
scripts/setup gcc other.mk
ok "HDF5 that pkg-config knows: by its name" quiet cmp other.mk known.mk

# Guix's names of the same packages
sed -n 's/^[^;]*("\([^"]*\)" \. "[^"]*").*/\1/p' "$project/configs/guix/manifest.scm" | sort >named
sed 's/#.*//; s/ .*//; /^strict:/d; s/.*://; /^$/d' scripts/packages.txt | sort -u >listed
ok "the manifest for Guix names what scripts/packages.txt lists, but for what only continuous integration has" quiet diff listed named

# the definition for machines without apt installs by the same script, from the same list
definition=$project/configs/apptainer/mergesplit.def
part() { awk -v part="%$1" '/^%/ { inside = $1 == part; next } inside && NF' "$definition"; }
ok "Apptainer: what it asks for" is "$(grep -o '{{ [A-Z]* }}' "$definition" | sort -u | tr -dc 'A-Z\n' | xargs)" "MIRROR RELEASE SNAPSHOT"
ok "... and what it knows" is "$(part arguments | xargs)" "RELEASE=bookworm"
ok "Apptainer: the files that it takes are there" quiet sh -c 'cd "$0" && ls $1' "$project" "$(part files | awk '{ printf "%s ", $1 }')"
ok "... and it installs with them" is "$(part post | grep -c '/opt/mergesplit/setup gcc /opt/mergesplit/setup.mk install')" 1
mkdir -p opt/mergesplit
part files | while read -r from to; do cp "$project/$from" ".$to"; done
echo libgsl-dev >absent
rm -f apt.log
part post | sed -e "s,/opt/,$work/opt/,g" >post
ok "... which runs" quiet sh -eu post
ok "... from the lists of packages" has apt.log "apt-get update"
ok "make help needs nothing" quiet sh -c 'rm -rf build; echo make >absent; make help && test ! -e build'
finish
