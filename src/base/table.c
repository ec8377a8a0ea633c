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

enum status table_append(struct table *table, size_t *capacity, const struct table *rows,
                         struct error *error)
{
    size_t old = table->n_rows * table->n_columns, more = rows->n_rows * rows->n_columns;
    if (rows->n_columns != table->n_columns)
        return error_set(error, STATUS_INVALID, "a table has %zu columns instead of %zu",
                         rows->n_columns, table->n_columns);
    for (size_t i = 0; i < rows->n_columns; i++)
        if (strcmp(rows->column[i].name, table->column[i].name) != 0)
            return error_set(error, STATUS_INVALID, "column %zu is '%s' instead of '%s'", i + 1,
                             rows->column[i].name, table->column[i].name);
    if (more == 0)
        return STATUS_OK;
    if (array_reserve(&table->value, capacity, old + more, sizeof *table->value, "rows", error))
        return STATUS_FAILED;
    memcpy(table->value + old, rows->value, more * sizeof *rows->value);
    table->n_rows += rows->n_rows;
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

static void print_row(FILE *stream, size_t row, size_t n, const struct table *table)
{
    char text[NUMBER_TEXT];
    const char *comma = "";
    for (size_t k = 0; k < n; k++) {
        const double *value = table[k].value + row * table[k].n_columns;
        for (size_t i = 0; i < table[k].n_columns; i++, comma = ",")
            fprintf(stream, "%s%s", comma, number_format(value[i], text));
    }
    fputc('\n', stream);
}

void tables_print_csv_every(FILE *stream, size_t every, size_t n, const struct table *table)
{
    size_t n_rows = n > 0 ? table[0].n_rows : 0;
    const char *comma = "";
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < table[k].n_columns; i++, comma = ",")
            fprintf(stream, "%s%s", comma, table[k].column[i].name);
    fputc('\n', stream);
    for (size_t row = 0; row < n_rows; row++)
        if ((row + 1) % every == 0 || row + 1 == n_rows)
            print_row(stream, row, n, table);
}

void tables_print_csv(FILE *stream, size_t n, const struct table *table)
{
    tables_print_csv_every(stream, 1, n, table);
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
