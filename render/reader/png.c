/* One PNG file, and a sequence of them by its pattern. */
#include "base/file.h"
#include "base/memory.h"
#include "render/picture/alpha.h"
#include "render/picture/png_file.h"
#include "render/picture/png_name.h"
#include "render/reader/kind.h"
#include "render/video/libav.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const size_t size_limit = (size_t)1 << 31; /* bytes of one file */

static enum status load(const char *name, AVPacket *packet)
{
    char *data;
    size_t size;
    enum status status = file_read(name, size_limit, &data, &size);
    if (status != STATUS_OK)
        return status;
    if (size > INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE || av_new_packet(packet, (int)size) < 0)
        status =
            status_fail(STATUS_RUNTIME, "no memory left for the %zu bytes of '%s'", size, name);
    else
        memcpy(packet->data, data, size);
    free(data);
    return status;
}

static enum status decode(const char *name, AVPacket *packet, AVFrame *frame)
{
    const AVCodec *decoder = avcodec_find_decoder(AV_CODEC_ID_PNG);
    if (!decoder)
        return status_fail(STATUS_DEVICE,
                           "the installed libavcodec cannot decode PNG; install a full libavcodec");
    AVCodecContext *codec = avcodec_alloc_context3(decoder);
    if (!codec)
        memory_exhausted();
    codec->thread_count = 1;
    codec->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
    libav_forget();
    int error = avcodec_open2(codec, decoder, NULL);
    if (error >= 0)
        error = avcodec_send_packet(codec, packet);
    if (error >= 0)
        error = avcodec_receive_frame(codec, frame);
    avcodec_free_context(&codec);
    return error >= 0 ? STATUS_OK
                      : status_fail(STATUS_IO, "'%s' is not a PNG that can be read: %s", name,
                                    libav_reason(error));
}

static enum status read_file(const char *name, AVFrame **frame)
{
    libav_prepare();
    AVPacket *packet = av_packet_alloc();
    *frame = av_frame_alloc();
    if (!packet || !*frame)
        memory_exhausted();
    enum status status = load(name, packet);
    if (status == STATUS_OK)
        status = decode(name, packet, *frame);
    av_packet_free(&packet);
    if (status != STATUS_OK)
        av_frame_free(frame);
    return status;
}

static enum picture_alpha told_alpha(const char *name)
{
    struct tags tags;
    enum picture_alpha alpha = ALPHA_STRAIGHT;
    if (png_file_read_tags(name, &tags) == STATUS_OK)
        alpha = alpha_told(tags_find(&tags, ALPHA_TAG));
    tags_free(&tags);
    return alpha;
}

/* Reads the format of the first file, which all must have. */
static enum status look_at(struct reader *reader, const char *name)
{
    AVFrame *frame;
    enum status status = read_file(name, &frame);
    if (status != STATUS_OK)
        return status;
    reader->info.width = (uint32_t)frame->width;
    reader->info.height = (uint32_t)frame->height;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    reader->info.bits = (uint32_t)format->comp[0].depth;
    if (format->flags & AV_PIX_FMT_FLAG_ALPHA && frame->format != AV_PIX_FMT_PAL8)
        reader->info.alpha = told_alpha(name);
    reader->info.pixel_format = format->name;
    av_frame_free(&frame);
    return STATUS_OK;
}

static enum status decode_file(struct reader *reader, const char *name, AVFrame **frame)
{
    enum status status = read_file(name, frame);
    if (status != STATUS_OK)
        return status;
    const int width = (*frame)->width, height = (*frame)->height;
    if ((uint32_t)width == reader->info.width && (uint32_t)height == reader->info.height)
        return STATUS_OK;
    av_frame_free(frame);
    return status_fail(STATUS_USAGE, "'%s' has %dx%d pixels, but the sequence began with %ux%u",
                       name, width, height, reader->info.width, reader->info.height);
}

static bool png_probe(const char *path, const unsigned char *head, size_t size)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    (void)path;
    return head && size >= sizeof signature && memcmp(head, signature, sizeof signature) == 0;
}

static enum status png_open(struct reader *reader)
{
    reader->info.frames = 1;
    return look_at(reader, reader->path);
}

static enum status png_decode(struct reader *reader, uint64_t frame, AVFrame **out)
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
    return !head && strcmp(file_extension(path), "png") == 0 &&
           png_name(path, 0, name, sizeof name) == STATUS_OK;
}

static enum status sequence_open(struct reader *reader)
{
    char name[PATH_MAX];
    char *folder = file_folder(reader->path);
    enum status status = find_files(reader, folder);
    free(folder);
    if (status == STATUS_OK)
        status = png_name(reader->path, reader->info.first, name, sizeof name);
    return status == STATUS_OK ? look_at(reader, name) : status;
}

static enum status sequence_decode(struct reader *reader, uint64_t frame, AVFrame **out)
{
    char name[PATH_MAX];
    enum status status = png_name(reader->path, frame, name, sizeof name);
    return status == STATUS_OK ? decode_file(reader, name, out) : status;
}

const struct reader_kind reader_png = {
    .size = sizeof(struct reader),
    .probe = png_probe,
    .open = png_open,
    .decode = png_decode,
};

const struct reader_kind reader_sequence = {
    .size = sizeof(struct reader),
    .probe = sequence_probe,
    .open = sequence_open,
    .decode = sequence_decode,
};
