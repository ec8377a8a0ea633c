# Penetrations, unresolved pairs and depth of the dent against the speed of impact. Needs data, the folder of the runs,
# and pictures, the folder to write to.
summary(stages, speed, key) = real(system("sed -n 's/.*\"".key."\": *\\([-+.e0-9]*\\).*/\\1/p' ".data."/stages-".stages."-speed-".speed."/summary.json"))
speeds = "1 2 4 6"
array color[4] = ["#D55E00", "#009E73", "#0072B2", "#CC79A7"]
do for [format in "pdf png"] {
    if (format eq "pdf") {
        set terminal pdfcairo font "DejaVu Sans,8" size 18cm,6.2cm
    } else {
        set terminal pngcairo font "DejaVu Sans,8" fontscale 2 linewidth 2 pointscale 2 size 1440,496
    }
    set output pictures."/ablation-stages.".format
    set multiplot layout 1,3
    set xlabel "speed of impact, m/s"
    set xrange [0:7]
    set border 3
    set tics nomirror
    set key top left
    set title "most particles on the wrong side"
    set yrange [-0.3:*]
    set offsets graph 0, graph 0, graph 0.5, graph 0
    plot for [s=1:4] '+' using (real(word(speeds, int($0 + 1)))):(summary(s, word(speeds, int($0 + 1)), "wrong_side_max")) \
        every ::0::3 with linespoints linecolor rgb color[s] pointtype 5 + s linewidth 1.5 title sprintf("%d stage%s", s, s > 1 ? "s" : "")
    unset key
    unset offsets
    set title "pairs left approaching, of those that did"
    set yrange [0:*]
    plot for [s=1:4] '+' using (real(word(speeds, int($0 + 1)))):(summary(s, word(speeds, int($0 + 1)), "unresolved") / summary(s, word(speeds, int($0 + 1)), "approaching")) \
        every ::0::3 with linespoints linecolor rgb color[s] pointtype 5 + s linewidth 1.5
    set title "depth of the dent, m"
    plot for [s=1:4] '+' using (real(word(speeds, int($0 + 1)))):(summary(s, word(speeds, int($0 + 1)), "sag_max")) \
        every ::0::3 with linespoints linecolor rgb color[s] pointtype 5 + s linewidth 1.5
    unset multiplot
    unset output
}
