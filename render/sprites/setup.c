#include "render/sprites/setup.h"

#include "render/sprites/draw_mode.h"
#include "render/sprites/sizing.h"
#include "render/sprites/weight.h"

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
