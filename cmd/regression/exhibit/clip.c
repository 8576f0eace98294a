#include "cmd/regression/exhibit/clip.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/exhibit/film.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_MOST = 400, GUTTER = 4, GREY = 40, SLOW = 4, USUAL = 24, FAST = 60 };

struct panels {
    const struct exhibit *exhibit;
    uint32_t width, height; /* of one of the three panels */
    uint32_t row;           /* width of all three panels, pixels */
    double gain;
    uint16_t *rgb[2], *scaled;
    uint8_t *shown; /* [height][row][3] */
};

/* Chooses the size of the panels: small pictures are enlarged by a whole factor, large ones reduced
 * until both sides fit. */
static void fit(struct panels *panels)
{
    const double width = panels->exhibit->width, height = panels->exhibit->height;
    double scale = PANEL_MOST / fmax(width, height);
    scale = scale >= 2 ? floor(scale) : fmin(scale, 1);
    panels->width = (uint32_t)fmax(round(width * scale), 1);
    panels->height = (uint32_t)fmax(round(height * scale), 1);
    panels->row = 3 * panels->width + 2 * GUTTER;
}

/* Returns the smallest gain at which the largest change is easy to see. */
static double gain_for(double most)
{
    double gain = 1;
    while (gain < 64 && gain * most < 96)
        gain *= 4;
    return gain;
}

static enum status open_panels(struct panels *panels, double most)
{
    fit(panels);
    panels->gain = gain_for(most);
    const size_t samples = 3 * (size_t)panels->exhibit->width * panels->exhibit->height,
                 small = 3 * (size_t)panels->width * panels->height,
                 shown = 3 * (size_t)panels->row * panels->height;
    panels->rgb[0] = malloc(samples * sizeof *panels->rgb[0]);
    panels->rgb[1] = malloc(samples * sizeof *panels->rgb[1]);
    panels->scaled = malloc(small * sizeof *panels->scaled);
    panels->shown = malloc(shown);
    if (panels->rgb[0] && panels->rgb[1] && panels->scaled && panels->shown)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME, "no memory for pictures of %zu bytes",
                       samples * sizeof *panels->rgb[0]);
}

static void close_panels(struct panels *panels)
{
    free(panels->rgb[0]);
    free(panels->rgb[1]);
    free(panels->scaled);
    free(panels->shown);
}

static uint8_t *pixel_of(const struct panels *panels, int panel, uint32_t x, uint32_t y)
{
    const size_t left = (size_t)panel * (panels->width + GUTTER);
    return panels->shown + 3 * ((size_t)y * panels->row + left + x);
}

/* Returns the pixel of the picture that a pixel of a larger panel shows. */
static const uint16_t *source_of(const struct panels *panels, const uint16_t *rgb, uint32_t x,
                                 uint32_t y)
{
    const uint32_t by = panels->width / panels->exhibit->width;
    return rgb + 3 * ((size_t)(y / by) * panels->exhibit->width + x / by);
}

static void put_side(struct panels *panels, int side)
{
    const bool larger = panels->width >= panels->exhibit->width;
    if (!larger)
        scale_rgb(panels->rgb[side], panels->exhibit->width, panels->exhibit->height,
                  panels->scaled, panels->width, panels->height);
    for (uint32_t y = 0; y < panels->height; y++)
        for (uint32_t x = 0; x < panels->width; x++) {
            const uint16_t *from = larger ? source_of(panels, panels->rgb[side], x, y)
                                          : panels->scaled + 3 * ((size_t)y * panels->width + x);
            uint8_t *to = pixel_of(panels, side, x, y);
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)((from[c] + 128) / 257);
        }
}

static uint8_t changed(const struct panels *panels, const uint16_t *a, const uint16_t *b)
{
    return (uint8_t)fmin(panels->gain * abs((int)*a - (int)*b) / 257 + 0.5, 255);
}

/* Draws the difference; a smaller panel shows the maximum of each area. */
static void put_difference(struct panels *panels)
{
    const uint32_t width = panels->exhibit->width, height = panels->exhibit->height;
    const uint32_t across = panels->width > width ? panels->width : width;
    const uint32_t down = panels->height > height ? panels->height : height;
    for (uint32_t y = 0; y < down; y++)
        for (uint32_t x = 0; x < across; x++) {
            const size_t from = 3 * ((size_t)((uint64_t)y * height / down) * width +
                                     (size_t)((uint64_t)x * width / across));
            uint8_t *to = pixel_of(panels, 2, (uint32_t)((uint64_t)x * panels->width / across),
                                   (uint32_t)((uint64_t)y * panels->height / down));
            for (int c = 0; c < 3; c++) {
                const uint8_t by =
                    changed(panels, &panels->rgb[0][from + c], &panels->rgb[1][from + c]);
                to[c] = by > to[c] ? by : to[c];
            }
        }
}

static void fill(struct panels *panels, int panel, uint8_t value)
{
    for (uint32_t y = 0; y < panels->height; y++)
        memset(pixel_of(panels, panel, 0, y), value, 3 * (size_t)panels->width);
}

static enum status put_together(struct panels *panels, const struct exhibit_pair *pair)
{
    const struct exhibit *exhibit = panels->exhibit;
    const int64_t frames[2] = {pair->a, pair->b};
    enum status status = STATUS_OK;
    memset(panels->shown, GREY, 3 * (size_t)panels->row * panels->height);
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        if (frames[side] < 0)
            continue;
        status = exhibit->fetch(exhibit->user, side, frames[side], panels->rgb[side]);
        if (status == STATUS_OK)
            put_side(panels, side);
    }
    if (status == STATUS_OK && pair->a >= 0 && pair->b >= 0) {
        fill(panels, 2, 0);
        put_difference(panels);
    }
    return status;
}

/* Returns the frame rate of the clip: slower if it does not cover the film's consecutive frames. */
static double rate_of(const struct exhibit *exhibit, const struct exhibit_pair *pairs, size_t count)
{
    bool steady = true;
    for (size_t i = 1; i < count && steady; i++)
        steady = pairs[i].a < 0 || pairs[i - 1].a < 0 || pairs[i].a - pairs[i - 1].a <= 1;
    const double fps = exhibit->fps > 0 ? exhibit->fps : USUAL;
    return steady ? fmin(fmax(fps, 1), FAST) : SLOW;
}

/* Encodes all frames; *bytes: size of the result. */
static enum status encode(struct panels *panels, const struct exhibit_pair *pairs, size_t count,
                          double crf, const struct clip *clip, uint64_t *bytes)
{
    const struct rgb_film_params params = {.path = clip->path,
                                           .width = panels->row,
                                           .height = panels->height,
                                           .fps_num = (uint32_t)lround(1000 * clip->fps),
                                           .fps_den = 1000,
                                           .crf = crf,
                                           .threads = 1};
    struct rgb_film *film;
    struct failure failure = {0};
    *bytes = 0;
    if (rgb_film_open(&film, &params) != STATUS_OK) {
        log_warning("no clip is made: %s", status_text());
        return STATUS_OK;
    }
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = put_together(panels, &pairs[i]);
        if (status == STATUS_OK)
            status = rgb_film_write(film, panels->shown);
    }
    failure_keep(&failure, status);
    failure_keep(&failure, rgb_film_close(&film, status == STATUS_OK, bytes));
    return failure_report(&failure);
}

/* Encodes with a coarser quality each time until the clip is small enough. */
static enum status make(struct panels *panels, const struct exhibit_pair *pairs, size_t count,
                        struct clip *clip, bool *made)
{
    static const double crfs[] = {16, 24, 32, 40};
    enum status status = STATUS_OK;
    uint64_t bytes = UINT64_MAX;
    for (size_t i = 0;
         i < sizeof crfs / sizeof *crfs && bytes > CLIP_BYTES_MAX && status == STATUS_OK; i++)
        status = encode(panels, pairs, count, crfs[i], clip, &bytes);
    *made = status == STATUS_OK && bytes > 0 && bytes <= CLIP_BYTES_MAX;
    if (status == STATUS_OK && bytes > CLIP_BYTES_MAX) {
        log_warning("no clip is made: it would have %llu bytes", (unsigned long long)bytes);
        remove(clip->path);
    }
    return status;
}

enum status exhibit_clip(const struct exhibit *exhibit, const struct exhibit_pair *pairs,
                         size_t count, size_t from, double most, struct case_report *one)
{
    struct panels panels = {.exhibit = exhibit};
    const size_t begin = count <= CLIP_FRAMES_MAX || from < CLIP_LEAD_IN ? 0 : from - CLIP_LEAD_IN;
    const size_t length = count - begin < CLIP_FRAMES_MAX ? count - begin : CLIP_FRAMES_MAX;
    if (count == 0)
        return STATUS_OK;
    bool made = false;
    struct clip clip = {.path = text_format("%s/clip.mp4", exhibit->folder),
                        .fps = rate_of(exhibit, pairs + begin, length)};
    enum status status = file_make_folder(exhibit->folder);
    if (status == STATUS_OK)
        status = open_panels(&panels, most);
    clip.gain = panels.gain;
    if (status == STATUS_OK)
        status = make(&panels, pairs + begin, length, &clip, &made);
    for (size_t i = 0; i < length && made; i++) {
        clip.frames = memory_grow(clip.frames, i + 1, sizeof *clip.frames);
        clip.frames[clip.count++] = (struct clip_frame){pairs[begin + i].a, pairs[begin + i].b};
    }
    if (made)
        one->clip = clip;
    else
        free(clip.path);
    close_panels(&panels);
    return status;
}
