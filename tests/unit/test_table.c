#include "base/atomic_file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/table.h"
#include "tap.h"

#include <float.h>
#include <stdint.h>

static const struct column columns[] = {{"a", "m", "first"}, {"b", "s", "second"}};

static const char *printed_csv(size_t n, const struct table *table, char *text, size_t size)
{
    FILE *stream = fmemopen(text, size, "w");
    tables_print_csv(stream, n, table);
    fclose(stream);
    return text;
}

TEST(a_table_prints_as_csv)
{
    double value[] = {1.0, 0.1, -2.5e-300, 3.0}, other[] = {7.0, (double)NAN};
    struct table table[] = {{2, columns, 2, value}, {1, columns, 2, other}};
    char text[256] = "";
    check(strcmp(printed_csv(2, table, text, sizeof text), "a,b,a\n1,0.1,7\n-2.5e-300,3,nan\n") ==
          0);
}

TEST(numbers_read_back_to_the_same_bits)
{
    uint64_t bits = 1;
    char text[NUMBER_TEXT];
    for (int i = 0; i < 200000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value, back;
        memcpy(&value, &bits, sizeof value);
        back = strtod(number_format(value, text), NULL);
        if (isnan(value))
            check(strcmp(text, "nan") == 0);
        else if (!check(memcmp(&value, &back, sizeof back) == 0))
            return;
    }
    check(strcmp(number_format(-(double)NAN, text), "nan") == 0);
    check(strcmp(number_format(-(double)INFINITY, text), "-inf") == 0);
    check(strcmp(number_format(0.1, text), "0.1") == 0);
}

TEST(a_column_is_found_by_name)
{
    double value[] = {1, 2, 3, 4, 5, 6};
    struct table table = {2, columns, 3, value};
    struct series b = table_series(&table, "b");
    check_equal(b.n, 3, "rows");
    for (size_t i = 0; i < 3; i++)
        check_close(b.value[i * b.stride], 2.0 * (double)i + 2.0, 0.0, "entry");
    check_equal(table_series(&table, "c").stride, 0, "a column that is not there");
    table = (struct table){2, columns, 0, NULL};
    check_equal(table_series(&table, "b").stride, 2, "a column without rows");
    check_equal(table_series(&table, "b").n, 0, "its rows");
}

TEST(columns_are_those_of_another_table_in_the_same_order)
{
    const struct column swapped[] = {columns[1], columns[0]};
    const struct table table = {2, columns, 0, NULL};
    struct table other = {2, columns, 7, NULL};
    struct error error = {0};
    check_equal(table_check_columns(&table, &other, &error), STATUS_OK, error.message);
    other.column = swapped;
    check_equal(table_check_columns(&table, &other, &error), STATUS_INVALID, "order");
    check_contains(error.message, "column 1 is 'b' instead of 'a'");
    other.n_columns = 1;
    check_equal(table_check_columns(&table, &other, &error), STATUS_INVALID, "number");
    check_contains(error.message, "1 columns instead of 2");
}

TEST(json_is_what_its_grammar_says)
{
    char text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    struct json json = json_open(stream);
    json_text(&json, "quote\"", "tab\t line\n back\\ \x01 \xc3\xa9 \xff");
    json_object(&json, "inner");
    json_number(&json, "tenth", 0.1);
    json_number(&json, "none", (double)NAN);
    json_number(&json, "less", -(double)INFINITY);
    json_close(&json);
    json_object(&json, "empty");
    json_close(&json);
    json_list(&json, "list");
    json_number_text(&json, NULL, "1e-05");
    json_text(&json, NULL, "a, \"b\"");
    json_list_close(&json);
    json_list(&json, "nothing");
    json_list_close(&json);
    json_number_text(&json, "seed", "18446744073709551615");
    json_whole(&json, "whole", UINT64_MAX);
    json_truth(&json, "truth", true);
    json_text(&json, "null", NULL);
    json_close(&json);
    fclose(stream);
    const char *expected =
        "{\n"
        "  \"quote\\\"\": \"tab\\u0009 line\\n back\\\\ \\u0001 \xc3\xa9 \\ufffd\",\n"
        "  \"inner\": {\n"
        "    \"tenth\": 0.1,\n"
        "    \"none\": \"nan\",\n"
        "    \"less\": \"-inf\"\n"
        "  },\n"
        "  \"empty\": {\n"
        "  },\n"
        "  \"list\": [1e-05, \"a, \\\"b\\\"\"],\n"
        "  \"nothing\": [],\n"
        "  \"seed\": 18446744073709551615,\n"
        "  \"whole\": 18446744073709551615,\n"
        "  \"truth\": true,\n"
        "  \"null\": null\n"
        "}\n";
    if (!check(strcmp(text, expected) == 0))
        printf("# %s\n", text);
}

TEST(an_abandoned_file_leaves_what_was_there)
{
    char folder[] = "/tmp/test_table.XXXXXX", path[64], text[16] = "";
    struct error error = {0};
    struct atomic_file file;
    check(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x", folder);
    check_equal(atomic_file_write(path, "old", 3, &error), STATUS_OK, error.message);
    check_equal(atomic_file_open(&file, path, &error), STATUS_OK, error.message);
    fputs("new", file.stream);
    atomic_file_abandon(&file);
    check_equal(atomic_file_open(&file, path, &error), STATUS_OK, error.message);
    fputs("newer", file.stream);
    fflush(file.stream);
    FILE *stream = fopen(path, "r");
    check(stream && fgets(text, sizeof text, stream) && strcmp(text, "old") == 0);
    fclose(stream);
    check_equal(atomic_file_commit(&file, &error), STATUS_OK, error.message);
    stream = fopen(path, "r");
    check(stream && fgets(text, sizeof text, stream) && strcmp(text, "newer") == 0);
    fclose(stream);
    unlink(path);
    check_equal(rmdir(folder), 0, "no temporary file is left");
    check_equal(atomic_file_write("/dev/full/x", "", 0, &error), STATUS_FAILED, "no folder");
    check_contains(error.message, "/dev/full/x: cannot be written: Not a directory");
}
