#include "cmd/film/stills/sheets.h"

#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/stills/still.h"
#include "render/overlay/ink.h"
#include "render/picture/picture.h"
#include "render/picture/png_pdf.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THUMB_MIN = 32 };

static const uint8_t ground = 20;
static const double number_opacity = 0.85, time_opacity = 0.55;

/* Positions of all elements, in pixels from the upper left corner. */
struct layout {
    uint32_t width, height, margin, left; /* margin: around and between; left: first column */
    uint32_t thumb_width, thumb_height, label_height;
};

struct sheet_page {
    struct sheet_params params;
    struct layout layout;
    struct picture picture; /* RGBA8 */
    uint16_t *thumb;        /* [thumb_height][thumb_width][3] */
    struct ink *ink;        /* NULL: no labels */
};

static double letter_size(uint32_t thumb_width)
{
    return fmin(fmax(thumb_width / 28.0, 10), 40);
}

static enum status lay_out(const struct sheet_params *params, struct layout *layout)
{
    uint32_t margin = params->width / 200 > 2 ? params->width / 200 : 2;
    uint32_t between = (params->columns + 1) * margin;
    uint32_t thumb = params->width > between ? (params->width - between) / params->columns : 0;
    if (thumb < THUMB_MIN)
        return status_fail(STATUS_USAGE,
                           "a sheet %u pixels wide leaves %u for each of %u columns, and at least "
                           "%d are needed; use a larger --width or fewer --columns",
                           params->width, thumb, params->columns, THUMB_MIN);
    double scale = (double)thumb / params->film_width;
    uint32_t height = (uint32_t)fmax(1, round(params->film_height * scale));
    *layout = (struct layout){
        .width = params->width,
        .margin = margin,
        .left = (params->width - (params->columns - 1) * margin - params->columns * thumb) / 2,
        .thumb_width = thumb,
        .thumb_height = height};
    if (params->labels)
        layout->label_height = (uint32_t)ceil(1.6 * letter_size(thumb));
    uint64_t rows = (params->count + params->columns - 1) / params->columns;
    uint64_t total = margin + rows * ((uint64_t)height + layout->label_height + margin);
    if (total > SHEET_SIDE_MAX)
        return status_fail(
            STATUS_USAGE,
            "the sheet would be %llu pixels high, and at most %d are possible; use a "
            "smaller --width, fewer --rows or more --columns",
            (unsigned long long)total, SHEET_SIDE_MAX);
    layout->height = (uint32_t)total;
    return STATUS_OK;
}

static void place(const struct sheet_page *page, uint32_t index, uint32_t *x, uint32_t *y)
{
    const struct layout *layout = &page->layout;
    uint32_t row = index / page->params.columns, column = index % page->params.columns;
    *x = layout->left + column * (layout->thumb_width + layout->margin);
    *y = layout->margin + row * (layout->thumb_height + layout->label_height + layout->margin);
}

enum status sheet_page_open(struct sheet_page **out, const struct sheet_params *params)
{
    *out = NULL;
    struct layout layout;
    enum status status = lay_out(params, &layout);
    if (status != STATUS_OK)
        return status;
    struct sheet_page *page = memory_new(1, sizeof *page);
    page->params = *params;
    page->layout = layout;
    picture_layout(&page->picture.layout, PICTURE_RGBA8, layout.width, layout.height);
    page->picture.data = malloc(page->picture.layout.size);
    page->thumb =
        malloc(3 * sizeof *page->thumb * (size_t)layout.thumb_width * layout.thumb_height);
    if (!page->picture.data || !page->thumb)
        status = status_fail(STATUS_RUNTIME,
                             "no memory left for a sheet of %ux%u, which takes %zu bytes",
                             layout.width, layout.height, page->picture.layout.size);
    else
        memset(page->picture.data, ground, page->picture.layout.size);
    if (status == STATUS_OK && params->labels)
        status = ink_create(&page->ink, "DejaVu Sans", 1);
    if (status == STATUS_OK)
        *out = page;
    else
        sheet_page_close(&page);
    return status;
}

void sheet_page_close(struct sheet_page **page)
{
    struct sheet_page *self = *page;
    if (!self)
        return;
    ink_destroy(&self->ink);
    free(self->picture.data);
    free(self->thumb);
    free(self);
    *page = NULL;
}

static uint8_t *pixel(struct sheet_page *page, uint32_t x, uint32_t y)
{
    return page->picture.data + (size_t)y * page->picture.layout.plane[0].stride + 4 * (size_t)x;
}

/* "1:02.5", with more decimals, up to three, where pictures are closer in time. */
static void time_text(double seconds, double interval, char *text, size_t size)
{
    unsigned long long unit = 100; /* thousandths of a second */
    size_t spare = 2;              /* decimals */
    for (; spare > 0 && interval > 0 && interval * 1e3 < (double)unit * (1 - 1e-6); spare--)
        unit /= 10;
    const unsigned long long time =
        (unsigned long long)llround(1e3 * seconds / (double)unit) * unit;
    snprintf(text, size, "%llu:%02llu.%03llu", time / 60000, time / 1000 % 60, time % 1000);
    text[strlen(text) - spare] = '\0';
}

/* Writes the name, or its short form, and, if there is room for both, the time. */
static enum status write_label(struct sheet_page *page, uint32_t x, uint32_t y, const char *name,
                               const char *brief, double seconds)
{
    const struct layout *layout = &page->layout;
    double size = letter_size(layout->thumb_width), room = layout->thumb_width;
    double baseline = round(1.15 * size);
    char time[64] = "";
    if (seconds >= 0)
        time_text(seconds, page->params.interval, time, sizeof time);
    double for_time = size + ink_width(page->ink, size, time);
    if (ink_width(page->ink, size, name) + for_time > room)
        name = brief;
    double for_name = ink_width(page->ink, size, name), before = for_name > 0 ? for_name + size : 0;
    enum status status = ink_begin(page->ink, (int)layout->thumb_width, (int)layout->label_height);
    if (status != STATUS_OK)
        return status;
    ink_text(page->ink, 0, baseline, size, number_opacity, name);
    if (for_name + for_time <= room)
        ink_text(page->ink, before, baseline, size, time_opacity, time);
    const uint8_t *pixels;
    int width, height;
    status = ink_end(page->ink, &pixels, &width, &height);
    for (int row = 0; status == STATUS_OK && row < height; row++)
        for (int column = 0; column < width; column++) {
            const uint8_t *from = pixels + 4 * ((size_t)row * (size_t)width + (size_t)column);
            uint8_t *to = pixel(page, x + (uint32_t)column, y + (uint32_t)row);
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)(from[c] + to[c] * (255 - from[3]) / 255);
        }
    return status;
}

static enum status put(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                       const char *name, const char *brief, double seconds)
{
    const struct layout *layout = &page->layout;
    scale_rgb(rgb, page->params.film_width, page->params.film_height, page->thumb,
              layout->thumb_width, layout->thumb_height);
    uint32_t x, y;
    place(page, index, &x, &y);
    const uint16_t *from = page->thumb;
    for (uint32_t row = 0; row < layout->thumb_height; row++)
        for (uint32_t column = 0; column < layout->thumb_width; column++, from += 3)
            for (int c = 0; c < 3; c++)
                pixel(page, x + column, y + row)[c] = (uint8_t)((from[c] + 128u) / 257);
    return page->ink ? write_label(page, x, y + layout->thumb_height, name, brief, seconds)
                     : STATUS_OK;
}

enum status sheet_page_put(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                           uint64_t frame, double seconds)
{
    char name[64], brief[32];
    snprintf(name, sizeof name, "frame %llu", (unsigned long long)frame);
    snprintf(brief, sizeof brief, "%llu", (unsigned long long)frame);
    return put(page, index, rgb, name, brief, seconds);
}

enum status sheet_page_put_named(struct sheet_page *page, uint32_t index, const uint16_t *rgb,
                                 const char *name, double seconds)
{
    return put(page, index, rgb, name ? name : "", name ? name : "", seconds);
}

enum status sheet_page_write(const struct sheet_page *page, const char *path, uint64_t *bytes)
{
    static struct tag tags[] = {{"Software", "gravreel " GRAVREEL_VERSION}};
    const struct png_settings settings = {.level = 6, .tags = {tags, 1}};
    return png_file_write(path, &page->picture, &settings, 0, bytes);
}

/* ==== the sheet of all scenes ==== */

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
