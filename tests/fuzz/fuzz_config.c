/* Configurations: whatever the file holds, it is right and reads back to itself, or every fault has
 * its place. A first line "#set KEY=VALUE" is a setting of the command line. */
#define TAP_NO_MAIN
#include "fuzz.h"
#include "unit/config_reader.h"

/* Settings as they are, not as a line of a file. */
static size_t setting_of(const uint8_t *data, size_t size, char *setting, size_t room)
{
    static const char mark[] = "#set ";
    const uint8_t *end = memchr(data, '\n', size);
    size_t skip = sizeof mark - 1, line = end ? (size_t)(end - data) : size;
    if (size < skip || memcmp(data, mark, skip) != 0 || line - skip >= room)
        return 0;
    memcpy(setting, data + skip, line - skip);
    setting[line - skip] = '\0';
    return 1;
}

static void check_right(const struct config *config)
{
    struct error error = {0};
    struct scene scene;
    char *first = NULL, *second = NULL;
    promise(config_scene(config, &scene, &error) == STATUS_OK);
    scene_free(&scene);
    promise(config_effective(config, &first, &error) == STATUS_OK);
    struct outcome again = outcome_of_text(first);
    promise(again.config && config_effective(again.config, &second, &error) == STATUS_OK);
    promise(strcmp(first, second) == 0);
    outcome_free(&again);
    free(first);
    free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char setting[256];
    const char *path = fuzz_path("scene.yaml"), *given = setting;
    size_t n_settings = setting_of(data, size, setting, sizeof setting);
    struct outcome o = {0};
    fuzz_write(path, data, size);
    o.status = config_read(&o.config, NULL, 1, &path, n_settings, &given, &o.complaints, &o.error);
    promise(o.config ? o.status == STATUS_OK && o.complaints.n == 0
                     : o.status == STATUS_INVALID && o.complaints.n > 0);
    for (size_t i = 0; i < o.complaints.n; i++)
        promise(complaint_is_well_formed(o.complaints.line[i]));
    if (o.config)
        check_right(o.config);
    *(o.config ? &fuzz_right : &fuzz_refused) += 1;
    outcome_free(&o);
    return 0;
}

/* The mesh of the corpus's scenes. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    (void)argc;
    (void)argv;
    fuzz_begin();
    fuzz_write(fuzz_path("star.obj"), tetrahedron, sizeof tetrahedron - 1);
    fuzz_write(fuzz_path("a.obj"), tetrahedron, sizeof tetrahedron - 1);
    return 0;
}
