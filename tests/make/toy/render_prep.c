/* Stands in for ms-render-prep FRAME ... -o FILE. */
#include <stdio.h>

int main(int argc, char **argv)
{
    FILE *file = argc > 2 ? fopen(argv[argc - 1], "w") : NULL;
    if (!file)
        return 2;
    return fputs("u,v\n1,2\n", file) < 0 || fclose(file) ? 1 : 0;
}
