/* Counts on the processor how many bodies are seen in one place, as density_map.h does on the GPU,
 * so that a film's scales and legend are known before the first frame. Needs no GL. */
#pragma once

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/draw.h"
#include "sim/view.h"

/* A picture whose bodies are counted. */
struct density_picture {
    const struct light_sum *sum; /* with other processes, whose bodies count, too; NULL: alone */
    const struct draw_group *groups;
    int group_count;
    uint32_t cells;         /* as in look_params */
    uint32_t width, height; /* pixels; for a tile, those of the whole picture */
    bool whole_sphere;
    struct camera_aim aim; /* for a stereo pair, midway between the eyes */
};

/* Largest counts, at least 1, for a view in host memory: bodies in the fullest cell of the mode
 * activity, and bodies around the densest place as the colour density counts them. */
enum status density_scale_measure(const struct density_picture *picture, const struct view *view,
                                  double *fullest, double *densest);
