#include "sim/galaxy/field.h"

#include <math.h>

static const char *const names[GALAXY_PARTS] = {"disk", "gas", "bulge", "halo"};

const char *galaxy_part_name(enum galaxy_part part)
{
    return names[part];
}

double galaxy_part_mass(const struct galaxy_params *galaxy, enum galaxy_part part)
{
    const double mass[GALAXY_PARTS] = {galaxy->disk_mass, galaxy->gas_mass, galaxy->bulge_mass,
                                       galaxy->halo_mass};
    return mass[part];
}

double galaxy_part_softening(const struct galaxy_params *galaxy, enum galaxy_part part)
{
    const double softening[GALAXY_PARTS] = {galaxy->disk_softening, galaxy->gas_softening,
                                            galaxy->bulge_softening, galaxy->halo_softening};
    return softening[part];
}

double galaxy_part_share(const struct galaxy_params *galaxy, enum galaxy_part part)
{
    const double share[GALAXY_PARTS] = {galaxy->disk_share, galaxy->gas_share, galaxy->bulge_share,
                                        galaxy->halo_share};
    return share[part];
}

struct parts parts_of(const struct galaxy_params *galaxy)
{
    return (struct parts){{sheet_of(galaxy, SHEET_DISK), sheet_of(galaxy, SHEET_GAS)},
                          {sphere_of(galaxy, SPHEROID_BULGE), sphere_of(galaxy, SPHEROID_HALO)}};
}

static double parts_mass(const struct parts *parts)
{
    return parts->sheet[0].mass + parts->sheet[1].mass + parts->sphere[0].mass +
           parts->sphere[1].mass;
}

void parts_span(const struct parts *parts, struct shells *shells)
{
    double least = INFINITY, end = 0;
    for (int k = 0; k < 2; k++) {
        const struct sheet *sheet = &parts->sheet[k];
        const struct sphere *sphere = &parts->sphere[k];
        if (sheet->mass > 0) {
            least = fmin(least, sheet->scale);
            end = fmax(end, sheet_end(sheet) + 10 * sheet->height);
        }
        if (sphere->mass > 0) {
            least = fmin(least, fmin(sphere->scale, sphere->edge));
            end = fmax(end, sphere_end(sphere));
        }
    }
    shells_init(shells, 1e-3 * least, end);
}

void parts_spread(const struct parts *parts, enum galaxy_part part, struct shells *shells)
{
    if (part < GALAXY_BULGE) {
        sheet_spread(&parts->sheet[part], shells);
        return;
    }
    const struct sphere *sphere = &parts->sphere[part - GALAXY_BULGE];
    for (int i = 0; sphere->mass > 0 && i < SHELLS; i++) {
        const double r = shells->radius[i], rho = sphere_density(sphere, r);
        double weight = shells->step;
        if (i == 0) /* includes the mass within it */
            weight = weight / 2 + 1 / (3 + r * sphere_slope(sphere, r) / rho);
        shells->mass[i] += 4 * M_PI * weight * r * r * r * rho;
    }
}

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
