#include "render/overlay/layout.h"

#include <math.h>
#include <stdbool.h>

/* The height of a line in letter sizes. The margins are shares of the picture's width and height,
 * which leave the title-safe area of SMPTE ST 2046-1, 90 percent of either. */
static const double row = 1.4, margin_share = 0.05;
static const double smallest = 9; /* pixels */

void overlay_lay_out(struct overlay_layout *out, const struct overlay_params *params,
                     uint32_t width, uint32_t height)
{
    const double side = fmin(width, height);
    out->width = (int)width;
    out->height = (int)height;
    out->true_size = params->size * side / 1080;
    out->size = fmax(out->true_size, smallest);
    out->side = (int)ceil(margin_share * width);
    out->edge = (int)ceil(margin_share * height);
    out->pad = (int)ceil(2 * OVERLAY_SHADOW * out->size);
}

int overlay_inset(const struct overlay_layout *layout, int x)
{
    const bool outer = x <= 0 || x >= layout->width;
    return outer || layout->side < layout->edge ? layout->side : layout->edge;
}

void overlay_clear(double clear[2], const struct overlay_params *params, uint32_t width,
                   uint32_t height)
{
    const bool lines = params->title || params->clock || params->scale_bar || params->bodies ||
                       params->frame || params->caption_count > 0;
    struct overlay_layout layout;
    overlay_lay_out(&layout, params, width, height);
    const int rows = lines + (params->caption_count > 0);
    const double edge = layout.edge + rows * row * layout.size;
    clear[0] = fmax(0.5, 1 - 2.0 * layout.side / width);
    clear[1] = fmax(0.5, 1 - 2 * edge / height);
}
