#include "render/density/cell_grid.h"

#include <math.h>

static void make(struct cell_grid *out, double side, int border, uint32_t width, uint32_t height)
{
    out->side = side;
    out->border = border;
    out->columns = (int)ceil(width / side - 1e-9) + 2 * border;
    out->rows = (int)ceil(height / side - 1e-9) + 2 * border;
}

static uint32_t shorter(uint32_t width, uint32_t height)
{
    return width < height ? width : height;
}

void cell_grid_activity(struct cell_grid *out, uint32_t cells, uint32_t width, uint32_t height)
{
    make(out, fmax(1, (double)shorter(width, height) / cells), 0, width, height);
}

void cell_grid_density(struct cell_grid *out, uint32_t width, uint32_t height)
{
    make(out, (double)shorter(width, height) / DENSITY_CELLS, DENSITY_BORDER, width, height);
}
