#include "cmd/view/motion.h"

#include "base/memory.h"
#include "scenes/scene.h"

#include <stdlib.h>

enum status view_scene(const struct view_source *source, const struct setting *settings, int count,
                       struct scene **out)
{
    struct scene_request request = *source->request;
    for (int i = 0; i < count; i++) {
        if (request.setting_count == SETTINGS_MAX) {
            *out = NULL;
            return status_fail(STATUS_USAGE, "at most %d settings can be made at once",
                               SETTINGS_MAX);
        }
        request.settings[request.setting_count++] = settings[i];
    }
    return scene_request_open(&request, out);
}

struct motion {
    const struct view_source *source;
};

void motion_open(struct motion **out, const struct view_source *source)
{
    *out = memory_new(1, sizeof **out);
    (*out)->source = source;
}

void motion_close(struct motion **motion)
{
    free(*motion);
    *motion = NULL;
}

enum status motion_follow(struct motion *motion, const struct scene *scene)
{
    (void)motion;
    (void)scene;
    return STATUS_OK;
}

void motion_state(struct motion *motion, struct motion_state *out)
{
    (void)motion;
    *out = (struct motion_state){.stage = MOTION_START, .count = 1, .frames = 1};
}
