#!/bin/sh
# No test of make check looks at a wall clock: on a busy machine it would say something else. What is limited is computing time
# (tests/tap.h), what is counted is what a command starts, and limits of time are for what never comes.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
cd "$project" || exit 1

# These test the program's own clock, against what holds however long all takes.
own='tests/unit/test_(machine|manifest)\.c'
clocks='date [^|;)]*%[sN]|time\.(time|monotonic|perf_counter)|clock_gettime|gettimeofday|omp_get_wtime|\btime\(NULL\)|timing_now|manifest_clock|\$SECONDS|/usr/bin/time'
# readers FILE...: the lines that read a clock
readers() { grep -HnE "$clocks" "$@" | grep -vE "^($own|tests/lint/test_clocks\.sh):"; }
readers tests/*.h tests/unit/*.[ch] tests/cli/* tests/lint/* tests/make/*.sh tests/make/toy/* >"$scratch/read"
ok 'no test reads a clock' same "$scratch/read" /dev/null
sed 's/^/#   /' "$scratch/read"
grep -nE 'timeout [0-9]{1,2} ' tests/cli/* tests/lint/* tests/make/*.sh | grep -v '^tests/lint/test_clocks' >"$scratch/short"
ok 'no command has less than 100 s' same "$scratch/short" /dev/null
sed 's/^/#   /' "$scratch/short"

# is_found FILE
is_found() { readers "$1" >/dev/null; }
cd "$scratch" || exit 1
printf 'start=$(date +%%s%%N)\n' >busy.sh
ok 'a script that reads one is found' is_found busy.sh
printf 'double t = omp_get_wtime();\n' >busy.c
ok '  and a program' is_found busy.c
finish
