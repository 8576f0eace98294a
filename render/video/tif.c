#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "render/video/libav.h"
#include "render/video/picture_file.h"

#include <libavutil/pixdesc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* TIFF 6.0, little-endian, a single strip with differences of neighbours (predictor 2) compressed
 * by Deflate (Adobe's technical note 2002-03-22). The directory and all values come before the
 * pixels, so that tags can be read from the beginning of the file. The tags are texts NAME=VALUE of
 * the description, with ASCII's record separator between them. The seal has a private number, so
 * that other programs leave it out of what they save. */
enum { HEAD = 8, FIELD = 12, HEAD_MAX = 1 << 22, PIXEL_MOST = 8 };
enum { ASCII = 2, SHORT = 3, LONG = 4, UNDEFINED = 7 };
enum { DESCRIPTION = 270, SEAL = 65000, SEPARATOR = 0x1e };

static enum status tif_plan(const struct sink_params *params, struct sink_plan *plan)
{
    if (params->output.png_bits != 8 && params->output.png_bits != 16)
        return status_fail(STATUS_USAGE,
                           "a TIFF with %u bits per channel is not possible; use 8 or 16",
                           params->output.png_bits);
    plan->format = picture_format_rgba(params->output.png_bits, params->alpha);
    snprintf(plan->libraries, sizeof plan->libraries, "zlib %s", zlibVersion());
    snprintf(plan->description, sizeof plan->description, "TIFF %u bits level %u%s",
             params->output.png_bits, params->output.png_level,
             params->alpha == ALPHA_STRAIGHT        ? ", straight alpha"
             : params->alpha == ALPHA_PREMULTIPLIED ? ", premultiplied alpha"
                                                    : "");
    return STATUS_OK;
}

/* ---- writing ---- */

/* The directory, and the values that do not fit into its fields. */
struct directory {
    uint8_t *fields, *values;
    uint32_t count, at; /* at: offset of the next value in the file */
};

static void put(uint8_t *at, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* `value`: the number, if `data` is NULL. */
static void add(struct directory *to, uint32_t tag, uint32_t type, uint32_t value, const void *data,
                size_t size)
{
    uint8_t *field = to->fields + (size_t)FIELD * to->count++;
    const size_t unit = type == SHORT ? 2 : type == LONG ? 4 : 1;
    put(field, tag, 2);
    put(field + 2, type, 2);
    put(field + 4, data ? (uint32_t)(size / unit) : 1, 4);
    put(field + 8, data ? to->at : value, 4);
    if (!data)
        return;
    memcpy(to->values, data, size);
    to->values += size + size % 2;
    to->at += (uint32_t)(size + size % 2);
}

static char *describe(const struct tags *tags, size_t *size)
{
    char *text;
    FILE *file = open_memstream(&text, size);
    if (!file)
        memory_exhausted();
    for (size_t i = 0; i < tags->count; i++)
        fprintf(file, "%s=%s%c", tags->list[i].name, tags->list[i].value, SEPARATOR);
    fputc(0, file);
    fclose(file);
    return text;
}

/* Everything before the pixels. */
static uint8_t *make_head(const struct picture *picture, const struct tags *tags, size_t strip_size,
                          size_t *size)
{
    enum { VALUES = 16 + PICTURE_FILE_ICC + sizeof PICTURE_FILE_SEAL };
    const struct picture_layout *layout = &picture->layout;
    const enum picture_alpha alpha = picture_format_alpha(layout->format);
    const uint32_t samples = alpha == ALPHA_NONE ? 3 : 4,
                   bits = picture_format_bits(layout->format);
    const uint32_t fields = alpha == ALPHA_NONE ? 14 : 15;
    uint8_t depth[8], icc[PICTURE_FILE_ICC];
    size_t text_size;
    char *text = describe(tags, &text_size);
    const uint32_t values = HEAD + 2 + FIELD * fields + 4;
    uint8_t *head = memory_new(values + VALUES + text_size + 4, 1);
    struct directory to = {head + HEAD + 2, head + values, 0, values};
    static const char seal[sizeof PICTURE_FILE_SEAL + sizeof PICTURE_FILE_SEAL % 2] =
        PICTURE_FILE_SEAL;
    for (uint32_t c = 0; c < samples; c++)
        put(depth + 2 * c, bits, 2);
    picture_file_icc(icc);
    /* Its field is the last, its value the first, so that truncation keeps it. */
    to.count = fields - 1;
    add(&to, SEAL, ASCII, 0, seal, sizeof seal);
    to.count = 0;
    memcpy(head, "II*\0\x08\0\0\0", HEAD);
    put(head + HEAD, fields, 2);
    const uint32_t strip = values + 2 * samples + PICTURE_FILE_ICC +
                           (uint32_t)(sizeof seal + text_size + text_size % 2);
    add(&to, 256, LONG, layout->width, NULL, 0);
    add(&to, 257, LONG, layout->height, NULL, 0);
    add(&to, 258, SHORT, 0, depth, 2 * samples);
    add(&to, 259, SHORT, 8, NULL, 0); /* Deflate */
    add(&to, 262, SHORT, 2, NULL, 0); /* RGB */
    add(&to, DESCRIPTION, ASCII, 0, text, text_size);
    add(&to, 273, LONG, strip, NULL, 0);
    add(&to, 277, SHORT, samples, NULL, 0);
    add(&to, 278, LONG, layout->height, NULL, 0);
    add(&to, 279, LONG, (uint32_t)strip_size, NULL, 0);
    add(&to, 284, SHORT, 1, NULL, 0); /* samples beside each other */
    add(&to, 317, SHORT, 2, NULL, 0); /* predictor */
    if (alpha != ALPHA_NONE)
        add(&to, 338, SHORT, alpha == ALPHA_PREMULTIPLIED ? 1 : 2, NULL, 0);
    add(&to, 34675, UNDEFINED, 0, icc, sizeof icc);
    free(text);
    *size = strip;
    return head;
}

/* A row's samples as differences from the pixel on the left. */
static void predict(const uint8_t *from, uint32_t width, uint32_t samples, bool deep, uint8_t *to)
{
    uint32_t before[4] = {0};
    for (uint32_t x = 0; x < width; x++)
        for (uint32_t c = 0; c < samples; c++, to += deep ? 2 : 1) {
            uint16_t wide = 0;
            if (deep)
                memcpy(&wide, from + 2 * (4 * x + c), sizeof wide);
            const uint32_t value = deep ? wide : from[4 * x + c];
            put(to, value - before[c], deep ? 2 : 1);
            before[c] = value;
        }
}

static enum status no_memory(size_t size, const char *path)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the %zu bytes of '%s'", size, path);
}

static enum status compress_pixels(const char *path, const struct picture *picture, int level,
                                   uint8_t **out, size_t *size)
{
    const struct picture_layout *layout = &picture->layout;
    const uint32_t samples = picture_format_alpha(layout->format) == ALPHA_NONE ? 3 : 4;
    const bool deep = picture_format_bits(layout->format) == 16;
    const size_t row = (size_t)layout->width * samples * (deep ? 2 : 1);
    uLongf room = compressBound((uLong)(row * layout->height));
    uint8_t *plain = malloc(row * layout->height);
    *out = malloc(room);
    enum status status = plain && *out ? STATUS_OK : no_memory(room, path);
    for (uint32_t y = 0; status == STATUS_OK && y < layout->height; y++)
        predict(picture->data + layout->plane[0].offset + y * (size_t)layout->plane[0].stride,
                layout->width, samples, deep, plain + y * row);
    if (status == STATUS_OK && compress2(*out, &room, plain, row * layout->height, level) != Z_OK)
        status = no_memory(room, path);
    *size = room;
    free(plain);
    return status;
}

static enum status tif_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    uint8_t *strip = NULL;
    size_t strip_size = 0, head_size = 0;
    *bytes = 0;
    enum status status =
        compress_pixels(path, picture, (int)params->output.png_level, &strip, &strip_size);
    uint8_t *head =
        status == STATUS_OK ? make_head(picture, &params->tags, strip_size, &head_size) : NULL;
    uint8_t *data = head ? realloc(head, head_size + strip_size) : NULL;
    if (head && !data) {
        free(head);
        status = no_memory(head_size + strip_size, path);
    }
    if (status == STATUS_OK) {
        memcpy(data + head_size, strip, strip_size);
        picture_file_seal(data, head_size + strip_size);
        status = picture_file_save(path, data, head_size + strip_size, frames, bytes);
    }
    free(strip);
    free(data);
    return status;
}

/* ---- reading ---- */

static enum status tif_read(const char *path, struct AVFrame **frame, uint32_t *bits)
{
    enum status status = picture_file_decode(path, "tiff", "TIFF", true, frame);
    if (status == STATUS_OK)
        *bits = (uint32_t)av_pix_fmt_desc_get((*frame)->format)->comp[0].depth;
    return status;
}

static uint32_t number_at(const uint8_t *at, int bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

/* A file that ends within the description has none. */
static enum status tif_tags(const char *path, struct tags *out)
{
    uint8_t *data = memory_new(HEAD_MAX, 1);
    size_t size = 0;
    *out = (struct tags){0};
    enum status status = file_read_head(path, data, HEAD_MAX, &size);
    const size_t first = size > HEAD ? number_at(data + 4, 4) : size;
    const size_t fields = first + 2 < size ? number_at(data + first, 2) : 0;
    for (size_t i = 0; i < fields && first + 2 + FIELD * (i + 1) <= size; i++) {
        const uint8_t *field = data + first + 2 + FIELD * i;
        const size_t length = number_at(field + 4, 4), begin = number_at(field + 8, 4);
        if (number_at(field, 2) != DESCRIPTION || length <= 4 || begin > size ||
            length > size - begin)
            continue;
        const char *at = (const char *)data + begin, *end = at + length;
        for (const char *last; at < end && (last = memchr(at, SEPARATOR, (size_t)(end - at)));
             at = last + 1) {
            char *text = text_format("%.*s", (int)(last - at), at);
            picture_file_tag(out, text);
            free(text);
        }
    }
    free(data);
    tags_unpack(out);
    return status;
}

const struct picture_file picture_tif = {
    .name = "tif",
    .doc = "TIFF, 8 or 16 bits per channel, display values",
    .kind = "TIFF",
    .magic = "II*",
    .magic_size = 4,
    .plan = tif_plan,
    .write = tif_write,
    .read = tif_read,
    .tags = tif_tags,
};
