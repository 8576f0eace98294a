#include "base/file.h"
#include "base/hash.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/tag.h"
#include "render/video/libav.h"
#include "render/video/picture_file.h"

#include <jxl/decode.h>
#include <jxl/version.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file is boxes (ISO/IEC 18181-2): four bytes of size, four of type, the content. Ours is "gvrl":
 * the hash of all that follows the hash, then name and value of each tag, each ending with a zero
 * byte; decoders skip it. It precedes the codestream, so that tags can be read from the beginning
 * of the file. */
enum { BOX = 8, HEAD = 32, HEAD_MAX = 1 << 20, HASH = HASH_TEXT - 1 };
static const char own[] = "gvrl";
static const uint8_t head[HEAD + 1] = "\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14"
                                      "ftypjxl \0\0\0\0jxl ";

static uint32_t number_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void begin_box(FILE *file, const char *type, size_t size)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        fputc((int)((size + BOX) >> shift & 255), file);
    fputs(type, file);
}

/* The content and size of the first box of this type; NULL if there is none that is complete. */
static uint8_t *find_box(uint8_t *data, size_t size, const char *type, size_t *length)
{
    for (size_t at = 0; size - at >= BOX; at += *length + BOX) {
        const size_t whole = number_at(data + at);
        if (whole < BOX || whole > size - at)
            return NULL;
        *length = whole - BOX;
        if (memcmp(data + at + 4, type, 4) == 0)
            return data + at + BOX;
    }
    return NULL;
}

static void hash_of(const void *data, size_t size, char out[HASH_TEXT])
{
    const struct hash_part part = {data, size};
    hash_parts(&part, 1, out);
}

static enum status jxl_tags(const char *path, struct tags *out)
{
    uint8_t *data = memory_new(HEAD_MAX, 1);
    size_t size = 0, length;
    *out = (struct tags){0};
    enum status status = file_read_head(path, data, HEAD_MAX, &size);
    const uint8_t *box = find_box(data, size, own, &length);
    const bool told = box && length > HASH;
    for (const char *at = told ? (const char *)box + HASH : NULL,
                    *end = told ? (const char *)box + length : NULL;
         at < end;) {
        const char *value = memchr(at, 0, (size_t)(end - at));
        const char *last = value ? memchr(value + 1, 0, (size_t)(end - value - 1)) : NULL;
        if (!last)
            break;
        tags_add(out, at, value + 1);
        at = last + 1;
    }
    free(data);
    tags_unpack(out);
    return status;
}

/* ---- writing ---- */

static int pixel_format(uint32_t bits, bool alpha)
{
    return bits == 8 ? alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24
           : alpha   ? AV_PIX_FMT_RGBA64
                     : AV_PIX_FMT_RGB48;
}

/* Applies the options, over the defaults of cjxl. */
static enum status open_encoder(const struct sink_params *params, int width, int height,
                                AVCodecContext **out)
{
    libav_prepare();
    libav_forget();
    const AVCodec *codec = avcodec_find_encoder_by_name("libjxl");
    if (!codec)
        return status_fail(STATUS_DEVICE, "the installed libavcodec cannot encode JPEG XL; install "
                                          "a libavcodec with libjxl, or write PNG");
    AVCodecContext *context = *out = avcodec_alloc_context3(codec);
    if (!context)
        memory_exhausted();
    context->pix_fmt = pixel_format(params->output.png_bits, params->alpha != ALPHA_NONE);
    context->width = width;
    context->height = height;
    context->time_base = (AVRational){1, 1};
    context->thread_count = 1;
    int error = av_opt_set(context->priv_data, "distance", "1", 0);
    if (error >= 0 && params->output.codec_options && *params->output.codec_options)
        error = av_set_options_string(context->priv_data, params->output.codec_options, "=", ":");
    if (error < 0) {
        avcodec_free_context(out);
        return status_fail(STATUS_USAGE,
                           "libjxl does not take the codec options '%s': %s; it knows distance (0: "
                           "without loss, to 15), effort (1 to 9) and modular (0, 1)",
                           params->output.codec_options, libav_reason(error));
    }
    error = avcodec_open2(context, codec, NULL);
    if (error >= 0)
        return STATUS_OK;
    avcodec_free_context(out);
    return status_fail(STATUS_DEVICE, "cannot open the JPEG XL encoder: %s", libav_reason(error));
}

static enum status jxl_plan(const struct sink_params *params, struct sink_plan *plan)
{
    AVCodecContext *context;
    if (params->output.png_bits != 8 && params->output.png_bits != 16)
        return status_fail(
            STATUS_USAGE, "a JPEG XL picture with %u bits per channel is not possible; use 8 or 16",
            params->output.png_bits);
    if (params->alpha == ALPHA_PREMULTIPLIED)
        return status_fail(STATUS_USAGE,
                           "the alpha of JPEG XL is straight; use output.alpha straight");
    plan->format = picture_format_rgba(params->output.png_bits, params->alpha);
    enum status status = open_encoder(params, 16, 16, &context);
    if (status != STATUS_OK)
        return status;
    double distance;
    av_opt_get_double(context->priv_data, "distance", 0, &distance);
    libav_versions(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "JPEG XL %u bits distance %g%s",
             params->output.png_bits, distance,
             params->alpha == ALPHA_STRAIGHT ? ", straight alpha" : "");
    avcodec_free_context(&context);
    return STATUS_OK;
}

/* Converts the renderer's RGBA to the encoder's format, whose pixels may lack alpha. */
static void fill(AVFrame *frame, const struct picture *picture)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    const size_t sample = (size_t)(format->comp[0].depth / 8),
                 pixel = sample * format->nb_components;
    for (int y = 0; y < frame->height; y++) {
        const uint8_t *from = picture->data + (size_t)y * picture->layout.plane[0].stride;
        uint8_t *to = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (int x = 0; x < frame->width; x++)
            memcpy(to + (size_t)x * pixel, from + (size_t)x * 4 * sample, pixel);
    }
    frame->color_range = AVCOL_RANGE_JPEG;
    frame->color_primaries = AVCOL_PRI_BT709;
    frame->color_trc = AVCOL_TRC_IEC61966_2_1;
}

static enum status save(const char *path, const AVPacket *packet, const struct tags *tags,
                        uint64_t frames, uint64_t *bytes)
{
    const uint8_t *coded = packet->data, *level = NULL;
    size_t coded_size = (size_t)packet->size, level_size = 0, tags_size = HASH, size, length;
    if (coded_size > HEAD && memcmp(coded, head, HEAD) == 0) {
        level = find_box(packet->data, coded_size, "jxll", &level_size);
        coded = find_box(packet->data, coded_size, "jxlc", &coded_size);
    }
    char *data, hash[HASH_TEXT];
    FILE *file = open_memstream(&data, &size);
    if (!file || !coded)
        memory_exhausted();
    for (size_t i = 0; i < tags->count; i++)
        tags_size += strlen(tags->list[i].name) + strlen(tags->list[i].value) + 2;
    fwrite(head, 1, HEAD, file);
    if (level) {
        begin_box(file, "jxll", level_size);
        fwrite(level, 1, level_size, file);
    }
    begin_box(file, own, tags_size);
    fprintf(file, "%*s", HASH, "");
    for (size_t i = 0; i < tags->count; i++)
        fprintf(file, "%s%c%s%c", tags->list[i].name, 0, tags->list[i].value, 0);
    begin_box(file, "jxlc", coded_size);
    fwrite(coded, 1, coded_size, file);
    fclose(file);
    uint8_t *box = find_box((uint8_t *)data, size, own, &length);
    hash_of(box + HASH, size - (size_t)(box + HASH - (uint8_t *)data), hash);
    memcpy(box, hash, HASH);
    enum status status = picture_file_save(path, data, size, frames, bytes);
    free(data);
    return status;
}

static int encode(AVCodecContext *context, const struct picture *picture, AVPacket *packet)
{
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        memory_exhausted();
    frame->format = context->pix_fmt;
    frame->width = context->width;
    frame->height = context->height;
    int error = av_frame_get_buffer(frame, 0);
    if (error >= 0) {
        fill(frame, picture);
        error = avcodec_send_frame(context, frame);
    }
    if (error >= 0)
        error = avcodec_receive_packet(context, packet);
    av_frame_free(&frame);
    return error;
}

static enum status jxl_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    const struct picture_layout *layout = &picture->layout;
    AVCodecContext *context;
    *bytes = 0;
    enum status status = open_encoder(params, (int)layout->width, (int)layout->height, &context);
    if (status != STATUS_OK)
        return status;
    AVPacket *packet = av_packet_alloc();
    if (!packet)
        memory_exhausted();
    const int error = encode(context, picture, packet);
    status = error < 0 ? status_fail(STATUS_RUNTIME, "cannot make the JPEG XL picture '%s': %s",
                                     path, libav_reason(error))
                       : save(path, packet, &params->tags, frames, bytes);
    av_packet_free(&packet);
    avcodec_free_context(&context);
    return status;
}

/* ---- reading ---- */

/* Files of other programs have no hash. */
static bool is_whole(uint8_t *data, size_t size)
{
    char hash[HASH_TEXT];
    size_t length;
    const uint8_t *told = find_box(data, size, own, &length);
    if (!told || length < HASH)
        return true;
    hash_of(told + HASH, size - (size_t)(told + HASH - data), hash);
    return memcmp(told, hash, HASH) == 0;
}

/* Rows of pixels without gaps, `samples` per pixel. */
struct pixels {
    JxlBasicInfo info;
    JxlPixelFormat format;
    uint8_t *data;
    size_t size;
};

/* libjxl's functions are found like libav's (libav.h). */
#define JXL_CALLS(F)                                                                               \
    F(JxlDecoderCloseInput)                                                                        \
    F(JxlDecoderCreate)                                                                            \
    F(JxlDecoderDestroy)                                                                           \
    F(JxlDecoderGetBasicInfo)                                                                      \
    F(JxlDecoderImageOutBufferSize)                                                                \
    F(JxlDecoderProcessInput)                                                                      \
    F(JxlDecoderSetImageOutBuffer)                                                                 \
    F(JxlDecoderSetInput)                                                                          \
    F(JxlDecoderSubscribeEvents)

#define MEMBER(name) __typeof__(name) *name;
static struct jxl_calls {
    JXL_CALLS(MEMBER)
} jxl;

static void load(void)
{
#if JPEGXL_MAJOR_VERSION == 0
    static const char *const files[] = {"libjxl.so.0." AV_STRINGIFY(JPEGXL_MINOR_VERSION)};
#else
    static const char *const files[] = {"libjxl.so." AV_STRINGIFY(JPEGXL_MAJOR_VERSION)};
#endif
#define NAME(call) #call,
    static const char *const names[] = {JXL_CALLS(NAME)};
    _Static_assert(sizeof jxl == sizeof names, "one function for every name, in the same order");
    const struct library library = {"JPEG XL pictures", files, 1, names,
                                    sizeof names / sizeof *names};
    library_load(&library, &jxl);
}

/* Uses libjxl directly: the decoder of libavcodec 59 never returns for a truncated file. */
static bool decode(const uint8_t *data, size_t size, struct pixels *out)
{
    enum { SIDE_MAX = 32768 };
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    JxlDecoder *decoder = jxl.JxlDecoderCreate(NULL);
    if (!decoder)
        memory_exhausted();
    JxlDecoderStatus event =
        jxl.JxlDecoderSubscribeEvents(decoder, JXL_DEC_BASIC_INFO | JXL_DEC_FULL_IMAGE);
    if (event == JXL_DEC_SUCCESS)
        event = jxl.JxlDecoderSetInput(decoder, data, size);
    jxl.JxlDecoderCloseInput(decoder);
    bool good = event == JXL_DEC_SUCCESS;
    while (good && (event = jxl.JxlDecoderProcessInput(decoder)) != JXL_DEC_FULL_IMAGE) {
        if (event == JXL_DEC_BASIC_INFO) {
            good = jxl.JxlDecoderGetBasicInfo(decoder, &out->info) == JXL_DEC_SUCCESS &&
                   out->info.xsize <= SIDE_MAX && out->info.ysize <= SIDE_MAX;
            out->format = (JxlPixelFormat){
                .num_channels = out->info.alpha_bits > 0 ? 4 : 3,
                .data_type = out->info.bits_per_sample > 8 ? JXL_TYPE_UINT16 : JXL_TYPE_UINT8};
        } else {
            good = event == JXL_DEC_NEED_IMAGE_OUT_BUFFER &&
                   jxl.JxlDecoderImageOutBufferSize(decoder, &out->format, &out->size) ==
                       JXL_DEC_SUCCESS &&
                   (out->data = malloc(out->size)) &&
                   jxl.JxlDecoderSetImageOutBuffer(decoder, &out->format, out->data, out->size) ==
                       JXL_DEC_SUCCESS;
        }
    }
    jxl.JxlDecoderDestroy(decoder);
    return good;
}

static enum status jxl_read(const char *path, AVFrame **frame, uint32_t *bits)
{
    static const size_t size_limit = (size_t)1 << 31;
    struct pixels pixels = {.data = NULL};
    char *text;
    size_t size;
    *frame = NULL;
    enum status status = file_read(path, size_limit, &text, &size);
    if (status != STATUS_OK)
        return status;
    if (!is_whole((uint8_t *)text, size) || !decode((const uint8_t *)text, size, &pixels))
        status = status_fail(
            STATUS_IO, "cannot read the JPEG XL picture '%s': it is damaged or truncated", path);
    free(text);
    *bits = pixels.format.data_type == JXL_TYPE_UINT16 ? 16 : 8;
    if (status == STATUS_OK)
        status = picture_file_frame(path, pixel_format(*bits, pixels.format.num_channels == 4),
                                    (int)pixels.info.xsize, (int)pixels.info.ysize, frame);
    for (size_t y = 0; status == STATUS_OK && y < pixels.info.ysize; y++)
        memcpy((*frame)->data[0] + y * (size_t)(*frame)->linesize[0],
               pixels.data + y * (pixels.size / pixels.info.ysize),
               pixels.size / pixels.info.ysize);
    free(pixels.data);
    return status;
}

const struct picture_file picture_jxl = {
    .name = "jxl",
    .doc = "JPEG XL, 8 or 16 bits per channel, display values",
    .kind = "JPEG XL",
    .magic = "\0\0\0\x0cJXL ",
    .magic_size = 8,
    .plan = jxl_plan,
    .write = jxl_write,
    .read = jxl_read,
    .tags = jxl_tags,
};
