#!/bin/sh
# Numbers in texts are those of the results.
. "$(dirname "$0")/toy.sh"
made
cat >experiments/fig99-toy/README.md <<'TEXT'
# A toy

Of 6<!--= m.count() --> runs in two<!--= m.methods() --> ways the worst lets 1<!--= worst(m) --> through, that is 100<!--=
percent(worst(m)) --> %. Gain: 0.10<!--= m.summary("low-k1e3", "stability.gain")[0] -->, and again
1e-1<!--= m.summary("low-k1e3", "stability.gain")[0] -->; 0.13<!--= m.summary("low-k1e3", "stability.gain")[0]; 0.05 --> in another rounding.

| x | y |
|---|---|
| 1 | 2 |
TEXT
cat >README.md <<'TEXT'
| a | b |
|---|---|
| fig99 | 6<!--= fig99: m.count() --> |
| other | One<!--= ablation-other: m.count() --> |
TEXT
cat >>experiments/fig99-toy/claims.py <<'CLAIMS'
def worst(m):
    return max(m.column("*", "penetrated"))
CLAIMS

make verify >make.log 2>&1
ok "texts as the results: status 0" is "$?" 0
ok "... a line for each text" has make.log "ok 3 - README.md: its numbers are those of the results, 2 of them"
ok "... with how many numbers" has make.log "ok 4 - experiments/fig99-toy/README.md: its numbers are those of the results, 7 of them"
cp README.md readme.good
cp experiments/fig99-toy/README.md toy.good
make texts >make.log 2>&1
ok "make texts then changes nothing" quiet cmp README.md readme.good
ok "... but what may differ" is "$(diff toy.good experiments/fig99-toy/README.md | grep -c '^[<>].*0.1[03]')" 2
cp toy.good experiments/fig99-toy/README.md

# edited SED-COMMAND MESSAGE: after this change by hand make verify fails with that message, and make texts undoes it
edited() {
    cp toy.good experiments/fig99-toy/README.md
    sed -i "$1" experiments/fig99-toy/README.md
    make verify >make.log 2>&1
    ok "$1: make verify fails" is "$?" 2
    ok "... and says where" has make.log "# experiments/fig99-toy/README.md:$2"
    make texts >make.log 2>&1
    ok "... make texts puts it right" is "$(sed 's/0.10<!--= m.*; 0.05/X/' experiments/fig99-toy/README.md)" \
        "$(sed 's/0.13<!--= m.*; 0.05/X/' toy.good)"
}
edited 's/Of 6/Of 7/' '3: the text says 7, the results 6: m.count()'
edited 's/two</three</' '3: the text says three, the results 2: m.methods()'
edited 's/100</99</' '3: the text says 99, the results 100: percent(worst(m))'
edited 's/0.10</0.11</' '4: the text says 0.11, the results 0.1'
edited 's/1e-1</2e-1</' '5: the text says 2e-1, the results 0.1'
edited 's/0.13</0.16</' '5: the text says 0.16, the results 0.1, 0.05 more or less'
cp toy.good experiments/fig99-toy/README.md
sed -i 's/Of 6/Of 1 234 567/' experiments/fig99-toy/README.md
make texts >/dev/null 2>&1
ok "a number of any size is replaced as a whole" has experiments/fig99-toy/README.md "Of 6<!--"
sed -i 's/m.count() --> runs/m.cunt() --> runs/' experiments/fig99-toy/README.md
make verify >make.log 2>&1
ok "an expression that cannot be computed fails" is "$?" 2
ok "... and says why" has make.log "README.md:3: m.cunt(): AttributeError"
cp experiments/fig99-toy/README.md before
make texts >make.log 2>&1
ok "... make texts, too" is "$?" 2
ok "... and leaves it as it is" has experiments/fig99-toy/README.md "Of 6<!--= m.cunt() -->"
cp toy.good experiments/fig99-toy/README.md
echo 'Of 7<!--=runs--> runs.' >>experiments/fig99-toy/README.md
echo 'runs = m.count()' >experiments/fig99-toy/numbers
make verify >make.log 2>&1
ok "a number with a name: its expression is in the file numbers" has make.log "README.md:10: the text says 7, the results 6: m.count()"
make texts >make.log 2>&1
ok "... make texts puts it right" has experiments/fig99-toy/README.md "Of 6<!--=runs--> runs."
sed -i 's/6<!--= fig99: m.count()/7<!--= fig99: runs/' README.md
make verify >make.log 2>&1
ok "... also for a text outside of the folder" has make.log "README.md:3: the text says 7, the results 6: m.count()"
cp readme.good README.md
rm experiments/fig99-toy/numbers
make verify >make.log 2>&1
ok "a name that is defined nowhere fails" has make.log "README.md:10: the file \`numbers\` of this folder has no 'runs'; there are none"
cp toy.good experiments/fig99-toy/README.md
sed -i 's/6<!/many<!/' README.md
make verify >make.log 2>&1
ok "an expression behind no number fails" has make.log "README.md:3: there is no number before <!--= fig99: m.count() -->"
cp readme.good README.md
sed -i 's/fig99: m/fig98: m/' README.md
make verify >make.log 2>&1
ok "an experiment that there is not fails" has make.log "README.md:3: 'fig98: m.count()' names no experiment"
cp readme.good README.md

echo 'run second merging' >>experiments/ablation-other/runs
make verify E=fig99 >make.log 2>&1
ok "make verify E=fig99: numbers of that experiment alone" is "$?" 0
ok "... and its claims" has make.log "1..3"
real_page
make texts >/dev/null 2>&1
ok "make texts: words stay words" has README.md "| Two<!--= ablation-other: m.count() --> |"
ok "... and the page does not show expressions" is "$(cat paper-figures/*.html | grep -c 'm.count')" 0
ok "... tables are tables there" has paper-figures/fig99-toy.html "<th>x</th>"
ok "... and numbers are there" has paper-figures/fig99-toy.html "Of 6 runs in two ways"
finish
