/* The controls of frames in their order and of their times. */
#ifndef CMD_REGRESSION_CONTROLS_TIMING_H
#define CMD_REGRESSION_CONTROLS_TIMING_H

#include "cmd/regression/controls/control.h"

extern const struct control control_dropped, control_repeated, control_swapped_frames, control_late,
    control_twice_at_join;

#endif
