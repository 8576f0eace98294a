#include "render/sprites/setup.h"

#include "render/density/density_scale.h"
#include "render/sprites/levels.h"
#include "render/sprites/modes.h"

#include <math.h>

/* ---- setup ---- */

enum status sprites_setup_check(const struct sprites_setup *setup)
{
    const struct look_params *look = &setup->look;
    if (look->weight->by_mass && setup->group_count > 0 && !(setup->found.mean_mass > 0))
        return status_fail(STATUS_USAGE,
                           "look.weight is %s, and the bodies that are drawn have no mass; set it "
                           "to %s",
                           look->weight->name, light_by_component.name);
    if (look->exposure.surface && !sizing_adapts(look))
        return status_fail(
            STATUS_USAGE,
            "look.exposure is a surface density, which only sprites of adaptive size "
            "add up to; set look.size to %s or %s",
            sizing_adaptive.name, sizing_kernel.name);
    if (look->mode->counts && setup->whole_sphere)
        return status_fail(STATUS_USAGE,
                           "look.mode is %s, which has no cells around the whole sphere; choose a "
                           "camera.projection other than equirect",
                           look->mode->name);
    if (look->mode->counts && setup->reference)
        return status_fail(STATUS_USAGE,
                           "a panel of the mode %s counts bodies and cannot show their difference; "
                           "give it another mode",
                           look->mode->name);
    if (setup->sum.add && !setup->sum.share && sprites_setup_colour(setup)->by_density &&
        !look->mode->counts)
        return status_fail(STATUS_USAGE,
                           "look.color is %s, which needs all bodies in one process, but these are "
                           "divided among several; choose another colour",
                           look->color->name);
    return STATUS_OK;
}

double sprites_setup_surface(const struct sprites_setup *setup)
{
    const double pi = 3.14159265358979323846;
    const double spacing = setup->found.spacing > 0 ? setup->found.spacing : 1;
    const double mass = setup->look.weight->by_mass ? setup->found.mean_mass : 1;
    return 3 * mass / (pi * spacing * spacing);
}

const struct colour *sprites_setup_colour(const struct sprites_setup *setup)
{
    if (setup->colour)
        return setup->colour;
    if (setup->reference)
        return &colour_difference;
    return setup->look.mode->plain ? &colour_plain : setup->look.color;
}

void sprites_setup_columns(const struct sprites_setup *setup, bool adaptive,
                           struct column_names *out)
{
    const struct colour *colour = sprites_setup_colour(setup);
    *out = (struct column_names){.count = 0};
    if (adaptive)
        column_names_add(out, COLUMN_DISTANCE);
    if (adaptive && setup->look.size->kernel)
        column_names_add(out, COLUMN_KERNEL);
    for (int k = 0; k < COLOUR_COLUMNS && colour->columns[k]; k++)
        column_names_add(out, colour->columns[k]);
    if (setup->absences)
        column_names_add(out, COLUMN_ABSENT);
}

bool sprites_setup_values(const struct sprites_setup *setup)
{
    return setup->weighed && sprites_setup_colour(setup)->mapped;
}

/* ---- size ---- */

/* The limit of growth of bodies near the camera, where look.point_size decides. */
static const float largest_growth = 6.0f;
/* The elongation of a round body in the corner of a face of the cube around the camera. */
static const float longest = 1.7320508f;
/* Light further outside the picture than this part of its height is ignored by the glow. */
static const float glow_margin = 1.0f / 45;

static void choose_round(struct sprite_size *out, const struct sprites_setup *setup, double rows)
{
    const uint32_t width = setup->whole_width, height = setup->whole_height;
    out->smallest = (float)setup->look.smallest * profile_of(&setup->look)->smallest;
    out->adaptive = sizing_adapts(&setup->look);
    out->kernel = out->adaptive && setup->look.size->kernel;
    if (out->adaptive) {
        out->level = setup->look.exposure.surface ? LEVEL_MEASURED : LEVEL_SPRITE;
        out->nominal = out->largest = out->fading = (float)out->level;
        out->stars = setup->colour ? 0 : resolved_stars(&setup->look);
        out->star = fmaxf(resolved_size(rows), out->smallest);
    } else if (setup->look.radius > 0) {
        out->nominal = 0;
        out->radius = (float)setup->look.radius;
        out->fading = fmaxf((float)(width < height ? width : height), out->smallest);
        out->largest = 16 * out->fading;
    } else {
        out->largest = fmaxf(out->nominal, out->smallest) * largest_growth;
        out->fading = out->largest;
    }
}

void sprite_size_choose(struct sprite_size *out, const struct sprites_setup *setup,
                        float point_size_max)
{
    const struct draw_mode *mode = setup->look.mode;
    const double size = setup->look.point_size > 0 ? setup->look.point_size : mode->point_size;
    const double rows =
        setup->stretch > 0 ? setup->whole_height / setup->stretch : setup->whole_height;
    *out = (struct sprite_size){.nominal = (float)(size * rows / 1080.0), .fixed = mode->square};
    if (mode->square) /* whole pixels, because a square would flicker as it moves */
        out->nominal = out->smallest = out->largest = out->fading = fmaxf(roundf(out->nominal), 1);
    else
        choose_round(out, setup, rows);
    const float longer =
        setup->whole_sphere && !mode->square ? out->largest * longest : out->largest;
    /* On Mesa's software renderer a quad costs twice a point. */
    out->quads = setup->quads || fmaxf(longer, CELL_SPLAT) > point_size_max;
    float margin = longer / 2;
    if (out->quads || out->adaptive)
        margin = fminf(margin, fmaxf(16, (float)setup->height * glow_margin));
    out->margin = (uint32_t)ceilf(margin);
}

float sprite_size_at_unit_depth(const struct sprite_size *size, const struct camera_pose *pose)
{
    if (size->fixed)
        return size->nominal;
    if (size->adaptive)
        return 2 * pose->pixels_per_unit * pose->distance;
    if (size->radius > 0)
        return 2 * size->radius * pose->pixels_per_unit * pose->distance;
    return size->nominal * pose->distance;
}
