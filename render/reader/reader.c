#include "render/reader/kind.h"

#include "base/file.h"
#include "render/reader/info.h"
#include "render/picture/png_name.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status begins_as_png(const char *path, bool *is_png)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    unsigned char head[sizeof signature];
    FILE *file = fopen(path, "rb");
    if (!file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    *is_png = fread(head, 1, sizeof head, file) == sizeof head &&
              memcmp(head, signature, sizeof head) == 0;
    fclose(file);
    return STATUS_OK;
}

static enum status choose(const char *path, const struct film_reader_kind **kind)
{
    char name[PATH_MAX];
    struct stat found;
    if (stat(path, &found) != 0) {
        int reason = errno;
        *kind = &film_reader_sequence;
        if (strcmp(file_extension(path), "png") == 0 &&
            png_name(path, 0, name, sizeof name) == STATUS_OK)
            return STATUS_OK;
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(reason));
    }
    *kind = &film_reader_video;
    if (film_info_is_film(path))
        return STATUS_OK;
    *kind = &film_reader_png;
    bool is_png = false;
    enum status status = S_ISREG(found.st_mode) ? begins_as_png(path, &is_png) : STATUS_OK;
    if (status != STATUS_OK || is_png)
        return status;
    return status_fail(STATUS_USAGE,
                       "'%s' is neither a film in mp4, mov, mkv, webm or y4m nor a PNG; a sequence "
                       "is given by its pattern, as in frames/%%06d.png",
                       path);
}

enum status film_reader_open(struct film_reader **out, const char *path)
{
    *out = NULL;
    const struct film_reader_kind *kind;
    enum status status = choose(path, &kind);
    if (status != STATUS_OK)
        return status;
    struct film_reader *reader = calloc(1, kind->size);
    if (reader)
        reader->path = strdup(path);
    if (!reader || !reader->path) {
        free(reader);
        return status_fail(STATUS_RUNTIME, "no memory left to read '%s'", path);
    }
    reader->kind = kind;
    status = kind->open(reader);
    reader->next = reader->info.first;
    if (status == STATUS_OK)
        *out = reader;
    else
        film_reader_close(&reader);
    return status;
}

void film_reader_close(struct film_reader **reader)
{
    struct film_reader *self = *reader;
    if (!self)
        return;
    self->kind->close(self);
    free(self->path);
    free(self);
    *reader = NULL;
}

const struct film_reader_info *film_reader_info(const struct film_reader *reader)
{
    return &reader->info;
}

double film_reader_time(const struct film_reader *reader, uint64_t frame)
{
    return reader->kind->time(reader, frame);
}

enum status film_reader_read(struct film_reader *reader, uint64_t frame, uint16_t *rgb)
{
    const struct film_reader_info *info = &reader->info;
    if (frame < info->first || frame - info->first >= info->frames)
        return status_fail(STATUS_USAGE, "frame %llu is wanted, but '%s' has frames %llu to %llu",
                           (unsigned long long)frame, reader->path, (unsigned long long)info->first,
                           (unsigned long long)(info->first + info->frames - 1));
    enum status status = reader->kind->read(reader, frame, rgb);
    if (status == STATUS_OK)
        reader->next = frame + 1;
    return status;
}

enum status film_reader_next(struct film_reader *reader, uint16_t *rgb, uint64_t *frame, bool *more)
{
    *frame = reader->next;
    *more = reader->next - reader->info.first < reader->info.frames;
    return *more ? film_reader_read(reader, *frame, rgb) : STATUS_OK;
}
