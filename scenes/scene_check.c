#include "scenes/scene_check.h"

#include "base/choice.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "scenes/keys.h"
#include "scenes/read.h"
#include "scenes/value.h"

#include <float.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct look_preset presets[] = {
    {.name = "cinema",
     .doc = "stars in the colours of their kinds as a telescope shows them, bright cores, dust, "
            "faint background stars and galaxies, and a film camera's motion blur",
     .set = {{"look.mode", "sprites"},
             {"look.color", "stars"},
             {"look.size", "auto"},
             {"look.point_size", "0"},
             {"look.radius", "0"},
             {"look.tone", "asinh"},
             {"look.exposure", "auto"},
             {"look.saturation", "1"},
             {"look.shutter", "0.5"},
             {"look.stars", "auto"},
             {"look.resolved", "0.6"},
             {"look.bloom", "0"},
             {"look.glow", "0.35"},
             {"look.optics", "telescope"},
             {"look.spikes", "0"},
             {"look.dust", "3"},
             {"look.background_stars", "4000"},
             {"look.background_galaxies", "6000"},
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
             {"look.background_galaxies", "0"},
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
             {"look.background_galaxies", "0"},
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

/* Applies look.preset and clears it. A preset in the scene's text sets the keys that the text and
 * options leave out; one given by an option also overrides keys of the text, except colours
 * (look.color, look.map). Logs at info level which keys stay. */
static enum status preset_apply(struct scene *scene)
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

static enum status blame_item(const struct scene *scene, const char *list, uint32_t item,
                              const char *field)
{
    char path[160];
    snprintf(path, sizeof path, "%s[%u]%s%s", list, item, *field ? "." : "", field);
    return scene_blame(scene, path);
}

static enum status check_list(const struct scene *scene, const struct key *key, const char *path)
{
    const struct key_list *list = key->list;
    const char *items = list_items(key, scene);
    for (uint32_t n = 0; n < *list_count(key, scene); n++)
        for (size_t i = 0; i < list->key_count; i++)
            if (value_check(&list->keys[i], items + n * list->item_size + list->keys[i].offset) !=
                STATUS_OK)
                return blame_item(scene, path, n + 1, list->keys[i].name);
    return STATUS_OK;
}

static enum status check_ranges(const struct scene *scene)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        const struct key *key = &scene_keys[i];
        char path[KEY_PATH];
        key_path(key, path);
        struct key_track track;
        if (key->type == KEY_LIST && check_list(scene, key, path) != STATUS_OK)
            return STATUS_USAGE;
        if (key_track(key, &track) && check_list(scene, &track.key, path) != STATUS_OK)
            return STATUS_USAGE;
        if (value_check(key, (const char *)scene + key->offset) != STATUS_OK)
            return scene_blame(scene, path);
    }
    return STATUS_OK;
}

static enum status check_components(const struct scene *scene)
{
    const struct component_params *list = scene->bodies.components;
    for (uint32_t n = 0; n < scene->bodies.component_count; n++) {
        if (list[n].first == 0 && !scene->bodies.by_id) {
            status_fail(STATUS_USAGE, "its first row is 0, and rows count from 1");
            return blame_item(scene, "bodies.components", n + 1, "");
        }
        if (list[n].last < list[n].first) {
            status_fail(STATUS_USAGE, "its last row %" PRIu64 " is before its first row %" PRIu64,
                        list[n].last, list[n].first);
            return blame_item(scene, "bodies.components", n + 1, "");
        }
        for (uint32_t other = 0; other < n; other++) {
            if (list[n].first > list[other].last || list[other].first > list[n].last)
                continue;
            status_fail(STATUS_USAGE,
                        "its rows %" PRIu64 " to %" PRIu64 " overlap those of entry %u, %" PRIu64
                        " to %" PRIu64,
                        list[n].first, list[n].last, other + 1, list[other].first,
                        list[other].last);
            return blame_item(scene, "bodies.components", n + 1, "");
        }
    }
    return STATUS_OK;
}

/* The default that the documentation of bodies.galaxies promises. */
static void default_galaxies(struct scene *scene)
{
    struct bodies_params *bodies = &scene->bodies;
    const struct key *key = key_path_find("bodies.galaxies");
    static const char *const names[] = {"first", "second"};
    value_free(key, scene);
    list_create(key, scene);
    bodies->galaxy_count = 2;
    for (int i = 0; i < 2; i++) {
        item_defaults(key->list, &bodies->galaxies[i]);
        free(bodies->galaxies[i].name);
        bodies->galaxies[i].name = memory_text(names[i]);
    }
    bodies->galaxies[1].inclination = 60;
}

static enum status check_galaxies(struct scene *scene)
{
    const struct bodies_params *bodies = &scene->bodies;
    if (bodies->galaxy_count == 0)
        default_galaxies(scene);
    for (uint32_t i = 0; i < bodies->galaxy_count; i++) {
        const struct galaxy_params *galaxy = &bodies->galaxies[i];
        if (galaxy->disk_mass + galaxy->gas_mass + galaxy->bulge_mass + galaxy->halo_mass > 0)
            continue;
        status_fail(STATUS_USAGE, "the galaxy has no mass; give one of disk_mass, bulge_mass and "
                                  "halo_mass");
        return blame_item(scene, "bodies.galaxies", i + 1, "");
    }
    if (bodies->galaxy_count == 2 && bodies->pericentre > bodies->separation) {
        status_fail(STATUS_USAGE, "expected at most the separation, %g, found %g",
                    bodies->separation, bodies->pericentre);
        return scene_blame(scene, "bodies.pericentre");
    }
    if (bodies->orbit_energy != 0 && (bodies->eccentricity != 1 || bodies->pericentre_time > 0)) {
        status_fail(STATUS_USAGE,
                    "an orbit is given by its energy, its eccentricity or the time of its "
                    "pericentre, but bodies.%s is given, too; leave out one of them",
                    bodies->eccentricity != 1 ? "eccentricity" : "pericentre_time");
        return scene_blame(scene, "bodies.orbit_energy");
    }
    return STATUS_OK;
}

static enum status check_bodies(struct scene *scene)
{
    const struct bodies_params *bodies = &scene->bodies;
    const bool is_file = bodies->model->reads_file;
    if (is_file && bodies->file[0] == '\0') {
        status_fail(STATUS_USAGE,
                    "model file needs the name of a table of bodies; set bodies.file");
        return scene_blame(scene, "bodies.file");
    }
    if (!is_file && bodies->file[0] != '\0') {
        status_fail(STATUS_USAGE,
                    "the file would not be read, because bodies.model is %s; set it to file",
                    bodies->model->name);
        return scene_blame(scene, "bodies.file");
    }
    if (bodies->file_units && bodies->length_unit) {
        status_fail(STATUS_USAGE,
                    "bodies.units and bodies.length_unit both state the units of the file; leave "
                    "out one of them");
        return scene_blame(scene, "bodies.length_unit");
    }
    const bool boxed = bodies->box[0] + bodies->box[1] + bodies->box[2] > 0;
    if (!is_file && (boxed || bodies->frame->comoving)) {
        const char *key = boxed ? "bodies.box" : "bodies.frame";
        status_fail(STATUS_USAGE,
                    "it is only for bodies from a file, and bodies.model is %s; leave it out, or "
                    "set bodies.model to snapshots or file",
                    bodies->model->name);
        return scene_blame(scene, key);
    }
    if (!is_file && bodies->count == 0) {
        status_fail(STATUS_USAGE, "model %s needs a number of bodies, 1 or more; found 0",
                    bodies->model->name);
        return scene_blame(scene, "bodies.count");
    }
    if (is_file)
        return check_components(scene);
    return bodies->model->makes_galaxies ? check_galaxies(scene) : STATUS_OK;
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
    const double least = key_path_find("simulation.force_error")->min;
    for (uint32_t i = 0; i < look->panel_count; i++) {
        const double error = look->panels[i].force_error;
        if (error == 0 || error >= least)
            continue;
        status_fail(STATUS_USAGE, "expected 0 or at least %g, found %g", least, error);
        return blame_item(scene, "look.panels", i + 1, "force_error");
    }
    return STATUS_OK;
}

static enum status check_quantity(const struct scene *scene)
{
    const struct look_params *look = &scene->look;
    if (look->quantity_from <= look->quantity_to)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected at least quantity_from (%g), found %g", look->quantity_from,
                look->quantity_to);
    return scene_blame(scene, "look.quantity_to");
}

static enum status check_expect(const struct scene *scene)
{
    const struct expect_params *expect = &scene->expect;
    if (expect->virial_max == 0 || expect->virial_min <= expect->virial_max)
        return STATUS_OK;
    status_fail(STATUS_USAGE, "expected at most virial_max, %g, found %g", expect->virial_max,
                expect->virial_min);
    return scene_blame(scene, "expect.virial_min");
}

static enum status check_time(const struct scene *scene)
{
    const struct simulation_params *simulation = &scene->simulation;
    const double most = DBL_MAX / (double)scene->output.frames / simulation->steps_per_frame;
    return simulation->dt <= most
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "simulation.dt %g is too long: the film's %" PRIu64
                             " frames of %u steps would last longer than a number can hold; give "
                             "a smaller one",
                             simulation->dt, (uint64_t)scene->output.frames,
                             simulation->steps_per_frame);
}

static enum status check_steps(const struct scene *scene)
{
    const struct simulation_params *simulation = &scene->simulation;
    if (simulation->long_steps > 0 && simulation->double_steps == 0) {
        status_fail(STATUS_USAGE,
                    "it is for the bodies whose softening is at least simulation.double_steps, "
                    "which is 0; set both");
        return scene_blame(scene, "simulation.long_steps");
    }
    if (simulation->double_steps > 0 && simulation->adaptive > 0) {
        status_fail(STATUS_USAGE, "simulation.double_steps and simulation.adaptive both choose "
                                  "the bodies' steps; set one of them to 0");
        return scene_blame(scene, "simulation.double_steps");
    }
    return STATUS_OK;
}

/* A file's bodies are all taken, unless a number is asked for. */
static enum status take_all(struct scene *scene)
{
    return scene->bodies.model->reads_file && !scene_is_given(scene, "bodies.count")
               ? scene_set(scene, "bodies.count", "0", "bodies.model")
               : STATUS_OK;
}

enum status scene_validate(struct scene *scene)
{
    enum status status = preset_apply(scene);
    if (status == STATUS_OK)
        status = take_all(scene);
    if (status == STATUS_OK)
        status = check_ranges(scene);
    if (status == STATUS_OK)
        status = check_time(scene);
    if (status == STATUS_OK)
        status = check_steps(scene);
    scene->bodies.softening = scene->simulation.softening;
    if (status == STATUS_OK)
        status = check_panels(scene);
    if (status == STATUS_OK)
        status = check_quantity(scene);
    if (status == STATUS_OK)
        status = check_expect(scene);
    return status == STATUS_OK ? check_bodies(scene) : status;
}

enum { SCENE_BYTES_MAX = 1 << 20, FAULTS_MOST = 100 };

static size_t indent_of(const char *line)
{
    return strspn(line, " ");
}

static char *line_start(char *text, unsigned long number)
{
    for (; number > 1 && text; number--) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

static bool is_blank(const char *line)
{
    return strchr("\r\n", line[strspn(line, " \t")]) != NULL; /* also true at the end */
}

static char *blank_line(char *line)
{
    const size_t length = strcspn(line, "\r\n");
    memset(line, ' ', length);
    return line[length] ? line + length + 1 : line + length;
}

/* Blanks out the line and the more deeply indented lines below it; false if it is blank already. */
static bool leave_out(char *text, unsigned long number)
{
    char *line = line_start(text, number);
    if (!line || !*line || is_blank(line))
        return false;
    const size_t indent = indent_of(line);
    line = blank_line(line);
    while (*line && (is_blank(line) || indent_of(line) > indent))
        line = is_blank(line) ? line + strcspn(line, "\n") + (strchr(line, '\n') != NULL)
                              : blank_line(line);
    return true;
}

/* The line number in "ORIGIN:LINE: ..."; 0: none. */
static unsigned long line_in(const char *sentence, const char *origin)
{
    const size_t length = strlen(origin);
    if (strncmp(sentence, origin, length) != 0 || sentence[length] != ':')
        return 0;
    return strtoul(sentence + length + 1, NULL, 10);
}

static enum status read_once(struct scene **out, const char *text, const char *origin)
{
    enum status status = scene_parse(out, text, origin);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status != STATUS_OK)
        scene_close(out);
    return status;
}

static enum status read_rest(struct scene **out, char *text, const char *origin,
                             const struct fault_taker *taker)
{
    enum status first = STATUS_OK;
    for (int i = 0; i < FAULTS_MOST; i++) {
        enum status status = read_once(out, text, origin);
        if (status == STATUS_OK)
            break;
        const unsigned long line = line_in(status_text(), origin);
        const bool syntax = strstr(status_text(), "not valid YAML") != NULL;
        if (first == STATUS_OK)
            first = status;
        taker->take(taker->user, status_text());
        if (syntax || line == 0 || !leave_out(text, line))
            break;
    }
    return first;
}

enum status scene_open_faults(struct scene **out, const char *name, const struct fault_taker *taker)
{
    char *text = NULL;
    size_t size = 0;
    enum status status = scene_open(out, name);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status == STATUS_OK)
        return STATUS_OK;
    scene_close(out);
    struct failure first = {0};
    failure_keep(&first, status);
    const bool read = !choice_find(&builtin_registry, name) &&
                      file_read(name, SCENE_BYTES_MAX, &text, &size) == STATUS_OK;
    if (!read || strlen(text) != size) { /* only the whole text shows a NUL byte */
        free(text);
        failure_report(&first);
        taker->take(taker->user, status_text());
        return status;
    }
    status = read_rest(out, text, name, taker);
    free(text);
    return status;
}
