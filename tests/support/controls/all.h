/* Every control that a check must detect. Constant data and a pure function; thread-safe. For tests
 * only. */
#pragma once

#include "tests/support/controls/control.h"

/* Bodies, forces and steps. */
extern const struct control control_dt, control_gravity, control_softening, control_body_missing,
    control_masses_swapped, control_dkd, control_order, control_tile_skipped, control_subset,
    control_rounded, control_one_sided, control_seed, control_step_ahead;
/* Cameras, colours and light: the renderer's parameters. */
extern const struct control control_fov, control_key_late, control_colour_map, control_bloom,
    control_bloom_off, control_clock, control_nan, control_exposure_late;
/* Pictures once they are drawn. */
extern const struct control control_seam, control_mirror, control_srgb, control_swapped_channels,
    control_star_gone, control_star_added, control_exposure, control_shift, control_grey,
    control_lifted, control_banding, control_dither, control_black, control_panel, control_eyes;
/* Frames in their order, and their times. */
extern const struct control control_dropped, control_repeated, control_swapped_frames, control_late,
    control_twice_at_join;
/* Encoders and files. */
extern const struct control control_crf, control_gop, control_fell_back, control_range_flag,
    control_range_twice, control_matrix, control_chroma_site, control_chroma_halved,
    control_bits_lost, control_byte, control_cut, control_tag, control_tick, control_edit_list,
    control_rate, control_last_lost;

extern const struct registry all_controls; /* of struct control */

/* The kind of mistake of an entry of all_controls: "physics", "picture", "time", "encoding". */
const char *control_kind(const struct control *control);
