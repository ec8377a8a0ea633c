#!/bin/sh
# Every C file looks as .clang-format says. Versions of clang-format differ in details: that of Debian 12 counts.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
. "$project/tests/lint/on_change.sh"
version=14
case $(clang-format --version 2>/dev/null) in
*"version $version."*) ;;
*) lacking_all "there is no clang-format of version $version" ;;
esac

for folder in "$project"/src/* "$project/tests"; do
    # shellcheck disable=SC2046 # names without blanks
    on_change "format-$(basename "$folder")" clang-format --dry-run -Werror $(find "$folder" -name '*.[ch]')
    ok "${folder#"$project"/}; put right by: clang-format -i FILE" status 0
done

BUILD=$scratch/build
printf 'int  a;\n' >a.c
on_change format-a clang-format --dry-run -Werror a.c
ok 'a file of another look is found' status 1
on_change format-a clang-format --dry-run -Werror a.c
ok '  each time' status 1
printf 'int a;\n' >a.c
on_change format-a clang-format --dry-run -Werror a.c
ok '  until it is put right' status 0
printf 'int  a;\n' >a.c
on_change format-a clang-format --dry-run -Werror a.c
ok '  and when it is changed again' status 1
finish
