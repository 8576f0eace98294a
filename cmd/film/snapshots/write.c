#include "cmd/film/snapshots/write.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/playback/playback.h"

#include <stdlib.h>
#include <string.h>

/* The columns of the bodies' file, without derived ones; shares the numbers. */
static struct body_columns columns_of_file(const struct body_columns *columns)
{
    struct body_columns out = {.list = memory_new(columns->count + 1, sizeof *out.list)};
    for (size_t c = 0; c < columns->count; c++)
        if (strcmp(columns->list[c].name, BODY_KERNEL) != 0)
            out.list[out.count++] = columns->list[c];
    return out;
}

enum status snapshot_write(const struct snapshot_names *names, uint64_t number,
                           const struct scene *scene, struct simulation *simulation, double time)
{
    struct bodies *present = NULL;
    const struct bodies *bodies;
    enum status status = simulation_bodies(simulation, &bodies);
    if (status == STATUS_OK && simulation_playback(simulation))
        status = simulation_present(simulation, &present);
    if (status == STATUS_OK && present && present->count == 0)
        status = status_fail(
            STATUS_USAGE,
            "no body exists at time %g, so snapshot %llu would be empty; choose other times", time,
            (unsigned long long)number);
    if (status != STATUS_OK) {
        bodies_destroy(&present);
        return status;
    }
    struct bodies shown = present ? *present : *bodies; /* only read, see format.h */
    shown.columns = columns_of_file(&shown.columns);
    const struct snapshot snapshot = {
        .bodies = &shown,
        .time = time,
        .time_known = true,
        .units = units_of_scene(&scene->bodies.units),
        .format = names->format,
    };
    char *path = snapshot_names_of(names, number);
    status = names->format->write(path, &snapshot);
    free(path);
    free(shown.columns.list);
    bodies_destroy(&present);
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
    const enum status status = format_read_time(params->file, params->format, &head);
    if (status != STATUS_OK)
        return status;
    *out = bodies_time(params, &head);
    snapshot_free(&head);
    return status;
}

static void tell_columns(const struct format *format, const struct body_columns *columns)
{
    char list[256] = "";
    for (size_t c = 0; c < columns->count; c++)
        text_list(list, sizeof list, columns->list[c].name);
    if (columns->count > 0)
        log_info("files of the format %s do not keep %s", format->name, list);
}

void snapshot_warn_lost(const struct snapshot_names *names, struct simulation *simulation)
{
    const struct bodies *bodies;
    if (!(names->format->keeps & KEEPS_COLUMNS) &&
        simulation_bodies(simulation, &bodies) == STATUS_OK)
        tell_columns(names->format, &bodies->columns);
    if (!(names->format->keeps & KEEPS_TIME))
        log_warning("files of the format %s do not store their time, so --snapshots cannot make a "
                    "film of them",
                    names->format->name);
}
