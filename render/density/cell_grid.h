/* Square cells over a picture, in which bodies are counted: each in its own cell (activity), or
 * spread over the cells around it (density). Pure. */
#ifndef RENDER_DENSITY_CELL_GRID_H
#define RENDER_DENSITY_CELL_GRID_H

#include <stdint.h>

enum {
    CELL_SPLAT = 5, /* diameter in cells of a body that is spread; its weight falls from 1 in the
                       middle to 0 at the edge as (1 - r^2)^2 */
    DENSITY_CELLS = 192, /* along a picture's shorter side */
    DENSITY_BORDER =
        24, /* cells beyond the picture on every side, because bodies there count too */
};

struct cell_grid {
    int columns, rows, border; /* cells; columns and rows with the border */
    double side;               /* of a cell, in pixels of the whole picture */
};

/* `cells` along the shorter side, but none smaller than a pixel. Cell (border, border) begins in
 * the picture's lower left corner; the last column or row may reach beyond the picture. */
void cell_grid_activity(struct cell_grid *out, uint32_t cells, uint32_t width, uint32_t height);
void cell_grid_density(struct cell_grid *out, uint32_t width, uint32_t height);

#endif
