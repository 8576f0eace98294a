#include "cmd/regression/controls/registry.h"

/* physics.c */
extern const struct control control_dt, control_gravity, control_softening, control_body_missing,
    control_masses_swapped, control_dkd, control_order, control_tile_skipped, control_subset,
    control_rounded, control_one_sided, control_seed, control_step_ahead;
/* look.c */
extern const struct control control_fov, control_key_late, control_colour_map, control_bloom,
    control_bloom_off, control_clock, control_nan, control_exposure, control_exposure_late;
/* paint.c */
extern const struct control control_star_gone, control_star_added, control_shift, control_seam,
    control_mirror, control_srgb, control_swapped_channels, control_lifted, control_grey,
    control_banding, control_dither, control_black, control_panel, control_eyes;
/* timing.c */
extern const struct control control_dropped, control_repeated, control_swapped_frames, control_late,
    control_twice_at_join;
/* encoding.c */
extern const struct control control_crf, control_gop, control_fell_back, control_range_flag,
    control_range_twice, control_matrix, control_chroma_site, control_chroma_halved,
    control_bits_lost, control_byte, control_cut, control_tag, control_tick, control_edit_list,
    control_rate, control_last_lost;

static const struct choice kinds[] = {
    [CONTROL_PHYSICS] = {"physics", "bodies, forces and steps"},
    [CONTROL_PICTURE] = {"picture", "what is drawn, and how"},
    [CONTROL_TIME] = {"time", "frames in their order, and their times"},
    [CONTROL_ENCODING] = {"encoding", "encoder and file"},
};

const struct registry control_kind_registry = REGISTRY_OF("kind of control", kinds);

static const struct control *const controls[] = {
    &control_dt,
    &control_gravity,
    &control_softening,
    &control_body_missing,
    &control_masses_swapped,
    &control_dkd,
    &control_order,
    &control_tile_skipped,
    &control_subset,
    &control_rounded,
    &control_one_sided,
    &control_seed,
    &control_step_ahead,

    &control_star_gone,
    &control_star_added,
    &control_shift,
    &control_seam,
    &control_mirror,
    &control_fov,
    &control_exposure,
    &control_srgb,
    &control_colour_map,
    &control_swapped_channels,
    &control_lifted,
    &control_grey,
    &control_bloom,
    &control_bloom_off,
    &control_banding,
    &control_dither,
    &control_nan,
    &control_black,
    &control_clock,
    &control_panel,
    &control_key_late,
    &control_eyes,

    &control_dropped,
    &control_repeated,
    &control_swapped_frames,
    &control_late,
    &control_rate,
    &control_last_lost,
    &control_twice_at_join,
    &control_exposure_late,

    &control_crf,
    &control_range_flag,
    &control_range_twice,
    &control_matrix,
    &control_chroma_site,
    &control_chroma_halved,
    &control_bits_lost,
    &control_gop,
    &control_fell_back,
    &control_byte,
    &control_cut,
    &control_tag,
    &control_tick,
    &control_edit_list,
};

const struct registry control_registry = REGISTRY_LIST("control", controls);

const char *control_why_not(const struct control *control, const struct scene *scene)
{
    return control->why_not ? control->why_not(scene) : NULL;
}
