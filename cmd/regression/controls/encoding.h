/* The controls of encoders and files. */
#ifndef CMD_REGRESSION_CONTROLS_ENCODING_H
#define CMD_REGRESSION_CONTROLS_ENCODING_H

#include "cmd/regression/controls/control.h"

extern const struct control control_crf, control_gop, control_fell_back, control_range_flag,
    control_range_twice, control_matrix, control_chroma_site, control_chroma_halved,
    control_bits_lost, control_byte, control_cut, control_tag, control_tick, control_edit_list,
    control_rate, control_last_lost;

#endif
