/* One picture file (render/video/picture_file.h), and a sequence of them by its pattern. */
#include "base/file.h"
#include "base/memory.h"
#include "render/picture/alpha.h"
#include "render/picture/png_file.h"
#include "render/reader/reader.h"
#include "render/video/libav_calls.h"
#include "render/video/picture_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static enum picture_alpha told_alpha(const struct picture_file *file, const char *name)
{
    struct tags tags;
    enum picture_alpha alpha = ALPHA_STRAIGHT;
    if (file->tags(name, &tags) == STATUS_OK)
        alpha = alpha_told(tags_find(&tags, ALPHA_TAG));
    tags_free(&tags);
    return alpha;
}

/* Reads the format of the first file, which all must have. */
static enum status read_info(struct reader *reader, const char *name)
{
    AVFrame *frame;
    const struct picture_file *file = reader->info.file;
    enum status status = file->read(name, &frame, &reader->info.bits);
    if (status != STATUS_OK)
        return status;
    reader->info.width = (uint32_t)frame->width;
    reader->info.height = (uint32_t)frame->height;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    if (format->flags & AV_PIX_FMT_FLAG_ALPHA && frame->format != AV_PIX_FMT_PAL8)
        reader->info.alpha = told_alpha(file, name);
    reader->info.pixel_format = format->name;
    av_frame_free(&frame);
    return STATUS_OK;
}

static enum status decode_file(struct reader *reader, const char *name, AVFrame **frame)
{
    uint32_t bits;
    enum status status = reader->info.file->read(name, frame, &bits);
    if (status != STATUS_OK)
        return status;
    const int width = (*frame)->width, height = (*frame)->height;
    if ((uint32_t)width == reader->info.width && (uint32_t)height == reader->info.height)
        return STATUS_OK;
    av_frame_free(frame);
    return status_fail(STATUS_USAGE, "'%s' has %dx%d pixels, but the sequence began with %ux%u",
                       name, width, height, reader->info.width, reader->info.height);
}

static bool still_probe(const char *path, const unsigned char *head, size_t size)
{
    (void)path;
    return head && picture_file_of_head(head, size);
}

static enum status still_open(struct reader *reader)
{
    reader->info.file = picture_file_of(reader->path);
    if (!reader->info.file)
        return status_fail(STATUS_IO, "'%s' changed while it was opened; try again", reader->path);
    reader->info.frames = 1;
    return read_info(reader, reader->path);
}

static enum status still_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    (void)frame;
    return decode_file(reader, reader->path, out);
}

/* Whether a file of the folder belongs to the sequence: some run of digits in its name is a number
 * for which the pattern gives this name. */
static bool find_number(const char *path, const char *file, uint64_t *number)
{
    for (const char *at = file; *at; at++) {
        if (!isdigit((unsigned char)*at) || (at > file && isdigit((unsigned char)at[-1])))
            continue;
        char name[PATH_MAX];
        errno = 0;
        *number = strtoull(at, NULL, 10);
        if (errno != 0 || png_name(path, *number, name, sizeof name) != STATUS_OK)
            continue;
        const char *slash = strrchr(name, '/');
        if (strcmp(slash ? slash + 1 : name, file) == 0)
            return true;
    }
    return false;
}

static enum status find_files(struct reader *reader, const char *folder)
{
    DIR *files = opendir(folder);
    if (!files)
        return status_fail(STATUS_IO, "cannot read the folder '%s': %s", folder, strerror(errno));
    uint64_t number, first = UINT64_MAX, last = 0;
    for (struct dirent *file; (file = readdir(files));)
        if (find_number(reader->path, file->d_name, &number)) {
            first = number < first ? number : first;
            last = number > last ? number : last;
        }
    closedir(files);
    if (first > last || last == UINT64_MAX)
        return status_fail(STATUS_IO, "there is no file of the sequence '%s'; check its pattern",
                           reader->path);
    reader->info.first = first;
    reader->info.frames = last - first + 1;
    return STATUS_OK;
}

static bool sequence_probe(const char *path, const unsigned char *head, size_t size)
{
    char name[PATH_MAX];
    (void)size;
    return !head && picture_file_named(path) && png_name(path, 0, name, sizeof name) == STATUS_OK;
}

static enum status sequence_open(struct reader *reader)
{
    char name[PATH_MAX];
    char *folder = file_folder(reader->path);
    reader->info.file = picture_file_named(reader->path);
    enum status status = find_files(reader, folder);
    free(folder);
    if (status == STATUS_OK)
        status = png_name(reader->path, reader->info.first, name, sizeof name);
    return status == STATUS_OK ? read_info(reader, name) : status;
}

static enum status sequence_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    char name[PATH_MAX];
    enum status status = png_name(reader->path, frame, name, sizeof name);
    return status == STATUS_OK ? decode_file(reader, name, out) : status;
}

const struct reader_kind reader_still = {
    .size = sizeof(struct reader),
    .probe = still_probe,
    .open = still_open,
    .decode = still_decode,
};

const struct reader_kind reader_sequence = {
    .size = sizeof(struct reader),
    .probe = sequence_probe,
    .open = sequence_open,
    .decode = sequence_decode,
};
