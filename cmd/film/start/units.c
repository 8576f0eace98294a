#include "cmd/film/start/units.h"

#include "base/file.h"
#include "base/log.h"
#include "render/overlay/numbers.h"
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
    const bool assumed = snapshot->units_assumed && !scene->bodies.file_units &&
                         !scene->bodies.length_unit;
    double factor;
    const char *unit = overlay_length_unit(NULL, now->length_kpc, &factor);
    log_info("%s: %s %.6g %s, %.6g km/s and %.6g solar masses%s", scene->bodies.file,
             assumed ? "the file states no units; assuming its format's usual units,"
                     : "the scene's units are",
             now->length_kpc * factor, unit, now->velocity_kms, now->mass_msun,
             assumed ? "; set bodies.units if these are wrong" : "");
}

/* Reads the first file of a series. */
static enum status read_first(const struct bodies_params *params,
                              enum status (*read)(const char *name, const struct format *format,
                                                  struct snapshot *out),
                              struct snapshot *out)
{
    char *first = params->model->plays ? series_first(params->file) : NULL;
    const enum status status = read(first ? first : params->file, params->format, out);
    free(first);
    return status;
}

/* The RMS distance from the mean, in the file's unit; 0: it cannot be read. */
static double extent_of(const struct bodies_params *params)
{
    struct snapshot snapshot;
    double mean[3] = {0}, square[3] = {0};
    if (read_first(params, format_read, &snapshot) != STATUS_OK)
        return 0;
    const double count = (double)snapshot.bodies->count;
    for (size_t i = 0; i < snapshot.bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            mean[c] += snapshot.bodies->position[i][c] / count;
            square[c] += snapshot.bodies->position[i][c] * snapshot.bodies->position[i][c] / count;
        }
    snapshot_free(&snapshot);
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += fmax(square[c] - mean[c] * mean[c], 0);
    return sqrt(sum);
}

/* Numbers in metres exceed single precision. If the scene does not state its units, they become the
 * largest of these lengths that is smaller than the bodies' extent, with km/s. */
static void leave_metres(const struct bodies_params *params, struct snapshot_units *file)
{
    static const double LARGE_CM = 1e7, KMS = 1e5;
    static const struct {
        const char *name;
        double cm;
    } units[] = {{"Mpc", 3.0856775814913673e24},
                 {"kpc", 3.0856775814913673e21},
                 {"pc", 3.0856775814913673e18},
                 {"au", 1.495978707e13},
                 {"km", 1e5}};
    const struct units_params *stated = &params->units;
    const bool silent = !(stated->length_kpc > 0 || stated->time_myr > 0 ||
                          stated->velocity_kms > 0 || stated->mass_msun > 0);
    if (!silent || !(file->length_cm > 0) || file->length_cm > LARGE_CM)
        return;
    const double extent = extent_of(params) * file->length_cm;
    size_t u = 0;
    while (u < sizeof units / sizeof *units && !(extent >= units[u].cm))
        u++;
    if (u == sizeof units / sizeof *units || !(units[u].cm > file->length_cm))
        return;
    log_info("%s: in its unit of length, %.6g m, numbers would be too large for single precision; "
             "the scene's is %s (set units.length_kpc for another)",
             params->file, file->length_cm / 100, units[u].name);
    *file = (struct snapshot_units){.length_cm = units[u].cm, .velocity_cms = KMS};
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
        log_warning("units.mass_msun is %.6g, but with G = 1 the other units make it %.6g; correct "
                    "one of the units, or leave out the mass",
                    stated->mass_msun, without_mass.mass_msun);
}

void film_take_units(struct scene *scene)
{
    const struct bodies_params *params = &scene->bodies;
    struct snapshot snapshot;
    const bool once = strcmp(params->file, "-") != 0 && file_is_special(params->file);
    if (!params->model->reads_file || !*params->file || once ||
        read_first(params, format_read_units, &snapshot) != STATUS_OK)
        return;
    struct snapshot_units file = units_of_file(&snapshot, params);
    leave_metres(params, &file);
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
