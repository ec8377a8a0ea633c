/* Files, for the stand-ins of the programs. They do without a shell and the processes that one
 * starts, which would take most of the time of tests/make. */
#ifndef BASE_TOY_H
#define BASE_TOY_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TOY_TEXT = 4000 };

/* Writes FOLDER/NAME by way of FOLDER/NAME.new; 1: failed. */
__attribute__((format(printf, 3, 4))) static inline int
toy_write(const char *folder, const char *name, const char *format, ...)
{
    char path[TOY_TEXT], made[TOY_TEXT + 4];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(made, sizeof made, "%s.new", path);
    FILE *file = fopen(made, "w");
    if (!file)
        return 1;
    va_list values;
    va_start(values, format);
    int written = vfprintf(file, format, values);
    va_end(values);
    return fclose(file) || written < 0 || rename(made, path) ? 1 : 0;
}

/* Adds a line to a file. */
__attribute__((format(printf, 2, 3))) static inline int toy_add(const char *path,
                                                                const char *format, ...)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return 1;
    va_list values;
    va_start(values, format);
    int written = vfprintf(file, format, values);
    va_end(values);
    return fclose(file) || written < 0 ? 1 : 0;
}

/* The file as text; 1 if there is none, and then the text stays as it is. */
static inline int toy_read(const char *path, char text[TOY_TEXT])
{
    FILE *file = fopen(path, "r");
    if (!file)
        return 1;
    text[fread(text, 1, TOY_TEXT - 1, file)] = '\0';
    return fclose(file) ? 1 : 0;
}

/* The n-th line of a text, from 0, without its end. */
static inline void toy_line(const char *text, int n, char line[TOY_TEXT])
{
    for (; n > 0 && strchr(text, '\n'); n--)
        text = strchr(text, '\n') + 1;
    snprintf(line, TOY_TEXT, "%.*s", n > 0 ? 0 : (int)strcspn(text, "\n"), text);
}

#endif
