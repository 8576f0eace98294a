#include "render/video/stretch.h"

#include "base/memory.h"
#include "render/picture/palette.h"

#include <stdlib.h>
#include <string.h>

struct stretch {
    struct picture_layout layout;
    uint8_t **pictures; /* [room] */
    size_t room, count, taken;
    bool closed;
    struct palette_counts *counts;
    struct palette palette;
};

struct stretch *stretch_create(uint32_t width, uint32_t height, size_t bytes)
{
    struct stretch *stretch = memory_new(1, sizeof *stretch);
    picture_layout(&stretch->layout, PICTURE_RGBA8, width, height);
    const size_t fit = bytes / stretch->layout.size;
    stretch->room = fit > 0 ? fit : 1;
    stretch->pictures = memory_new(stretch->room, sizeof *stretch->pictures);
    stretch->counts = palette_counts_create();
    return stretch;
}

static void empty(struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++)
        free(stretch->pictures[i]);
    palette_free(&stretch->palette);
    palette_counts_destroy(&stretch->counts);
    stretch->count = stretch->taken = 0;
    stretch->closed = false;
}

void stretch_destroy(struct stretch **stretch)
{
    if (!*stretch)
        return;
    empty(*stretch);
    free((*stretch)->pictures);
    free(*stretch);
    *stretch = NULL;
}

enum status stretch_add(struct stretch *stretch, const struct picture *picture)
{
    if (stretch->closed) {
        empty(stretch);
        stretch->counts = palette_counts_create();
    }
    const struct picture_layout *from = &picture->layout, *to = &stretch->layout;
    uint8_t *copy = malloc(to->size);
    if (!copy)
        return status_fail(STATUS_RUNTIME,
                           "not enough memory for a picture of %zu bytes that waits for its "
                           "palette; use a smaller output.size",
                           to->size);
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(copy + (size_t)y * to->plane[0].stride,
               picture->data + from->plane[0].offset + (size_t)y * from->plane[0].stride,
               to->plane[0].bytes);
    stretch->pictures[stretch->count++] = copy;
    palette_counts_add(stretch->counts, picture);
    if (stretch->count == stretch->room)
        stretch_close(stretch);
    return STATUS_OK;
}

void stretch_close(struct stretch *stretch)
{
    if (!stretch->closed && stretch->count > 0)
        palette_make(&stretch->palette, stretch->counts);
    stretch->closed = true;
}

bool stretch_ready(const struct stretch *stretch)
{
    return stretch->closed && stretch->taken < stretch->count;
}

void stretch_take(struct stretch *stretch, uint8_t *numbers, int stride, uint32_t colours[256])
{
    const struct picture picture = {.layout = stretch->layout,
                                    .data = stretch->pictures[stretch->taken]};
    palette_map(&stretch->palette, &picture, numbers, (size_t)stride);
    for (uint32_t i = 0; i < 256; i++) {
        const uint8_t *rgb = i < stretch->palette.count ? stretch->palette.rgb[i] : NULL;
        colours[i] = rgb ? 0xff000000u | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]
                     : i < 255 ? 0xff000000u
                               : 0;
    }
    free(stretch->pictures[stretch->taken]);
    stretch->pictures[stretch->taken++] = NULL;
}
