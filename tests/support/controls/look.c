#include "tests/support/controls/all.h"

#include "render/colour/colour.h"
#include "render/colour/legend.h"
#include "render/draw.h"
#include "render/sprites/modes.h"

#include <math.h>
#include <string.h>

/* ---- camera ---- */

static void wider(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct camera_params *camera = &scene->camera;
    const double factor = 1 + run->size / 100;
    camera->fov *= factor;
    for (uint32_t i = 0; i < camera->keyframe_count; i++)
        camera->keyframes[i].fov *= factor;
    run->changed++;
}

static void key_late(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct camera_params *camera = &scene->camera;
    /* Neither the first nor the last: those may have to stay where the film begins and ends. */
    struct moment *at = &camera->keyframes[1].at;
    at->shift += (double)scene->output.fps.den / scene->output.fps.num;
    run->changed++;
}

static const char *no_inner_keyframe(const struct scene *scene)
{
    return scene->camera.keyframe_count > 2
               ? NULL
               : "its camera has no keyframe between a first and a last one";
}

const struct control control_fov = {
    .name = "fov",
    .doc = "the field of view is wider by a thousandth",
    .stage = JUDGED_LIGHT,
    .size = 0.1,
    .unit = "%",
    .searched = true,
    .hooks.scene = wider,
};

const struct control control_key_late = {
    .name = "key_late",
    .doc = "a keyframe of the camera is one frame late",
    .stage = JUDGED_LIGHT,
    .why_not = no_inner_keyframe,
    .hooks.scene = key_late,
};

/* ---- colour ---- */

static bool is_mapped(const struct look_params *look)
{
    for (int i = 0; i < look_pictures(look); i++)
        if (look_of_picture(look, i).color->mapped)
            return true;
    return false;
}

static const char *not_mapped(const struct scene *scene)
{
    return is_mapped(&scene->look) ? NULL : "no colour of it goes through a map";
}

static const struct colour_map *shifted(struct control_run *run, const struct colour_map *map)
{
    if (!map)
        return NULL;
    struct colour_map *copy = control_run_keep(run, sizeof *map);
    *copy = *map;
    memmove(copy->shown[1], copy->shown[0], sizeof copy->shown - sizeof copy->shown[0]);
    return copy;
}

static void shift_map(void *user, struct scene *scene)
{
    struct control_run *run = user;
    struct look_params *look = &scene->look;
    look->map = shifted(run, look->map);
    for (uint32_t i = 0; i < look->panel_count; i++)
        look->panels[i].map = shifted(run, look->panels[i].map);
    run->changed++;
}

const struct control control_colour_map = {
    .name = "colour_map",
    .doc = "the colour map is off by one entry",
    .stage = JUDGED_LIGHT,
    .why_not = not_mapped,
    .hooks.scene = shift_map,
};

/* ---- exposure, glow, overlay ---- */

/* One step late from here on: the previous step is made again. Nothing adapts before the first
 * frame whose light is metered again. */
static enum status expose_late(void *user, struct renderer *renderer, struct view *view)
{
    struct control_run *run = user;
    if (run->kept_count == 0)
        control_run_keep(run, RENDERER_STATE * sizeof(double));
    double *before = run->kept[0];
    const uint64_t at = run->first > EXPOSURE_EVERY ? run->first : EXPOSURE_EVERY + 1;
    if (view->frame + 1 == at)
        renderer_state(renderer, before);
    if (view->frame != at)
        return STATUS_OK;
    renderer_resume(renderer, before);
    run->changed++;
    return STATUS_OK;
}

static const char *not_adapting(const struct scene *scene)
{
    return scene->look.exposure.adapts ? NULL : "its exposure does not adapt";
}

const struct control control_exposure_late = {
    .name = "exposure_late",
    .doc = "an exposure that adapts is one step late",
    .stage = JUDGED_PICTURE,
    .why_not = not_adapting,
    .hooks.drawing = expose_late,
};

static const char *no_bloom(const struct scene *scene)
{
    return scene->look.bloom > 0 ? NULL : "nothing glows in it";
}

static void more_bloom(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->look.bloom = fmin(scene->look.bloom * (1 + run->size / 100), 1);
    run->changed++;
}

static void without_bloom(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->look.bloom = 0;
    run->changed++;
}

static const char *no_clock(const struct scene *scene)
{
    return scene->overlay.clock ? NULL : "no clock is shown";
}

/* The overlay counts time in the scene's units, which the bodies do not use. */
static void other_clock(void *user, struct scene *scene)
{
    struct control_run *run = user;
    scene->bodies.units.time_myr =
        (scene->bodies.units.time_myr > 0 ? scene->bodies.units.time_myr : 1) * 1.02;
    run->changed++;
}

const struct control control_bloom = {
    .name = "bloom",
    .doc = "a twentieth more of the light glows",
    .stage = JUDGED_PICTURE,
    .size = 5,
    .unit = "%",
    .searched = true,
    .why_not = no_bloom,
    .hooks.scene = more_bloom,
};

const struct control control_bloom_off = {
    .name = "bloom_off",
    .doc = "nothing glows",
    .stage = JUDGED_PICTURE,
    .why_not = no_bloom,
    .hooks.scene = without_bloom,
};

const struct control control_clock = {
    .name = "clock",
    .doc = "the clock shows other digits",
    .stage = JUDGED_PICTURE,
    .why_not = no_clock,
    .hooks.scene = other_clock,
};

/* ---- numbers that are none ---- */

static const char *not_by_mass(const struct scene *scene)
{
    return strcmp(scene->look.weight->name, "mass") == 0 ? NULL
                                                         : "its light does not follow the masses";
}

static enum status not_a_number(void *user, struct renderer *renderer, struct view *view)
{
    struct control_run *run = user;
    (void)renderer;
    if (view->memory != VIEW_HOST || view->frame < run->first)
        return STATUS_OK;
    for (size_t i = 0; i < view->count; i += 16)
        view->position[4 * i + 3] = NAN;
    run->changed++;
    return STATUS_OK;
}

const struct control control_nan = {
    .name = "nan",
    .doc = "the light has pixels that are no numbers",
    .stage = JUDGED_LIGHT,
    .why_not = not_by_mass,
    .hooks.drawing = not_a_number,
};
