/* The controls of cameras, colours and light: what the renderer is asked for. */
#ifndef CMD_REGRESSION_CONTROLS_LOOK_H
#define CMD_REGRESSION_CONTROLS_LOOK_H

#include "cmd/regression/controls/control.h"

extern const struct control control_fov, control_key_late, control_colour_map, control_bloom,
    control_bloom_off, control_clock, control_nan, control_exposure, control_exposure_late;

#endif
