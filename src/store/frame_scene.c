#include "store/frame_scene.h"

#include "scene/config.h"

enum status frame_scene(const struct frame *frame, const char *path, struct scene *scene,
                        struct error *error)
{
    struct config *config = NULL;
    struct complaints complaints = {0};
    *scene = (struct scene){0};
    if (!frame->config)
        return error_set(error, STATUS_INVALID, "%s: has no configuration; make one with ms-sample",
                         path);
    enum status status = config_parse(&config, path, frame->config, &complaints, error);
    if (!status)
        status = config_scene(config, scene, error);
    if (status == STATUS_INVALID && complaints.n > 0)
        error_set(error, STATUS_INVALID, "%s", complaints.line[0]);
    complaints_free(&complaints);
    config_free(config);
    return status;
}
