#include "base/atomic_file.h"
#include "files.h"
#include "store/manifest.h"
#include "store/sha256.h"
#include "tap.h"

static struct files files;
static const char *const path = files.first, *const input = files.second;

static void begin(void)
{
    files_begin(&files, "manifest.json", "in \"put\"");
}

static void end(void)
{
    files_end(&files);
}

static const char *contents(void)
{
    static char text[16384];
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[n] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* FIPS 180-4, as published with the examples of the standard. */
TEST(sha256_gives_the_published_values)
{
    char sum[SHA256_TEXT];
    sha256_bytes("abc", 3, sum);
    check_contains(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    sha256_bytes("", 0, sum);
    check_contains(sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    sha256_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, sum);
    check_contains(sum, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(the_sum_of_a_file_is_that_of_its_bytes)
{
    begin();
    char sum[SHA256_TEXT], *a = malloc(1000000);
    struct error error = {0};
    memset(a, 'a', 1000000);
    check_equal(atomic_file_write(input, a, 1000000, &error), STATUS_OK, error.message);
    check_equal(sha256_file(input, sum, &error), STATUS_OK, error.message);
    check_contains(sum, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check_equal(sha256_file(path, sum, &error), STATUS_INVALID, "absent");
    check_contains(error.message, "cannot be read: No such file");
    check_equal(sha256_file(files.folder, sum, &error), STATUS_INVALID, "a folder");
    free(a);
    end();
}

TEST(a_manifest_names_what_the_result_was_made_of)
{
    begin();
    struct error error = {0};
    const char *inputs[] = {input};
    check_equal(atomic_file_write(input, "abc", 3, &error), STATUS_OK, error.message);
    struct manifest m = {.program = "ms-test",
                         .version = "1.2",
                         .config = "",
                         .seed = 18446744073709551615u,
                         .n_inputs = 1,
                         .input = inputs,
                         .begin = manifest_clock() - 2e6,
                         .commit = "0123abc-dirty"};
    check_equal(manifest_write(path, &m, &error), STATUS_OK, error.message);
    const char *part[] = {
        "\"program\": \"ms-test\"",
        "\"commit\": \"0123abc\"",
        "\"dirty\": true",
        "in \\\"put\\\"\": \"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\"",
        "\"configuration\": \"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"",
        "\"binary\": \"",
        "\"seed\": 18446744073709551615",
        "\"hdf5\": \"1.",
        "\"peak_memory_bytes\": ",
        "\"wall_s\": 2000", /* and less than 1000 s more */
    };
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        check_contains(contents(), part[i]);
    end();
}

TEST(a_commit_that_nobody_left_is_unknown)
{
    begin();
    struct manifest m = {.program = "ms-test", .version = "1.2"};
    check_equal(manifest_write(path, &m, NULL), STATUS_OK, "status");
    check_contains(contents(), "\"commit\": null");
    check_contains(contents(), "\"dirty\": null");
    m.commit = "fedcba";
    check_equal(manifest_write(path, &m, NULL), STATUS_OK, "status");
    check_contains(contents(), "\"commit\": \"fedcba\"");
    check_contains(contents(), "\"dirty\": false");
    end();
}

TEST(an_input_that_is_not_there_is_an_error_and_writes_nothing)
{
    begin();
    struct error error = {0};
    const char *inputs[] = {input};
    struct manifest m = {.program = "ms-test", .version = "1", .n_inputs = 1, .input = inputs};
    check_equal(manifest_write(path, &m, &error), STATUS_INVALID, "status");
    check_contains(error.message, input);
    check(access(path, F_OK) != 0);
    end();
}
