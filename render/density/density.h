/* Counts on the processor how many bodies are seen in one place, as density_map.h does on the GPU,
 * so that a film's scales and legend are known before the first frame. Needs no GL. */
#pragma once

#include "base/status.h"
#include "render/camera/project.h"
#include "render/draw.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Square cells over a picture in which bodies are counted: each in its own cell (activity), or
 * spread over neighbouring cells (density). Pure. */

enum {
    CELL_SPLAT = 5, /* diameter in cells of a spread body; its weight falls from 1 in the middle to
                     * 0 at the edge as (1 - r^2)^2 */
    DENSITY_CELLS = 192, /* along the picture's shorter side */
    DENSITY_BORDER =
        24, /* cells beyond the picture on every side, because bodies there also count */
};

struct cell_grid {
    int columns, rows, border; /* in cells; columns and rows include the border */
    double side;               /* of a cell, in pixels of the whole picture */
};

/* `cells` along the shorter side, but no cell smaller than a pixel. Cell (border, border) starts at
 * the picture's lower left corner; the last column or row may extend beyond the picture. */
void cell_grid_activity(struct cell_grid *out, uint32_t cells, uint32_t width, uint32_t height);
void cell_grid_density(struct cell_grid *out, uint32_t width, uint32_t height);

/* A picture whose bodies are counted. */
struct density_picture {
    const struct light_sum *sum; /* with other processes, whose bodies count, too; NULL: alone */
    const struct draw_group *groups;
    int group_count;
    uint32_t cells;         /* as in look_params */
    uint32_t width, height; /* pixels; for a tile, those of the whole picture */
    bool whole_sphere;
    double dome;           /* the field of view of a dome, whose axis the aim is; otherwise 0 */
    struct camera_aim aim; /* for a stereo pair, midway between the eyes */
};

/* Largest counts, at least 1, for a view in host memory: bodies in the fullest cell of the mode
 * activity, and bodies around the densest place as the colour density counts them. */
enum status density_scale_measure(const struct density_picture *picture, const struct view *view,
                                  double *fullest, double *densest);

/* Estimates the brightness of a film's pictures without drawing them: the light of a few bodies,
 * each spread over the empty space around it, adds up on a coarse grid, whose cells are binned by
 * brightness. Brightness is light per solid angle in an arbitrary unit, so it only compares
 * pictures of the same bodies. Pure; one thread at a time. */

struct light_picture {
    struct camera_aim aim;
    double aspect; /* width / height */
    bool whole_sphere;
    double dome; /* the field of view of a dome, whose axis the aim is; otherwise 0 */
    size_t count;
    const double (*position)[3]; /* [count] */
    const float *radius;         /* [count] over which light is spread; not finite: no light */
    const double *light;         /* [count] */
};

enum { LIGHT_TALLY_BINS = 1 << 15 };

struct light_tally {
    double light[LIGHT_TALLY_BINS]; /* total of the cells in each bin; all zero at first */
};

void light_tally_add(struct light_tally *tally, const struct light_picture *picture);

/* The brightness below which `share` of all light lies; 0 if there is no light. */
double light_tally_below(const struct light_tally *tally, double share);
