/* Stands in for ms-analyze RUN --quiet -o FOLDER [--every 2] and ms-analyze --shape-distance A B
 * --body NAME. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (!strcmp(argv[1], "--shape-distance"))
        return puts("time,mean\n0,0.1\n1,0.2") < 0;
    char command[4000];
    snprintf(
        command, sizeof command,
        "r=%s o=%s; w=$(grep -c weak $r/initial.hdf); printf "
        "'time,penetrated,step,splits_with_root,splits_without_root\\n"
        "0,0,1,1,0\\n1,%%s,2,1,0\\n2,%%s,3,2,1\\n' $w $w >$o/metrics.csv && "
        "printf 'body,time,height,frame\\ncloth,0,0,0\\nball,0,2,0\\ncloth,1,0,1\\n"
        "ball,1,1,1\\n' >$o/bodies.csv && sed s/body/sheet/ $o/bodies.csv >$o/spectrum.csv "
        "&& cp $o/bodies.csv $o/layers.csv && cp $o/bodies.csv $o/fragments.csv "
        "&& echo '{\"unstable\": 0, \"momentum_remainder\": 1e-12, \"energy_imbalance_relative\": "
        "2e-9, \"stability\": {\"gain\": 0.1}, \"seed\": '$(sed -n 's/^seed: //p' $r/initial.hdf | "
        "grep . || echo 0)'}' >$o/summary.json",
        argv[1], argv[4]);
    if (argc == 7 && !strcmp(argv[5], "--every"))
        snprintf(command + strlen(command), sizeof command - strlen(command),
                 " && sed -i 2d %s/metrics.csv", argv[4]);
    return system(command) ? 1 : 0;
}
