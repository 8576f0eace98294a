/* The passes of glow.h over light in host memory, for each instruction set
 * (render/picture/lanes.h), with identical results on all. Planes are RGBA, rows from the bottom.
 */
#pragma once

#include <stdbool.h>

struct glow_plane {
    float *pixel; /* [height][width][4] */
    int width, height;
};

/* Room for a pass, each for a row of the widest plane: 4 * (width + 3) floats. */
struct glow_room {
    float *row;
    const float *nothing; /* zeros */
};

/* glow_down.glsl. Beyond the plane are the outermost texels, or nothing. */
typedef void glow_down_of(const struct glow_plane *from, bool outermost,
                          const struct glow_plane *to, const struct glow_room *room);
/* glow_up.glsl, from the level itself. */
typedef void glow_up_of(const struct glow_plane *coarser, float own_share,
                        const struct glow_plane *level, const struct glow_room *room);
/* glow_smooth.glsl */
typedef void glow_smooth_of(const struct glow_plane *from, float reach, const struct glow_plane *to,
                            const struct glow_room *room);

glow_down_of glow_down_baseline, glow_down_neon, glow_down_avx2, glow_down_avx512;
glow_up_of glow_up_baseline, glow_up_neon, glow_up_avx2, glow_up_avx512;
glow_smooth_of glow_smooth_baseline, glow_smooth_neon, glow_smooth_avx2, glow_smooth_avx512;
