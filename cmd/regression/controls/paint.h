/* The controls of pictures once they are drawn. */
#ifndef CMD_REGRESSION_CONTROLS_PAINT_H
#define CMD_REGRESSION_CONTROLS_PAINT_H

#include "cmd/regression/controls/control.h"

extern const struct control control_star_gone, control_star_added, control_shift, control_seam,
    control_mirror, control_srgb, control_swapped_channels, control_lifted, control_grey,
    control_banding, control_dither, control_black, control_panel, control_eyes;

#endif
