#include "sim/galaxy/field.h"

#include "sim/galaxy/parts.h"

void galaxy_field_make(const struct galaxy_params *galaxy, double softening,
                       struct galaxy_field *out)
{
    const struct parts parts = parts_of(galaxy);
    out->total = parts_mass(&parts);
    parts_span(&parts, &out->shells);
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++)
        parts_spread(&parts, part, &out->shells);
    for (int i = 0; i < SHELLS; i++)
        out->pull[i] = 0;
    shells_pull(&out->shells, softening, out->pull);
    shells_depth(&out->shells, out->pull, out->depth);
}

double galaxy_field_potential(const struct galaxy_field *field, double r)
{
    const double last = field->shells.radius[SHELLS - 1];
    if (r >= last)
        return -field->total / r;
    return shells_at(&field->shells, field->depth, r) - field->depth[SHELLS - 1] -
           field->total / last;
}
