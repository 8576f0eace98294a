#include "render/picture/montage.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void fill(uint8_t *to, size_t bytes, uint32_t bits, uint32_t value)
{
    const uint16_t wide = (uint16_t)value;
    if (bits <= 8)
        memset(to, (int)value, bytes);
    for (size_t k = 0; bits > 8 && k < bytes; k += sizeof wide)
        memcpy(to + k, &wide, sizeof wide);
}

/* Alpha is 1 if the format has no transparency. */
static void blacken_rgb(const struct picture_layout *layout, uint8_t *data)
{
    const uint32_t bits = picture_format_bits(layout->format);
    memset(data, 0, layout->size);
    if (picture_format_alpha(layout->format) != ALPHA_NONE)
        return;
    const size_t sample = bits / 8;
    const float light = 1;
    for (uint32_t y = 0; y < layout->plane[0].rows; y++)
        for (uint32_t x = 0; x < layout->width; x++) {
            uint8_t *at = data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride +
                          (4 * (size_t)x + 3) * sample;
            if (picture_format_is_light(layout->format))
                memcpy(at, &light, sizeof light);
            else
                memset(at, 0xff, sample);
        }
}

void montage_blacken(const struct picture_layout *layout, uint8_t *data)
{
    const uint32_t bits = picture_format_bits(layout->format);
    if (picture_format_is_rgb(layout->format)) {
        blacken_rgb(layout, data);
        return;
    }
    for (int p = 0; p < layout->planes; p++) {
        const uint32_t black = p == 0 ? 16u << (bits - 8) : p < 3 ? 128u << (bits - 8) : 0;
        fill(data + layout->plane[p].offset,
             (size_t)layout->plane[p].stride * layout->plane[p].rows, bits, black);
    }
}

/* One sample of the line: a part of the light, of the codes, or of the range of luma. */
static void put_grey(const struct picture_layout *layout, uint8_t *at)
{
    enum { PARTS = 4 }; /* a quarter of white */
    const uint32_t bits = picture_format_bits(layout->format);
    const float light = 1.0f / (PARTS * PARTS);
    const bool rgb = picture_format_is_rgb(layout->format);
    const uint32_t code = rgb ? (1u << bits % 32) / PARTS : (16u + 219u / PARTS) << (bits - 8);
    if (picture_format_is_light(layout->format))
        memcpy(at, &light, sizeof light);
    else
        fill(at, bits > 8 ? 2 : 1, bits, code);
}

void montage_line(const struct picture_layout *layout, uint8_t *data, uint32_t x, uint32_t y,
                  uint32_t width, uint32_t height)
{
    const bool rgb = picture_format_is_rgb(layout->format);
    const size_t sample = picture_format_is_light(layout->format)   ? sizeof(float)
                          : picture_format_bits(layout->format) > 8 ? 2
                                                                    : 1;
    if (picture_format_alpha(layout->format) != ALPHA_NONE)
        return;
    for (uint32_t row = y; row < y + height; row++)
        for (uint32_t column = x; column < x + width; column++)
            for (size_t c = 0; c < (rgb ? 3 : 1); c++)
                put_grey(layout, data + layout->plane[0].offset +
                                     (size_t)row * layout->plane[0].stride +
                                     ((rgb ? 4 : 1) * (size_t)column + c) * sample);
}

/* A plane's row begins at x / width of its bytes. */
void montage_put(const struct picture *from, uint32_t x, uint32_t y, struct picture *to)
{
    for (int p = 0; p < from->layout.planes; p++) {
        const uint32_t bytes = from->layout.plane[p].bytes, rows = from->layout.plane[p].rows;
        const uint32_t stride = to->layout.plane[p].stride;
        const size_t left = (size_t)x * bytes / from->layout.width;
        const size_t top = (size_t)y * rows / from->layout.height;
        const uint8_t *row = from->data + from->layout.plane[p].offset;
        uint8_t *at = to->data + to->layout.plane[p].offset + top * stride + left;
        for (uint32_t k = 0; k < rows; k++, row += from->layout.plane[p].stride, at += stride)
            memcpy(at, row, bytes);
    }
}

void montage_light(struct picture *const *pictures, int count, struct picture_light *out)
{
    struct hash_part *hashes = memory_new((size_t)count, sizeof *hashes);
    bool measured = true;
    *out = (struct picture_light){0};
    for (int i = 0; i < count; i++) {
        const struct picture_light *light = &pictures[i]->light;
        hashes[i] = (struct hash_part){light->hash, strlen(light->hash)};
        measured &= *light->hash != '\0';
        out->broken += light->broken;
        for (int c = 0; c < 3; c++)
            out->sum[c] += light->sum[c];
    }
    if (measured)
        hash_parts(hashes, (size_t)count, out->hash);
    free(hashes);
}
