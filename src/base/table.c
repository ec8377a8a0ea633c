#include "base/table.h"

#include "base/memory.h"

#include <string.h>

struct series table_series(const struct table *table, const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->column[i].name, name) == 0)
            return (struct series){table->n_rows, table->n_columns,
                                   table->n_rows > 0 ? table->value + i : NULL};
    return (struct series){0, 0, NULL};
}

enum status table_check_columns(const struct table *table, const struct table *other,
                                struct error *error)
{
    if (other->n_columns != table->n_columns)
        return error_set(error, STATUS_INVALID, "a table has %zu columns instead of %zu",
                         other->n_columns, table->n_columns);
    for (size_t i = 0; i < other->n_columns; i++)
        if (strcmp(other->column[i].name, table->column[i].name) != 0)
            return error_set(error, STATUS_INVALID, "column %zu is '%s' instead of '%s'", i + 1,
                             other->column[i].name, table->column[i].name);
    return STATUS_OK;
}

void csv_print_text(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++)
        fprintf(stream, *text == '"' ? "\"%c" : "%c", *text);
    fputc('"', stream);
}

void tables_print_names(FILE *stream, size_t n, const struct table *table)
{
    const char *comma = "";
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < table[k].n_columns; i++, comma = ",")
            fprintf(stream, "%s%s", comma, table[k].column[i].name);
    fputc('\n', stream);
}

static void print_values(FILE *stream, const char **comma, size_t n, const double *value)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < n; i++, *comma = ",")
        fprintf(stream, "%s%s", *comma, number_format(value[i], text));
}

void tables_print_row(FILE *stream, size_t n, const struct table *table, const double *const *row)
{
    const char *comma = "";
    for (size_t k = 0; k < n; k++)
        print_values(stream, &comma, table[k].n_columns, row[k]);
    fputc('\n', stream);
}

void tables_print_csv(FILE *stream, size_t n, const struct table *table)
{
    tables_print_names(stream, n, table);
    for (size_t row = 0; n > 0 && row < table[0].n_rows; row++) {
        const char *comma = "";
        for (size_t k = 0; k < n; k++)
            print_values(stream, &comma, table[k].n_columns,
                         table[k].value + row * table[k].n_columns);
        fputc('\n', stream);
    }
}

void table_print_named_csv(FILE *stream, const struct table *table, const char *const *name)
{
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(stream, "%s%s", i ? "," : "", table->column[i].name);
    fputc('\n', stream);
    for (size_t row = 0; row < table->n_rows; row++) {
        const double *value = table->value + row * table->n_columns;
        csv_print_text(stream, name[(size_t)value[0]]);
        for (size_t i = 1; i < table->n_columns; i++)
            fprintf(stream, ",%s", number_format(value[i], text));
        fputc('\n', stream);
    }
}

void columns_print(FILE *stream, const char *title, size_t n, const struct column *column)
{
    size_t width = 22; /* of the longest name */
    for (size_t i = 0; i < n; i++)
        width = strlen(column[i].name) > width ? strlen(column[i].name) : width;
    fprintf(stream, "\n%s:\n", title);
    for (size_t i = 0; i < n; i++)
        fprintf(stream, "  %-*s %-8s %s\n", (int)width, column[i].name, column[i].unit,
                column[i].sentence);
}
