#include "render/picture/picture.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/params.h"
#include "render/shaders/hdr.glsl"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int planes, bits, samples; /* bits per sample, samples per pixel in plane 0 */
    enum picture_chroma chroma;
    int chroma_samples; /* per chroma pixel */
    enum picture_alpha alpha;
    enum picture_hdr hdr;
} formats[] = {
    [PICTURE_NV12] = {"nv12", 2, 8, 1, CHROMA_420, 2},
    [PICTURE_YUV420P] = {"yuv420p", 3, 8, 1, CHROMA_420, 1},
    [PICTURE_YUV420P10] = {"yuv420p10", 3, 10, 1, CHROMA_420, 1},
    [PICTURE_YUV444P] = {"yuv444p", 3, 8, 1, CHROMA_444, 1},
    [PICTURE_YUV444P10] = {"yuv444p10", 3, 10, 1, CHROMA_444, 1},
    [PICTURE_RGBA8] = {"rgba8", 1, 8, 4, CHROMA_444, 0},
    [PICTURE_RGBA16] = {"rgba16", 1, 16, 4, CHROMA_444, 0},
    [PICTURE_RGBA8_STRAIGHT] = {"rgba8 straight", 1, 8, 4, CHROMA_444, 0, ALPHA_STRAIGHT},
    [PICTURE_RGBA16_STRAIGHT] = {"rgba16 straight", 1, 16, 4, CHROMA_444, 0, ALPHA_STRAIGHT},
    [PICTURE_RGBA8_PREMULTIPLIED] = {"rgba8 premultiplied", 1, 8, 4, CHROMA_444, 0,
                                     ALPHA_PREMULTIPLIED},
    [PICTURE_RGBA16_PREMULTIPLIED] = {"rgba16 premultiplied", 1, 16, 4, CHROMA_444, 0,
                                      ALPHA_PREMULTIPLIED},
    [PICTURE_YUVA444P10_STRAIGHT] = {"yuva444p10 straight", 4, 10, 1, CHROMA_444, 1,
                                     ALPHA_STRAIGHT},
    [PICTURE_YUVA444P10_PREMULTIPLIED] = {"yuva444p10 premultiplied", 4, 10, 1, CHROMA_444, 1,
                                          ALPHA_PREMULTIPLIED},
    [PICTURE_YUV420P10_PQ] = {"yuv420p10 pq", 3, 10, 1, CHROMA_420, 1, ALPHA_NONE, HDR_PQ},
    [PICTURE_YUV444P10_PQ] = {"yuv444p10 pq", 3, 10, 1, CHROMA_444, 1, ALPHA_NONE, HDR_PQ},
    [PICTURE_YUV420P10_HLG] = {"yuv420p10 hlg", 3, 10, 1, CHROMA_420, 1, ALPHA_NONE, HDR_HLG},
    [PICTURE_YUV444P10_HLG] = {"yuv444p10 hlg", 3, 10, 1, CHROMA_444, 1, ALPHA_NONE, HDR_HLG},
    [PICTURE_RGBAF32] = {"rgbaf32", 1, 32, 4, CHROMA_444, 0},
    [PICTURE_YUV422P] = {"yuv422p", 3, 8, 1, CHROMA_422, 1},
    [PICTURE_YUV422P10] = {"yuv422p10", 3, 10, 1, CHROMA_422, 1},
    [PICTURE_YUV422P10_PQ] = {"yuv422p10 pq", 3, 10, 1, CHROMA_422, 1, ALPHA_NONE, HDR_PQ},
    [PICTURE_YUV422P10_HLG] = {"yuv422p10 hlg", 3, 10, 1, CHROMA_422, 1, ALPHA_NONE, HDR_HLG},
    [PICTURE_YUVA420P_STRAIGHT] = {"yuva420p straight", 4, 8, 1, CHROMA_420, 1, ALPHA_STRAIGHT},
    [PICTURE_YUVA420P_PREMULTIPLIED] = {"yuva420p premultiplied", 4, 8, 1, CHROMA_420, 1,
                                        ALPHA_PREMULTIPLIED},
};

void picture_layout(struct picture_layout *layout, enum picture_format format, uint32_t width,
                    uint32_t height)
{
    *layout = (struct picture_layout){
        .format = format, .width = width, .height = height, .planes = formats[format].planes};
    for (int p = 0; p < layout->planes; p++) {
        const bool is_chroma = p == 1 || p == 2;
        const uint32_t across = is_chroma ? picture_format_halves_width(format) : 0,
                       down = is_chroma ? picture_format_halves_height(format) : 0;
        uint32_t samples = (uint32_t)(p ? formats[format].chroma_samples : formats[format].samples);
        uint32_t columns = (width + across) >> across;
        layout->plane[p].rows = (height + down) >> down;
        layout->plane[p].bytes = columns * samples * ((picture_format_bits(format) + 7) / 8);
        layout->plane[p].stride = (layout->plane[p].bytes + 3u) & ~3u;
        layout->plane[p].offset = layout->size;
        layout->size += (size_t)layout->plane[p].stride * layout->plane[p].rows;
    }
}

const char *picture_format_name(enum picture_format format)
{
    return formats[format].name;
}

uint32_t picture_format_bits(enum picture_format format)
{
    return (uint32_t)formats[format].bits;
}

bool picture_format_is_light(enum picture_format format)
{
    return format == PICTURE_RGBAF32;
}

enum picture_chroma picture_format_chroma(enum picture_format format)
{
    return formats[format].chroma;
}

bool picture_format_halves_width(enum picture_format format)
{
    return formats[format].chroma != CHROMA_444;
}

bool picture_format_halves_height(enum picture_format format)
{
    return formats[format].chroma == CHROMA_420;
}

bool picture_format_is_rgb(enum picture_format format)
{
    return formats[format].samples == 4;
}

enum picture_alpha picture_format_alpha(enum picture_format format)
{
    return formats[format].alpha;
}

enum picture_hdr picture_format_hdr(enum picture_format format)
{
    return formats[format].hdr;
}

enum picture_format picture_format_with_hdr(enum picture_hdr hdr, enum picture_chroma chroma)
{
    enum picture_format format = 0;
    while (formats[format].bits != 10 || formats[format].hdr != hdr ||
           formats[format].chroma != chroma)
        format++;
    return format;
}

enum picture_format picture_format_rgba(uint32_t bits, enum picture_alpha alpha)
{
    const bool deep = bits > 8;
    switch (alpha) {
    case ALPHA_STRAIGHT:
        return deep ? PICTURE_RGBA16_STRAIGHT : PICTURE_RGBA8_STRAIGHT;
    case ALPHA_PREMULTIPLIED:
        return deep ? PICTURE_RGBA16_PREMULTIPLIED : PICTURE_RGBA8_PREMULTIPLIED;
    case ALPHA_NONE:
        break;
    }
    return deep ? PICTURE_RGBA16 : PICTURE_RGBA8;
}

enum picture_format picture_format_yuva(uint32_t bits, enum picture_alpha alpha)
{
    const bool straight = alpha == ALPHA_STRAIGHT;
    if (bits == 8)
        return straight ? PICTURE_YUVA420P_STRAIGHT : PICTURE_YUVA420P_PREMULTIPLIED;
    return straight ? PICTURE_YUVA444P10_STRAIGHT : PICTURE_YUVA444P10_PREMULTIPLIED;
}

void picture_take_rgb(const struct picture *picture, uint16_t *to)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint16_t *from =
            (const uint16_t *)(const void *)(picture->data + (size_t)y * layout->plane[0].stride);
        for (uint32_t x = 0; x < layout->width; x++, to += 3, from += 4)
            memcpy(to, from, 3 * sizeof *to);
    }
}

/* ---- alpha ---- */

static const struct alpha alphas[] = {
    {"none", "opaque", ALPHA_NONE},
    {"straight",
     "transparent where it is dark, for programs that follow the PNG standard: browsers, GIMP; a "
     "pixel's alpha is its brightest channel",
     ALPHA_STRAIGHT},
    {"premultiplied",
     "the same with colours multiplied by alpha, as compositing programs can be told to read them: "
     "the ordinary picture, with alpha",
     ALPHA_PREMULTIPLIED},
};

const struct registry alpha_registry = REGISTRY_OF("alpha", alphas);

enum picture_alpha alpha_told(const char *tag)
{
    const struct alpha *told = tag ? choice_find(&alpha_registry, tag) : NULL;
    return told && told->kind == ALPHA_PREMULTIPLIED ? ALPHA_PREMULTIPLIED : ALPHA_STRAIGHT;
}

/* ---- planes ---- */

enum status planes_open(struct planes *planes, uint32_t width, uint32_t height)
{
    *planes = (struct planes){.width = width, .height = height};
    planes->columns = (width + PLANES_TILE - 1) / PLANES_TILE;
    planes->rows = (height + PLANES_TILE - 1) / PLANES_TILE;
    planes->stride = (size_t)planes->columns * PLANES_TILE;
    const size_t samples = planes->stride * planes->rows * PLANES_TILE;
    uint16_t *memory = calloc(3 * samples, sizeof *memory);
    if (!memory)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for a picture of %ux%u, which takes %zu bytes", width,
                           height, 3 * samples * sizeof *memory);
    for (size_t c = 0; c < 3; c++)
        planes->channel[c] = memory + c * samples;
    return STATUS_OK;
}

void planes_close(struct planes *planes)
{
    free(planes->channel[0]);
    *planes = (struct planes){0};
}

void planes_fill(struct planes *planes, const uint16_t *rgb)
{
    for (uint32_t y = 0; y < planes->height; y++)
        for (size_t c = 0; c < 3; c++) {
            const uint16_t *from = rgb + 3 * (size_t)y * planes->width + c;
            uint16_t *to = planes->channel[c] + y * planes->stride;
            for (uint32_t x = 0; x < planes->width; x++)
                to[x] = from[3 * (size_t)x];
        }
}

/* ---- scale ---- */

enum { CODES = 65536 };

static const float scale_power = 2.2f;

struct scaler {
    const uint16_t *from;
    uint32_t width, height, to_width, to_height;
    float *linear;     /* linear light of every code */
    float *row, *sums; /* one row of the result each, linear */
};

/* The source pixels first .. last that result pixel `at` covers, and the weights of the outer
 * two. */
struct cover {
    uint32_t first, last;
    float of_first, of_last, whole;
};

static struct cover cover_of(uint32_t at, uint32_t source, uint32_t result)
{
    double ratio = (double)source / result, reach = fmax(ratio, 1) / 2;
    double from = fmax((at + 0.5) * ratio - reach, 0);
    double to = fmin((at + 0.5) * ratio + reach, source);
    struct cover cover = {.first = (uint32_t)from, .last = (uint32_t)ceil(to) - 1};
    cover.whole = (float)(to - from);
    cover.of_first = (float)(fmin(cover.first + 1.0, to) - from);
    cover.of_last = (float)(to - cover.last);
    return cover;
}

static float share(const struct cover *cover, uint32_t at)
{
    return (at == cover->first  ? cover->of_first
            : at == cover->last ? cover->of_last
                                : 1) /
           cover->whole;
}

static void scale_row(struct scaler *self, uint32_t y)
{
    const uint16_t *row = self->from + 3 * (size_t)self->width * y;
    for (uint32_t x = 0; x < self->to_width; x++) {
        struct cover cover = cover_of(x, self->width, self->to_width);
        float *sum = self->row + 3 * (size_t)x;
        memset(sum, 0, 3 * sizeof *sum);
        for (uint32_t i = cover.first; i <= cover.last; i++)
            for (int c = 0; c < 3; c++)
                sum[c] += share(&cover, i) * self->linear[row[3 * (size_t)i + (size_t)c]];
    }
}

static void scale_all(struct scaler *self, uint16_t *to)
{
    size_t samples = 3 * (size_t)self->to_width;
    for (uint32_t y = 0; y < self->to_height; y++) {
        struct cover cover = cover_of(y, self->height, self->to_height);
        memset(self->sums, 0, samples * sizeof *self->sums);
        for (uint32_t i = cover.first; i <= cover.last; i++) {
            scale_row(self, i);
            for (size_t x = 0; x < samples; x++)
                self->sums[x] += share(&cover, i) * self->row[x];
        }
        for (size_t x = 0; x < samples; x++)
            to[samples * y + x] =
                (uint16_t)((float)fn_pow(fminf(self->sums[x], 1), 1 / scale_power) * (CODES - 1) +
                           0.5f);
    }
}

void scale_rgb(const uint16_t *from, uint32_t width, uint32_t height, uint16_t *to,
               uint32_t to_width, uint32_t to_height)
{
    size_t samples = 3 * (size_t)to_width;
    struct scaler self = {.from = from,
                          .width = width,
                          .height = height,
                          .to_width = to_width,
                          .to_height = to_height,
                          .linear = memory_new(CODES, sizeof *self.linear),
                          .row = memory_new(samples, sizeof *self.row),
                          .sums = memory_new(samples, sizeof *self.sums)};
    for (int i = 0; i < CODES; i++)
        self.linear[i] = (float)fn_pow((float)i / (CODES - 1), scale_power);
    scale_all(&self, to);
    free(self.linear);
    free(self.row);
    free(self.sums);
}

/* ---- hdr ---- */

static const struct hdr kinds[] = {
    {"none", "BT.709, for any player", HDR_NONE},
    {"pq", "HDR10: the PQ curve, with metadata of the mastering display and the light level",
     HDR_PQ},
    {"hlg", "the HLG curve, for broadcasters", HDR_HLG},
};

const struct registry hdr_registry = REGISTRY_OF("dynamic range", kinds);

double hdr_headroom(enum picture_hdr kind)
{
    return kind == HDR_NONE ? 1 : (double)HDR_PEAK / HDR_WHITE;
}

static double pq(double light)
{
    const double power = fn_pow(light * HDR_PEAK / 10000, PQ_INNER);
    return light > 0 ? fn_pow((PQ_1 + PQ_2 * power) / (1 + PQ_3 * power), PQ_OUTER) : 0;
}

static double hlg(double scene)
{
    return scene <= 1 / 12.0 ? sqrt(3 * scene) : HLG_A * fn_log(12 * scene - HLG_B) + HLG_C;
}

void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3])
{
    static const double primaries[3][3] = {{HDR_OF_RED}, {HDR_OF_GREEN}, {HDR_OF_BLUE}},
                        luma[3] = {HLG_LUMA};
    double wide[3] = {0};
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++)
            wide[to] += primaries[from][to] * light[from];
    const double luminance = luma[0] * wide[0] + luma[1] * wide[1] + luma[2] * wide[2];
    const double scene = luminance > 0 ? fn_pow(luminance, -1 / 6.0) : 0; /* gamma 1.2 */
    for (int c = 0; c < 3; c++)
        signal[c] = kind == HDR_PQ ? pq(wide[c]) : hlg(wide[c] * scene);
}

/* ---- projection ---- */

const struct projection projection_flat = {
    .name = "flat",
    .doc = "one picture",
    .flat = true,
    .columns = 1,
    .rows = 1,
};

static const struct projection side_by_side = {
    .name = "side-by-side",
    .doc = "a stereo pair, the left eye's picture on the left",
    .columns = 2,
    .rows = 1,
};

static const struct projection over_under = {
    .name = "over-under",
    .doc = "a stereo pair, the left eye's picture above",
    .columns = 1,
    .rows = 2,
};

static const struct projection left = {
    .name = "left",
    .doc = "the left eye of a pair alone: the left half of side-by-side at twice the width",
    .columns = 1,
    .rows = 1,
    .eye = -1,
};

static const struct projection right = {
    .name = "right",
    .doc = "the right eye of a pair alone, exposed as the left",
    .columns = 1,
    .rows = 1,
    .eye = 1,
};

static const struct projection equirect = {
    .name = "equirect",
    .doc = "the whole sphere around the camera, for 360-degree players",
    .columns = 1,
    .rows = 1,
    .whole_sphere = true,
    .span = 120, /* a third of a turn: a viewer is in front of the bodies but not far from them */
};

static const struct projection dome = {
    .name = "dome",
    .doc =
        "a dome master for planetariums: equidistant fisheye, square, the front of the dome below",
    .columns = 1,
    .rows = 1,
    .whole_sphere = true,
    .dome = true,
    .span = 80,
};

static const struct projection dome_pair = {
    .name = "dome-side-by-side",
    .doc = "a stereo pair of dome masters, the left eye's on the left",
    .columns = 2,
    .rows = 1,
    .whole_sphere = true,
    .dome = true,
    .span = 80,
};

static const struct projection *const list[] = {
    &projection_flat, &side_by_side, &over_under, &left, &right, &equirect, &dome, &dome_pair};

const struct registry projection_registry = REGISTRY_LIST("projection", list);
