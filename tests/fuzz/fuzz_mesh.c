/* Meshes: the same bytes as OBJ, PLY and STL; a solid with a distance everywhere, or a message that
 * begins with the file. */
#include "fuzz.h"
#include "shape/mesh.h"

#include <math.h>

/* What sampling asks of a mesh, on a coarse lattice over the unit cube. */
static void use(struct mesh *mesh)
{
    const struct lattice lattice = {.origin = {-0.5, -0.5, -0.5},
                                    .axis = {{0.25, 0, 0}, {0, 0.25, 0}, {0, 0, 0.25}},
                                    .n = {5, 5, 5}};
    struct error error = {0};
    double value[5];
    promise(!isnan(mesh_distance(mesh, vec3(0.1, 0.2, 0.3))));
    promise(!isnan(mesh_support(mesh, vec3(1.0, 0.0, 0.0))));
    promise(!isnan(mesh_volume(mesh)));
    if (mesh_set_lattice(mesh, &lattice, &error)) {
        promise(strlen(error.message) > 10);
        return;
    }
    for (size_t row = 0; row < 25; row++)
        mesh_row(mesh, row % 5, row / 5, value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const name[] = {"a.obj", "a.ply", "a.stl"};
    bool right = false;
    for (int k = 0; k < 3; k++) {
        struct mesh *mesh = NULL;
        struct error error = {0};
        const char *path = fuzz_path(name[k]);
        fuzz_write(path, data, size);
        enum status status = mesh_create(&mesh, path, 1.0, &error);
        if (status) {
            promise(status == STATUS_INVALID && mesh == NULL);
            fuzz_message(error.message, path);
            continue;
        }
        use(mesh);
        mesh_free(mesh);
        right = true;
    }
    *(right ? &fuzz_right : &fuzz_refused) += 1;
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fuzz_begin();
    return 0;
}
