/* Whether a scene makes sense as a whole. */
#include "base/file.h"
#include "base/text.h"
#include "scenes/frame.h"
#include "scenes/load.h"
#include "scenes/number.h"
#include "scenes/state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool within(const struct key *key, double value)
{
    return isfinite(value) && (key->above ? value > key->min : value >= key->min) &&
           value <= key->max;
}

static enum status out_of_range(const struct key *key, const char *found)
{
    char wanted[256];
    key_wants(key, wanted, sizeof wanted);
    return status_fail(STATUS_USAGE, "expected %s, found %s", wanted, found);
}

static enum status check_number(const struct key *key, double value)
{
    char found[NUMBER_TEXT_MAX];
    number_print(value, found);
    return within(key, value) ? STATUS_OK : out_of_range(key, found);
}

static enum status check_whole(const struct key *key, uint64_t value)
{
    char found[NUMBER_TEXT_MAX];
    snprintf(found, sizeof found, "%" PRIu64, value);
    return within(key, (double)value) && key_offers(key, found) ? STATUS_OK
                                                                : out_of_range(key, found);
}

/* The value at `base` + the key's offset against the key's range. */
static enum status check_value(const struct key *key, const void *base)
{
    const char *at = (const char *)base + key->offset;
    enum status status = STATUS_OK;
    switch (key->type) {
    case KEY_NUMBER:
        return check_number(key, *(const double *)at);
    case KEY_U32:
        return check_whole(key, *(const uint32_t *)at);
    case KEY_U64:
        return check_whole(key, *(const uint64_t *)at);
    case KEY_VECTOR:
        for (int i = 0; i < 3 && status == STATUS_OK; i++)
            status = check_number(key, ((const double *)at)[i]);
        return status;
    case KEY_FLAG:
    case KEY_TEXT:
    case KEY_CHOICE:
    case KEY_SIZE: /* with what is derived from it, below */
    case KEY_RATE:
    case KEY_LIST:
        break;
    }
    return STATUS_OK;
}

static enum status check_list(const struct scene *scene, int index)
{
    const struct key_list *list = scene_keys[index].list;
    const char *items = *(char *const *)((const char *)scene + scene_keys[index].offset);
    const uint32_t count = *(const uint32_t *)((const char *)scene + list->count_offset);
    for (uint32_t n = 0; n < count; n++)
        for (size_t i = 0; i < list->key_count; i++)
            if (check_value(&list->keys[i], items + n * list->item_size) != STATUS_OK)
                return scene_blame_key(scene, index, n + 1, (int)i);
    return STATUS_OK;
}

static enum status replace(char **text, char *by)
{
    if (!by)
        return status_fail(STATUS_RUNTIME, "no memory left for the scene");
    free(*text);
    *text = by;
    return STATUS_OK;
}

/* Also rewrites the texts in their plainest form, so that 720p and 1280x720 are one scene. */
static enum status derive_frame(struct scene *scene)
{
    struct output_params *output = &scene->output;
    const int size_key = key_find("output", "size"), rate_key = key_find("output", "fps");
    const struct key *size = &scene_keys[size_key], *rate = &scene_keys[rate_key];
    if (!frame_size_parse(output->size, &output->width, &output->height) ||
        !within(size, output->width) || !within(size, output->height)) {
        out_of_range(size, output->size);
        return scene_blame_key(scene, size_key, 0, -1);
    }
    if (!frame_rate_parse(output->fps, &output->fps_num, &output->fps_den) ||
        !within(rate, (double)output->fps_num / output->fps_den)) {
        out_of_range(rate, output->fps);
        return scene_blame_key(scene, rate_key, 0, -1);
    }
    enum status status =
        replace(&output->size, text_format("%ux%u", output->width, output->height));
    if (status == STATUS_OK)
        status = replace(&output->fps, output->fps_den == 1 ? text_format("%u", output->fps_num)
                                                            : text_format("%u/%u", output->fps_num,
                                                                          output->fps_den));
    return status;
}

/* A number, or what stands for one that is found out. */
static enum status derive_exposure(struct scene *scene)
{
    struct look_params *look = &scene->look;
    const struct key number = {.type = KEY_NUMBER};
    look->exposure_adapts = strcmp(look->exposure, "adapt") == 0;
    look->exposure_factor = 0;
    if (look->exposure_adapts || strcmp(look->exposure, "auto") == 0)
        return STATUS_OK;
    if (key_accepts(&number, look->exposure, false))
        look->exposure_factor = strtod(look->exposure, NULL);
    if (look->exposure_factor > 0)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected auto, adapt or a number > 0, found '%.48s'",
                look->exposure);
    return scene_blame(scene, "look.exposure");
}

static enum status check_components(const struct scene *scene)
{
    const struct component_params *list = scene->bodies.components;
    const int key = key_find("bodies", "components");
    for (uint32_t n = 0; n < scene->bodies.component_count; n++) {
        if (list[n].last < list[n].first) {
            status_fail(STATUS_USAGE,
                        "its last row %" PRIu64 " stands before its first row %" PRIu64,
                        list[n].last, list[n].first);
            return scene_blame_key(scene, key, n + 1, -1);
        }
        for (uint32_t other = 0; other < n; other++) {
            if (list[n].first > list[other].last || list[other].first > list[n].last)
                continue;
            status_fail(STATUS_USAGE,
                        "its rows %" PRIu64 " to %" PRIu64 " overlap those of entry %u, %" PRIu64
                        " to %" PRIu64,
                        list[n].first, list[n].last, other + 1, list[other].first,
                        list[other].last);
            return scene_blame_key(scene, key, n + 1, -1);
        }
    }
    return STATUS_OK;
}

/* What the documentation of bodies.galaxies promises when none is listed. */
static enum status default_galaxies(struct scene *scene)
{
    struct bodies_params *bodies = &scene->bodies;
    const struct key_list *list = scene_keys[key_find("bodies", "galaxies")].list;
    static const char *const names[] = {"first", "second"};
    free(bodies->galaxies);
    bodies->galaxies = calloc(2, sizeof *bodies->galaxies);
    if (!bodies->galaxies)
        return status_fail(STATUS_RUNTIME, "no memory left for the scene");
    bodies->galaxy_count = 2;
    enum status status = STATUS_OK;
    for (int i = 0; i < 2 && status == STATUS_OK; i++) {
        status = load_item_defaults(list, &bodies->galaxies[i]);
        if (status == STATUS_OK)
            status = replace(&bodies->galaxies[i].name, strdup(names[i]));
    }
    bodies->galaxies[1].inclination = 60;
    return status;
}

static enum status check_galaxies(struct scene *scene)
{
    const struct bodies_params *bodies = &scene->bodies;
    enum status status = bodies->galaxy_count == 0 ? default_galaxies(scene) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    for (uint32_t i = 0; i < bodies->galaxy_count; i++) {
        const struct galaxy_params *galaxy = &bodies->galaxies[i];
        if (galaxy->disk_mass + galaxy->bulge_mass + galaxy->halo_mass > 0)
            continue;
        status_fail(STATUS_USAGE, "the galaxy has no mass; give one of disk_mass, bulge_mass and "
                                  "halo_mass");
        return scene_blame_key(scene, key_find("bodies", "galaxies"), i + 1, -1);
    }
    if (bodies->galaxy_count == 2 && bodies->pericentre > bodies->separation) {
        status_fail(STATUS_USAGE, "expected at most the separation, %g, found %g",
                    bodies->separation, bodies->pericentre);
        return scene_blame(scene, "bodies.pericentre");
    }
    return STATUS_OK;
}

static enum status check_bodies(struct scene *scene)
{
    const struct bodies_params *bodies = &scene->bodies;
    const bool is_file = bodies->model->reads_file;
    if (is_file && bodies->file[0] == '\0') {
        status_fail(STATUS_USAGE,
                    "model file wants the name of a table of bodies; set bodies.file");
        return scene_blame(scene, "bodies.file");
    }
    if (!is_file && bodies->file[0] != '\0') {
        status_fail(STATUS_USAGE,
                    "the file would not be read, because bodies.model is %s; set it to file",
                    bodies->model->name);
        return scene_blame(scene, "bodies.file");
    }
    if (!is_file && bodies->count == 0) {
        status_fail(STATUS_USAGE, "model %s wants a number of bodies, 1 or more; found 0",
                    bodies->model->name);
        return scene_blame(scene, "bodies.count");
    }
    if (is_file)
        return check_components(scene);
    return bodies->model->makes_galaxies ? check_galaxies(scene) : STATUS_OK;
}

static enum status check_shutter(const struct scene *scene)
{
    enum { FEWEST = 8 };
    const struct look_params *look = &scene->look;
    if (look->shutter == 0 || look->samples >= FEWEST)
        return STATUS_OK;
    status_fail(STATUS_USAGE,
                "motion is seen in as many samples as look.samples, and in %u it would be a row of "
                "single pictures; set look.samples to %d or more, or look.shutter to 0",
                look->samples, (int)FEWEST);
    return scene_blame(scene, "look.shutter");
}

static enum status check_panels(const struct scene *scene)
{
    const struct look_params *look = &scene->look;
    if (look->panel_count == 1) {
        status_fail(STATUS_USAGE, "one panel alone compares nothing; list 2 to 4, or none");
        return scene_blame(scene, "look.panels");
    }
    if (look->panel_count > 0 && look->panels[0].difference) {
        status_fail(STATUS_USAGE, "the first panel is what the others are compared with, so it "
                                  "cannot be true here");
        return scene_blame(scene, "look.panels[1].difference");
    }
    return STATUS_OK;
}

static enum status check_camera(const struct scene *scene)
{
    if (scene->camera.keyframe_count == 0 || !scene->camera.frame->automatic)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "frame auto chooses the distance, and camera.keyframes say where the "
                              "camera is; leave one of them out");
    return scene_blame(scene, "camera.frame");
}

enum status scene_validate(struct scene *scene)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < scene_key_count && status == STATUS_OK; i++) {
        if (scene_keys[i].type == KEY_LIST)
            status = check_list(scene, (int)i);
        else if (check_value(&scene_keys[i], scene) != STATUS_OK)
            status = scene_blame_key(scene, (int)i, 0, -1);
    }
    if (status == STATUS_OK)
        status = derive_frame(scene);
    if (status == STATUS_OK)
        status = derive_exposure(scene);
    if (status == STATUS_OK)
        status = check_shutter(scene);
    if (status == STATUS_OK)
        status = check_panels(scene);
    if (status == STATUS_OK)
        status = check_camera(scene);
    return status == STATUS_OK ? check_bodies(scene) : status;
}
