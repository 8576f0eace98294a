#include "cmd/film/scene/upright.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdio.h>

/* The galaxies start on the x axis (sim/models/galaxies.c), which is horizontal in the picture if
 * the camera looks along y. */
static bool lie_across(double azimuth)
{
    return fabs(fn_sin(azimuth * (M_PI / 180))) > M_SQRT1_2;
}

static bool is_upright(struct picture_size size)
{
    return size.height > size.width;
}

static bool shows_two_galaxies(const struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    return scene->bodies.model->makes_galaxies && scene->bodies.galaxy_count == 2 &&
           camera->keyframe_count == 0 && scene->look.panel_count == 0 &&
           (!camera->projection || camera->projection->flat);
}

/* Turning upright and back again gives the initial azimuth. */
static double quarter_turn(double azimuth, bool upright)
{
    if (upright)
        return azimuth + (azimuth > 90 ? -270 : 90);
    return azimuth - (azimuth < -90 ? -270 : 90);
}

bool upright_turn(struct scene *scene, struct picture_size made_for)
{
    const struct picture_size now = scene->output.size;
    const double before = scene->camera.azimuth;
    const bool upright = is_upright(now);
    const bool other_shape = upright != is_upright(made_for) && now.width != now.height;
    if (!other_shape || lie_across(before) != upright || !shows_two_galaxies(scene))
        return false;
    const double after = quarter_turn(before, upright);
    char value[32];
    snprintf(value, sizeof value, "%.12g", after);
    if (scene_set(scene, "camera.azimuth", value, "--size") != STATUS_OK)
        return false;
    log_info("in a picture %s the galaxies are shown %s each other, with camera.azimuth=%g; "
             "--set camera.azimuth=%g shows them %s each other",
             upright ? "higher than wide" : "wider than high", upright ? "above" : "beside", after,
             before, upright ? "beside" : "above");
    return true;
}
