#include "cmd/film/snapshots/snapshots.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "sim/formats/units.h"
#include "sim/playback/playback.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 9 };

/* Length of %d, %3d or %03d at the percent sign; 0: not one of them. */
static size_t read_number(const char *at, int *digits)
{
    const size_t length = strspn(at + 1, "0123456789");
    *digits = length > 0 ? atoi(at + 1) : 1;
    return at[1 + length] == 'd' && length <= 2 && *digits <= DIGITS_MOST ? length + 2 : 0;
}

static enum status find_number(struct snapshot_names *names, const char *option)
{
    const char *pattern = names->pattern, *at = strchr(pattern, '%');
    const size_t length = at ? read_number(at, &names->digits) : 0;
    if (length == 0 || strchr(at + length, '%'))
        return status_fail(
            STATUS_USAGE,
            "%s needs a name with one number in it, which counts the snapshots, found "
            "'%s'; for example 'snap_%%03d.hdf5'",
            option, pattern);
    names->before = (size_t)(at - pattern);
    names->after = names->before + length;
    return STATUS_OK;
}

enum status snapshot_names_plan(struct snapshot_names *out, const char *option, const char *pattern)
{
    char list[512];
    *out = (struct snapshot_names){.pattern = pattern};
    enum status status = find_number(out, option);
    if (status != STATUS_OK)
        return status;
    out->format = format_of_extension(pattern);
    if (out->format && out->format->write)
        return STATUS_OK;
    choice_names(&body_format_registry, list, sizeof list);
    return status_fail(
        STATUS_USAGE,
        "%s '%s' has an extension of %s; choose one of a format that can be written: %s", option,
        pattern, out->format ? "a format that can only be read" : "no format of bodies", list);
}

char *snapshot_names_of(const struct snapshot_names *names, uint64_t number)
{
    return text_format("%.*s%0*" PRIu64 "%s", (int)names->before, names->pattern, names->digits,
                       number, names->pattern + names->after);
}

bool snapshot_names_share(const struct snapshot_names *names)
{
    return names->format->keeps & KEEPS_SHARES;
}

bool snapshot_names_exist(const struct snapshot_names *names, uint64_t number)
{
    char *path = snapshot_names_of(names, number), *first = parts_file(path, 0);
    const bool exists = file_exists(path) || (snapshot_names_share(names) && file_exists(first));
    free(path);
    free(first);
    return exists;
}

enum status snapshot_names_check(const struct snapshot_names *names, uint64_t last, bool overwrite)
{
    enum status status = STATUS_OK;
    for (uint64_t k = 0; k <= last && status == STATUS_OK; k++) {
        char *path = snapshot_names_of(names, k);
        if (!overwrite && snapshot_names_exist(names, k))
            status =
                status_fail(STATUS_USAGE,
                            "'%s' exists already; replace it with -y or choose another name", path);
        else if (k == 0)
            status = output_check(path);
        free(path);
    }
    return status;
}

enum status snapshot_every_parse(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (*text && !*end && isfinite(*out) && *out > 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "--every needs a simulated time above 0, in the scene's unit, found '%s'; for "
        "example --every 0.5",
        text);
}

/* ---- snapshots ---- */

/* The columns of the bodies' file that the format keeps, without derived ones; shares the numbers.
 */
static struct body_columns columns_of_file(const struct body_columns *columns,
                                           const struct format *format)
{
    struct body_columns out = {.list = memory_new(columns->count + 1, sizeof *out.list)};
    for (size_t c = 0; c < columns->count; c++)
        if (strcmp(columns->list[c].name, BODY_KERNEL) != 0 &&
            (!columns->list[c].words || (format->keeps & KEEPS_WORDS)))
            out.list[out.count++] = columns->list[c];
    return out;
}

static enum status write_file(const char *path, const struct bodies *bodies,
                              const struct snapshot *how)
{
    struct bodies shown = *bodies; /* only read, see formats.h */
    struct snapshot snapshot = *how;
    shown.columns = columns_of_file(&shown.columns, how->format);
    snapshot.bodies = &shown;
    const enum status status = how->format->write(path, &snapshot);
    free(shown.columns.list);
    return status;
}

/* Collective. Rank 0 writes last: where its file is, those of all ranks are. */
static enum status write_shares(const char *whole, const struct bodies *bodies,
                                struct snapshot *snapshot)
{
    char *path = parts_file(whole, (uint64_t)ranks_own());
    enum status status = STATUS_OK;
    snapshot->part = (unsigned)ranks_own();
    snapshot->parts = (unsigned)ranks_count();
    if (ranks_own() > 0)
        status = write_file(path, bodies, snapshot);
    status = ranks_agree(status);
    if (status == STATUS_OK && ranks_own() == 0)
        status = write_file(path, bodies, snapshot);
    free(path);
    return status;
}

static enum status write_present(const char *path, struct simulation *simulation,
                                 const struct snapshot *snapshot)
{
    struct bodies *present = NULL;
    enum status status = simulation_present(simulation, &present);
    if (status == STATUS_OK && present->count == 0)
        status = status_fail(
            STATUS_USAGE,
            "no body exists at time %g, so the snapshot '%s' would be empty; choose other times",
            snapshot->time, path);
    if (status == STATUS_OK)
        status = write_file(path, present, snapshot);
    bodies_destroy(&present);
    return status;
}

/* Where rank 0 has all bodies, it writes them as one process does. */
static enum status write_whole(const char *path, const struct bodies *bodies,
                               const struct snapshot *snapshot)
{
    struct bodies all = *bodies;
    enum status status = STATUS_OK;
    all.shared = DIVIDE_NOT;
    if (ranks_begin_first())
        status = write_file(path, &all, snapshot);
    return ranks_end_first(status);
}

enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time)
{
    struct snapshot snapshot = {
        .time = time,
        .time_known = true,
        .units = units_of_scene(&scene->bodies.units),
        .format = names->format,
    };
    const struct bodies *bodies;
    char *path = snapshot_names_of(names, number);
    enum status status = STATUS_OK;
    if (simulation_playback(simulation))
        status = write_present(path, simulation, &snapshot);
    else if ((status = simulation_bodies(simulation, &bodies)) == STATUS_OK)
        status = bodies->shared == DIVIDE_EVENLY ? write_shares(path, bodies, &snapshot)
                                                 : write_whole(path, bodies, &snapshot);
    simulation_bodies_end(simulation);
    free(path);
    return status;
}

enum status snapshot_epoch(const struct scene *scene, const struct simulation *simulation,
                           double *out)
{
    const struct bodies_params *params = &scene->bodies;
    struct snapshot head;
    *out = simulation_playback(simulation) ? playback_epoch(simulation_playback(simulation)) : 0;
    if (simulation_playback(simulation) || !params->model->reads_file)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (ranks_begin_first() &&
        (status = format_read_time(params->file, params->format, &head)) == STATUS_OK) {
        *out = bodies_time(params, &head);
        snapshot_free(&head);
    }
    status = ranks_end_first(status);
    return status == STATUS_OK ? ranks_first(out, sizeof *out) : status;
}

static void tell_columns(const struct format *format, const struct body_columns *columns)
{
    char list[256] = "";
    for (size_t c = 0; c < columns->count; c++)
        if (!(format->keeps & (columns->list[c].words ? KEEPS_WORDS : KEEPS_COLUMNS)))
            text_list(list, sizeof list, columns->list[c].name);
    if (*list)
        log_info("files of the format %s do not keep %s", format->name, list);
}

void snapshot_warn_lost(const struct snapshot_names *names, struct simulation *simulation)
{
    tell_columns(names->format, simulation_columns(simulation));
    if (!(names->format->keeps & KEEPS_TIME))
        log_warning("files of the format %s do not store their time, so --snapshots cannot make a "
                    "film of them",
                    names->format->name);
}
