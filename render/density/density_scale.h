/* How many bodies are seen in one place, counted by the processor as density_map.h counts them on
 * the GPU: so that a film's scales and its legend are known before the first frame. Needs no GL. */
#ifndef RENDER_DENSITY_DENSITY_SCALE_H
#define RENDER_DENSITY_DENSITY_SCALE_H

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/draw.h"
#include "sim/view.h"

/* A picture whose bodies are counted. */
struct density_picture {
    const struct draw_group *groups;
    int group_count;
    uint32_t cells;         /* as in look_params */
    uint32_t width, height; /* pixels; of a tile the whole picture's */
    bool whole_sphere;
    struct camera_aim aim; /* of a stereo pair both eyes' middle */
};

/* The counts, at least 1, of bodies in a view in host memory: in the fullest cell of the mode
 * activity, and around the densest place as the colour density counts them. */
enum status density_scale_measure(const struct density_picture *picture, const struct view *view,
                                  double *fullest, double *densest);

#endif
