#!/bin/sh
# Contents, not times, decide what is redone.
. "$(dirname "$0")/toy.sh"
cp experiments/fig99-toy/draw.py quick.py
real_drawing

ok "the first make runs every simulation of the figures" is "$(simulations figures)" 6
ok "it draws" quiet test -s paper-figures/fig99-toy.pdf -a -s paper-figures/fig99-toy.png
cp paper-figures/fig99-toy.pdf first.pdf
cp quick.py experiments/fig99-toy/draw.py
make -s figures >/dev/null
ok "the second runs nothing" is "$(simulations figures)" 0
ok "... and says nothing" is "$(cat make.log)" ""
mkdir counted
cat >counted/make <<END
#!/bin/sh
echo make >>"$work/started.log"
exec $(command -v make) MAKE="$work/counted/make" "\$@"
END
cat >counted/python <<END
#!/bin/sh
echo "\$*" | grep -o '[a-z]*\\.py' >>"$work/started.log"
exec $PYTHON "\$@"
END
chmod +x counted/*
PATH=$work/counted:$PATH make figures PYTHON="$work/counted/python" >/dev/null
ok "... and starts nothing but what looks at all of it" is "$(tr '\n' ' ' <started.log)" "make make progress.py make warned.py report.py "
ok "an ablation runs only what it needs" is "$(simulations ablations)" 1

find Makefile src scripts experiments configs -type f -exec touch {} +
ok "touching every file runs nothing" is "$(simulations figures ablations)" 0
echo '# a comment' >>experiments/fig99-toy/scene.yaml
echo '# a comment' >>experiments/fig99-toy/runs
ok "a comment in a configuration runs nothing" is "$(simulations figures)" 0
echo '/* a comment */' >>src/stages/simulate.c
echo '/* a comment */' >>src/base/nothing.c
ok "a comment in a source runs nothing" is "$(simulations figures)" 0
ok "... although it is compiled" has make.log "compile   src/stages/simulate.c"
echo '# a comment' >>scripts/steps/simulate
echo '# a comment' >>scripts/style.py
ok "a comment in a script runs nothing" is "$(simulations figures)" 0
ok "... and draws nothing" is "$(grep -c drew make.log)" 0

echo 'm: other' >configs/methods/penalty.yaml
ok "a changed layer runs exactly the runs that use it" is "$(simulations figures ablations)" 4
sed -i 's/-2\]/-3]/' experiments/fig99-toy/runs
ok "a changed setting runs exactly the runs that use it" is "$(simulations figures ablations)" 3
echo 'a: 2' >experiments/fig99-toy/scene.yaml
ok "a changed scene runs exactly its experiment" is "$(simulations figures ablations)" 6
sed -i 's/return failed;/return failed ? 3 : 0;/' src/stages/simulate.c
ok "a changed simulator runs everything" is "$(simulations figures ablations)" 7
ok "... but draws nothing, because the frames are the same" is "$(grep -c drew make.log)" 0
sed -i 's/1,%d/2,%d/' src/stages/analyze.c
ok "a changed analyzer simulates nothing" is "$(simulations figures ablations)" 0
ok "... but draws everything" is "$(grep -c drew make.log)" 2
echo 'export TOY=1' >>scripts/steps/simulate
ok "a changed recipe runs everything" is "$(simulations figures ablations)" 7

sed -i 's/"-")/"--")/' experiments/fig99-toy/draw.py
ok "a changed plot script runs nothing" is "$(simulations figures ablations)" 0
ok "... and draws its figure alone" is "$(grep drew make.log)" "  drew      fig99-toy"
real_drawing
sed -i 's/"2,%d/"1,%d/' src/stages/analyze.c
make -s figures >/dev/null
ok "the same data give the same bytes" quiet cmp paper-figures/fig99-toy.pdf first.pdf
rm paper-figures/fig99-toy.png
ok "a removed picture is drawn again" is "$(simulations figures; test -s paper-figures/fig99-toy.png || echo gone)" 0
cp quick.py experiments/fig99-toy/draw.py
make -s figures >/dev/null
rm -r results/small/fig99-toy/low-merging
ok "a removed run is run again" is "$(simulations figures)" 1
rm results/small/fig99-toy/low-merging/metrics.csv
ok "a removed table is made again" is "$(simulations figures; test -s results/small/fig99-toy/low-merging/metrics.csv || echo gone)" 0
make -s clean
ok "make clean keeps results; the rebuilt programs are the same and run nothing" is "$(simulations figures)" 0
rm build/ms-simulate
ok "a removed program is linked again, and runs nothing" is "$(simulations figures)" 0
finish
