#include "cmd/film/units.h"

#include "base/file.h"
#include "base/log.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/playback/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take(struct scene *scene, const char *key, double *now, double found)
{
    char text[32];
    if (*now > 0 || !(found > 0))
        return false;
    snprintf(text, sizeof text, "%.17g", found);
    return scene_set(scene, key, text, "bodies.file") == STATUS_OK;
}

static void tell(const struct scene *scene, const struct snapshot *snapshot)
{
    const struct units_params *now = &scene->bodies.units;
    const bool assumed = snapshot->units_assumed && !scene->bodies.file_units;
    log_info("%s: %s %.6g kpc, %.6g km/s and %.6g solar masses%s", scene->bodies.file,
             assumed ? "its format states no units, and the usual ones are taken, so that those of "
                       "the scene are"
                     : "the units of the scene are",
             now->length_kpc, now->velocity_kms, now->mass_msun,
             assumed ? "; if they are others, set bodies.units" : "");
}

/* Of a series the first file's. */
static bool read_units(const struct bodies_params *params, struct snapshot *out)
{
    char *first = params->model->plays ? series_first(params->file) : NULL;
    enum status status = format_read_units(first ? first : params->file, params->format, out);
    free(first);
    return status == STATUS_OK;
}

static bool differ(double stated, double follows)
{
    static const double rounding = 0.02;
    return stated > 0 && follows > 0 && fabs(stated / follows - 1) > rounding;
}

void film_check_units(const struct scene *scene)
{
    const struct units_params *stated = &scene->bodies.units;
    struct units_params rest = *stated;
    rest.mass_msun = 0;
    const struct units_params without_mass = units_complete(&rest);
    rest.time_myr = 0;
    const struct units_params without_time = units_complete(&rest);
    if (differ(stated->time_myr, without_time.time_myr))
        log_warning("units.time_myr is %.6g, but units.length_kpc %.6g and units.velocity_kms %.6g "
                    "make it %.6g; correct one of them, or leave out the time",
                    stated->time_myr, stated->length_kpc, stated->velocity_kms,
                    without_time.time_myr);
    else if (differ(stated->mass_msun, without_mass.mass_msun))
        log_warning(
            "units.mass_msun is %.6g, but with G = 1 the other units make it %.6g, and that "
            "is what the bodies' masses count in; correct one of the units, or leave out "
            "the mass",
            stated->mass_msun, without_mass.mass_msun);
}

void film_take_units(struct scene *scene)
{
    const struct bodies_params *params = &scene->bodies;
    struct snapshot snapshot;
    const bool once = strcmp(params->file, "-") != 0 && file_is_special(params->file);
    if (!params->model->reads_file || !*params->file || once || !read_units(params, &snapshot))
        return;
    const struct snapshot_units file = units_of_file(&snapshot, params->file_units);
    const struct units_params found = units_for_scene(&params->units, &file);
    struct units_params *now = &scene->bodies.units;
    bool taken = take(scene, "units.length_kpc", &now->length_kpc, found.length_kpc);
    taken |= take(scene, "units.time_myr", &now->time_myr, found.time_myr);
    taken |= take(scene, "units.velocity_kms", &now->velocity_kms, found.velocity_kms);
    taken |= take(scene, "units.mass_msun", &now->mass_msun, found.mass_msun);
    if (taken)
        tell(scene, &snapshot);
    snapshot_free(&snapshot);
}
