#include "cmd/film/stills/scene_sheet.h"

#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/stills/contact_sheet.h"
#include "cmd/film/stills/snapshot.h"
#include "scenes/scene.h"
#include "scenes/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOMENTS = 4, WIDTH = 480, HEIGHT = 270, SCENES_MAX = 64 };

struct shown {
    const struct scene_builtin *builtin;
    struct scene *scene;
};

static enum status set(struct scene *scene, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return scene_set(scene, key, text, "--sheet");
}

static enum status cut_down(struct scene *scene, const struct scene_sheet_params *params)
{
    const uint64_t count = scene->bodies.count;
    enum status status = scene_set(scene, "output.size", "480x270", "--sheet");
    if (status == STATUS_OK)
        status = set(scene, "overlay.card", 0);
    if (status == STATUS_OK && (count == 0 || count > params->bodies))
        status = set(scene, "bodies.count", params->bodies);
    if (status == STATUS_OK && params->frames > 0 && scene->output.frames > params->frames)
        status = set(scene, "output.frames", params->frames);
    return status == STATUS_OK ? scene_validate(scene) : status;
}

/* Collects the scenes that can be shown. */
static enum status collect(const struct scene_sheet_params *params, struct shown *shown,
                           uint32_t *count)
{
    const struct scene_builtin *builtin;
    for (size_t i = 0; (builtin = choice_at(&builtin_registry, i)) && *count < SCENES_MAX; i++) {
        if (params->only && strcmp(params->only, builtin->name) != 0)
            continue;
        struct scene *scene = NULL;
        enum status status = scene_open(&scene, builtin->name);
        if (status == STATUS_OK)
            status = film_find_bodies(scene, builtin->name);
        if (status == STATUS_IO) {
            log_warning("%s is left out: %s", builtin->name, status_text());
            scene_close(&scene);
            continue;
        }
        if (status == STATUS_OK)
            status = cut_down(scene, params);
        shown[(*count)++] = (struct shown){builtin, scene};
        if (status != STATUS_OK)
            return status;
    }
    return *count > 0 ? STATUS_OK : status_fail(STATUS_USAGE, "there is no scene to show");
}

/* Draws the row of a scene. */
static enum status draw(const struct scene_sheet_params *params, const struct shown *shown,
                        struct sheet_page *page, uint32_t row, uint16_t *rgb)
{
    struct snapshot snapshot = {0};
    enum status status = snapshot_open(&snapshot, &(struct film_options){.scene = shown->scene,
                                                                         .backend = params->backend,
                                                                         .device = params->device,
                                                                         .format = PICTURE_RGBA16,
                                                                         .unfaded = true});
    const uint64_t last = shown->scene->output.frames - 1;
    for (uint32_t k = 0; k < MOMENTS && status == STATUS_OK; k++) {
        const struct picture *picture;
        const uint64_t frame = last * k / (MOMENTS - 1);
        status = snapshot_take(&snapshot, frame, &picture);
        if (status != STATUS_OK)
            break;
        picture_take_rgb(picture, rgb);
        status =
            sheet_page_put_named(page, row * MOMENTS + k, rgb, k == 0 ? shown->builtin->name : NULL,
                                 scene_seconds(shown->scene, frame));
    }
    snapshot_close(&snapshot);
    return status;
}

enum status scene_sheet_make(const struct scene_sheet_params *params)
{
    struct shown *shown = memory_new(SCENES_MAX, sizeof *shown);
    uint16_t *rgb = memory_new((size_t)3 * WIDTH * HEIGHT, sizeof *rgb);
    struct sheet_page *page = NULL;
    uint32_t count = 0;
    uint64_t bytes;
    enum status status = collect(params, shown, &count);
    const struct sheet_params sheet = {.width = params->width,
                                       .columns = MOMENTS,
                                       .count = count * MOMENTS,
                                       .film_width = WIDTH,
                                       .film_height = HEIGHT,
                                       .labels = true};
    if (status == STATUS_OK)
        status = sheet_page_open(&page, &sheet);
    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        log_info("%s", shown[i].builtin->name);
        status = draw(params, &shown[i], page, i, rgb);
    }
    if (status == STATUS_OK)
        status = sheet_page_write(page, params->output, &bytes);
    sheet_page_close(&page);
    for (uint32_t i = 0; i < count; i++)
        scene_close(&shown[i].scene);
    free(shown);
    free(rgb);
    return status;
}
