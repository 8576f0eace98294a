/* Compiled once per instruction set (render/picture/pixel_lanes.h). */
#include "render/sprites/captured.h"

#include "render/picture/pixel_lanes.h"
#include "render/sprites/setup.h"

#include <math.h>

enum { FLOATS = sizeof(lanes_float) / sizeof(float), PIXELS = FLOATS / 4 };

typedef float pixel __attribute__((vector_size(16)));

LANES_INLINE lanes_float load(const float *from)
{
    lanes_float v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANES_INLINE pixel load_pixel(const float *from)
{
    pixel v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Adds a sprite whose centre is at (x, y), in pixels. */
LANES_INLINE void add(const struct captured_atlas *atlas, float x, float y, float size,
                      const float light[4])
{
    const float radius = 0.5f * size, scale = 2 / size;
    const int left = (int)fmaxf(ceilf(x - radius - 0.5f), 0);
    const int low = (int)fmaxf(ceilf(y - radius - 0.5f), 0);
    const int right = (int)fminf(floorf(x + radius + 0.5f), (float)atlas->width);
    const int up = (int)fminf(floorf(y + radius + 0.5f), (float)atlas->height);
    lanes_float colour, middle;
    for (int i = 0; i < FLOATS; i++) {
        colour[i] = light[i % 4];
        middle[i] = (float)(i / 4) + 0.5f;
    }
    for (int row = low; row < up; row++) {
        const float away = ((float)row + 0.5f - y) * scale;
        const lanes_float rest = lanes_real(1 - away * away);
        float *at = atlas->pixel + (size_t)row * atlas->floats + 4 * (size_t)left;
        for (int column = left; column < right; column += PIXELS, at += FLOATS) {
            const lanes_float along = (middle + lanes_real((float)column) - lanes_real(x)) * scale;
            const lanes_float within = rest - along * along;
            const lanes_float inside = (lanes_float)((lanes_wide)within & (within > 0));
            const lanes_float sum = load(at) + colour * (inside * inside);
            memcpy(at, &sum, sizeof sum);
        }
    }
}

LANES_INLINE float to_pixel(float device, int size)
{
    return (device * 0.5f + 0.5f) * (float)size;
}

/* GL draws a point if its centre is within the clip volume. */
LANES_INLINE bool is_seen(const float place[4])
{
    return place[3] > 0 && fabsf(place[0]) <= place[3] && fabsf(place[1]) <= place[3] &&
           fabsf(place[2]) <= place[3];
}

void OF_ISA(captured_points)(const struct captured_atlas *atlas,
                             const struct captured_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct captured_point *point = &points[i];
        const float *place = point->place;
        if (is_seen(place) && point->size > 0)
            add(atlas, to_pixel(place[0] / place[3], atlas->width),
                to_pixel(place[1] / place[3], atlas->height), point->size, point->light);
    }
}

/* Computed as in sprite_streak.glsl. */
LANES_INLINE void add_row(const struct captured_atlas *atlas, const struct captured_streak *streak)
{
    const float *place = streak->place, *path = streak->path, *inside = streak->inside;
    const float across = path[0] * 0.5f * (float)atlas->width,
                up = path[1] * 0.5f * (float)atlas->height;
    const float length = sqrtf(across * across + up * up);
    const float steps = ceilf(length / (0.5f * atlas->spacing * streak->size) + 0.5f);
    const int count = (int)fminf(fmaxf(steps, 1), STREAK_MOST);
    const float n = (float)count, wider = count > 1 ? 1 / sqrtf(1 - 1 / (n * n)) : 0;
    float light[4];
    for (int i = 0; i < 4; i++)
        light[i] = streak->light[i] / n;
    for (int i = 0; i < count; i++) {
        const float part = (((float)i + 0.5f) / n - 0.5f) * wider;
        const float x = place[0] / place[3] + path[0] * part,
                    y = place[1] / place[3] + path[1] * part;
        if (x > inside[0] && y > inside[1] && x < inside[2] && y < inside[3])
            add(atlas, to_pixel(x, atlas->width), to_pixel(y, atlas->height), streak->size, light);
    }
}

void OF_ISA(captured_streaks)(const struct captured_atlas *atlas,
                              const struct captured_streak *streaks, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (streaks[i].place[3] > 0 && fabsf(streaks[i].place[2]) <= streaks[i].place[3] &&
            streaks[i].size > 0)
            add_row(atlas, &streaks[i]);
}

LANES_INLINE int clamp(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* The texel below a place, in half texels of the coarser level, and the share of the one above. */
LANES_INLINE int below(int halves, float *above)
{
    *above = halves % 2 == 0 ? 0.75f : 0.25f;
    return halves % 2 == 0 ? halves / 2 - 1 : (halves - 1) / 2;
}

/* Interpolates between two rows of the coarser level, with a pixel more at both ends. */
static void mix_rows(const struct captured_level *level, int y)
{
    const int width = level->coarser_width, last = level->coarser_height - 1;
    float share;
    const int low = below(level->origin[1] + y, &share);
    const float *a = level->coarser + 4 * (size_t)clamp(low, last) * (size_t)width;
    const float *b = level->coarser + 4 * (size_t)clamp(low + 1, last) * (size_t)width;
    for (int i = 0; i < 4 * width; i++)
        level->row[4 + i] = a[i] * (1 - share) + b[i] * share;
    memcpy(level->row, level->row + 4, sizeof(pixel));
    memcpy(level->row + 4 * (width + 1), level->row + 4 * (size_t)width, sizeof(pixel));
}

void OF_ISA(captured_level)(const struct captured_level *level)
{
    for (int y = 0; y < level->height; y++) {
        const float *own = level->own + (size_t)y * level->own_floats;
        float *out = level->sum + 4 * (size_t)y * (size_t)level->width;
        if (!level->coarser) {
            memcpy(out, own, 4 * (size_t)level->width * sizeof *out);
            continue;
        }
        mix_rows(level, y);
        for (int x = 0; x < level->width; x++) {
            float share;
            const int low = below(level->origin[0] + x, &share);
            const float *from = level->row + 4 * (clamp(low, level->coarser_width - 1) + 1);
            const float *next = level->row + 4 * (clamp(low + 1, level->coarser_width - 1) + 1);
            const pixel sum =
                load_pixel(own + 4 * x) + load_pixel(from) * (1 - share) + load_pixel(next) * share;
            memcpy(out + 4 * x, &sum, sizeof sum);
        }
    }
}
