#include "tests/support/controls/all.h"

/* By kind; control_kind knows the first of each. */
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

const struct registry all_controls = REGISTRY_LIST("control", controls);

const char *control_kind(const struct control *control)
{
    static const struct {
        const struct control *first;
        const char *kind;
    } kinds[] = {
        {&control_dt, "physics"},
        {&control_star_gone, "picture"},
        {&control_dropped, "time"},
        {&control_crf, "encoding"},
    };
    const char *kind = "";
    for (size_t i = 0, k = 0; i < all_controls.count; i++) {
        if (k < sizeof kinds / sizeof *kinds && controls[i] == kinds[k].first)
            kind = kinds[k++].kind;
        if (controls[i] == control)
            return kind;
    }
    return "";
}
