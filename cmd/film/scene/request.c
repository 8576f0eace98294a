#include "cmd/film/scene/request.h"

#include "base/file.h"
#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/advice.h"
#include "cmd/film/film.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/start/propose.h"
#include "cmd/film/start/panels.h"
#include "render/panel/places.h"
#include "render/picture/picture.h"
#include "scenes/scene_check.h"
#include "scenes/keys.h"
#include "scenes/print.h"
#include "scenes/retime.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/run/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scene_is_named(const char *name)
{
    const char *extension = file_extension(name);
    if (strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0 ||
        strcmp(extension, RUN_EXTENSION) == 0)
        return true;
    if (choice_find(&builtin_registry, name))
        return true;
    return !strpbrk(name, "./") && !file_exists(name);
}

static enum status append_codec_option(struct scene *scene, const char *option, const char *origin)
{
    const char *before = scene->output.codec_options;
    char *list = text_format("%s%s%s", before, *before ? ":" : "", option);
    enum status status = scene_set_text(scene, "output.codec_options", list, origin);
    free(list);
    return status;
}

/* The keys, or whole sections, that only suit the scene's own bodies. Keys for the look, encoding
 * and arithmetic suit any bodies. */
static const char *const of_its_bodies[] = {
    "units",
    "bodies",
    "expect",
    "simulation.dt",
    "simulation.softening",
    "simulation.steps_per_frame",
    "simulation.damping",
    "simulation.slow",
    "simulation.freeze_at",
    "camera.target",
    "camera.follow",
    "camera.frame",
    "camera.fraction",
    "camera.distance",
    "camera.zoom",
    "camera.eye_distance",
    "camera.keyframes",
    "camera.moves",
    "look.radius",
    "look.marks",
    "look.speed",
    "look.acceleration",
    "overlay.captions",
    "overlay.labels",
    "overlay.card",
    "overlay.clock_from",
    "overlay.clock_event",
    "overlay.subtitle",
    "output.title",
};

/* Keys that are also dropped if the scene is built in, because a built-in scene's fades do not suit
 * another file. */
static const char *const of_its_film[] = {"look.fade_in", "look.fade_out"};

static void forget(struct scene *scene, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < scene_key_count; k++) {
            char path[KEY_PATH];
            key_path(&scene_keys[k], path);
            if (strcmp(scene_keys[k].section, names[i]) == 0 || strcmp(path, names[i]) == 0)
                scene_forget(scene, path);
        }
}

/* If the path is the scene's own file in another place, all of the scene applies. Any other file
 * brings its own units, physics and camera, and labels that it lacks are not shown. */
static enum status apply_file(struct scene *scene, const char *model, const char *path,
                              const char *option, bool builtin)
{
    const bool own = scene->bodies.model->reads_file &&
                     strcmp(file_base(scene->bodies.file), file_base(path)) == 0;
    if (!own)
        forget(scene, of_its_bodies, sizeof of_its_bodies / sizeof *of_its_bodies);
    if (!own && builtin)
        forget(scene, of_its_film, sizeof of_its_film / sizeof *of_its_film);
    enum status status = scene_set(scene, "bodies.model", model, option);
    if (status == STATUS_OK)
        status = scene_set_text(scene, "bodies.file", path, option);
    /* The body count of the scene's own model does not apply to a file; -n can follow. */
    if (status == STATUS_OK)
        status = scene_set(scene, "bodies.count", "0", option);
    scene->bodies.components_optional = true;
    return status;
}

/* Does not warn that a title is missing if it was dropped with the bodies. */
static void hide_title(struct scene *scene, const struct scene_request *request)
{
    bool asked = false;
    for (int i = 0; i < request->setting_count; i++)
        asked |= strcmp(request->settings[i].key, "overlay.title") == 0;
    if ((request->bodies_from || request->snapshots) && !asked && scene->output.title[0] == '\0')
        scene_forget(scene, "overlay.title");
}

static bool turn(struct scene *scene, struct picture_size made_for, uint32_t panel);

/* The size of the picture that shows the scene's own bodies. */
static struct picture_size panel_shape(const struct scene *scene)
{
    const struct picture_size size = scene->output.size;
    struct panel_place places[PANELS_MAX];
    if (!look_is_montage(&scene->look))
        return size;
    panel_places_apart(size.width, size.height, (int)scene->look.panel_count, places);
    return (struct picture_size){places[0].width, places[0].height};
}

/* Steps and moments refer to the frame rate of the scene or of --set; --fps only makes the same
 * film smoother. */
static enum status apply_settings(struct scene *scene, const struct scene_request *request,
                                  struct retiming *how)
{
    const struct picture_size own = scene->output.size;
    bool aimed = false; /* an option places the camera */
    enum status status = STATUS_OK;
    *how = (struct retiming){
        .from = scene->output.fps, .duration = request->duration, .speed = request->speed};
    for (int i = 0; status == STATUS_OK && i < request->setting_count; i++) {
        const struct setting *setting = &request->settings[i];
        status = setting->append ? append_codec_option(scene, setting->value, setting->origin)
                                 : scene_set(scene, setting->key, setting->value, setting->origin);
        if (strcmp(setting->key, "output.fps") == 0 && strcmp(setting->origin, "--fps") != 0)
            how->from = scene->output.fps;
        how->frames_given |= strcmp(setting->key, "output.frames") == 0;
        aimed |= strcmp(setting->key, "camera.azimuth") == 0;
    }
    if (status == STATUS_OK && !aimed)
        turn(scene, own, request->panel);
    if (status == STATUS_OK)
        propose_around(scene);
    return status;
}

static enum status retime(struct scene *scene, const struct retiming *how)
{
    struct retimed told;
    enum status status = scene_retime(scene, how, &told);
    const bool both = how->duration > 0 && how->speed > 0;
    if (status == STATUS_OK && told.before[0])
        log_info("%s also scale%s the scene's times: '%s' is now '%s'; to keep a time, give it "
                 "with --set",
                 both                ? "--duration and --speed"
                 : how->duration > 0 ? "--duration"
                                     : "--speed",
                 both ? "" : "s", told.before, told.after);
    return status;
}

/* Changes only the length if no panel shows the scene's own bodies. */
static enum status retime_seen(struct scene *scene, const struct retiming *how)
{
    const double dt = scene->simulation.dt;
    const uint32_t steps = scene->simulation.steps_per_frame;
    const enum status status = retime(scene, how);
    if (status == STATUS_OK && !look_shows_own(&scene->look)) {
        scene->simulation.dt = dt;
        scene->simulation.steps_per_frame = steps;
    }
    return status;
}

static void shorten_fades(struct scene *scene, const struct scene_request *request, double made_for)
{
    const double *const times[] = {&scene->look.fade_in, &scene->look.fade_out,
                                   &scene->overlay.card};
    static const char *const names[] = {"look.fade_in", "look.fade_out", "overlay.card"};
    const double before[] = {*times[0], *times[1], *times[2]};
    if (!scene_shorten_fades(scene, made_for) || !request->films)
        return;
    char *changes = NULL, *keys = NULL;
    int last = 2;
    while (last > 0 && *times[last] == before[last])
        last--;
    for (int i = 0; i <= last; i++) {
        if (*times[i] == before[i])
            continue;
        text_append(&keys, i < last ? ", " : " or ", "%s", names[i]);
        if (i == 1 && *times[0] != before[0])
            text_append(&changes, " and ", "%.3g s", *times[i]);
        else if (i < 2)
            text_append(&changes, ", ", "fade%s shortened to %.3g s",
                        i == 1                   ? "-out"
                        : *times[1] != before[1] ? "s"
                                                 : "-in",
                        *times[i]);
        else if (*times[i] > 0)
            text_append(&changes, ", ", "title card shortened to %.3g s", *times[i]);
        else
            text_append(&changes, ", ", "title card left out");
    }
    log_info("the film is short: %s; set %s to change this", changes, keys);
    free(changes);
    free(keys);
}

/* A panel of differences whose bodies move exactly as in the first panel would be black. */
static enum status check_differences(const struct scene *scene)
{
    struct film_sources sources;
    film_sources(scene, &sources);
    for (uint32_t n = 0; n < scene->look.panel_count && !look_is_montage(&scene->look); n++) {
        if (!scene->look.panels[n].difference || sources.panel[n] != sources.panel[0])
            continue;
        char key[64];
        snprintf(key, sizeof key, "look.panels[%u].difference", n + 1);
        status_fail(
            STATUS_USAGE,
            "the panel has the physics of the first one, so there is no difference to show; give "
            "it another force, subset, softening, softening_kernel or force_error");
        return scene_blame(scene, key);
    }
    return STATUS_OK;
}

/* Simulated time from the first frame to the last, or to the next if there is only one. */
static double span_of(const struct scene *scene)
{
    const uint64_t frames = scene->output.frames;
    return scene->simulation.dt * scene->simulation.steps_per_frame *
           (double)(frames > 1 ? frames - 1 : 1);
}

/* With another number of frames, the film still spans the first to the last snapshot. */
static void fit_span(struct scene *scene, double span)
{
    if (!scene_is_given(scene, "simulation.steps_per_frame"))
        scene->simulation.steps_per_frame = 1;
    scene->simulation.dt *= span / span_of(scene);
}

/* The request's run; *own: it is the scene itself. NULL: there is none. */
static const char *run_of(const struct scene_request *request, bool *own)
{
    const char *name = request->scene;
    *own = !request->run && !request->text &&
           (run_is_file(name) || strcmp(file_extension(name), RUN_EXTENSION) == 0);
    return *own ? name : request->run;
}

/* Gives the scene the run. Without a scene, makes that of the run. */
static enum status take_run(struct scene **scene, const char *path, struct run *opened)
{
    struct run *run = opened;
    enum status status = run ? STATUS_OK : run_open(&run, path);
    if (status == STATUS_OK && !*scene)
        status = scene_parse(scene, run_about(run)->scene, path);
    if (status != STATUS_OK && !opened)
        run_close(&run);
    if (status != STATUS_OK)
        return status;
    if (run_about(run)->every > 1)
        log_info_once("the run '%s' keeps a frame of every %u: those between are interpolated by "
                      "cubic Hermite polynomials of positions and velocities",
                      path, run_about(run)->every);
    (*scene)->run = run;
    (*scene)->close_run = opened ? NULL : run_close;
    return STATUS_OK;
}

/* Bodies and motion come from a run. */
static enum status check_run(const struct scene_request *request)
{
    return request->bodies_from || request->snapshots
               ? status_fail(STATUS_USAGE, "a run has its own bodies; leave out %s",
                             request->bodies_from ? "--bodies-from"
                             : request->panel     ? "snapshots"
                                                  : "--snapshots")
               : STATUS_OK;
}

/* Resets the keys of a built-in scene if no panel shows the scene's own bodies. */
static void forget_unseen(struct scene *scene)
{
    for (size_t k = 0; k < scene_key_count && !look_shows_own(&scene->look); k++) {
        char path[KEY_PATH];
        key_path(&scene_keys[k], path);
        if (strcmp(path, "look.panels") != 0 && !scene_is_option(scene, path))
            scene_forget(scene, path);
    }
}

static bool suits_any_bodies(const char *path)
{
    return strncmp(path, "output.", 7) == 0 || strncmp(path, "look.panels", 11) == 0;
}

/* STATUS_USAGE names a key without effect, because no panel shows the scene's own bodies. */
static enum status check_unseen(const struct scene *scene)
{
    struct scene *usual;
    if (look_shows_own(&scene->look))
        return STATUS_OK;
    enum status status = scene_parse(&usual, "", "the defaults");
    if (status == STATUS_OK)
        status = scene_validate(usual);
    if (status != STATUS_OK)
        return status;
    char *a = scene_print(usual), *b = scene_print(scene);
    const size_t count = scene_differences(a, b, NULL, 0);
    struct scene_difference *found = memory_new(count, sizeof *found);
    scene_differences(a, b, found, count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (!suits_any_bodies(found[i].key)) {
            status_fail(STATUS_USAGE,
                        "it has no effect, because every panel has a scene of its own; set it in "
                        "those scenes, or leave out `scene` in a panel to show this one");
            status = scene_blame(scene, found[i].key);
        }
    free(a);
    free(b);
    free(found);
    scene_close(&usual);
    return status;
}

static enum status resolve_panels(struct scene *scene, const struct scene_request *request);

/* Whether the file's extension or, for formats that have one, its signature is that of bodies. */
static bool is_of_bodies(const char *path)
{
    const struct format *format = format_of_extension(path);
    if (!file_exists(path) || file_is_special(path))
        return false;
    return format || (format_of_file(path, NULL, &format) == STATUS_OK && !format->text);
}

static enum status open_scene(struct scene **out, const char *name)
{
    struct failure failure = {0};
    if (!failure_keep(&failure, scene_open(out, name)))
        return STATUS_OK;
    return is_of_bodies(name) && !scene_is_named(name)
               ? status_fail(STATUS_USAGE,
                             "'%s' is a file of bodies: name it with --bodies-from %s", name, name)
               : failure_report(&failure);
}

static enum status open_here(const struct scene_request *request, struct scene **out)
{
    const char *name = request->scene;
    const bool builtin = choice_find(&builtin_registry, name);
    bool is_run;
    const char *run = run_of(request, &is_run);
    const bool carried = !builtin && !is_run && !request->text && own_scene_possible(name);
    enum status status = run ? check_run(request) : STATUS_OK;
    if (status == STATUS_OK && request->text)
        status = scene_parse(out, request->text, name);
    else if (status == STATUS_OK && !is_run)
        status = carried ? own_scene_open(out, name) : open_scene(out, name);
    if (status == STATUS_OK && run)
        status = take_run(out, run, request->opened);
    struct own_files files = {0};
    if (status == STATUS_OK)
        (*out)->bodies.all_columns = request->all_columns;
    if (status == STATUS_OK && carried)
        own_files_note(&files, *out);
    if (status == STATUS_OK && request->bodies_from && request->snapshots)
        status = status_fail(
            STATUS_USAGE,
            "--bodies-from and --snapshots both choose the bodies; leave out one of the two");
    if (status == STATUS_OK && request->bodies_from)
        status = apply_file(*out, "file", request->bodies_from, "--bodies-from", builtin);
    if (status == STATUS_OK && request->snapshots)
        status = apply_file(*out, "snapshots", request->snapshots, "--snapshots", builtin);
    struct retiming how;
    const double made_for = status == STATUS_OK ? scene_seconds(*out, (*out)->output.frames) : 0;
    if (status == STATUS_OK)
        status = apply_settings(*out, request, &how);
    if (status == STATUS_OK && carried)
        status = own_files_check(&files, *out, name, request->bodies_from || request->snapshots);
    own_files_free(&files);
    if (status == STATUS_OK && builtin)
        forget_unseen(*out);
    if (status == STATUS_OK && !carried && !builtin && !run && !request->text &&
        look_shows_own(&(*out)->look))
        advice_tell_bodies(*out);
    if (status == STATUS_OK)
        hide_title(*out, request);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status == STATUS_OK)
        status = check_unseen(*out);
    if (status == STATUS_OK)
        film_take_units(*out);
    if (status == STATUS_OK)
        film_check_units(*out);
    const bool proposes = status == STATUS_OK && !run && propose_is_needed(*out);
    if (status == STATUS_OK && proposes)
        status = scene_request_find_bodies(request, *out);
    if (status == STATUS_OK && proposes)
        status = propose_for_file(*out);
    const bool fits =
        status == STATUS_OK && propose_fits(*out) && !(how.speed > 0 && how.duration > 0);
    const double span = fits ? span_of(*out) : 0;
    if (status == STATUS_OK)
        status = retime_seen(*out, &how);
    if (status == STATUS_OK && fits)
        fit_span(*out, span);
    if (status == STATUS_OK && fits && proposes)
        log_info("each of the %llu frames covers a time of %.6g",
                 (unsigned long long)(*out)->output.frames,
                 (*out)->simulation.dt * (*out)->simulation.steps_per_frame);
    if (status == STATUS_OK)
        shorten_fades(*out, request, made_for);
    if (status == STATUS_OK)
        status = resolve_panels(*out, request);
    return status == STATUS_OK ? check_differences(*out) : status;
}

/* ==== panels with scenes of their own ==== */

static void add_setting(struct scene_request *request, const char *key, const char *value,
                        const char *origin)
{
    request->settings[request->setting_count++] =
        (struct setting){memory_text(key), memory_text(value), origin, false};
}

/* Finds the end of the first setting of a list: the next comma outside brackets and quotes, or the
 * end of the text. */
static const char *setting_end(const char *at)
{
    int depth = 0;
    char quote = '\0';
    for (; *at && (*at != ',' || depth > 0 || quote); at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        depth += !quote && (*at == '[' || *at == '{');
        depth -= !quote && (*at == ']' || *at == '}');
    }
    return at;
}

static enum status add_settings(struct scene_request *request, const char *list)
{
    for (const char *at = list; *at;) {
        at += strspn(at, " ");
        const char *end = setting_end(at), *equals = memchr(at, '=', (size_t)(end - at));
        if (!equals || equals == at)
            return status_fail(STATUS_USAGE,
                               "set: expected KEY=VALUE, as in \"look.color=speed, "
                               "camera.distance=40\", found '%.*s'",
                               (int)(end - at), at);
        if (request->setting_count == SETTINGS_MAX)
            return status_fail(STATUS_USAGE, "set: more than %d changes", SETTINGS_MAX);
        char *key = text_format("%.*s", (int)(equals - at), at);
        char *value = text_format("%.*s", (int)(end - equals - 1), equals + 1);
        add_setting(request, key, value, "set");
        free(key);
        free(value);
        at = *end ? end + 1 : end;
    }
    return STATUS_OK;
}

static void free_settings(struct scene_request *request)
{
    for (int i = 0; i < request->setting_count; i++) {
        free(request->settings[i].key);
        free(request->settings[i].value);
    }
}

/* The scene without its panels; the caller frees it. */
static char *print_alone(const struct scene *scene)
{
    struct scene *copy;
    char *text = NULL;
    if (scene_copy(&copy, scene) != STATUS_OK)
        return NULL;
    scene_forget(copy, "look.panels");
    text = scene_print(copy);
    scene_close(&copy);
    return text;
}

/* Makes the request for a panel's scene, at the panel's size and the film's frame rate. The caller
 * frees *text after the request. */
static enum status request_panel(struct scene_request *out, const struct scene *whole, uint32_t n,
                                 const struct scene_request *request, char **text)
{
    const struct panel_params *panel = &whole->look.panels[n];
    const struct picture_size size = panel_shape(whole);
    const struct frame_rate fps = whole->output.fps;
    const bool varies = !*panel->scene && !*panel->snapshots; /* this scene, as it is now */
    const bool found = panel_is_resolved(panel) && !varies;
    /* Snapshots have no speed of their own, so they fill the film. */
    const bool fills = *panel->snapshots && !found && !panel->common_clock &&
                       request->duration == 0 && scene_is_given(whole, "output.frames");
    char value[64];
    *text = varies ? print_alone(whole) : found ? memory_text(panel->scene_text) : NULL;
    *out = (struct scene_request){
        .scene = *panel->scene ? panel->scene : builtin_default(),
        .text = *text,
        .snapshots = *panel->snapshots && !found ? panel->snapshots : NULL,
        .panel = n + 1,
        .films = request->films,
        .duration = panel->common_clock || varies ? 0 : request->duration,
        .speed = varies ? 0 : request->speed,
    };
    snprintf(value, sizeof value, "%ux%u", size.width, size.height);
    add_setting(out, "output.size", value, "look.panels");
    snprintf(value, sizeof value, "%u/%u", fps.num, fps.den);
    add_setting(out, "output.fps", value, "--fps");
    snprintf(value, sizeof value, "%llu", (unsigned long long)whole->output.frames);
    if (fills)
        add_setting(out, "output.frames", value, "look.panels");
    return found ? STATUS_OK : add_settings(out, panel->set);
}

/* Simulated time per second of the film, in Myr if the scene has units. */
static double pace_of(const struct scene *scene)
{
    const struct units_params units = units_complete(&scene->bodies.units);
    const double unit = units.time_myr > 0 ? units.time_myr : 1;
    return scene->simulation.dt * scene->simulation.steps_per_frame * scene->output.fps.num /
           scene->output.fps.den * unit;
}

/* Finds the factor on the speed of the panel's own scene that makes it as fast as the first panel's
 * scene. */
static enum status find_speed(const struct scene *whole, const struct scene *own, uint32_t n,
                              double *speed)
{
    struct scene *opened = NULL;
    const struct scene *first = whole;
    enum status status = STATUS_OK;
    if (panel_is_apart(&whole->look.panels[0])) {
        status = scene_parse(&opened, whole->look.panels[0].scene_text, "the first panel");
        first = opened;
    }
    if (status != STATUS_OK)
        return status;
    const struct units_params a = units_complete(&first->bodies.units);
    const struct units_params b = units_complete(&own->bodies.units);
    const double pace = pace_of(first), before = pace_of(own);
    *speed = pace / before;
    if (n == 0)
        status = status_fail(STATUS_USAGE, "common_clock is for panels after the first, whose "
                                           "clock they take; leave it out here");
    else if ((a.time_myr > 0) != (b.time_myr > 0))
        status = status_fail(STATUS_USAGE,
                             "a common clock needs units.time_myr in both scenes or in neither, "
                             "and only %s has it",
                             a.time_myr > 0 ? "the first panel's" : "this panel's");
    else if (first->simulation.slow_count > 0 || own->simulation.slow_count > 0)
        status = status_fail(STATUS_USAGE,
                             "a common clock has no slow motion, but %s scene has "
                             "simulation.slow; leave out one of them",
                             own->simulation.slow_count > 0 ? "this panel's" : "the first panel's");
    else if (fabs(*speed - 1) > 1e-9 &&
             strcmp(file_extension(whole->look.panels[n].scene), RUN_EXTENSION) == 0)
        status = status_fail(STATUS_USAGE,
                             "the run shows %.6g%s in a second, and the first panel %.6g; record "
                             "the run with `gravreel render SCENE --speed %.6g --keep-run RUN`, or "
                             "leave out common_clock",
                             before, a.time_myr > 0 ? " Myr" : "", pace, *speed);
    scene_close(&opened);
    return status;
}

/* Opens the panel's scene. With a common clock, opens it again at the first panel's speed. */
static enum status open_panel(const struct scene_request *wanted, const struct scene *whole,
                              struct scene **out)
{
    const uint32_t n = wanted->panel - 1;
    struct scene_request faster = *wanted;
    double speed = 1;
    enum status status = open_here(wanted, out);
    if (status == STATUS_OK && whole->look.panels[n].common_clock)
        status = find_speed(whole, *out, n, &speed);
    if (status != STATUS_OK || fabs(speed - 1) <= 1e-9)
        return status;
    scene_close(out);
    faster.speed = speed * (wanted->speed > 0 ? wanted->speed : 1);
    return open_here(&faster, out);
}

static enum status resolve_panel(struct scene *whole, uint32_t n,
                                 const struct scene_request *request, uint64_t *frames)
{
    struct panel_params *panel = &whole->look.panels[n];
    struct scene_request wanted;
    char *text;
    struct scene *own = NULL;
    if (*panel->scene && !*panel->snapshots && !panel_is_resolved(panel) &&
        !scene_is_named(panel->scene) && !own_scene_possible(panel->scene) &&
        file_any_matches(panel->scene))
        return status_fail(STATUS_USAGE,
                           "'%s' is not a scene; name snapshots with `snapshots`, and a table of "
                           "bodies with bodies.file in a scene file",
                           panel->scene);
    enum status status = request_panel(&wanted, whole, n, request, &text);
    if (status == STATUS_OK)
        status = open_panel(&wanted, whole, &own);
    if (status == STATUS_OK) {
        char *source = panel_source(panel), *printed = scene_print(own);
        free(panel->scene_text);
        panel->scene_text = text_format("%s%s", source, printed);
        free(source);
        free(printed);
        *frames = own->output.frames > *frames ? own->output.frames : *frames;
    }
    free_settings(&wanted);
    free(text);
    scene_close(&own);
    return status;
}

/* Opens the panels' own scenes, each at the size and rate that it has in this film. */
static enum status resolve_panels(struct scene *scene, const struct scene_request *request)
{
    if (request->panel > 0 && scene->look.panel_count > 0)
        return request->text ? status_fail(STATUS_USAGE, "set: a panel has no panels itself; leave "
                                                         "out look.panels")
                             : status_fail(STATUS_USAGE,
                                           "the scene '%s' has panels itself; use a scene without "
                                           "panels",
                                           request->scene);
    if (!look_is_montage(&scene->look))
        return STATUS_OK;
    uint64_t frames = look_shows_own(&scene->look) ? scene->output.frames : 0;
    enum status status = STATUS_OK;
    for (uint32_t n = 0; n < scene->look.panel_count && status == STATUS_OK; n++)
        if (panel_is_apart(&scene->look.panels[n])) {
            status = resolve_panel(scene, n, request, &frames);
            if (status != STATUS_OK) {
                char key[64];
                snprintf(key, sizeof key, "look.panels[%u]", n + 1);
                scene_blame(scene, key);
            }
        }
    if (status == STATUS_OK && !scene_is_given(scene, "output.frames"))
        scene->output.frames = frames;
    return status;
}

/* run: that the scene was taken from; NULL: none. */
static enum status share(struct scene **scene, const char *run)
{
    if (!ranks_are_together())
        return STATUS_OK;
    char *text = *scene ? scene_print(*scene) : NULL;
    enum status status = ranks_first_text(&text);
    if (status == STATUS_OK && !*scene)
        status = scene_parse(scene, text, "rank 0's scene");
    if (status == STATUS_OK && run && ranks_own() > 0)
        status = take_run(scene, run, NULL);
    if (status == STATUS_OK && ranks_own() > 0)
        status = scene_validate(*scene);
    free(text);
    return status;
}

enum status scene_share(struct scene **scene)
{
    return share(scene, NULL);
}

enum status scene_take_run(struct scene *scene, const char *path)
{
    return take_run(&scene, path, NULL);
}

enum status scene_request_open(const struct scene_request *request, struct scene **out)
{
    enum status status = STATUS_OK;
    bool own;
    if (ranks_begin_first())
        status = open_here(request, out);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = share(out, run_of(request, &own));
    if (status == STATUS_OK)
        (*out)->bodies.all_columns = request->all_columns;
    return status;
}

enum status scene_request_find_bodies(const struct scene_request *request,
                                      const struct scene *scene)
{
    enum status status = STATUS_OK;
    if (ranks_begin_first() && !request->bodies_from && !request->snapshots && !scene->run)
        status = film_find_bodies(scene, request->scene);
    return ranks_end_first(status);
}

/* ==== upright pictures ==== */

/* The galaxies start on the x axis (sim/models/galaxies.c), which is horizontal in the picture if
 * the camera looks along y. */
static bool lie_across(double azimuth)
{
    return fabs(fn_sin(azimuth * (M_PI / 180))) > M_SQRT1_2;
}

/* Panels beside each other in a picture of 2 : 1 are a little narrower than high: the divider. */
static bool is_square(struct picture_size size)
{
    return fabs((double)size.width - size.height) < 0.05 * size.width;
}

static bool is_upright(struct picture_size size)
{
    return size.height > size.width && !is_square(size);
}

static bool shows_two_galaxies(const struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    return scene->bodies.model->makes_galaxies && scene->bodies.galaxy_count == 2 &&
           camera->keyframe_count == 0 &&
           (scene->look.panel_count == 0 ||
            (look_is_montage(&scene->look) && look_shows_own(&scene->look))) &&
           (!camera->projection || camera->projection->flat);
}

/* Turning upright and back again gives the initial azimuth. */
static double quarter_turn(double azimuth, bool upright)
{
    if (upright)
        return azimuth + (azimuth > 90 ? -270 : 90);
    return azimuth - (azimuth < -90 ? -270 : 90);
}

/* panel: number of the panel that shows the scene, from 1; 0: the whole picture shows it. */
static bool turn(struct scene *scene, struct picture_size made_for, uint32_t panel)
{
    const struct picture_size now = panel_shape(scene);
    const double before = scene->camera.azimuth;
    const bool upright = is_upright(now);
    const bool other_shape = upright != is_upright(made_for) && !is_square(now);
    if (!other_shape || lie_across(before) != upright || !shows_two_galaxies(scene))
        return false;
    const double after = quarter_turn(before, upright);
    char value[32];
    snprintf(value, sizeof value, "%.12g", after);
    if (scene_set(scene, "camera.azimuth", value, "--size") != STATUS_OK)
        return false;
    const char *shape = upright ? "higher than wide" : "wider than high";
    const char *shown = upright ? "above" : "beside", *otherwise = upright ? "beside" : "above";
    if (panel > 0)
        log_info("panel %u is %s, and its galaxies are shown %s each other; azimuth: %g in the "
                 "panel shows them %s each other",
                 panel, shape, shown, before - after, otherwise);
    else
        log_info("in a %s %s the galaxies are shown %s each other, with camera.azimuth=%g; "
                 "--set camera.azimuth=%g shows them %s each other",
                 scene->look.panel_count > 0 ? "panel" : "picture", shape, shown, after, before,
                 otherwise);
    return true;
}

bool upright_turn(struct scene *scene, struct picture_size made_for)
{
    return turn(scene, made_for, 0);
}
