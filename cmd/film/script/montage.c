#include "cmd/film/script/montage.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/script/plan.h"
#include "render/picture/picture.h"
#include "scenes/print.h"
#include "scenes/scene_check.h"
#include "scenes/read.h"
#include "scenes/retime.h"
#include "scenes/value.h"
#include "sim/run/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a panel's scene ---- */

/* Whether the panel changes how its own film looks. */
static bool changes(const struct panel_params *panel)
{
    return *panel->title || *panel->follow || panel->mode || panel->color || panel->map ||
           panel->azimuth != 0 || panel->elevation != 0 || panel->zoom != 1 || panel->force ||
           panel->subset || panel->softening > 0 || panel->softening_kernel ||
           panel->force_error > 0;
}

/* Gives the scene a single panel with these changes. */
static void take_panel(struct scene *scene, const struct panel_params *panel)
{
    const struct key *key = key_path_find("look.panels");
    value_free(key, scene);
    scene->look.panel_count = 0;
    if (!changes(panel))
        return;
    struct panel_params *own = (void *)list_create(key, scene);
    struct panel_params fresh;
    scene->look.panel_count = 1;
    item_defaults(key->list, own);
    fresh = *own;
    *own = *panel;
    own->scene = fresh.scene;
    own->snapshots = fresh.snapshots;
    own->set = fresh.set;
    own->scene_text = fresh.scene_text;
    own->title = memory_text(panel->title);
    own->follow = memory_text(panel->follow);
    free(fresh.title);
    free(fresh.follow);
}

/* The panel's film lasts as long as the whole. */
static enum status fit_length(struct scene *scene, uint64_t frames, int i)
{
    const uint64_t own = scene->output.frames;
    enum status status = STATUS_OK;
    scene->output.frames = frames;
    if (own > frames)
        log_info_once("panel %d is longer than the film, which shows %" PRIu64 " of its %" PRIu64
                      " frames; set output.frames=%" PRIu64 " for all of it",
                      i + 1, frames, own, own);
    scene_shorten_fades(scene, scene_seconds(scene, own));
    if (own >= frames)
        return STATUS_OK;
    log_info_once("panel %d ends after %" PRIu64 " of the film's %" PRIu64
                  " frames, and then holds its last moment",
                  i + 1, own, frames);
    if (scene->simulation.freeze_at.kind == MOMENT_END && scene->simulation.freeze_at.shift == 0) {
        char at[32];
        snprintf(at, sizeof at, "frame %" PRIu64, own - 1);
        status = scene_set(scene, "simulation.freeze_at", at, "look.panels");
    }
    return status;
}

static enum status take_run(struct scene *scene, const char *path)
{
    const enum status status = run_open(&scene->run, path);
    if (status == STATUS_OK)
        scene->close_run = run_close;
    return status;
}

static enum status open_scene(const struct scene *whole, int i, const struct panel_place *place,
                              struct scene **out)
{
    const struct panel_params *panel = &whole->look.panels[i];
    const bool apart = panel_is_apart(panel);
    *out = NULL;
    enum status status =
        apart ? scene_parse(out, panel->scene_text, "its scene") : scene_copy(out, whole);
    if (status != STATUS_OK)
        return status;
    struct scene *scene = *out;
    scene_forget(scene, "look.panels");
    status = scene_validate(scene);
    if (status == STATUS_OK && apart && strcmp(file_extension(panel->scene), RUN_EXTENSION) == 0)
        status = take_run(scene, panel->scene);
    scene->output.size = (struct picture_size){place->width, place->height};
    scene->output.loop = whole->output.loop;
    if (status == STATUS_OK)
        status = fit_length(scene, whole->output.frames, i);
    struct panel_params changed = *panel;
    if (scene->overlay.title)
        changed.title = (char *)""; /* see tell_apart */
    take_panel(scene, &changed);
    if (status == STATUS_OK && panel->difference)
        status = status_fail(STATUS_USAGE, "a difference needs the bodies of the first panel, and "
                                           "these panels have their own; leave out `difference`");
    if (status == STATUS_OK && scene->camera.projection && !scene->camera.projection->flat)
        status = status_fail(STATUS_USAGE,
                             "panels need the projection flat, and this panel's scene has %s; set "
                             "camera.projection=flat in it",
                             scene->camera.projection->name);
    return status;
}

/* ---- titles ---- */

/* "": the panel names no file. */
static const char *file_of(const struct panel_params *panel)
{
    return file_base(*panel->snapshots ? panel->snapshots : panel->scene);
}

/* A panel's title replaces that of its scene where the film shows one. */
static void take_title(struct scene *scene, const char *title)
{
    free(scene->output.title);
    scene->output.title = memory_text(title);
}

static const char *title_of(const struct montage *montage, const struct look_params *look, int i)
{
    const char *own = look->panels[i].title;
    return *own ? own : montage->scene[i]->output.title;
}

/* Panels with the same title are named by their files, unless the title is the panel's. */
static void tell_apart(struct montage *montage, const struct look_params *look)
{
    bool alike[PANELS_MAX] = {false};
    for (int i = 0; i < montage->count; i++)
        for (int k = 0; k < montage->count; k++)
            alike[i] |=
                k != i && strcmp(title_of(montage, look, i), title_of(montage, look, k)) == 0;
    for (int i = 0; i < montage->count; i++) {
        const char *title = look->panels[i].title, *file = file_of(&look->panels[i]);
        if (montage->scene[i]->overlay.title && (*title || (alike[i] && *file)))
            take_title(montage->scene[i], *title ? title : file);
    }
}

enum status montage_open(struct montage *out, const struct scene *whole)
{
    const struct picture_size *size = &whole->output.size;
    const int count = (int)whole->look.panel_count;
    enum status status = STATUS_OK;
    *out = (struct montage){0};
    panel_places_apart(size->width, size->height, count, out->place);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = open_scene(whole, i, &out->place[i], &out->scene[i]);
        if (status != STATUS_OK)
            status_prefix(status, "look.panels[%d]", i + 1);
    }
    out->count = count;
    if (status == STATUS_OK)
        tell_apart(out, &whole->look);
    return status;
}

void montage_close(struct montage *montage)
{
    for (int i = 0; i < PANELS_MAX; i++)
        scene_close(&montage->scene[i]);
}

/* ---- the plans ---- */

#define HEAD "plan of panel %d, %zu bytes\n"

char *montage_join_plans(char *const *plans, int count)
{
    char *text = NULL;
    for (int i = 0; i < count; i++)
        text_append(&text, "", HEAD "%s\n", i + 1, strlen(plans[i]), plans[i]);
    return text;
}

enum status montage_next_plan(const char **text, int i, char **plan)
{
    int number = 0, head = 0;
    size_t size = 0;
    *plan = NULL;
    const int read = sscanf(*text, HEAD "%n", &number, &size, &head);
    if (read != 2 || number != i + 1 || head == 0 || strlen(*text + head) <= size)
        return status_fail(STATUS_IO, "it lacks the plan of panel %d", i + 1);
    *plan = text_format("%.*s", (int)size, *text + head);
    *text += (size_t)head + size + 1;
    return STATUS_OK;
}

enum status montage_check_plan(const char *text, const struct scene *scene)
{
    struct plan plan;
    struct montage montage;
    if (!look_is_montage(&scene->look)) {
        const enum status read = plan_read(&plan, text, scene);
        plan_free(&plan);
        return read;
    }
    enum status status = montage_open(&montage, scene);
    for (int i = 0; i < montage.count && status == STATUS_OK; i++) {
        char *own;
        status = montage_next_plan(&text, i, &own);
        if (status == STATUS_OK) {
            status = plan_read(&plan, own, montage.scene[i]);
            plan_free(&plan);
        }
        free(own);
    }
    montage_close(&montage);
    return status;
}
