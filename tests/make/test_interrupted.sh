#!/bin/sh
# What a kill, a failure or a wrong file leaves behind.
. "$(dirname "$0")/toy.sh"
make -s all >/dev/null 2>&1

TOY_HANG=100 setsid make -j2 figures >/dev/null 2>&1 &
group=$!
two_runs() { [ "$(ls results/small/fig99-toy/*/frames/000000.hdf 2>/dev/null | wc -l)" -ge 2 ]; }
await two_runs
kill -KILL "-$group"
wait "$group" 2>/dev/null
ok "a killed make leaves no finished run" is "$(ls results/small/fig99-toy/*/frames.sha256 2>/dev/null)" ""
make plan >plan.log 2>&1
ok "make plan says which runs continue" has plan.log "continues from its last frame"
: >ran.log
make figures >make.log 2>&1
ok "the next make continues both" is "$(grep -c resumed ran.log)" 2
ok "... and runs the other four from the start" is "$(grep -c ran ran.log)" 4
ok "... to the end" is "$(simulations figures)" 0

# Folders that killed scripts left, and one in which a script is at work.
toy=results/small/fig99-toy/low-merging
mkdir $toy/analysis.1 $toy/simulation.12345 paper-figures/.fig99-toy.77 $toy/analysis.88
: >$toy/analysis.1/metrics.csv
: >paper-figures/.fig99-toy.77/.lock
(exec 9>$toy/analysis.88/.lock && flock 9 && : >locked && exec sleep 600) &
living=$!
await test -e locked
rm $toy/metrics.csv $toy/frames/000001.hdf $toy/frames.sha256 paper-figures/fig99-toy.png
quiet make figures
ok "the next analysis removes what a killed one left" quiet test ! -e $toy/analysis.1
ok "... so does the next simulation" quiet test ! -e $toy/simulation.12345
ok "... and the next drawing" quiet test ! -e paper-figures/.fig99-toy.77
ok "... but not a folder in use" quiet test -e $toy/analysis.88
kill $living
wait $living
rm $toy/metrics.csv
quiet make figures
ok "... until its user has ended" is "$(ls -d $toy/*.[0-9]* paper-figures/.fig* 2>/dev/null)" ""

# Matplotlib does not take over the lock that a killed process left.
cat >killed-python <<'END'
#!/bin/sh
case "$*" in *font_manager*) mkdir -p "$MPLCONFIGDIR" && : >"$MPLCONFIGDIR/fontlist-v330.json.matplotlib-lock" && kill -KILL $$ ;; esac
exec /usr/bin/python3 "$@"
END
chmod +x killed-python
rm -r build/fonts $toy/../drawn.stamp
make PYTHON="$PWD/killed-python" figures >make.log 2>&1
ok "matplotlib is killed while it lists fonts: make fails" is "$?" 2
ok "... and the next one draws" quiet make figures

# A run that another make or a program is writing, as a lock of its folder or of a file tells, keeps its frames.
: >$toy/lock
cp $toy/frames.key key
echo other >$toy/frames.key
for held in "make $toy" "ms-simulate $toy/lock"; do
    (exec 9<"${held#* }" && flock 9 && : >locked-run && exec sleep 600) &
    living=$!
    await test -e locked-run
    touch $toy/initial.hdf
    make figures >make.log 2>&1
    ok "a run that another ${held% *} is writing: make fails" is "$?" 2
    ok "... and says so" has make.log "$toy: another ${held% *} is at work there"
    ok "... and removes nothing" quiet test -e $toy/frames/000001.hdf -a -e $toy/frames.sha256
    kill $living
    wait $living
    rm locked-run
done
rm $toy/lock
mv key $toy/frames.key
ok "... afterwards nothing has changed" is "$(simulations figures)" 0

# A finished frame that does not agree with its record.
cp $toy/frames.sha256 record
echo spoilt >>$toy/frames/000001.hdf
touch $toy/initial.hdf
ok "a damaged frame is simulated again" is "$(simulations figures; grep -c resumed ran.log)" "1
1"
ok "... and reported as damaged" has make.log "damaged   small/fig99-toy/low-merging/frames/000001.hdf"
ok "... with the same bytes as before" quiet sh -c "cd $toy && sha256sum --status -c $work/record"
ok "... the record is the same" quiet cmp record $toy/frames.sha256
echo spoilt >>$toy/frames/000000.hdf
touch $toy/initial.hdf
ok "the first frame: the whole run is simulated again" is "$(simulations figures; grep -c resumed ran.log)" "1
0"
ok "... the record is the same" quiet cmp record $toy/frames.sha256
cp $toy/frames/000001.hdf $toy/frames/000005.hdf
touch $toy/initial.hdf
ok "a frame that is not in the record: the run is simulated" is "$(simulations figures)" 1
ok "... is removed" quiet test ! -e $toy/frames/000005.hdf
echo spoilt >>$toy/end.json
touch $toy/initial.hdf
ok "a damaged end.json: the run ends once more" is "$(simulations figures; grep -c resumed ran.log)" "1
1"
ok "... with the same bytes as before" is "$(cd $toy && sha256sum --status -c "$work/record" && cmp "$work/record" frames.sha256 && echo same)" same

# A number is written with a point in any language.
printf '#!/bin/sh\necho "${LC_ALL-none}" >>language.log\nexec "$@"\n' >probe
chmod +x probe
rm -r $toy
if command -v localedef >/dev/null && localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1; then
    ok "a language with a decimal comma" is "$(LOCPATH=$work LC_ALL=de_DE.UTF-8 simulations figures RUN=./probe)" 1
else
    ok "a language with a decimal comma, which is not installed" is "$(LC_ALL=de_DE.UTF-8 simulations figures RUN=./probe)" 1
fi
ok "... is not that of a simulation" is "$(cat language.log)" C
ok "... nor of its time" quiet grep -qE '^[0-9]+\.[0-9]$' $toy/seconds

sed -i 's/-2\]/broken]/' experiments/fig99-toy/runs
make -k figures >make.log 2>&1
ok "a failed simulation fails make" is "$?" 2
ok "... and leaves no stamp" is "$(ls results/small/fig99-toy/high-*/frames.sha256.stamp 2>/dev/null)" ""
sed -i 's/broken]/-2]/' experiments/fig99-toy/runs
ok "once corrected, it starts from the beginning" is "$(simulations -k figures; grep -c resumed ran.log)" "3
0"

make -s ablations >/dev/null
make plan >plan.log 2>&1
ok "make plan knows when there is nothing to do" has plan.log "nothing to do"
sed -i 's/-2\]/-5]/' experiments/fig99-toy/runs
make plan >plan.log 2>&1
ok "make plan names what would run" is "$(grep -c '^simulate *fig99-toy/high' plan.log)" 3
ok "... why" has plan.log "its configuration changed"
ok "... and how long it took" is "$(grep -c 'high.*[0-9] s ' plan.log)" 3
ok "... and did not run it" is "$(simulations figures)" 3

printf '#!/bin/sh\necho "$1" >>srun.log\nshift\nexec "$@"\n' >srun
chmod +x srun
sed -i 's/-5\]/-6]/' experiments/fig99-toy/runs
ok "RUN is put in front of each simulation" is "$(simulations figures RUN='./srun -n1'; sort srun.log | uniq -c | tr -d ' ')" "3
3-n1"

echo 'nonsense here' >>experiments/fig99-toy/runs
make figures >make.log 2>&1
ok "a wrong table of runs stops make" is "$?" 2
ok "... with its line" has make.log "experiments/fig99-toy/runs:9: 'nonsense here' is not a statement"
finish
