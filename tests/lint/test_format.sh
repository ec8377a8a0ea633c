#!/bin/sh
# Every C file looks as .clang-format says. Versions of clang-format differ in details: that of Debian 12 counts.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
version=14
case $(clang-format --version 2>/dev/null) in
*"version $version."*) ;;
*) lacking_all "there is no clang-format of version $version" ;;
esac

for folder in "$project"/src/* "$project/tests"; do
    # shellcheck disable=SC2046 # names without blanks
    run clang-format --dry-run -Werror $(find "$folder" -name '*.[ch]')
    ok "${folder#"$project"/}; put right by: clang-format -i FILE" status 0
done
finish
