#include "cmd/baseline/gallery.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/baseline/redraw.h"
#include "cmd/judge/picture.h"
#include "render/picture/png_file.h"
#include "render/reader/pixels.h"

#include <stdlib.h>
#include <string.h>

/* ---- positions ---- */

static const struct stored *find_stored(const struct stored *list, uint32_t count, uint64_t frame)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].frame == frame)
            return &list[i];
    return NULL;
}

/* The doubles where they are kept, else the floats. */
static const double (*positions_of(struct gallery *gallery, int side, const struct state *state,
                                   size_t *count))[3]
{
    const struct view *view = &state->view[0];
    *count = view->count;
    free(gallery->positions[side]);
    gallery->positions[side] = malloc((view->count + 1) * sizeof *gallery->positions[side]);
    double(*out)[3] = gallery->positions[side];
    if (!out)
        return NULL;
    for (size_t i = 0; i < view->count; i++)
        for (size_t c = 0; c < 3; c++)
            out[i][c] = state->position ? state->position[i][c] : (double)view->position[4 * i + c];
    return (const double(*)[3])out;
}

static const double (*find_positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    struct gallery *gallery = user;
    const struct baseline *baseline = gallery->baseline;
    if (now) {
        const struct state *state = capture_state(gallery->now, frame);
        return state ? positions_of(gallery, 1, state, count) : NULL;
    }
    const struct state *then = gallery->then ? capture_state(gallery->then, frame) : NULL;
    if (gallery->then)
        return then ? positions_of(gallery, 0, then, count) : NULL;
    const struct stored *stored = find_stored(baseline->states, baseline->state_count, frame);
    if (!stored || !capture_state(gallery->now, frame))
        return NULL;
    state_free(&gallery->state);
    if (baseline_get_state(baseline, stored, &gallery->state) != STATUS_OK)
        return NULL;
    return positions_of(gallery, 0, &gallery->state, count);
}

/* ---- pictures ---- */

struct side {
    uint16_t *rgb;
    struct planes planes;
};

struct hanging {
    struct gallery *gallery;
    uint32_t width, height;
    struct side side[2]; /* the baseline's, and this program's */
    struct measurer *measurer;
    struct measure *measure;
    struct picture_judge *judge;
    size_t measured;
};

static enum status open_side(struct hanging *hanging, struct side *side)
{
    const size_t bytes = (size_t)hanging->width * hanging->height * 3 * sizeof *side->rgb;
    side->rgb = malloc(bytes);
    if (!side->rgb)
        return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
    return planes_open(&side->planes, hanging->width, hanging->height);
}

static enum status open_hanging(struct hanging *hanging, const struct picture *first)
{
    const struct limits *limits = hanging->gallery->limits;
    const struct measure_params params = picture_params(limits);
    hanging->width = first->layout.width;
    hanging->height = first->layout.height;
    enum status status = open_side(hanging, &hanging->side[0]);
    if (status == STATUS_OK)
        status = open_side(hanging, &hanging->side[1]);
    if (status == STATUS_OK)
        status = measurer_open(&hanging->measurer, hanging->width, hanging->height, &params);
    return status;
}

static void close_hanging(struct hanging *hanging)
{
    for (int s = 0; s < 2; s++) {
        free(hanging->side[s].rgb);
        planes_close(&hanging->side[s].planes);
    }
    measurer_close(&hanging->measurer);
    picture_judge_close(&hanging->judge);
    free(hanging->measure);
}

/* ---- pictures to look at ---- */

static enum status write_png(const char *path, uint16_t *rgba, uint32_t width, uint32_t height)
{
    struct picture picture = {.data = (uint8_t *)rgba};
    uint64_t bytes;
    picture_layout(&picture.layout, PICTURE_RGBA16, width, height);
    return png_file_write(path, &picture, &(struct png_settings){.level = 6}, 0, &bytes);
}

/* Differences four times as large, about grey where they have a sign is for a viewer to make:
 * black is equal. */
static uint16_t amplified(uint16_t a, uint16_t b)
{
    const uint32_t difference = 4u * (uint32_t)abs((int)a - (int)b);
    return difference < 65535 ? (uint16_t)difference : 65535;
}

static enum status write_frame(const struct hanging *hanging, uint64_t frame, const char *which,
                               char **path)
{
    struct picture_layout layout;
    picture_layout(&layout, PICTURE_RGBA16, hanging->width, hanging->height);
    uint16_t *rgba = malloc(layout.size);
    if (!rgba)
        return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", layout.size);
    const uint16_t *a = hanging->side[0].rgb, *b = hanging->side[1].rgb;
    const size_t pixels = (size_t)hanging->width * hanging->height;
    for (size_t i = 0; i < pixels; i++) {
        for (size_t c = 0; c < 3; c++) {
            const uint16_t x = a[3 * i + c], y = b[3 * i + c];
            rgba[4 * i + c] = *which == 'a' ? x : *which == 'b' ? y : amplified(x, y);
        }
        rgba[4 * i + 3] = 65535;
    }
    *path = text_format("%s/frame-%06llu-%s.png", hanging->gallery->folder,
                        (unsigned long long)frame, which);
    enum status status = write_png(*path, rgba, hanging->width, hanging->height);
    free(rgba);
    return status;
}

static double worst_share(const struct measure *measure, const struct limits *limits)
{
    const double stars =
        (double)(measure->missing + measure->added) + (measure->hard.value > 0 ? 1 : 0);
    return measure->hard.value / limits_fail(limits, &rules[RULE_PICTURE_PIXEL]) + stars;
}

/* Keeps the frame to look at, as long as there are few. */
static enum status show(const struct hanging *hanging, uint64_t frame)
{
    struct gallery *gallery = hanging->gallery;
    struct case_report *one = gallery->one;
    if (!gallery->folder || one->shown_count == GALLERY_SHOWN_MAX)
        return STATUS_OK;
    enum status status = file_make_folder(gallery->folder);
    if (status != STATUS_OK)
        return status;
    one->shown = memory_grow(one->shown, one->shown_count + 1, sizeof *one->shown);
    struct shown_frame *shown = &one->shown[one->shown_count++];
    *shown = (struct shown_frame){.frame = (int64_t)frame,
                                  .worst = worst_share(hanging->measure, gallery->limits)};
    shown->marks = picture_marks(hanging->measure, gallery->limits, &shown->mark_count);
    status = write_frame(hanging, frame, "a", &shown->a);
    if (status == STATUS_OK)
        status = write_frame(hanging, frame, "b", &shown->b);
    if (status == STATUS_OK)
        status = write_frame(hanging, frame, "difference", &shown->difference);
    return status;
}

/* ---- measuring ---- */

static enum status measure_pair(struct hanging *hanging, const struct picture *a,
                                const struct picture *b)
{
    enum status status = STATUS_OK;
    if (!hanging->measurer)
        status = open_hanging(hanging, a);
    if (status != STATUS_OK)
        return status;
    if (a->layout.width != hanging->width || a->layout.height != hanging->height ||
        b->layout.width != hanging->width || b->layout.height != hanging->height)
        return status_fail(STATUS_MISMATCH, "the pictures are %ux%u and %ux%u pixels large",
                           a->layout.width, a->layout.height, b->layout.width, b->layout.height);
    status = pixels_of_picture(a, hanging->side[0].rgb);
    if (status == STATUS_OK)
        status = pixels_of_picture(b, hanging->side[1].rgb);
    if (status != STATUS_OK)
        return status;
    for (int s = 0; s < 2; s++)
        planes_fill(&hanging->side[s].planes, hanging->side[s].rgb);
    measure_pictures(hanging->measurer, &hanging->side[0].planes, &hanging->side[1].planes, NULL,
                     hanging->measure);
    return STATUS_OK;
}

/* A copy, which picture_free frees; NULL where there is none. */
static struct picture *find_before(struct gallery *gallery, uint64_t frame)
{
    const struct baseline *baseline = gallery->baseline;
    const struct picture *then = gallery->then ? capture_picture(gallery->then, frame) : NULL;
    struct picture *out = NULL;
    if (then)
        gallery->missing += picture_copy(then, &out) != STATUS_OK;
    if (gallery->then)
        return out;
    const struct stored *stored = find_stored(baseline->pictures, baseline->picture_count, frame);
    if (stored)
        gallery->missing += baseline_get_picture(baseline, stored, &out) != STATUS_OK;
    return out;
}

static enum status hang(struct hanging *hanging, uint64_t frame)
{
    struct gallery *gallery = hanging->gallery;
    const struct picture *now = capture_picture(gallery->now, frame);
    struct picture *before = now ? find_before(gallery, frame) : NULL;
    if (!before)
        return STATUS_OK;
    enum status status = measure_pair(hanging, before, now);
    picture_free(&before);
    if (status != STATUS_OK)
        return status;
    hanging->measured++;
    picture_judge_add(hanging->judge, frame, (int64_t)frame, hanging->measure);
    return hanging->measure->equal ? STATUS_OK : show(hanging, frame);
}

static enum status measure_frames(void *user, const uint64_t *frames, size_t count,
                                  struct stage_report *stage, size_t *measured)
{
    struct gallery *gallery = user;
    struct hanging hanging = {.gallery = gallery,
                              .measure = memory_new(1, sizeof *hanging.measure)};
    enum status status = STATUS_OK;
    picture_judge_open(&hanging.judge, gallery->limits, gallery->one->frames);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = hang(&hanging, frames[i]);
    if (status == STATUS_OK && hanging.measured > 0)
        picture_judge_end(hanging.judge, gallery->one, stage);
    *measured = hanging.measured;
    close_hanging(&hanging);
    return status;
}

struct comparison_details gallery_details(struct gallery *gallery)
{
    return (struct comparison_details){
        .user = gallery, .positions = find_positions, .pictures = measure_frames};
}

void gallery_close(struct gallery *gallery)
{
    state_free(&gallery->state);
    free(gallery->positions[0]);
    free(gallery->positions[1]);
    *gallery = (struct gallery){0};
}
