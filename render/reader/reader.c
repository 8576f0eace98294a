#include "render/reader/reader.h"

#include "base/file.h"
#include "base/memory.h"
#include "render/reader/frame.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 64 };

static const struct reader_kind *const kinds[] = {&reader_video, &reader_still, &reader_sequence};

static enum status choose(const char *path, const struct reader_kind **kind)
{
    unsigned char head[HEAD];
    size_t size;
    struct failure failure = {0};
    const bool readable = !failure_keep(&failure, file_read_head(path, head, sizeof head, &size));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        *kind = kinds[i];
        if (kinds[i]->probe(path, readable ? head : NULL, size))
            return STATUS_OK;
    }
    if (!readable)
        return failure_report(&failure);
    return status_fail(
        STATUS_USAGE,
        "'%s' is neither a film in mp4, mov, mkv, webm, y4m or gif nor a PNG; name a "
        "sequence by its pattern, as in frames/%%06d.png",
        path);
}

enum status reader_open(struct reader **out, const char *path)
{
    return reader_open_threads(out, path, 0);
}

enum status reader_open_threads(struct reader **out, const char *path, int threads)
{
    *out = NULL;
    const struct reader_kind *kind;
    enum status status = choose(path, &kind);
    if (status != STATUS_OK)
        return status;
    struct reader *reader = memory_new(1, kind->size);
    reader->path = memory_text(path);
    reader->kind = kind;
    reader->threads = threads;
    status = kind->open(reader);
    if (status == STATUS_OK)
        *out = reader;
    else
        reader_close(&reader);
    return status;
}

void reader_close(struct reader **reader)
{
    struct reader *self = *reader;
    if (!self)
        return;
    if (self->kind->close)
        self->kind->close(self);
    free(self->path);
    free(self);
    *reader = NULL;
}

const struct reader_info *reader_info(const struct reader *reader)
{
    return &reader->info;
}

double reader_time(const struct reader *reader, uint64_t frame)
{
    return reader->kind->time ? reader->kind->time(reader, frame) : -1;
}

static enum status decode(struct reader *reader, uint64_t frame, struct AVFrame **out)
{
    const struct reader_info *info = &reader->info;
    if (frame < info->first || frame - info->first >= info->frames)
        return status_fail(STATUS_USAGE,
                           "there is no frame %llu, because '%s' has frames %llu to %llu",
                           (unsigned long long)frame, reader->path, (unsigned long long)info->first,
                           (unsigned long long)(info->first + info->frames - 1));
    return reader->kind->decode(reader, frame, out);
}

enum status reader_take(struct reader *reader, uint64_t frame, struct reader_frame **out)
{
    struct AVFrame *decoded;
    enum status status = decode(reader, frame, &decoded);
    *out = status == STATUS_OK ? frame_keep(decoded, reader->info.alpha, reader->path) : NULL;
    return status;
}

enum status reader_read(struct reader *reader, uint64_t frame, uint16_t *rgb)
{
    struct reader_frame *taken;
    enum status status = reader_take(reader, frame, &taken);
    if (status == STATUS_OK)
        status = frame_to_rgb(taken, rgb);
    frame_release(&taken);
    return status;
}

bool reader_samples(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height)
{
    const struct reader_kind *kind = reader->kind;
    return kind->samples && kind->samples(reader, component, samples, width, height);
}
