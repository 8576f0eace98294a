#include "cmd/regression/baseline/run.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/job/target.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/recorder.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/recorder.h"
#include "render/sinks.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>

/* Pictures being encoded. */
struct run {
    const struct run_params *params;
    char *path;
    struct target target;
};

enum status run_path(const char *folder, const char *format, char **path)
{
    const char *name = *format ? format : "mp4";
    *path = NULL;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(name) || strlen(name) > 8)
        return status_fail(STATUS_USAGE, "'%s' is not a film format; use mp4, png or another",
                           name);
    *path = strcmp(name, "png") == 0 ? text_format("%s/frames/%%06d.png", folder)
                                     : text_format("%s/film.%s", folder, name);
    return STATUS_OK;
}

/* Returns how many bytes the path of the bodies file takes in the text of the scene, with quotes if
 * needed. */
static size_t named_bytes(const struct scene *scene)
{
    static char none[] = "";
    struct scene unnamed = *scene;
    unnamed.bodies.file = none;
    char *with = scene_print(scene), *without = scene_print(&unnamed);
    const size_t named = strlen(with), left = strlen(without);
    free(with);
    free(without);
    return named > left ? named - left : 0;
}

enum status run_film(const struct run_params *params, struct record *record)
{
    char *path;
    *record = (struct record){0};
    enum status status = run_path(params->folder, params->format, &path);
    if (status != STATUS_OK)
        return status;
    const struct record_request request = {
        .scene = params->scene,
        .name = "",
        .output = path,
        .format = params->format,
        .backend = params->backend,
        .device = params->device,
        .diagnostics = params->diagnostics,
        .expected = params->expected,
        .hooks = params->hooks,
        .stop = params->stop,
    };
    status = record_film(&request, record);
    const size_t named = named_bytes(params->scene);
    if (status == STATUS_OK && record->container.bytes > named)
        record->container.bytes -= named;
    free(path);
    return status;
}

/* ---- pictures ---- */

static enum status plan(struct run *run, const struct scene *scene)
{
    const struct run_params *params = run->params;
    const struct target_request request = {.scene = "",
                                           .output = run->path,
                                           .format = params->format,
                                           .backend = params->backend,
                                           .device = params->device,
                                           .overwrite = true};
    enum status status = target_plan(&run->target, &request, scene);
    return status == STATUS_OK ? recorder_check(&run->target) : status;
}

static enum status encode(struct run *run, struct picture *const *pictures, uint32_t count,
                          uint64_t *bytes)
{
    struct sink *sink;
    enum status status = sink_open(&run->target.params, &sink);
    if (status != STATUS_OK)
        return status;
    struct failure failure = {0};
    for (uint32_t i = 0; i < count && failure.status == STATUS_OK; i++) {
        struct picture numbered = *pictures[i];
        numbered.frame = i;
        failure_keep(&failure, sink->ops->write(sink, &numbered));
    }
    failure_keep(&failure, sink->ops->close(&sink, failure.status == STATUS_OK, NULL, bytes));
    return failure_report(&failure);
}

static enum status read_back(struct run *run, struct picture *const *pictures, uint32_t count,
                             uint64_t bytes, struct record *record)
{
    struct kept_pictures kept = {.layout = pictures[0]->layout,
                                 .data = memory_new(count, sizeof *kept.data)};
    uint64_t compared;
    for (uint32_t i = 0; i < count; i++) {
        luma_measure(pictures[i], NULL, &record->frames[i]);
        kept.data[i] = malloc(pictures[i]->layout.size);
        if (kept.data[i])
            memcpy(kept.data[i], pictures[i]->data, pictures[i]->layout.size);
    }
    enum status status = run->target.sink->sequence ? readback_sequence(run->path, bytes, record)
                                                    : readback_film(run->path, record);
    if (status == STATUS_OK)
        status = readback_pictures(run->path, &kept, NULL, record, &compared);
    for (uint32_t i = 0; i < count; i++)
        free(kept.data[i]);
    free(kept.data);
    return status;
}

enum status run_pictures(const struct run_params *params, const char *name,
                         struct picture *const *pictures, uint32_t count, struct record *record)
{
    struct run run = {.params = params};
    uint64_t bytes = 0;
    char *folder = text_format("%s/%s", params->folder, name);
    *record = (struct record){0};
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = run_path(folder, params->format, &run.path);
    if (status == STATUS_OK)
        status = plan(&run, params->scene);
    if (status == STATUS_OK)
        status = encode(&run, pictures, count, &bytes);
    if (status == STATUS_OK)
        status = record_create(record, 0, count);
    if (status == STATUS_OK)
        status = read_back(&run, pictures, count, bytes, record);
    if (status != STATUS_OK)
        record_free(record);
    target_free(&run.target);
    free(run.path);
    free(folder);
    return status;
}
