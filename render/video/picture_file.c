#include "render/video/picture_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* PICTURE_FILES lists the formats that are built, see CMakeLists.txt: ROW(png) ROW(exr). */
#define ROW(name) extern const struct picture_file picture_##name;
PICTURE_FILES
#undef ROW
#define ROW(name) &picture_##name,
static const struct picture_file *const files[] = {PICTURE_FILES};
const struct registry picture_file_registry = REGISTRY_LIST("picture format", files);

const struct picture_file *picture_file_of_head(const void *head, size_t size)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (size >= files[i]->magic_size &&
            memcmp(head, files[i]->magic, files[i]->magic_size) == 0)
            return files[i];
    return NULL;
}

const struct picture_file *picture_file_of(const char *path)
{
    char head[PICTURE_FILE_MAGIC];
    size_t size;
    return file_read_head(path, head, sizeof head, &size) == STATUS_OK
               ? picture_file_of_head(head, size)
               : NULL;
}

const struct picture_file *picture_file_named(const char *path)
{
    return choice_find(&picture_file_registry, file_extension(path));
}

static int decode(const AVCodec *decoder, const AVPacket *packet, AVFrame *frame)
{
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
    return error;
}

enum status picture_file_decode(const char *path, const char *decoder, const char *kind,
                                AVFrame **frame)
{
    static const size_t size_limit = INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE;
    char *data;
    size_t size;
    libav_prepare();
    const AVCodec *found = avcodec_find_decoder_by_name(decoder);
    if (!found)
        return status_fail(STATUS_DEVICE,
                           "the installed libavcodec cannot decode %s; install a full libavcodec",
                           kind);
    enum status status = file_read(path, size_limit, &data, &size);
    if (status != STATUS_OK)
        return status;
    AVPacket *packet = av_packet_alloc();
    *frame = av_frame_alloc();
    if (!packet || !*frame || av_new_packet(packet, (int)size) < 0)
        memory_exhausted();
    memcpy(packet->data, data, size);
    free(data);
    const int error = decode(found, packet, *frame);
    if (error < 0)
        status = status_fail(STATUS_IO, "'%s' is not a %s that can be read: %s", path, kind,
                             libav_reason(error));
    av_packet_free(&packet);
    if (status != STATUS_OK)
        av_frame_free(frame);
    return status;
}

enum status picture_file_frame(const char *path, int format, int width, int height, AVFrame **frame)
{
    *frame = av_frame_alloc();
    if (!*frame)
        memory_exhausted();
    (*frame)->format = format;
    (*frame)->width = width;
    (*frame)->height = height;
    if (av_frame_get_buffer(*frame, 0) >= 0)
        return STATUS_OK;
    av_frame_free(frame);
    return status_fail(STATUS_RUNTIME, "no memory left for the %dx%d pixels of '%s'", width, height,
                       path);
}

enum status picture_file_save(const char *path, const void *data, size_t size, uint64_t frames,
                              uint64_t *bytes)
{
    struct output output;
    *bytes = 0;
    enum status status = output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    const bool written = output_write(&output, data, size);
    if (!output_close(&output, written, false))
        status = output_failed(&output, frames);
    *bytes = output.bytes;
    output_release(&output);
    return status;
}
