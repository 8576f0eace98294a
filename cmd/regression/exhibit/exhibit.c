#include "cmd/regression/exhibit/exhibit.h"

#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/text.h"
#include "cmd/regression/exhibit/rgb_film.h"
#include "render/picture/png_pdf.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_MOST = 400, GUTTER = 4, GREY = 40, SLOW = 4, USUAL = 24, FAST = 60 };

static bool same_size(const struct exhibit *exhibit)
{
    return exhibit->side[0].width == exhibit->side[1].width &&
           exhibit->side[0].height == exhibit->side[1].height;
}

/* ---- pictures of both sides ---- */

struct buffers {
    const struct exhibit *exhibit;
    uint16_t *rgb[2];
    struct planes planes[2];
    struct measurer *measurer; /* NULL: the sides differ in size */
    struct measure *measure;
};

static enum status open_buffers(struct buffers *buffers, const struct exhibit *exhibit)
{
    const struct measure_params params = picture_params(exhibit->limits);
    enum status status = STATUS_OK;
    *buffers =
        (struct buffers){.exhibit = exhibit, .measure = memory_new(1, sizeof *buffers->measure)};
    for (int s = 0; s < 2 && status == STATUS_OK; s++) {
        const struct exhibit_side *side = &exhibit->side[s];
        const size_t bytes = (size_t)side->width * side->height * 3 * sizeof *buffers->rgb[s];
        buffers->rgb[s] = malloc(bytes);
        status = buffers->rgb[s]
                     ? planes_open(&buffers->planes[s], side->width, side->height)
                     : status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
    }
    return status == STATUS_OK && same_size(exhibit)
               ? measurer_open(&buffers->measurer, exhibit->side[0].width, exhibit->side[0].height,
                               &params)
               : status;
}

static void close_buffers(struct buffers *buffers)
{
    for (int s = 0; s < 2; s++) {
        free(buffers->rgb[s]);
        planes_close(&buffers->planes[s]);
    }
    measurer_close(&buffers->measurer);
    free(buffers->measure);
}

static enum status fetch(struct buffers *buffers, int s, int64_t frame)
{
    const struct exhibit_side *side = &buffers->exhibit->side[s];
    return side->picture(side->user, frame, buffers->rgb[s]);
}

static void measure_both(struct buffers *buffers)
{
    for (int s = 0; s < 2; s++)
        planes_fill(&buffers->planes[s], buffers->rgb[s]);
    measure_pictures(buffers->measurer, &buffers->planes[0], &buffers->planes[1], NULL,
                     buffers->measure);
}

enum status exhibit_measure(const struct exhibit *exhibit, struct picture_judge *judge)
{
    struct buffers buffers;
    const struct exhibit_side *side = exhibit->side;
    if (exhibit->count == 0)
        return STATUS_OK;
    if (!same_size(exhibit))
        return status_fail(STATUS_MISMATCH, "the pictures differ in size: %ux%u and %ux%u pixels",
                           side[0].width, side[0].height, side[1].width, side[1].height);
    enum status status = open_buffers(&buffers, exhibit);
    for (size_t i = 0; i < exhibit->count && status == STATUS_OK; i++) {
        status = fetch(&buffers, 0, exhibit->pairs[i].a);
        if (status == STATUS_OK)
            status = fetch(&buffers, 1, exhibit->pairs[i].b);
        if (status != STATUS_OK)
            break;
        measure_both(&buffers);
        picture_judge_add(judge, (uint64_t)exhibit->pairs[i].a, exhibit->pairs[i].a,
                          buffers.measure);
    }
    close_buffers(&buffers);
    return status;
}

/* ---- single frames ---- */

static uint8_t byte_of(uint32_t value)
{
    return (uint8_t)(((value < 65535 ? value : 65535) + 128) / 257);
}

/* Writes one side or, if both are given, their difference, in which black means equal. */
static enum status write_png(const struct exhibit_side *side, const uint16_t *a, const uint16_t *b,
                             const char *path)
{
    struct picture picture = {0};
    uint64_t bytes;
    picture_layout(&picture.layout, PICTURE_RGBA8, side->width, side->height);
    picture.data = malloc(picture.layout.size);
    if (!picture.data)
        return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes",
                           picture.layout.size);
    for (uint32_t y = 0; y < side->height; y++)
        for (uint32_t x = 0; x < side->width; x++) {
            const size_t from = 3 * ((size_t)y * side->width + x);
            uint8_t *to = picture.data + (size_t)y * picture.layout.plane[0].stride + 4 * (size_t)x;
            for (int c = 0; c < 3; c++)
                to[c] =
                    byte_of(b ? EXHIBIT_GAIN * (uint32_t)abs((int)a[from + c] - (int)b[from + c])
                              : a[from + c]);
            to[3] = 255;
        }
    const enum status status =
        png_file_write(path, &picture, &(struct png_settings){.level = 9}, 0, &bytes);
    free(picture.data);
    return status;
}

static char *path_of(const struct buffers *buffers, int64_t frame, const char *which)
{
    return text_format("%s/frame-%06lld-%s.png", buffers->exhibit->folder, (long long)frame, which);
}

static enum status show_difference(struct buffers *buffers, bool marks, struct shown_frame *shown)
{
    const struct exhibit *exhibit = buffers->exhibit;
    measure_both(buffers);
    if (marks)
        shown->marks = picture_marks(buffers->measure, exhibit->limits, &shown->mark_count);
    shown->difference = path_of(buffers, shown->frame, "difference");
    return write_png(&exhibit->side[0], buffers->rgb[0], buffers->rgb[1], shown->difference);
}

static enum status show_frame(struct buffers *buffers, const struct exhibit_frame *frame,
                              struct case_report *one)
{
    static const char *const names[2] = {"a", "b"};
    const struct exhibit *exhibit = buffers->exhibit;
    const char *note = exhibit->note, *why = frame->why;
    const int64_t numbers[2] = {frame->pair.a, frame->pair.b};
    struct shown_frame *shown = MEMORY_ADD(one->shown, one->shown_count);
    *shown = (struct shown_frame){
        .frame = numbers[0] >= 0 ? numbers[0] : numbers[1],
        .worst = frame->worst,
        .why = *note || *why ? text_format("%s%s%s", note, *note && *why ? ", " : "", why) : NULL};
    char **paths[2] = {&shown->a, &shown->b};
    enum status status = STATUS_OK;
    for (int s = 0; s < 2 && status == STATUS_OK; s++) {
        if (numbers[s] < 0)
            continue;
        *paths[s] = path_of(buffers, numbers[s], names[s]);
        status = fetch(buffers, s, numbers[s]);
        if (status == STATUS_OK)
            status = write_png(&exhibit->side[s], buffers->rgb[s], NULL, *paths[s]);
    }
    return status == STATUS_OK && shown->a && shown->b
               ? show_difference(buffers, frame->worst > 0, shown)
               : status;
}

static enum status show_frames(const struct exhibit *exhibit, const struct exhibit_frame *frames,
                               size_t count, struct case_report *one)
{
    struct buffers buffers;
    enum status status = open_buffers(&buffers, exhibit);
    for (size_t i = 0; i < count && status == STATUS_OK && one->shown_count < EXHIBIT_MOST; i++) {
        struct exhibit_frame a = frames[i], b = frames[i];
        if (buffers.measurer) {
            status = show_frame(&buffers, &frames[i], one);
            continue;
        }
        a.pair.b = b.pair.a = -1;
        if (a.pair.a >= 0)
            status = show_frame(&buffers, &a, one);
        if (b.pair.b >= 0 && status == STATUS_OK)
            status = show_frame(&buffers, &b, one);
    }
    close_buffers(&buffers);
    return status;
}

/* ---- A, B and their difference side by side ---- */

struct panels {
    const struct exhibit *exhibit;
    uint32_t width, height, gutter; /* width and height of each of the three panels; gutter between
                                     * them */
    uint32_t row;                   /* width of all three panels, pixels */
    double gain;
    uint16_t *rgb[2], *scaled;
    uint8_t *shown; /* [height][row][3] */
};

/* most: pixels of a panel's longer side; small pictures are enlarged by a whole factor, large ones
 * reduced until both sides fit. 0: the pictures' own size. */
static enum status open_panels(struct panels *panels, const struct exhibit *exhibit, double most,
                               uint32_t gutter)
{
    const double width = exhibit->side[0].width, height = exhibit->side[0].height;
    double scale = most / fmax(width, height);
    scale = most <= 0 ? 1 : scale >= 2 ? floor(scale) : fmin(scale, 1);
    *panels = (struct panels){.exhibit = exhibit,
                              .width = (uint32_t)fmax(round(width * scale), 1),
                              .height = (uint32_t)fmax(round(height * scale), 1),
                              .gutter = gutter};
    panels->row = 3 * panels->width + 2 * gutter;
    const size_t samples = 3 * (size_t)width * (size_t)height,
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
    const size_t left = (size_t)panel * (panels->width + panels->gutter);
    return panels->shown + 3 * ((size_t)y * panels->row + left + x);
}

static void put_side(struct panels *panels, int s)
{
    const struct exhibit_side *side = &panels->exhibit->side[s];
    const uint32_t by = panels->width / side->width; /* 0: the panel is smaller */
    if (by == 0)
        scale_rgb(panels->rgb[s], side->width, side->height, panels->scaled, panels->width,
                  panels->height);
    for (uint32_t y = 0; y < panels->height; y++)
        for (uint32_t x = 0; x < panels->width; x++) {
            const uint16_t *from =
                by ? panels->rgb[s] + 3 * ((size_t)(y / by) * side->width + x / by)
                   : panels->scaled + 3 * ((size_t)y * panels->width + x);
            uint8_t *to = pixel_of(panels, s, x, y);
            for (int c = 0; c < 3; c++)
                to[c] = byte_of(from[c]);
        }
}

/* Draws the difference; a smaller panel shows the maximum of each area. */
static void put_difference(struct panels *panels)
{
    const uint32_t width = panels->exhibit->side[0].width, height = panels->exhibit->side[0].height;
    const uint32_t across = panels->width > width ? panels->width : width;
    const uint32_t down = panels->height > height ? panels->height : height;
    for (uint32_t y = 0; y < down; y++)
        for (uint32_t x = 0; x < across; x++) {
            const size_t from = 3 * ((size_t)((uint64_t)y * height / down) * width +
                                     (size_t)((uint64_t)x * width / across));
            uint8_t *to = pixel_of(panels, 2, (uint32_t)((uint64_t)x * panels->width / across),
                                   (uint32_t)((uint64_t)y * panels->height / down));
            for (int c = 0; c < 3; c++) {
                const int by = abs((int)panels->rgb[0][from + c] - (int)panels->rgb[1][from + c]);
                const uint8_t code = (uint8_t)fmin(panels->gain * by / 257 + 0.5, 255);
                to[c] = code > to[c] ? code : to[c];
            }
        }
}

static enum status fetch_sides(struct panels *panels, const struct frame_pair *pair)
{
    const struct exhibit_side *side = panels->exhibit->side;
    enum status status = STATUS_OK;
    if (pair->a >= 0)
        status = side[0].picture(side[0].user, pair->a, panels->rgb[0]);
    if (pair->b >= 0 && status == STATUS_OK)
        status = side[1].picture(side[1].user, pair->b, panels->rgb[1]);
    return status;
}

static enum status put_together(struct panels *panels, const struct frame_pair *pair)
{
    const enum status status = fetch_sides(panels, pair);
    memset(panels->shown, GREY, 3 * (size_t)panels->row * panels->height);
    if (status != STATUS_OK)
        return status;
    if (pair->a >= 0)
        put_side(panels, 0);
    if (pair->b >= 0)
        put_side(panels, 1);
    if (pair->a >= 0 && pair->b >= 0) {
        for (uint32_t y = 0; y < panels->height; y++)
            memset(pixel_of(panels, 2, 0, y), 0, 3 * (size_t)panels->width);
        put_difference(panels);
    }
    return STATUS_OK;
}

/* Writes all pairs and closes the film; *bytes: size of the result. */
static enum status encode(struct panels *panels, struct rgb_film *film,
                          const struct frame_pair *pairs, size_t count,
                          const volatile sig_atomic_t *stop, uint64_t *bytes)
{
    struct failure failure = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = stop_asked(stop) ? STATUS_STOPPED : put_together(panels, &pairs[i]);
        if (status == STATUS_OK)
            status = rgb_film_write(film, panels->shown);
    }
    failure_keep(&failure, status);
    failure_keep(&failure, rgb_film_close(&film, status == STATUS_OK, bytes));
    return failure_report(&failure);
}

enum status exhibit_film(const struct exhibit *exhibit, const char *path, double gain,
                         uint32_t fps_num, uint32_t fps_den, const volatile sig_atomic_t *stop)
{
    struct panels panels;
    struct frame_pair *pairs = memory_new(exhibit->count, sizeof *pairs);
    size_t count = 0;
    for (size_t i = 0; i < exhibit->count; i++)
        if (exhibit->pairs[i].a >= 0 && exhibit->pairs[i].b >= 0)
            pairs[count++] = exhibit->pairs[i];
    enum status status = open_panels(&panels, exhibit, 0, 0);
    panels.gain = gain;
    const struct rgb_film_params params = {.path = path,
                                           .width = panels.row,
                                           .height = panels.height,
                                           .fps_num = fps_num,
                                           .fps_den = fps_den,
                                           .crf = -1,
                                           .threads = machine_processors()};
    struct rgb_film *film;
    if (status == STATUS_OK)
        status = rgb_film_open(&film, &params);
    if (status == STATUS_OK)
        status = encode(&panels, film, pairs, count, stop, NULL);
    close_panels(&panels);
    free(pairs);
    return status;
}

/* ---- the clip ---- */

/* Chooses the smallest gain at which the largest difference is easy to see. */
static enum status choose_gain(struct panels *panels, const struct frame_pair *pairs, size_t count)
{
    const struct exhibit_side *side = &panels->exhibit->side[0];
    const size_t samples = 3 * (size_t)side->width * side->height;
    enum status status = STATUS_OK;
    int most = 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (pairs[i].a < 0 || pairs[i].b < 0)
            continue;
        status = fetch_sides(panels, &pairs[i]);
        for (size_t s = 0; s < samples && status == STATUS_OK; s++) {
            const int by = abs((int)panels->rgb[0][s] - (int)panels->rgb[1][s]);
            most = by > most ? by : most;
        }
    }
    panels->gain = 1;
    while (panels->gain < 64 && panels->gain * most / 257 < 96)
        panels->gain *= 4;
    return status;
}

/* Returns the frame rate of the clip: slower if it does not cover the film's consecutive frames. */
static double rate_of(const struct exhibit *exhibit, const struct frame_pair *pairs, size_t count)
{
    bool steady = true;
    for (size_t i = 1; i < count && steady; i++)
        steady = pairs[i].a < 0 || pairs[i - 1].a < 0 || pairs[i].a - pairs[i - 1].a <= 1;
    const double fps = exhibit->fps > 0 ? exhibit->fps : USUAL;
    return steady ? fmin(fmax(fps, 1), FAST) : SLOW;
}

/* Encodes with a coarser quality each time until the clip is small enough. */
static enum status make_clip(struct panels *panels, const struct frame_pair *pairs, size_t count,
                             struct clip *clip, bool *made)
{
    static const double crfs[] = {16, 24, 32, 40};
    enum status status = STATUS_OK;
    uint64_t bytes = UINT64_MAX;
    struct rgb_film_params params = {.path = clip->path,
                                     .width = panels->row,
                                     .height = panels->height,
                                     .fps_num = (uint32_t)lround(1000 * clip->fps),
                                     .fps_den = 1000,
                                     .threads = 1};
    for (size_t i = 0;
         i < sizeof crfs / sizeof *crfs && bytes > CLIP_BYTES_MAX && status == STATUS_OK; i++) {
        struct rgb_film *film;
        params.crf = crfs[i];
        if (rgb_film_open(&film, &params) != STATUS_OK) {
            log_warning("no clip is made: %s", status_text());
            return STATUS_OK;
        }
        status = encode(panels, film, pairs, count, NULL, &bytes);
    }
    *made = status == STATUS_OK && bytes > 0 && bytes <= CLIP_BYTES_MAX;
    if (status == STATUS_OK && bytes > CLIP_BYTES_MAX) {
        log_warning("no clip is made: it would have %llu bytes", (unsigned long long)bytes);
        remove(clip->path);
    }
    return status;
}

static enum status show_clip(const struct exhibit *exhibit, size_t from, struct case_report *one)
{
    const size_t count = exhibit->count;
    const size_t begin = count <= CLIP_FRAMES_MAX || from < CLIP_LEAD_IN ? 0 : from - CLIP_LEAD_IN;
    const size_t length = count - begin < CLIP_FRAMES_MAX ? count - begin : CLIP_FRAMES_MAX;
    const struct frame_pair *pairs = exhibit->pairs + begin;
    struct panels panels;
    bool made = false;
    struct clip clip = {.path = text_format("%s/clip.mp4", exhibit->folder),
                        .fps = rate_of(exhibit, pairs, length)};
    enum status status = open_panels(&panels, exhibit, PANEL_MOST, GUTTER);
    if (status == STATUS_OK)
        status = choose_gain(&panels, pairs, length);
    clip.gain = panels.gain;
    if (status == STATUS_OK)
        status = make_clip(&panels, pairs, length, &clip, &made);
    if (made) {
        clip.count = (uint32_t)length;
        clip.frames = memory_new(length, sizeof *clip.frames);
        memcpy(clip.frames, pairs, length * sizeof *pairs);
        one->clip = clip;
    } else {
        free(clip.path);
    }
    close_panels(&panels);
    return status;
}

/* ---- both ---- */

/* Returns the pair with frame `a` of side A; `a` alone if there is none. */
static struct frame_pair pair_of(const struct exhibit *exhibit, int64_t a)
{
    for (size_t i = 0; i < exhibit->count; i++)
        if (exhibit->pairs[i].a == a && exhibit->pairs[i].b >= 0)
            return exhibit->pairs[i];
    return (struct frame_pair){a, -1};
}

/* Returns the index of the earliest pair that is shown as a single frame. */
static size_t first_shown(const struct exhibit *exhibit, const struct exhibit_frame *frames,
                          size_t count)
{
    for (size_t i = 0; i < exhibit->count; i++)
        for (size_t f = 0; f < count; f++)
            if (exhibit->pairs[i].a == frames[f].pair.a && exhibit->pairs[i].b == frames[f].pair.b)
                return i;
    return 0;
}

enum status exhibit_show(const struct exhibit *exhibit, struct case_report *one)
{
    struct picture_choice choices[EXHIBIT_MOST];
    struct exhibit_frame frames[EXHIBIT_MOST];
    size_t count = 0;
    while (count < exhibit->frame_count && count < EXHIBIT_MOST) {
        frames[count] = exhibit->frames[count];
        count++;
    }
    const size_t chosen =
        exhibit->judge ? picture_judge_choose(exhibit->judge, choices, EXHIBIT_MOST - count) : 0;
    for (size_t i = 0; i < chosen; i++)
        frames[count++] = (struct exhibit_frame){pair_of(exhibit, choices[i].frame),
                                                 choices[i].worst, choices[i].why};
    if (count == 0)
        return STATUS_OK;
    enum status status = file_make_folder(exhibit->folder);
    if (status == STATUS_OK)
        status = show_frames(exhibit, frames, count, one);
    return status == STATUS_OK && !one->clip.path && same_size(exhibit) && exhibit->count > 0
               ? show_clip(exhibit, first_shown(exhibit, frames, count), one)
               : status;
}
