#include "tests/support/films/sink_fixture.h"

#include "base/file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fixture_colour(int x, int y, uint64_t n, double rgb[3])
{
    static const double palette[8][3] = {
        {0.9, 0.9, 0.9}, {0.8, 0.1, 0.1}, {0.1, 0.8, 0.1}, {0.1, 0.1, 0.9},
        {0.9, 0.8, 0.0}, {0.0, 0.7, 0.8}, {0.7, 0.1, 0.8}, {0.05, 0.03, 0.1},
    };
    int square = (int)(n * 4 % (FIXTURE_WIDTH - FIXTURE_BLOCK));
    bool white = y >= FIXTURE_GRADIENT && y < FIXTURE_GRADIENT + FIXTURE_BLOCK && x >= square &&
                 x < square + FIXTURE_BLOCK;
    for (int c = 0; c < 3; c++) {
        if (y < FIXTURE_GRADIENT)
            rgb[c] = palette[x / FIXTURE_BLOCK % 8][c] * (1.0 - 0.2 * (y / FIXTURE_BLOCK));
        else
            rgb[c] = white ? 1.0 : 0.5 * (x % FIXTURE_WIDTH) / FIXTURE_WIDTH;
    }
}

void fixture_picture(struct picture *picture, enum picture_format format, uint32_t width,
                     uint32_t height)
{
    *picture = (struct picture){0};
    struct picture_layout *layout = &picture->layout;
    picture_layout(layout, format, width, height);
    layout->size = 0;
    for (int p = 0; p < layout->planes; p++) {
        layout->plane[p].stride += 12;
        layout->plane[p].offset = layout->size;
        layout->size += (size_t)layout->plane[p].stride * layout->plane[p].rows;
    }
    picture->data = malloc(layout->size);
    memset(picture->data, 0xa5, layout->size);
}

void fixture_free(struct picture *picture)
{
    free(picture->data);
    picture->data = NULL;
}

static void put(struct picture *picture, int plane, int sample, int y, int bytes, double value)
{
    uint8_t *at = picture->data + picture->layout.plane[plane].offset +
                  (size_t)y * picture->layout.plane[plane].stride + (size_t)sample * (size_t)bytes;
    unsigned code = (unsigned)lround(value);
    at[0] = (uint8_t)code;
    if (bytes == 2)
        at[1] = (uint8_t)(code >> 8);
}

static double alpha_at(const struct picture *picture, int x)
{
    const bool opaque = picture_format_alpha(picture->layout.format) == ALPHA_NONE;
    return opaque ? 1 : (double)x / (picture->layout.width - 1);
}

static void draw_rgb(struct picture *picture, int x, int y, const double rgb[3])
{
    int bytes = picture_format_bits(picture->layout.format) > 8 ? 2 : 1;
    double top = bytes == 2 ? 65535.0 : 255.0;
    for (int c = 0; c < 3; c++)
        put(picture, 0, 4 * x + c, y, bytes, rgb[c] * top);
    put(picture, 0, 4 * x + 3, y, bytes, top * alpha_at(picture, x));
}

static double luma_of(const double rgb[3])
{
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

static void draw_yuv(struct picture *picture, int x, int y, const double rgb[3])
{
    enum picture_format format = picture->layout.format;
    bool deep = picture_format_bits(format) > 8;
    const int across = picture_format_halves_width(format) ? 2 : 1,
              down = picture_format_halves_height(format) ? 2 : 1;
    int bytes = deep ? 2 : 1;
    double scale = deep ? 4.0 : 1.0;
    double luma = luma_of(rgb);
    double cb = (128.0 + 224.0 * (rgb[2] - luma) / 1.8556) * scale;
    double cr = (128.0 + 224.0 * (rgb[0] - luma) / 1.5748) * scale;
    put(picture, 0, x, y, bytes, (16.0 + 219.0 * luma) * scale);
    if (picture_format_alpha(format) != ALPHA_NONE)
        put(picture, 3, x, y, bytes, (deep ? 1023 : 255) * alpha_at(picture, x));
    if (x % across || y % down)
        return;
    int cx = x / across, cy = y / down;
    if (format == PICTURE_NV12) {
        put(picture, 1, 2 * cx, cy, 1, cb);
        put(picture, 1, 2 * cx + 1, cy, 1, cr);
    } else {
        put(picture, 1, cx, cy, bytes, cb);
        put(picture, 2, cx, cy, bytes, cr);
    }
}

void fixture_draw(struct picture *picture, uint64_t n)
{
    bool rgba = picture_format_is_rgb(picture->layout.format);
    for (int y = 0; y < (int)picture->layout.height; y++) {
        for (int x = 0; x < (int)picture->layout.width; x++) {
            double rgb[3];
            fixture_colour(x, y, n, rgb);
            (rgba ? draw_rgb : draw_yuv)(picture, x, y, rgb);
        }
    }
    picture->frame = n;
}

void fixture_rgb(struct picture *picture, const uint16_t *rgb)
{
    const bool deep = picture_format_bits(picture->layout.format) > 8;
    const int width = (int)picture->layout.width, height = (int)picture->layout.height;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double own[3], mean[3] = {0};
            for (int c = 0; c < 3; c++) {
                own[c] = rgb[(y * width + x) * 3 + c] / 65535.0;
                for (int k = 0; k < 4; k++) {
                    const int i = x + k % 2 < width ? x + k % 2 : x,
                              j = y + k / 2 < height ? y + k / 2 : y;
                    mean[c] += rgb[(j * width + i) * 3 + c] / 65535.0 / 4;
                }
            }
            if (picture_format_is_rgb(picture->layout.format)) {
                draw_rgb(picture, x, y, own);
                continue;
            }
            draw_yuv(picture, x, y,
                     picture_format_halves_height(picture->layout.format) ? mean : own);
            put(picture, 0, x, y, deep ? 2 : 1, (16.0 + 219.0 * luma_of(own)) * (deep ? 4.0 : 1.0));
        }
}

void fixture_noise(struct picture *picture, uint64_t n)
{
    uint64_t state = 0x9e3779b97f4a7c15u * (n + 1);
    for (size_t i = 0; i < picture->layout.size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        picture->data[i] = (uint8_t)(state >> 24);
    }
    picture->frame = n;
}

struct sink_params fixture_params(const char *path)
{
    return (struct sink_params){.path = path,
                                .format = "",
                                .width = FIXTURE_WIDTH,
                                .height = FIXTURE_HEIGHT,
                                .fps_num = 30,
                                .fps_den = 1,
                                .output = {.crf = -1,
                                           .preset = "",
                                           .deterministic = true,
                                           .threads = 2,
                                           .png_bits = 8,
                                           .png_level = 6}};
}

const struct codec *fixture_codec(const char *name)
{
    return strcmp(name, "auto") == 0 ? NULL : choose(&codec_registry, name);
}

const struct chroma *fixture_chroma(unsigned digits)
{
    char name[16];
    snprintf(name, sizeof name, "%u", digits);
    return digits ? choose(&chroma_registry, name) : NULL;
}

bool fixture_codec_opens(const char *name)
{
    return video_probe(fixture_codec(name)) == STATUS_OK;
}

char *fixture_folder(void)
{
    return folder_make();
}

void fixture_remove_folder(char *folder)
{
    folder_remove(folder);
}

const char *fixture_path(const char *folder, const char *name)
{
    static char paths[4][4096];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

int fixture_count_files(const char *folder)
{
    int count = 0;
    DIR *open = opendir(folder);
    if (!open)
        return -1;
    for (struct dirent *entry; (entry = readdir(open));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return count;
}

enum status fixture_film(const struct sink_params *params, uint64_t frames,
                         void (*draw)(struct picture *, uint64_t))
{
    struct sink *sink;
    enum status status = sink_open(params, &sink);
    if (status != STATUS_OK)
        return status;
    struct picture picture;
    fixture_picture(&picture, sink->format, params->width, params->height);
    for (uint64_t n = 0; n < frames && status == STATUS_OK; n++) {
        draw(&picture, n);
        status = sink->ops->write(sink, &picture);
    }
    fixture_free(&picture);
    enum status closed = sink->ops->close(&sink, true, NULL, NULL);
    return status == STATUS_OK ? closed : status;
}

bool fixture_same_files(const char *a, const char *b)
{
    char *left, *right = NULL;
    size_t left_size, right_size;
    if (file_read(a, (size_t)1 << 30, &left, &left_size) != STATUS_OK)
        return false;
    bool same = file_read(b, (size_t)1 << 30, &right, &right_size) == STATUS_OK && left_size > 0 &&
                left_size == right_size && memcmp(left, right, left_size) == 0;
    free(left);
    free(right);
    return same;
}

int fixture_setup(void **state)
{
    *state = fixture_folder();
    return 0;
}

int fixture_teardown(void **state)
{
    fixture_remove_folder(*state);
    return 0;
}
