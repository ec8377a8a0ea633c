/* Stands in for ms-sample: the layers without comments, then the settings, as lines of YAML. */
#include <stdio.h>
#include <string.h>

static int layer_copy(const char *path, FILE *output)
{
    char line[1000];
    FILE *file = fopen(path, "r");
    if (!file)
        return 2;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#')
            fputs(line, output);
    return fclose(file) ? 1 : 0;
}

int main(int argc, char **argv)
{
    FILE *output = stdout;
    int status = 0;
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "-o") && !(output = fopen(argv[i + 1], "w")))
            return 1;
    for (int i = 1; i + 1 < argc && !status; i++) {
        if (!strcmp(argv[i], "--set"))
            fprintf(output, "%.*s: %s\n", (int)strcspn(argv[i + 1], "="), argv[i + 1],
                    strchr(argv[i + 1], '=') + 1);
        if (!strcmp(argv[i], "--config"))
            status = layer_copy(argv[i + 1], output);
    }
    return fclose(output) ? 1 : status;
}
