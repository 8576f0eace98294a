#include "scenes/preset.h"

#include "base/choice.h"
#include "base/log.h"
#include "scenes/keys.h"

#include <string.h>

static const struct look_preset presets[] = {
    {.name = "cinema",
     .doc = "stars in the colours of their kinds, from faint tails to bright cores, a little glow, "
            "faint background stars, and a film camera's motion blur",
     .set = {{"look.mode", "sprites"},
             {"look.color", "stars"},
             {"look.size", "auto"},
             {"look.point_size", "0"},
             {"look.radius", "0"},
             {"look.tone", "log"},
             {"look.exposure", "auto"},
             {"look.saturation", "1"},
             {"look.shutter", "0.5"},
             {"look.stars", "auto"},
             {"look.resolved", "0.6"},
             {"look.bloom", "0"},
             {"look.glow", "0.15"},
             {"look.spikes", "0"},
             {"look.dust", "1"},
             {"look.background_stars", "8000"},
             {"look.background_light", "2"}}},
    {.name = "science",
     .doc = "every body a point in the colour of the density around it, with a legend that is "
            "exact for each pixel: no glow, no dimming",
     .set = {{"look.mode", "points"},
             {"look.color", "density"},
             {"look.map", "viridis"},
             {"look.size", "fixed"},
             {"look.tone", "linear"},
             {"look.exposure", "1"},
             {"look.shutter", "0"},
             {"look.bloom", "0"},
             {"look.glow", "0"},
             {"look.spikes", "0"},
             {"look.background_stars", "0"},
             {"overlay.legend", "true"}}},
    {.name = "classic",
     .doc =
         "soft dots of one size with a wide glow, in red, green and blue by the direction of the "
         "velocity",
     .set = {{"look.mode", "sprites"},
             {"look.color", "velocity-rgb"},
             {"look.size", "fixed"},
             {"look.tone", "filmic"},
             {"look.exposure", "auto"},
             {"look.saturation", "0.8"},
             {"look.shutter", "0"},
             {"look.bloom", "0.5"},
             {"look.glow", "0"},
             {"look.spikes", "0"},
             {"look.background_stars", "0"}}},
    {.name = "flat",
     .doc = "plain dots of one size without glow, the quickest to draw",
     .set = {{"look.mode", "sprites"},
             {"look.color", "velocity"},
             {"look.size", "fixed"},
             {"look.tone", "filmic"},
             {"look.exposure", "auto"},
             {"look.saturation", "0.8"},
             {"look.shutter", "0"},
             {"look.bloom", "0"},
             {"look.glow", "0"},
             {"look.spikes", "0"},
             {"look.background_stars", "0"}}},
    {.name = "map",
     .doc =
         "for measuring: the surface density of mass in linear light, seen along the z axis from "
         "so far away that nothing is foreshortened; for a map of height H, camera.distance is "
         "5729.578 H",
     .set = {{"look.mode", "sprites"},
             {"look.color", "constant"},
             {"look.map", "grey"},
             {"look.size", "auto"},
             {"look.point_size", "0"},
             {"look.radius", "0"},
             {"look.weight", "mass"},
             {"look.tone", "linear"},
             {"look.exposure", "surface-density"},
             {"look.shutter", "0"},
             {"look.bloom", "0"},
             {"look.glow", "0"},
             {"look.spikes", "0"},
             {"look.dust", "0"},
             {"look.background_stars", "0"},
             {"camera.frame", "fixed"},
             {"camera.follow", "\"\""},
             {"camera.fov", "0.01"},
             {"camera.azimuth", "-90"},
             {"camera.elevation", "90"},
             {"camera.orbit", "0"},
             {"camera.zoom", "1"}}},
};

const struct registry preset_registry = REGISTRY_OF("preset", presets);

static bool is_colour(const char *key)
{
    return strcmp(key, "look.color") == 0 || strcmp(key, "look.map") == 0;
}

/* A scene from a film sets every key, including defaults, so only other values count. */
static bool has_own(const struct scene *scene, const char *path)
{
    const struct key *key = key_path_find(path);
    const struct choice *entry;
    memcpy(&entry, (const char *)scene + key->offset, sizeof entry);
    return scene_is_given(scene, path) && strcmp(entry->name, key->fallback) != 0;
}

/* A preset does not change what the scene's colours mean. */
static bool keeps(const struct scene *scene, const char *key, bool option)
{
    if (!option)
        return scene_is_given(scene, key);
    return scene_is_option(scene, key) || (is_colour(key) && has_own(scene, key));
}

enum status preset_apply(struct scene *scene)
{
    const struct look_preset *preset = scene->look.preset;
    const bool goes_first = scene_is_option(scene, "look.preset");
    enum status status = STATUS_OK;
    if (!preset)
        return status;
    for (int i = 0; i < PRESET_KEYS && preset->set[i].key && status == STATUS_OK; i++) {
        const char *key = preset->set[i].key, *value = preset->set[i].value;
        if (!keeps(scene, key, goes_first))
            status = scene_set(scene, key, value, "look.preset");
        else if (goes_first && is_colour(key) && !scene_is_option(scene, key))
            log_info("%s keeps the scene's value; --set %s=%s uses that of the preset %s", key, key,
                     value, preset->name);
    }
    scene_forget(scene, "look.preset");
    return status;
}
