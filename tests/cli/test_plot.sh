#!/bin/sh
# make plot: a quick look at a run, and what it says when there is nothing to look at.
project=$(cd "$(dirname "$0")/../.." && pwd)
. "$project/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS RUN Y PNG

# plot SETTING...: make plot, without the line that make adds to a failure.
plot() {
    run sh -c 'make --no-print-directory -C "$0" plot "$@"' "$project" "$@"
    sed -i '/^make: \*\*\* /d' .run/err
}

if ! command -v gnuplot >/dev/null; then
    lacking 'no gnuplot' 'a run is plotted'
    finish
fi
mkdir 'a run'
printf 'step,time,kinetic,speed_max\n1,0.1,4,2\n2,0.2,3,nan\n3,0.3,1,1\n' >'a run/metrics.csv'

plot "RUN=$PWD/a run" Y=kinetic,speed_max
ok 'a run is plotted on the terminal' status 0
ok '  with its name' out_has 'a run'
ok '  a curve per column' out_has 'speed_max'
ok '  against time' out_has 'time, s'
ok '  and without complaints' err_is ''
printf 'body,time,z\nball,0.1,4\nball,0.3,1\n' >'a run/bodies.csv'
plot "RUN=$PWD/a run" Y=ball.z,kinetic
ok 'so is a column of a body' sh -c 'grep -q ball.z .run/out && grep -q kinetic .run/out && [ ! -e "$0/plot.png" ]' "$project"
plot "RUN=$PWD/a run" Y=kinetic "PNG=$PWD/plot.png"
ok 'it is plotted into a picture' status 0
ok '  which is one' [ "$(head -c 4 plot.png | tail -c 3)" = PNG ]

plot
ok 'no run: status 2' status 2
ok '  and what would be right' err_is 'plot: no run is given; write RUN=results/small/EXPERIMENT/NAME'
plot "RUN=$PWD"
ok 'a folder that is no run: status 2' status 2
ok '  and what would be right' err_is "plot: $PWD has neither metrics.csv nor frames; give the folder of a run, as RUN=results/small/EXPERIMENT/NAME"
plot "RUN=$PWD/a run" Y=kinetic,velocity
ok 'a column that there is not: status 2' status 2
ok '  and what would be right' err_is \
    "plot: $PWD/a run/metrics.csv has no column 'velocity'; ms-analyze --fields lists them, as Y=kinetic,ball.z"
plot "RUN=$PWD/a run" Y=kinetic PNG=plot.pdf
ok 'a picture that is no PNG: status 2' status 2
ok '  and what would be right' err_is "plot: 'plot.pdf' is not a name for a PNG file; write PNG=name.png"
finish
