/* Square cells over a picture in which bodies are counted: each in its own cell (activity), or
 * spread over neighbouring cells (density). Pure. */
#pragma once

#include <stdint.h>

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
