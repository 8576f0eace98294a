#include "render/inspect/inspect.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "render/picture/png_name.h"
#include "render/reader/reader.h"
#include "render/video/picture_file.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static enum status inspect_file(struct inspection *out, struct reader *reader,
                                struct looker *looker, uint16_t *rgb, uint64_t index)
{
    struct inspected_frame *frame = &out->frames[index];
    *frame = (struct inspected_frame){
        .shown = (int64_t)index, .key = true, .key_coded = true, .look = {.change = NAN}};
    if (reader_read(reader, out->first + index, rgb) != STATUS_OK) {
        frame->complaint = memory_text(status_text());
        return STATUS_OK;
    }
    frame->decoded = true;
    return looker_rgb(looker, rgb, out->width, out->height, &frame->look);
}

/* Describes the sequence; tags are those of the first file. */
static void describe(struct inspection *out, const struct reader_info *info, const char *path)
{
    char name[PATH_MAX];
    out->codec = memory_text(info->file->name);
    out->pixel_format = memory_text(info->file->light ? info->pixel_format
                                    : info->bits > 8  ? "rgb48"
                                                      : "rgb24");
    out->file_format = info->file;
    out->width = info->width;
    out->height = info->height;
    out->first = info->first;
    out->count = info->frames;
    out->is_alone = file_exists(path);
    if (out->is_alone || png_name(path, out->first, name, sizeof name) != STATUS_OK)
        snprintf(name, sizeof name, "%s", path);
    out->file = memory_text(name);
    (void)info->file->tags(name, &out->tags);
}

static enum status inspect_all(struct inspection *out, struct reader *reader,
                               volatile sig_atomic_t *stop)
{
    const size_t samples = (size_t)out->width * out->height * 3;
    uint16_t *rgb = malloc(samples * sizeof *rgb);
    if (!rgb)
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                           samples * sizeof *rgb >> 20);
    struct looker *looker = looker_open();
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < out->count && status == STATUS_OK; i++)
        status = stop_asked(stop) ? STATUS_STOPPED : inspect_file(out, reader, looker, rgb, i);
    out->darkest = looker_darkest(looker);
    looker_close(&looker);
    free(rgb);
    return status;
}

enum status inspect_sequence(struct inspection *out, const char *path, volatile sig_atomic_t *stop)
{
    struct reader *reader;
    *out = (struct inspection){.duration = -1};
    enum status status = reader_open(&reader, path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    if (info->frames > INSPECT_FRAMES_MAX) {
        status = status_fail(STATUS_USAGE,
                             "the numbers of '%s' span %llu files, more than the %d that can be "
                             "inspected; check for a file that does not belong there",
                             path, (unsigned long long)info->frames, (int)INSPECT_FRAMES_MAX);
        reader_close(&reader);
        return status;
    }
    describe(out, info, path);
    out->frames = memory_new(out->count, sizeof *out->frames);
    status = inspect_all(out, reader, stop);
    reader_close(&reader);
    return status;
}
