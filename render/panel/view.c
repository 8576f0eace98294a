#include "render/renderer.h"

#include <stdio.h>

enum status renderer_camera_open(struct camera **out, const struct renderer_params *params,
                                 int picture)
{
    struct camera_params seen = params->camera;
    char key[48] = "camera.follow";
    struct camera_setup setup = {
        .params = &seen,
        .found = params->found.camera,
        .parts = params->parts,
        .part_count = params->part_count,
        .follow_key = key,
        .frames = params->frames,
    };
    if (params->look.panel_count > 0) {
        const struct panel_params *panel = &params->look.panels[picture];
        setup.azimuth = panel->azimuth;
        setup.elevation = panel->elevation;
        setup.zoom = panel->zoom;
        if (panel->follow[0]) {
            seen.follow = panel->follow;
            snprintf(key, sizeof key, "look.panels[%d].follow", picture + 1);
        }
    }
    return camera_open(out, &setup);
}
