#include "cmd/regression/exhibit/frames.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/judge/picture.h"
#include "render/picture/png_pdf.h"

#include <stdlib.h>

struct hall {
    const struct exhibit *exhibit;
    struct case_report *one;
    uint16_t *rgb[2];
    struct planes planes[2];
    struct measurer *measurer;
    struct measure *measure;
    struct picture picture; /* to be written */
};

static enum status open_hall(struct hall *hall)
{
    const struct exhibit *exhibit = hall->exhibit;
    const size_t bytes = (size_t)exhibit->width * exhibit->height * 3 * sizeof *hall->rgb[0];
    const struct measure_params params = picture_params(exhibit->limits);
    picture_layout(&hall->picture.layout, PICTURE_RGBA8, exhibit->width, exhibit->height);
    hall->rgb[0] = malloc(bytes);
    hall->rgb[1] = malloc(bytes);
    hall->picture.data = malloc(hall->picture.layout.size);
    if (!hall->rgb[0] || !hall->rgb[1] || !hall->picture.data)
        return status_fail(STATUS_RUNTIME, "no memory for pictures of %zu bytes", bytes);
    hall->measure = memory_new(1, sizeof *hall->measure);
    enum status status = planes_open(&hall->planes[0], exhibit->width, exhibit->height);
    if (status == STATUS_OK)
        status = planes_open(&hall->planes[1], exhibit->width, exhibit->height);
    if (status == STATUS_OK)
        status = measurer_open(&hall->measurer, exhibit->width, exhibit->height, &params);
    return status == STATUS_OK ? file_make_folder(exhibit->folder) : status;
}

static void close_hall(struct hall *hall)
{
    for (int side = 0; side < 2; side++) {
        free(hall->rgb[side]);
        planes_close(&hall->planes[side]);
    }
    measurer_close(&hall->measurer);
    free(hall->measure);
    free(hall->picture.data);
}

static uint8_t byte_of(uint32_t value)
{
    return (uint8_t)(((value < 65535 ? value : 65535) + 128) / 257);
}

/* Writes one side or, if both are given, their difference, in which black means equal. */
static enum status write_png(struct hall *hall, const uint16_t *a, const uint16_t *b, char *path)
{
    struct picture *picture = &hall->picture;
    const struct picture_layout *layout = &picture->layout;
    uint64_t bytes;
    for (uint32_t y = 0; y < layout->height; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            const size_t from = 3 * ((size_t)y * layout->width + x);
            uint8_t *to = picture->data + (size_t)y * layout->plane[0].stride + 4 * (size_t)x;
            for (int c = 0; c < 3; c++)
                to[c] =
                    byte_of(b ? EXHIBIT_GAIN * (uint32_t)abs((int)a[from + c] - (int)b[from + c])
                              : a[from + c]);
            to[3] = 255;
        }
    return png_file_write(path, picture, &(struct png_settings){.level = 9}, 0, &bytes);
}

static char *path_of(const struct hall *hall, int64_t frame, const char *which)
{
    return text_format("%s/frame-%06lld-%s.png", hall->exhibit->folder, (long long)frame, which);
}

static enum status compare(struct hall *hall, struct shown_frame *shown)
{
    for (int side = 0; side < 2; side++)
        planes_fill(&hall->planes[side], hall->rgb[side]);
    measure_pictures(hall->measurer, &hall->planes[0], &hall->planes[1], NULL, hall->measure);
    shown->marks = picture_marks(hall->measure, hall->exhibit->limits, &shown->mark_count);
    shown->difference = path_of(hall, shown->frame, "difference");
    return write_png(hall, hall->rgb[0], hall->rgb[1], shown->difference);
}

static char *why_of(const char *note, const char *why)
{
    return *note || *why ? text_format("%s%s%s", note, *note && *why ? ", " : "", why) : NULL;
}

static enum status hang(struct hall *hall, const struct exhibit_frame *frame)
{
    const struct exhibit *exhibit = hall->exhibit;
    const int64_t numbers[2] = {frame->pair.a, frame->pair.b};
    struct case_report *one = hall->one;
    one->shown = memory_grow(one->shown, one->shown_count + (size_t)1, sizeof *one->shown);
    struct shown_frame *shown = &one->shown[one->shown_count++];
    *shown = (struct shown_frame){.frame = numbers[0] >= 0 ? numbers[0] : numbers[1],
                                  .worst = frame->worst,
                                  .why = why_of(exhibit->note, frame->why)};
    char **paths[2] = {&shown->a, &shown->b};
    static const char *const names[2] = {"a", "b"};
    enum status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        if (numbers[side] < 0)
            continue;
        *paths[side] = path_of(hall, numbers[side], names[side]);
        status = exhibit->fetch(exhibit->user, side, numbers[side], hall->rgb[side]);
        if (status == STATUS_OK)
            status = write_png(hall, hall->rgb[side], NULL, *paths[side]);
    }
    return status == STATUS_OK && shown->a && shown->b ? compare(hall, shown) : status;
}

enum status exhibit_frames(const struct exhibit *exhibit, const struct exhibit_frame *frames,
                           size_t count, struct case_report *one)
{
    struct hall hall = {.exhibit = exhibit, .one = one};
    enum status status = count > 0 ? open_hall(&hall) : STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = hang(&hall, &frames[i]);
    close_hall(&hall);
    return status;
}
