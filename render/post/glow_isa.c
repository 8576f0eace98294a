/* Compiled once per instruction set (render/picture/pixel_lanes.h). */
#include "render/post/glow.h"

#include "render/picture/pixel_lanes.h"

typedef float pixel __attribute__((vector_size(16)));

enum { BEFORE = 4, AFTER = 8 }; /* floats around a row: one pixel and two */

LANES_INLINE pixel load(const float *from)
{
    pixel v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANES_INLINE void store(float *to, pixel v)
{
    memcpy(to, &v, sizeof v);
}

static const float *row_of(const struct glow_plane *plane, int y, bool outermost,
                           const float *nothing)
{
    const int last = plane->height - 1, within = y < 0 ? 0 : y > last ? last : y;
    return y == within || outermost ? plane->pixel + 4 * (size_t)within * (size_t)plane->width
                                    : nothing;
}

/* Fills the pixels around a row. */
static void extend(float *row, int width, bool outermost)
{
    const pixel none = {0};
    float *end = row + BEFORE + 4 * (size_t)width;
    store(row, outermost ? load(row + BEFORE) : none);
    for (int i = 0; i < AFTER; i += 4)
        store(end + i, outermost ? load(end - 4) : none);
}

/* Adds up rows from number `y` on, weighted. */
LANES_INLINE void add_rows(const struct glow_plane *plane, int y, bool outermost,
                           const float *weight, int taps, const struct glow_room *room)
{
    const float *from[4];
    float *sum = room->row + BEFORE;
    for (int k = 0; k < taps; k++)
        from[k] = row_of(plane, y + k, outermost, room->nothing);
    for (size_t i = 0; i < 4 * (size_t)plane->width; i++) {
        float all = weight[0] * from[0][i];
        for (int k = 1; k < taps; k++)
            all += weight[k] * from[k][i];
        sum[i] = all;
    }
    extend(room->row, plane->width, outermost);
}

void OF_ISA(glow_down)(const struct glow_plane *from, bool outermost, const struct glow_plane *to,
                       const struct glow_room *room)
{
    static const float tent[] = {0.125f, 0.375f, 0.375f, 0.125f};
    float *out = to->pixel;
    for (int y = 0; y < to->height; y++) {
        add_rows(from, 2 * y - 1, outermost, tent, 4, room);
        const float *at = room->row; /* one pixel before */
        for (int x = 0; x < to->width; x++, at += 8, out += 4)
            store(out, tent[0] * load(at) + tent[1] * load(at + 4) + tent[2] * load(at + 8) +
                           tent[3] * load(at + 12));
    }
}

/* At twice the size, odd texels lie above the middle of the coarser ones, even ones below. */
void OF_ISA(glow_up)(const struct glow_plane *coarser, float own_share,
                     const struct glow_plane *level, const struct glow_room *room)
{
    static const float even[] = {0.25f, 0.75f}, odd[] = {0.75f, 0.25f};
    float *out = level->pixel;
    for (int y = 0; y < level->height; y++) {
        add_rows(coarser, (y + 1) / 2 - 1, false, y % 2 ? odd : even, 2, room);
        for (int x = 0; x < level->width; x++, out += 4) {
            const float *weight = x % 2 ? odd : even, *at = room->row + 4 * (size_t)((x + 1) / 2);
            const pixel wide = weight[0] * load(at) + weight[1] * load(at + 4);
            store(out, wide * (1 - own_share) + load(out) * own_share);
        }
    }
}

void OF_ISA(glow_smooth)(const struct glow_plane *from, float reach, const struct glow_plane *to,
                         const struct glow_room *room)
{
    const float weight[] = {0.5f * reach, 1 - reach, 0.5f * reach};
    float *out = to->pixel;
    for (int y = 0; y < to->height; y++) {
        add_rows(from, y - 1, false, weight, 3, room);
        const float *at = room->row;
        for (int x = 0; x < to->width; x++, at += 4, out += 4)
            store(out, weight[0] * load(at) + weight[1] * load(at + 4) + weight[2] * load(at + 8));
    }
}
