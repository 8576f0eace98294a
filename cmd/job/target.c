#include "cmd/job/target.h"
#include "cmd/job/tags.h"
#include "cmd/job/job.h"
#include "base/machine.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "render/picture/png_name.h"
#include "render/picture/projection.h"
#include "render/reader/film_info.h"
#include "render/sinks.h"
#include "render/video/codecs.h"

#include <stdlib.h>
#include <string.h>

static bool is_stream(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* The first file that would be overwritten, or NULL. */
static const char *find_existing(const struct target *target, char *name, size_t size)
{
    const struct sink_ops *ops;
    if (is_stream(target->params.path) || sink_choose(&target->params, &ops) != STATUS_OK ||
        ops->discards)
        return NULL;
    if (!ops->sequence)
        return file_exists(target->params.path) ? target->params.path : NULL;
    for (uint64_t frame = target->first; frame <= target->last; frame++)
        if (png_name(target->params.path, frame, name, size) != STATUS_OK)
            return NULL;
        else if (file_exists(name))
            return name;
    return NULL;
}

/* film.mp4 -> film.NAME, frames/%06d.png -> frames/NAME. */
static char *beside(const struct target *target, const char *name)
{
    const struct sink_ops *ops;
    if (is_stream(target->params.path) || sink_choose(&target->params, &ops) != STATUS_OK ||
        ops->discards)
        return NULL;
    if (ops->sequence) {
        char *folder = file_folder(target->params.path);
        char *path = folder ? text_format("%s/%s", folder, name) : NULL;
        free(folder);
        return path;
    }
    size_t extension = strlen(file_extension(target->params.path));
    size_t stem = strlen(target->params.path) - (extension ? extension + 1 : 0);
    return text_format("%.*s.%s", (int)stem, target->params.path, name);
}

/* So that segments of one PNG sequence can be rendered into the same folder one after the other. */
static bool holds_scene(const char *path, const struct scene *scene)
{
    enum { LIMIT = 1 << 24 };
    char *there, *text = scene_print(scene);
    bool same = text && file_read(path, LIMIT, &there, NULL) == STATUS_OK;
    if (same) {
        same = strcmp(there, text) == 0;
        free(there);
    }
    free(text);
    return same;
}

bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames)
{
    struct film_info info;
    if (!film_info_is_film(target->params.path) ||
        film_info_read(target->params.path, &info) != STATUS_OK)
        return false;
    char *text = scene_print(scene);
    const char *there = tags_find(&info.tags, "gravreel_scene");
    const char *range = tags_find(&info.tags, FILM_TAG_FRAMES);
    uint64_t first = 0, last, of;
    const bool same = text && there && strcmp(text, there) == 0 && range &&
                      film_frames_read(range, &first, &last, &of) && first == target->first;
    *frames = info.frames;
    film_info_free(&info);
    free(text);
    return same;
}

/* A run that is resumed after it has ended: its folder is gone, and the film is there. */
static bool is_finished(const struct target *target, const struct scene *scene)
{
    const uint64_t wanted = target->last - target->first + 1;
    uint64_t frames = 0;
    if (!target->work_folder || work_folder_used(target))
        return false;
    if (target->plan.container)
        return target_holds_film(target, scene, &frames) && frames == wanted;
    char *path = beside(target, "scene.yaml"), name[4096];
    const bool same = path && file_exists(path) && holds_scene(path, scene);
    free(path);
    for (uint64_t f = target->first; same && f <= target->last; f++, frames++)
        if (png_name(target->params.path, f, name, sizeof name) != STATUS_OK || !file_exists(name))
            return false;
    return same && frames == wanted;
}

static enum status check_diagnostics(struct target *target, const struct target_request *request,
                                     const struct scene *scene, bool resumes)
{
    if (scene->simulation.diagnostics_every == 0)
        return STATUS_OK;
    target->diagnostics_path = beside(target, "diagnostics.csv");
    if (!target->diagnostics_path)
        log_warning("simulation.diagnostics_every is %u, but there is no file beside which "
                    "diagnostics could be written",
                    scene->simulation.diagnostics_every);
    else if (!request->overwrite && !resumes && file_exists(target->diagnostics_path))
        return status_fail(STATUS_USAGE,
                           "'%s', where the diagnostics would go, exists already; replace it with "
                           "-y or choose another -o",
                           target->diagnostics_path);
    return STATUS_OK;
}

static enum status check_targets(struct target *target, const struct target_request *request,
                                 const struct scene *scene)
{
    char name[4096];
    /* What a run to be resumed has left is looked at when its folder is opened. */
    const bool resumes = request->resume && work_folder_used(target);
    const bool free_to_write = request->overwrite || resumes;
    const char *file = free_to_write ? NULL : find_existing(target, name, sizeof name);
    if (file)
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; replace it with -y or choose another -o", file);
    enum status status = check_diagnostics(target, request, scene, resumes);
    if (status != STATUS_OK)
        return status;
    target->scene_path = beside(target, "scene.yaml");
    if (!target->scene_path || !file_exists(target->scene_path))
        return STATUS_OK;
    if (file_same(target->scene_path, request->scene)) {
        log_info("the resolved scene is not written: '%s' is the scene being rendered",
                 target->scene_path);
        free(target->scene_path);
        target->scene_path = NULL;
    } else if (!request->overwrite && !holds_scene(target->scene_path, scene)) {
        return status_fail(STATUS_USAGE,
                           "'%s', where the resolved scene would go, exists already; replace it "
                           "with -y or choose another -o",
                           target->scene_path);
    }
    return STATUS_OK;
}

static enum sink_projection tag_of(const struct projection *projection)
{
    return projection->whole_sphere  ? SINK_EQUIRECT
           : projection->columns > 1 ? SINK_SIDE_BY_SIDE
           : projection->rows > 1    ? SINK_TOP_BOTTOM
                                     : SINK_FLAT;
}

/* From here on "auto" means what it came to. */
static void settle_codec(struct target *target)
{
    const struct codec *codec =
        (const struct codec *)choice_find(&codec_registry, target->plan.codec);
    if (!codec || strcmp(target->params.codec, "auto") != 0)
        return;
    target->params.codec = codec->name;
    if (codec->stands_in)
        log_info("the GPU encodes, by %s; --codec %s encodes on the CPU and gives the same film "
                 "on every machine",
                 codec->name, codec->stands_in->name);
}

enum status target_plan(struct target *target, const struct target_request *request,
                        const struct scene *scene)
{
    const struct solver_ops *solver;
    *target = (struct target){
        .params =
            {
                .path = request->output ? request->output : "-",
                .format = request->output ? request->format : "null",
                .width = scene->output.width,
                .height = scene->output.height,
                .fps_num = scene->output.fps_num,
                .fps_den = scene->output.fps_den,
                .codec = scene->output.codec ? scene->output.codec->name : "auto",
                .crf = scene->output.crf,
                .preset = scene->output.preset,
                .codec_options = scene->output.codec_options,
                .bits = scene->output.bits,
                .chroma = scene->output.chroma ? scene->output.chroma->value : 0,
                .pad = scene->output.pad,
                .deterministic = scene->output.deterministic,
                .on_gpu = solver_choose(request->backend, request->device, &solver) == STATUS_OK &&
                          solver->on_gpu,
                .cuda_device = request->device,
                .projection = tag_of(scene->camera.projection),
                .threads = scene->output.threads,
                .png_bits = scene->output.png_bits,
                .png_level = scene->output.png_level,
            },
        .first = 0,
        .last = scene->output.frames - 1,
    };
    if (request->has_range) {
        if (request->first > target->last)
            return status_fail(STATUS_USAGE,
                               "--frames starts at %llu, but the film has frames 0 to %llu; set "
                               "its length with --set output.frames=N",
                               (unsigned long long)request->first,
                               (unsigned long long)target->last);
        target->first = request->first;
        if (request->last != UINT64_MAX && request->last > target->last)
            return status_fail(STATUS_USAGE,
                               "--frames ends at %llu, but the film has frames 0 to %llu; set "
                               "its length with --set output.frames=N",
                               (unsigned long long)request->last, (unsigned long long)target->last);
        if (request->last < target->last)
            target->last = request->last;
    }
    target->params.first_frame = target->first;
    enum status status = sink_make_plan(&target->params, &target->plan);
    if (status != STATUS_OK)
        return status;
    settle_codec(target);
    status = work_folder_path(target, scene->output.frames, &target->work_folder);
    if (status != STATUS_OK)
        return status;
    if (!target->work_folder || !target->plan.container)
        target->encoders = 1;
    else
        target->encoders =
            request->encoders ? request->encoders : machine_encoders(target->params.threads);
    target->finished = request->resume && is_finished(target, scene);
    if (target->finished) {
        target->scene_path = beside(target, "scene.yaml");
        return STATUS_OK;
    }
    status = work_folder_check(target, request->resume, request->overwrite);
    return status == STATUS_OK ? check_targets(target, request, scene) : status;
}

void target_free(struct target *target)
{
    free(target->scene_path);
    free(target->diagnostics_path);
    free(target->work_folder);
    target->scene_path = target->diagnostics_path = target->work_folder = NULL;
}

enum status target_open(const struct target *target, const struct film *film, struct sink **sink)
{
    *sink = NULL;
    struct film_tags tags;
    struct sink_params params = target->params;
    enum status status = film_tags_make(&tags, film, &target->plan);
    film_tags_frames(&tags, target->first, target->last, film->scene->output.frames);
    params.tags = (struct tags){tags.list, tags.count};
    if (status == STATUS_OK)
        status = sink_open(&params, sink);
    film_tags_free(&tags);
    return status;
}
