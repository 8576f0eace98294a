#include "render/video/exr_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/packed_tags.h"
#include "base/text.h"
#include "render/video/libav.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* PART: the longest text in one attribute; FFmpeg 5.1 loses its place after longer ones. */
enum { MAGIC = 8, ROWS = 16, CHANNELS = 3, HEADER_MAX = 1 << 20, PART = 255 };

struct bytes {
    uint8_t *data;
    size_t size;
};

static void put(struct bytes *to, const void *data, size_t size)
{
    to->data = memory_grow(to->data, to->size + size, 1);
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_number(struct bytes *to, uint64_t number, int size)
{
    uint8_t little[8];
    for (int i = 0; i < size; i++)
        little[i] = (uint8_t)(number >> 8 * i);
    put(to, little, (size_t)size);
}

static uint64_t number_at(const uint8_t *at, int size)
{
    uint64_t number = 0;
    for (int i = size; i-- > 0;)
        number = number << 8 | at[i];
    return number;
}

static void put_name(struct bytes *to, const char *name)
{
    put(to, name, strlen(name) + 1);
}

/* The name of a part of a text; names sort in order. */
static char *part_name(const char *name, unsigned part)
{
    return part > 0 ? text_format("%s.%03u", name, part) : memory_text(name);
}

/* The number of bytes that fit into a part without splitting a UTF-8 character. */
static size_t part_size(const char *text)
{
    const size_t length = strlen(text);
    size_t size = length < PART ? length : PART;
    while (size < length && size > 0 && (text[size] & 0xc0) == 0x80)
        size--;
    return size > 0 ? size : PART;
}

static void put_text(struct bytes *to, const struct tag *tag)
{
    const char *rest = tag->value;
    for (unsigned part = 0; part == 0 || *rest; part++) {
        char *name = part_name(tag->name, part);
        const size_t size = *rest ? part_size(rest) : 0;
        put_name(to, name);
        put_name(to, "string");
        put_number(to, size, 4);
        put(to, rest, size);
        rest += size;
        free(name);
    }
}

static void put_attributes(struct bytes *to, const struct tags *tags)
{
    static const float bt709[8] = {0.64f, 0.33f, 0.30f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f};
    put_name(to, "chromaticities");
    put_name(to, "chromaticities");
    put_number(to, sizeof bt709, 4);
    for (int i = 0; i < 8; i++) {
        uint32_t bits;
        memcpy(&bits, &bt709[i], sizeof bits);
        put_number(to, bits, 4);
    }
    for (size_t i = 0; i < tags->count; i++)
        put_text(to, &tags->list[i]);
}

/* Reads the attribute at *at and advances *at; false at the header's end or where it is
 * truncated. */
static bool next_attribute(const uint8_t *data, size_t size, size_t *at, const char **name,
                           const char **type, const uint8_t **value, size_t *length)
{
    const char **texts[2] = {name, type};
    size_t next = *at;
    for (int i = 0; i < 2; i++) {
        const uint8_t *end = next < size ? memchr(data + next, 0, size - next) : NULL;
        if (!end || end == data + next)
            return false;
        *texts[i] = (const char *)data + next;
        next = (size_t)(end - data) + 1;
    }
    if (size - next < 4 || size - next - 4 < number_at(data + next, 4))
        return false;
    *length = (size_t)number_at(data + next, 4);
    *value = data + next + 4;
    *at = next + 4 + *length;
    return true;
}

static size_t header_end(const uint8_t *data, size_t size)
{
    const char *name, *type;
    const uint8_t *value;
    size_t at = MAGIC, length;
    while (next_attribute(data, size, &at, &name, &type, &value, &length))
        ;
    return at;
}

static void assemble(struct bytes *file, const AVPacket *packet, uint32_t height,
                     const struct tags *tags)
{
    const size_t end = header_end(packet->data, (size_t)packet->size);
    const uint32_t blocks = (height + ROWS - 1) / ROWS;
    put(file, packet->data, end);
    put_attributes(file, tags);
    const size_t moved = file->size - end;
    put(file, "", 1);
    for (uint32_t i = 0; i < blocks; i++)
        put_number(file, number_at(packet->data + end + 1 + 8 * (size_t)i, 8) + moved, 8);
    const size_t done = end + 1 + 8 * (size_t)blocks;
    put(file, packet->data + done, (size_t)packet->size - done);
    /* Names longer than 31 characters need a flag of version 2 files. */
    for (size_t i = 0; i < tags->count; i++)
        if (strlen(tags->list[i].name) > 31)
            file->data[5] |= 4;
}

static int fill(AVFrame *frame, const struct picture *picture, AVCodecContext *context)
{
    static const int plane_of[3] = {2, 0, 1}; /* positions of red, green, blue in G, B, R */
    frame->format = context->pix_fmt;
    frame->width = context->width;
    frame->height = context->height;
    const int error = av_frame_get_buffer(frame, 0);
    for (int y = 0; error >= 0 && y < frame->height; y++) {
        const float *from =
            (const float *)(const void *)(picture->data +
                                          (size_t)y * picture->layout.plane[0].stride);
        for (int c = 0; c < 3; c++) {
            const int p = plane_of[c];
            float *to = (float *)(void *)(frame->data[p] + (ptrdiff_t)y * frame->linesize[p]);
            for (int x = 0; x < frame->width; x++)
                to[x] = from[4 * x + c];
        }
    }
    return error;
}

static int encode(const struct picture *picture, uint32_t bits, AVPacket *packet)
{
    const AVCodec *codec = avcodec_find_encoder(AV_CODEC_ID_EXR);
    AVCodecContext *context = codec ? avcodec_alloc_context3(codec) : NULL;
    AVFrame *frame = av_frame_alloc();
    int error = context && frame ? 0 : codec ? AVERROR(ENOMEM) : AVERROR_ENCODER_NOT_FOUND;
    if (error >= 0) {
        context->pix_fmt = AV_PIX_FMT_GBRPF32;
        context->width = (int)picture->layout.width;
        context->height = (int)picture->layout.height;
        context->time_base = (AVRational){1, 1};
        context->thread_count = 1;
        context->color_trc = AVCOL_TRC_LINEAR;
        error = av_opt_set(context->priv_data, "compression", "zip16", 0);
    }
    if (error >= 0)
        error = av_opt_set(context->priv_data, "format", bits == 32 ? "float" : "half", 0);
    if (error >= 0)
        error = avcodec_open2(context, codec, NULL);
    if (error >= 0)
        error = fill(frame, picture, context);
    if (error >= 0)
        error = avcodec_send_frame(context, frame);
    if (error >= 0)
        error = avcodec_send_frame(context, NULL);
    if (error >= 0)
        error = avcodec_receive_packet(context, packet);
    av_frame_free(&frame);
    avcodec_free_context(&context);
    return error;
}

enum status exr_file_check(uint32_t bits, enum picture_alpha alpha)
{
    if (bits != 16 && bits != 32)
        return status_fail(STATUS_USAGE,
                           "an EXR picture with %u bits per sample is not possible; use 16 or 32",
                           bits);
    if (alpha != ALPHA_NONE)
        return status_fail(
            STATUS_USAGE, "EXR pictures hold light, which is added to what is behind it and has no "
                          "alpha; leave out output.alpha");
    return STATUS_OK;
}

enum status exr_file_write(const char *name, const struct picture *picture,
                           const struct exr_settings *settings, uint64_t frames, uint64_t *bytes)
{
    *bytes = 0;
    libav_prepare();
    libav_forget();
    AVPacket *packet = av_packet_alloc();
    const int error = packet ? encode(picture, settings->bits, packet) : AVERROR(ENOMEM);
    if (error < 0) {
        av_packet_free(&packet);
        return status_fail(STATUS_RUNTIME, "cannot make the EXR picture '%s': %s", name,
                           libav_reason(error));
    }
    struct bytes file = {0};
    assemble(&file, packet, picture->layout.height, &settings->tags);
    av_packet_free(&packet);
    struct output output;
    enum status status = output_open(&output, name);
    if (status == STATUS_OK) {
        const bool written = output_write(&output, file.data, file.size);
        if (!output_close(&output, written, false))
            status = output_failed(&output, frames);
        *bytes = output.bytes;
        output_release(&output);
    }
    free(file.data);
    return status;
}

/* Adds a tag, or continues the last one, of which *parts have been read. */
static void add_text(struct tags *tags, const char *attribute, const char *text, unsigned *parts)
{
    struct tag *last = tags->count > 0 ? &tags->list[tags->count - 1] : NULL;
    char *next = last ? part_name(last->name, *parts) : NULL;
    const bool continues = next && strcmp(attribute, next) == 0;
    free(next);
    if (continues) {
        char *whole = text_format("%s%s", last->value, text);
        free((char *)last->value);
        last->value = whole;
        ++*parts;
        return;
    }
    tags_add(tags, attribute, text);
    *parts = 1;
}

enum status exr_file_read_tags(const char *name, struct tags *out)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    uint8_t *head = memory_new(HEADER_MAX, 1);
    size_t got = 0;
    *out = (struct tags){0};
    enum status status = file_read_head(name, head, HEADER_MAX, &got);
    if (status == STATUS_OK && (got < MAGIC || memcmp(head, magic, sizeof magic) != 0))
        status = status_fail(STATUS_USAGE, "'%s' is not an EXR file", name);
    const char *attribute, *type;
    const uint8_t *value;
    size_t at = MAGIC, length;
    unsigned parts = 0;
    while (status == STATUS_OK &&
           next_attribute(head, got, &at, &attribute, &type, &value, &length)) {
        if (strcmp(type, "string") != 0)
            continue;
        char *text = memory_new(length + 1, 1);
        memcpy(text, value, length);
        add_text(out, attribute, text, &parts);
        free(text);
    }
    free(head);
    tags_unpack(out);
    return status;
}

/* ---- whether a file is complete ---- */

static enum status not_whole(const char *name, const char *why)
{
    return status_fail(STATUS_IO, "'%s' is not a complete EXR picture: %s", name, why);
}

/* "chlist" entries are a name, a NUL, and 16 bytes; the list ends with an empty name. */
static size_t channel_count(const uint8_t *list, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length && list[at];) {
        at += strnlen((const char *)list + at, length - at) + 1 + 16;
        count += at < length;
    }
    return count;
}

/* Whether the header is what exr_file_write would write for such a picture. */
static bool header_fits(const uint8_t *data, size_t size, uint32_t width, uint32_t height)
{
    const char *name, *type;
    const uint8_t *value;
    size_t at = MAGIC, length;
    unsigned fits = 0;
    while (next_attribute(data, size, &at, &name, &type, &value, &length)) {
        if (strcmp(name, "dataWindow") == 0 && length == 16)
            fits += number_at(value, 8) == 0 && number_at(value + 8, 4) == width - 1 &&
                    number_at(value + 12, 4) == height - 1;
        else if (strcmp(name, "compression") == 0 && length == 1)
            fits += *value == 3;
        else if (strcmp(name, "channels") == 0)
            fits += channel_count(value, length) == CHANNELS;
    }
    return fits == 3 && at < size && data[at] == 0;
}

/* zlib's own checksum shows whether the rows are intact. */
static bool block_is_whole(const uint8_t *data, size_t size, size_t rows_bytes, uint8_t *room)
{
    uLongf got = (uLongf)rows_bytes;
    return size == rows_bytes ||
           (size < rows_bytes && uncompress(room, &got, data, (uLong)size) == Z_OK &&
            got == rows_bytes);
}

static const char *check_blocks(const uint8_t *data, size_t size, uint32_t height, size_t row_bytes,
                                uint8_t *room)
{
    const uint32_t blocks = (height + ROWS - 1) / ROWS;
    const size_t table = header_end(data, size) + 1;
    size_t at = table + 8 * (size_t)blocks;
    for (uint32_t i = 0; i < blocks; i++) {
        const uint32_t rows = height - i * ROWS < ROWS ? height - i * ROWS : ROWS;
        if (at > size || size - at < 8)
            return "it is truncated";
        const size_t length = (size_t)number_at(data + at + 4, 4);
        if (number_at(data + table + 8 * (size_t)i, 8) != at || number_at(data + at, 4) != i * ROWS)
            return "its table of offsets is damaged";
        if (length > size - at - 8)
            return "it is truncated";
        if (!block_is_whole(data + at + 8, length, rows * row_bytes, room))
            return "its pixels are damaged";
        at += 8 + length;
    }
    return at == size ? NULL : "more follows its pixels";
}

enum status exr_file_check_whole(const char *name, uint32_t width, uint32_t height, uint32_t bits)
{
    const size_t row_bytes = (size_t)width * CHANNELS * (bits / 8);
    char *text;
    size_t size;
    enum status status =
        file_read(name, 2 * (size_t)HEADER_MAX + height * (row_bytes + 16), &text, &size);
    if (status != STATUS_OK)
        return status;
    const uint8_t *data = (const uint8_t *)text;
    uint8_t *room = memory_new(ROWS, row_bytes);
    const char *why = NULL;
    if (size < MAGIC || number_at(data, 4) != 20000630)
        why = "it does not begin as one";
    else if (!header_fits(data, size, width, height))
        why = "its header is damaged, or of another picture";
    else
        why = check_blocks(data, size, height, row_bytes, room);
    free(room);
    free(text);
    return why ? not_whole(name, why) : STATUS_OK;
}
