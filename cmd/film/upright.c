#include "cmd/film/upright.h"

#include "base/log.h"
#include "render/picture/projection.h"

#include <math.h>
#include <stdio.h>

/* The galaxies begin on the x axis (sim/models/galaxies.c), which lies across the picture where the
 * camera looks along y. */
static bool lie_across(const struct scene *scene)
{
    return scene->bodies.model->makes_galaxies && scene->bodies.galaxy_count == 2 &&
           fabs(sin(scene->camera.azimuth * (M_PI / 180))) > M_SQRT1_2;
}

bool upright_turn(struct scene *scene, struct picture_size wide)
{
    const struct picture_size now = scene->output.size;
    const struct camera_params *camera = &scene->camera;
    const double before = camera->azimuth, after = before + (before > 90 ? -270 : 90);
    char value[32];
    if (now.height <= now.width || wide.height > wide.width || !lie_across(scene) ||
        camera->keyframe_count > 0 || scene->look.panel_count > 0 ||
        (camera->projection && !camera->projection->flat))
        return false;
    snprintf(value, sizeof value, "%.12g", after);
    if (scene_set(scene, "camera.azimuth", value, "--size") != STATUS_OK)
        return false;
    log_info("in a picture higher than wide the galaxies are shown above each other, with "
             "camera.azimuth=%g; --set camera.azimuth=%g shows them beside each other",
             after, before);
    return true;
}
