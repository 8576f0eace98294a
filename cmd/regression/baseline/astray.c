#include "cmd/regression/baseline/astray.h"

#include "cmd/regression/baseline/pictures.h"
#include "cmd/regression/exhibit/clip.h"
#include "cmd/regression/exhibit/frames.h"
#include "render/reader/pixels.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN = 3 }; /* frames shown as single pictures */

void astray_free(struct astray *astray)
{
    for (uint32_t i = 0; i < astray->count; i++) {
        picture_free(&astray->frames[i].drawn);
        free(astray->frames[i].rgb);
    }
    *astray = (struct astray){0};
}

enum status astray_add(struct astray *astray, const struct picture *drawn, const uint16_t *rgb,
                       uint32_t width, uint32_t height)
{
    const size_t bytes = 3 * (size_t)width * height * sizeof *rgb;
    if (astray->count == RECORD_ASTRAY_MAX)
        return STATUS_OK;
    enum status status = picture_copy(drawn, &astray->frames[astray->count].drawn);
    if (status != STATUS_OK)
        return status;
    uint16_t *copy = rgb ? malloc(bytes) : NULL;
    astray->frames[astray->count].rgb = copy;
    astray->frames[astray->count++].width = width;
    if (rgb && !copy)
        return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
    if (copy)
        memcpy(copy, rgb, bytes);
    return STATUS_OK;
}

static int find(const struct astray *astray, int64_t frame)
{
    int i = 0;
    while (i < (int)astray->count && (int64_t)astray->frames[i].drawn->frame != frame)
        i++;
    return i < (int)astray->count ? i : -1;
}

/* Copies row by row: the film may be padded, so that its rows are longer than the picture's. */
static enum status fetch(void *user, int side, int64_t frame, uint16_t *rgb)
{
    const struct astray *astray = user;
    const int i = find(astray, frame);
    if (i < 0)
        return status_fail(STATUS_IO, "the picture of frame %lld no longer exists",
                           (long long)frame);
    const struct picture_layout *layout = &astray->frames[i].drawn->layout;
    if (side == 0)
        return drawn_to_rgb(astray->frames[i].drawn, rgb);
    for (uint32_t y = 0; y < layout->height; y++)
        memcpy(rgb + 3 * (size_t)y * layout->width,
               astray->frames[i].rgb + 3 * (size_t)y * astray->frames[i].width,
               3 * (size_t)layout->width * sizeof *rgb);
    return STATUS_OK;
}

/* Finds the largest difference of a sample, in codes of 255. */
static enum status find_most(const struct astray *astray, double *most)
{
    const struct picture_layout *layout = &astray->frames[0].drawn->layout;
    const size_t samples = 3 * (size_t)layout->width * layout->height;
    uint16_t *a = malloc(2 * samples * sizeof *a);
    enum status status = a ? STATUS_OK
                           : status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes",
                                         2 * samples * sizeof *a);
    int worst = 0;
    for (uint32_t i = 0; i < astray->count && status == STATUS_OK; i++) {
        const int64_t frame = (int64_t)astray->frames[i].drawn->frame;
        if (!astray->frames[i].rgb)
            continue;
        status = fetch((void *)astray, 0, frame, a);
        if (status == STATUS_OK)
            status = fetch((void *)astray, 1, frame, a + samples);
        for (size_t s = 0; s < samples && status == STATUS_OK; s++)
            worst = abs(a[s] - a[samples + s]) > worst ? abs(a[s] - a[samples + s]) : worst;
    }
    free(a);
    *most = worst / 257.0;
    return status;
}

/* Returns whether the film shows the frame in its place. */
static bool is_in_place(const struct case_report *one, int64_t frame)
{
    bool found = false;
    for (uint32_t i = 0; i < one->alignment_count && !found; i++)
        found = one->alignment[i].a == frame && one->alignment[i].b == frame;
    return found;
}

enum status astray_show(const struct astray *astray, const struct limits *limits,
                        const char *folder, struct case_report *one)
{
    struct exhibit_pair pairs[RECORD_ASTRAY_MAX];
    struct exhibit_frame frames[SHOWN];
    size_t count = 0, from = 0;
    double most;
    if (astray->count == 0)
        return STATUS_OK;
    while (from + 1 < astray->count && is_in_place(one, (int64_t)astray->frames[from].drawn->frame))
        from++;
    for (uint32_t i = 0; i < astray->count; i++) {
        const int64_t frame = (int64_t)astray->frames[i].drawn->frame;
        pairs[i] = (struct exhibit_pair){frame, astray->frames[i].rgb ? frame : -1};
        if (i >= from && count < SHOWN)
            frames[count++] = (struct exhibit_frame){
                pairs[i], 1, i == from ? "the first place that shows another frame" : ""};
    }
    const struct picture_layout *layout = &astray->frames[0].drawn->layout;
    const struct exhibit exhibit = {.folder = folder,
                                    .note = "as drawn, and what the film shows in its place",
                                    .width = layout->width,
                                    .height = layout->height,
                                    .fps = one->fps,
                                    .limits = limits,
                                    .fetch = fetch,
                                    .user = (void *)astray};
    enum status status = find_most(astray, &most);
    if (status == STATUS_OK)
        status = exhibit_frames(&exhibit, frames, count, one);
    if (status == STATUS_OK)
        status = exhibit_clip(&exhibit, pairs, astray->count, from, most, one);
    return status;
}
