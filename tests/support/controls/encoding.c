#include "tests/support/controls/all.h"

#include "base/file.h"
#include "render/video/codecs.h"
#include "tests/support/controls/boxes.h"
#include "tests/support/controls/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- how the film is encoded ---- */

/* Adds a setting for the encoder, before those of the scene. */
static void set_option(struct control_run *run, struct sink_params *params, const char *option)
{
    const char *given = params->output.codec_options ? params->output.codec_options : "";
    const size_t size = strlen(option) + strlen(given) + 2;
    char *text = control_run_keep(run, size);
    strcpy(text, given);
    if (*given)
        strcat(text, ":");
    params->output.codec_options = strcat(text, option);
    run->changed++;
}

static void short_gop(void *user, struct sink_params *params)
{
    set_option(user, params, "g=5");
}

static void full_range(void *user, struct sink_params *params)
{
    set_option(user, params, "fullrange=on");
}

static void no_colours(void *user, struct sink_params *params)
{
    set_option(user, params, "colorprim=undef:transfer=undef:colormatrix=undef");
}

static void quick_preset(void *user, struct sink_params *params)
{
    params->output.preset = "ultrafast";
    ((struct control_run *)user)->changed++;
}

static const char *not_h264(const struct scene *scene)
{
    const struct codec *codec = scene->output.codec;
    return !codec || strcmp(codec->encoder, "libx264") == 0 ? NULL : "it is not encoded by x264";
}

const struct control control_gop = {
    .name = "gop",
    .doc = "groups of pictures have another length",
    .stage = JUDGED_PACKETS,
    .why_not = not_h264,
    .hooks.sink = short_gop,
};

const struct control control_fell_back = {
    .name = "fell_back",
    .doc = "a simpler encoder takes the place of the one asked for",
    .stage = JUDGED_PACKETS,
    .why_not = not_h264,
    .hooks.sink = quick_preset,
};

const struct control control_range_flag = {
    .name = "range_flag",
    .doc = "the stream says full range, its samples are limited",
    .stage = JUDGED_CONTAINER,
    .why_not = not_h264,
    .hooks.sink = full_range,
};

/* ---- the pictures on their way into the encoder ---- */

static const char *not_yuv(const struct scene *scene)
{
    return scene->output.codec && strcmp(scene->output.codec->name, "ffv1") == 0
               ? "its samples may be RGB"
               : NULL;
}

static const char *halved_anyway(const struct scene *scene)
{
    return scene->output.chroma && scene->output.chroma->kind == CHROMA_444
               ? NULL
               : "its colour is halved anyway";
}

static const char *eight_anyway(const struct scene *scene)
{
    return scene->output.bits == 10 ? NULL : "it has 8 bits anyway";
}

static double narrow(double code, int plane)
{
    return plane == 0 ? 16 + code * 219 / 255 : 128 + (code - 128) * 224 / 255;
}

static void convert_range(struct picture *picture)
{
    const double scale = samples_scale(picture);
    for (int p = 0; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < samples_rows(picture, p); y++)
            for (uint32_t x = 0; x < samples_columns(picture, p); x++)
                samples_set(picture, p, x, y,
                            scale * narrow(samples_get(picture, p, x, y) / scale, p));
}

/* The chroma of BT.601's matrix instead of BT.709's, and the luma of a pixel with that chroma. */
static void convert_matrix(struct picture *picture)
{
    const double scale = samples_scale(picture);
    for (uint32_t y = 0; y < samples_rows(picture, 0); y++)
        for (uint32_t x = 0; x < samples_columns(picture, 0); x++) {
            double rgb[3];
            samples_rgb(picture, x, y, rgb);
            const double other = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
            samples_set(picture, 0, x, y, scale * (16 + 219 * other));
        }
    for (int p = 1; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < samples_rows(picture, p); y++)
            for (uint32_t x = 0; x < samples_columns(picture, p); x++) {
                const double code = samples_get(picture, p, x, y) / scale - 128;
                samples_set(picture, p, x, y,
                            scale * (128 + code * (p == 1 ? 1.8556 / 1.772 : 1.5748 / 1.402)));
            }
}

static void move_chroma(struct picture *picture)
{
    const double part = picture_format_halves_width(picture->layout.format) ? 0.25 : 0.5;
    for (int p = 1; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < samples_rows(picture, p); y++)
            for (uint32_t x = samples_columns(picture, p) - 1; x > 0; x--)
                samples_set(picture, p, x, y,
                            (1 - part) * samples_get(picture, p, x, y) +
                                part * samples_get(picture, p, x - 1, y));
}

static void halve_chroma(struct picture *picture)
{
    for (int p = 1; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y + 1 < samples_rows(picture, p); y += 2)
            for (uint32_t x = 0; x + 1 < samples_columns(picture, p); x += 2) {
                double mean = 0;
                for (uint32_t i = 0; i < 4; i++)
                    mean += samples_get(picture, p, x + i % 2, y + i / 2) / 4;
                for (uint32_t i = 0; i < 4; i++)
                    samples_set(picture, p, x + i % 2, y + i / 2, mean);
            }
}

static void drop_bits(struct picture *picture)
{
    const double scale = samples_scale(picture);
    for (int p = 0; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < samples_rows(picture, p); y++)
            for (uint32_t x = 0; x < samples_columns(picture, p); x++)
                samples_set(picture, p, x, y, scale * floor(samples_get(picture, p, x, y) / scale));
}

static enum status encode_changed(struct control_run *run, struct picture *picture,
                                  void (*change)(struct picture *))
{
    if (picture->frame < run->first)
        return STATUS_OK;
    change(picture);
    run->changed++;
    return STATUS_OK;
}

#define ENCODED(function, change)                                                                  \
    static enum status function(void *user, struct picture *picture)                               \
    {                                                                                              \
        return encode_changed(user, picture, change);                                              \
    }
ENCODED(range_twice, convert_range)
ENCODED(matrix, convert_matrix)
ENCODED(chroma_site, move_chroma)
ENCODED(chroma_halved, halve_chroma)
ENCODED(bits_lost, drop_bits)

const struct control control_range_twice = {
    .name = "range_twice",
    .doc = "samples of limited range are narrowed once more",
    .stage = JUDGED_PACKETS,
    .why_not = not_yuv,
    .hooks.encoding = range_twice,
};

const struct control control_matrix = {
    .name = "matrix",
    .doc = "colours are converted by the matrix of BT.601 and tagged BT.709",
    .stage = JUDGED_PACKETS,
    .why_not = not_yuv,
    .hooks.encoding = matrix,
};

const struct control control_chroma_site = {
    .name = "chroma_site",
    .doc = "colour lies half a pixel to the right",
    .stage = JUDGED_PACKETS,
    .why_not = not_yuv,
    .hooks.encoding = chroma_site,
};

const struct control control_chroma_halved = {
    .name = "chroma_halved",
    .doc = "colour is 4:2:0 where it should be 4:4:4",
    .stage = JUDGED_PACKETS,
    .why_not = halved_anyway,
    .hooks.encoding = chroma_halved,
};

const struct control control_bits_lost = {
    .name = "bits_lost",
    .doc = "samples of 10 bits have only 8",
    .stage = JUDGED_PACKETS,
    .why_not = eight_anyway,
    .hooks.encoding = bits_lost,
};

/* ---- the finished file ---- */

enum { FILE_LIMIT = 1 << 28 };

/* Reads the file, calls `change`, which returns the number of bytes to keep, or 0 if it found
 * nothing to change, and writes the file. */
static enum status rewrite(const char *path, size_t (*change)(char *data, size_t size))
{
    char *data = NULL;
    size_t size = 0;
    enum status status = file_read(path, FILE_LIMIT, &data, &size);
    if (status != STATUS_OK)
        return status;
    const size_t stays = change(data, size);
    if (stays == 0)
        status = status_fail(STATUS_USAGE, "'%s' has nothing that this control changes", path);
    else
        status = file_write(path, data, stays);
    free(data);
    return status;
}

/* A bit in the middle of the packets. */
static size_t flip_byte(char *data, size_t size)
{
    size_t at, bytes;
    if (!boxes_find(data, size, "mdat", &at, &bytes) || bytes < 64)
        return 0;
    data[at + bytes / 2] ^= 0x10;
    return size;
}

static size_t cut_file(char *data, size_t size)
{
    (void)data;
    return size * 3 / 4;
}

static size_t hide(char *data, size_t size, const char *name)
{
    size_t at, bytes;
    if (!boxes_find(data, size, name, &at, &bytes))
        return 0;
    memcpy(data + at - 4, "free", 4);
    return size;
}

static size_t hide_colours(char *data, size_t size)
{
    return hide(data, size, "colr");
}

static size_t hide_edit_list(char *data, size_t size)
{
    return hide(data, size, "edts");
}

/* A table of pairs (number of frames, ticks) behind 8 bytes. */
static size_t add_tick(char *data, size_t size)
{
    size_t at, bytes;
    if (!boxes_find(data, size, "stts", &at, &bytes) || bytes < 16)
        return 0;
    boxes_set(data + at + 12, boxes_get(data + at + 12) + 1);
    return size;
}

/* Ticks per second, behind version, flags and two dates. */
static size_t other_rate(char *data, size_t size)
{
    size_t at, bytes;
    if (!boxes_find(data, size, "mdhd", &at, &bytes) || bytes < 20 || data[at] != 0)
        return 0;
    boxes_set(data + at + 12, boxes_get(data + at + 12) * 1000 / 1001);
    return size;
}

/* The edit list ends a frame early. */
static size_t end_early(char *data, size_t size)
{
    size_t edit, at, bytes;
    if (!boxes_find(data, size, "elst", &edit, &bytes) || bytes < 20 || data[edit] != 0 ||
        !boxes_find(data, size, "stts", &at, &bytes) || bytes < 16)
        return 0;
    const uint64_t frames = boxes_get(data + at + 8), length = boxes_get(data + edit + 8);
    if (frames < 2)
        return 0;
    boxes_set(data + edit + 8, (uint32_t)(length * (frames - 1) / frames));
    return size;
}

#define FILE_CONTROL(function, change)                                                             \
    static enum status function(void *user, const char *path)                                      \
    {                                                                                              \
        ((struct control_run *)user)->changed++;                                                   \
        return rewrite(path, change);                                                              \
    }
FILE_CONTROL(byte, flip_byte)
FILE_CONTROL(cut, cut_file)
FILE_CONTROL(tag, hide_colours)
FILE_CONTROL(tick, add_tick)
FILE_CONTROL(edit_list, hide_edit_list)
FILE_CONTROL(rate, other_rate)
FILE_CONTROL(last_lost, end_early)

const struct control control_byte = {
    .name = "byte",
    .doc = "a bit of a packet is flipped",
    .stage = JUDGED_PACKETS,
    .hooks.file = byte,
};

const struct control control_cut = {
    .name = "cut",
    .doc = "the file ends after three quarters of its bytes",
    .stage = JUDGED_PACKETS,
    .hooks.file = cut,
};

const struct control control_tag = {
    .name = "tag",
    .doc = "neither the stream nor the file says what its colours are",
    .stage = JUDGED_CONTAINER,
    .why_not = not_h264,
    .hooks.sink = no_colours,
    .hooks.file = tag,
};

const struct control control_tick = {
    .name = "tick",
    .doc = "frames are shown for one tick longer",
    .stage = JUDGED_CONTAINER,
    .hooks.file = tick,
};

const struct control control_edit_list = {
    .name = "edit_list",
    .doc = "the edit list is lost, and the film begins late",
    .stage = JUDGED_CONTAINER,
    .hooks.file = edit_list,
};

const struct control control_rate = {
    .name = "rate",
    .doc = "29.97 frames a second where there should be 30",
    .stage = JUDGED_CONTAINER,
    .hooks.file = rate,
};

const struct control control_last_lost = {
    .name = "last_lost",
    .doc = "the file ends before its last frame",
    .stage = JUDGED_CONTAINER,
    .hooks.file = last_lost,
};
