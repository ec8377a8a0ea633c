/* Stands in for ms-analyze RUN --quiet -o FOLDER [--every 2] and ms-analyze --shape-distance A B
 * --body NAME. */
#include "base/toy.h"

/* How many lines of a text have a word. */
static int lines_with(const char *text, const char *word)
{
    char line[TOY_TEXT];
    int found = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        toy_line(text, 0, line);
        found += strstr(line, word) != NULL;
    }
    return found;
}

/* What stands behind a key at the beginning of a line; without one, `value` stays as it is. */
static void value_read(const char *text, const char *key, char value[TOY_TEXT])
{
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (!strncmp(text, key, strlen(key)))
            toy_line(text + strlen(key), 0, value);
}

int main(int argc, char **argv)
{
    char initial[TOY_TEXT], path[TOY_TEXT], seed[TOY_TEXT] = "0", nudge[TOY_TEXT] = "";
    if (argc < 5)
        return 2;
    if (!strcmp(argv[1], "--shape-distance"))
        return puts("time,mean\n0,0.1\n1,0.2") < 0;
    snprintf(path, sizeof path, "%s/initial.hdf", argv[1]);
    if (toy_read(path, initial))
        return 1;
    value_read(initial, "seed: ", seed);
    value_read(initial, "nudge: ", nudge); /* for test_chance.sh */
    const char *to = argv[4], *bodies = "body,time,height,frame\ncloth,0,0,0\nball,0,2,0\n"
                                        "cloth,1,0,1\nball,1,1,1\n";
    const char *first = argc == 7 && !strcmp(argv[5], "--every") ? "" : "0,0,1,1,0\n";
    const int weak = lines_with(initial, "weak");
    return toy_write(to, "metrics.csv",
                     "time,penetrated,step,splits_with_root,splits_without_root\n%s"
                     "1,%d,2,1,0\n2,%d,3,2,1\n",
                     first, weak, weak) ||
           toy_write(to, "bodies.csv", "%s", bodies) || toy_write(to, "layers.csv", "%s", bodies) ||
           toy_write(to, "fragments.csv", "%s", bodies) ||
           toy_write(to, "spectrum.csv", "sheet%s", bodies + strlen("body")) ||
           toy_write(to, "summary.json",
                     "{\"unstable\": 0, \"momentum_remainder\": 1e-12, "
                     "\"energy_imbalance_relative\": 2e-9, \"stability\": {\"gain\": 0.1}, "
                     "\"seed\": %s}\n",
                     seed);
}
