#include "cmd/film/job/target.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/film/manifest/lock.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/pipeline/encoders.h"
#include "cmd/film/script/captions.h"
#include "cmd/film/tags.h"
#include "render/picture/picture.h"
#include "render/picture/png_pdf.h"
#include "render/reader/stream.h"
#include "render/sinks.h"
#include "render/video/codecs.h"
#include "render/video/muxer.h"
#include "render/video/picture_file.h"
#include "render/video/sound.h"
#include "render/video/timecode.h"
#include "scenes/print.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether it is, or will be, one regular file, which can be replaced as a whole. */
static bool is_plain_file(const char *path)
{
    struct stat found;
    return !file_is_standard(path) && (stat(path, &found) != 0 || S_ISREG(found.st_mode));
}

/* Whether the run would overwrite the source of its scene: a film or a PNG. */
static bool writes_over(const struct target *target, const char *source)
{
    const char *path = target->params.path;
    char name[4096];
    if (file_is_standard(path) || target->sink->discards || !file_exists(source))
        return false;
    if (!target->sink->sequence)
        return file_same(path, source);
    for (uint64_t frame = target->first; frame <= target->last; frame++)
        if (png_name(path, frame, name, sizeof name) == STATUS_OK && file_same(name, source))
            return true;
    return false;
}

/* The first file that would be overwritten, or NULL. */
static const char *find_existing(const struct target *target, char *name, size_t size)
{
    const char *path = target->params.path;
    if (file_is_standard(path) || target->sink->discards)
        return NULL;
    if (!target->sink->sequence)
        return file_exists(path) ? path : NULL;
    for (uint64_t frame = target->first; frame <= target->last; frame++)
        if (png_name(path, frame, name, size) != STATUS_OK)
            return NULL;
        else if (file_exists(name))
            return name;
    return NULL;
}

/* film.mp4 -> film.NAME, frames/%06d.png -> frames/NAME, frames/a_%06d.png -> frames/a.NAME. */
static char *beside(const struct target *target, const char *name)
{
    const char *path = target->params.path;
    if (file_is_standard(path) || target->sink->discards)
        return NULL;
    if (target->sink->sequence) {
        char *folder = file_folder(path), stem[256];
        png_name_stem(path, stem, sizeof stem);
        char *result = text_format("%s/%s%s%s", folder, stem, *stem ? "." : "", name);
        free(folder);
        return result;
    }
    size_t extension = strlen(file_extension(path));
    size_t stem = strlen(path) - (extension ? extension + 1 : 0);
    return text_format("%.*s.%s", (int)stem, path, name);
}

/* Ranges of one PNG sequence can be rendered into the same folder one after the other; then the
 * scene beside them is the same. */
static bool holds_text(const char *path, const char *text)
{
    enum { LIMIT = 1 << 24 };
    char *there;
    size_t size;
    bool same = file_read(path, LIMIT, &there, &size) == STATUS_OK;
    if (same) {
        same = size == strlen(text) && memcmp(there, text, size) == 0;
        free(there);
    }
    return same;
}

static bool holds_scene(const char *path, const struct scene *scene)
{
    char *text = scene_print(scene);
    const bool same = holds_text(path, text);
    free(text);
    return same;
}

/* Whether a file is set aside before the run writes one of that name. */
static bool goes_aside(const struct target *target, const char *path)
{
    return target->aside.output && holds_text(path, target->aside.scene);
}

/* film.mp4.2.scene.yaml and so on; NULL: all names are taken. */
static char *find_free_scene(const struct target *target, const struct scene *scene)
{
    enum { TRIES = 100 };
    for (int i = 2; i <= TRIES; i++) {
        char *name = text_format("%s.%d.scene.yaml", target->params.path, i);
        if (!file_exists(name) || holds_scene(name, scene))
            return name;
        free(name);
    }
    return NULL;
}

/* Whether a file that differs from the film's name only in its extension may belong to the scene
 * beside them. */
static bool shares_stem(const struct target *target)
{
    const struct sink_ops *sink;
    const struct choice *format;
    bool found = false;
    for (size_t i = 0; (sink = choice_at(&sink_registry, i)); i++)
        for (size_t k = 0;
             !sink->sequence && sink->formats && (format = choice_at(sink->formats, k)) && !found;
             k++) {
            char *path = beside(target, format->name);
            found = path && file_exists(path) && !file_same(path, target->params.path);
            free(path);
        }
    return found;
}

/* Puts the scene beside the film; under another name if the usual file has a different scene and is
 * not clearly the one that -y replaces. */
static void choose_scene_path(struct target *target, const struct target_request *request,
                              const struct scene *scene)
{
    char *usual = target->scene_path = beside(target, "scene.yaml");
    if (!usual || target->sink->sequence || !file_exists(usual) ||
        file_same(usual, request->scene) || holds_scene(usual, scene) ||
        goes_aside(target, usual) || (request->overwrite && !shares_stem(target)))
        return;
    char *other = text_format("%s.scene.yaml", target->params.path);
    if (!request->overwrite && file_exists(other) && !holds_scene(other, scene)) {
        free(other);
        other = find_free_scene(target, scene);
    }
    if (!other)
        return;
    log_info("'%s' is the scene of another film; this one's is written to '%s'", usual, other);
    target->scene_path = other;
    free(usual);
}

static bool is_film_of(const struct target *target, const char *scene, uint64_t *frames)
{
    struct film_info info;
    if (!film_info_is_film(target->params.path) ||
        film_info_read(target->params.path, &info) != STATUS_OK)
        return false;
    const char *there = tags_find(&info.tags, FILM_TAG_SCENE);
    const char *range = tags_find(&info.tags, FILM_TAG_FRAMES);
    uint64_t first = 0, last, of;
    const bool same = there && strcmp(scene, there) == 0 && range &&
                      film_frames_read(range, &first, &last, &of) && first == target->first;
    *frames = info.frames;
    film_info_free(&info);
    return same;
}

bool target_holds_film(const struct target *target, const struct scene *scene, uint64_t *frames)
{
    char *text = scene_print(scene);
    const bool same = is_film_of(target, text, frames);
    free(text);
    return same;
}

/* A resumed run that had already ended: its folder is gone, and the film exists. */
static bool is_finished(const struct target *target, const struct scene *scene)
{
    const uint64_t wanted = target->last - target->first + 1;
    uint64_t frames = 0;
    if (!target->work_folder || work_folder_used(target->work_folder))
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
        log_warning("simulation.diagnostics_every is %u, but no diagnostics are written, because "
                    "the output is not a file",
                    scene->simulation.diagnostics_every);
    else if (!request->overwrite && !resumes && file_exists(target->diagnostics_path))
        return status_fail(STATUS_USAGE,
                           "the diagnostics file '%s' exists already; replace it with -y or choose "
                           "another -o",
                           target->diagnostics_path);
    return STATUS_OK;
}

static enum status check_stale(struct target *target, const struct target_request *request,
                               const struct scene *scene)
{
    char *text = scene_print(scene);
    stale_find(&target->stale, target->params.path, target->first, target->last, text);
    free(text);
    const size_t count = target->stale.count;
    if (count == 0 || request->overwrite)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' is a picture of another sequence%s and would be mixed with this "
                       "one's; choose another -o, or remove %s with -y",
                       target->stale.paths[0], count > 1 ? ", as others here are," : "",
                       count > 1 ? "them" : "it");
}

static enum status check_targets(struct target *target, const struct target_request *request,
                                 const struct scene *scene)
{
    char name[4096];
    /* The files of a run to be resumed are checked when its folder is opened. */
    const bool resumes = request->resume && work_folder_used(target->work_folder);
    const bool free_to_write = request->overwrite || resumes;
    const char *file = free_to_write ? NULL : find_existing(target, name, sizeof name);
    if (file)
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; replace it with -y or choose another -o", file);
    enum status status = check_diagnostics(target, request, scene, resumes);
    if (status == STATUS_OK && target->sink->sequence && !resumes)
        status = check_stale(target, request, scene);
    if (status != STATUS_OK)
        return status;
    choose_scene_path(target, request, scene);
    if (!target->scene_path || !file_exists(target->scene_path))
        return STATUS_OK;
    if (file_same(target->scene_path, request->scene)) {
        log_info("the resolved scene is not written: '%s' is the scene being rendered",
                 target->scene_path);
        free(target->scene_path);
        target->scene_path = NULL;
    } else if (!request->overwrite && !holds_scene(target->scene_path, scene) &&
               !goes_aside(target, target->scene_path)) {
        return status_fail(
            STATUS_USAGE,
            "the scene file '%s' exists already; replace it with -y or choose another -o",
            target->scene_path);
    }
    return STATUS_OK;
}

/* Checks everything that the run will write, before it spends hours. */
static enum status check_writable(const struct target *target)
{
    const char *path = target->params.path;
    enum status status = STATUS_OK;
    if (!target->sink->discards && !target->sink->sequence)
        status = output_check(path);
    /* One of these two names is the longest. */
    for (int last = 0; status == STATUS_OK && target->sink->sequence && last < 2; last++) {
        char name[4096];
        status = png_name(path, last ? target->last : target->first, name, sizeof name);
        if (status == STATUS_OK)
            status = output_check(name);
    }
    if (status == STATUS_OK && target->work_folder)
        status = output_check_inside(target->work_folder, WORK_NAME_MOST);
    if (status == STATUS_OK && target->scene_path)
        status = output_check(target->scene_path);
    if (status == STATUS_OK && target->diagnostics_path)
        status = output_check(target->diagnostics_path);
    return status;
}

/* ---- what an earlier run has left ---- */

/* film.mp4 -> film.before.mp4, or film.before-2.mp4 and so on if that or its work folder exists. */
static char *free_name_aside(const char *path)
{
    enum { TRIES = 100 };
    const char *extension = file_extension(path);
    const int stem = (int)(strlen(path) - strlen(extension) - 1);
    for (int i = 1; i <= TRIES; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        char *name = text_format("%.*s.before%s.%s", stem, path, number, extension);
        char *folder = work_folder_path(name, false, 0, 0);
        const bool is_free = !file_exists(name) && !file_exists(folder);
        free(folder);
        if (is_free)
            return name;
        free(name);
    }
    return NULL;
}

static uint64_t count_frames(const struct manifest *manifest)
{
    uint64_t frames = 0;
    for (size_t s = 0; s < manifest->segment_count; s++)
        frames += manifest->segments[s].count;
    for (size_t p = 0; p < manifest->picture_count; p++)
        frames += manifest->pictures[p].count;
    return frames;
}

/* The frames of an earlier run look otherwise. *look says how, see manifest_check_scene. */
static enum status plan_aside(struct target *target, const struct target_request *request,
                              const struct manifest *manifest, const char *look)
{
    const char *path = target->params.path;
    const unsigned long long frames = count_frames(manifest);
    uint64_t length;
    if (!request->resume)
        return status_fail(STATUS_USAGE,
                           "an earlier run of '%s' was interrupted, and its %llu frames look "
                           "otherwise: %s; --resume sets them aside and draws all frames anew, "
                           "`gravreel resume '%s'` finishes the film as it was begun, and -y "
                           "discards it",
                           path, frames, look, path);
    if (file_exists(path) && !request->overwrite &&
        !is_film_of(target, manifest->plan.scene, &length))
        return status_fail(STATUS_USAGE,
                           "'%s' exists already and was not left there by the run to be resumed; "
                           "replace it with -y or move it away",
                           path);
    target->aside.output = free_name_aside(path);
    if (!target->aside.output)
        return status_fail(STATUS_USAGE,
                           "no name is left to set '%s' aside, which looks otherwise: %s; start "
                           "over with -y",
                           path, look);
    target->aside.scene = memory_text(manifest->plan.scene);
    target->aside.look = memory_text(look);
    target->aside.frames = frames;
    return STATUS_OK;
}

/* Compares the scene of an unfinished run. */
static enum status compare_unfinished(const struct target *target,
                                      const struct target_request *request,
                                      const struct scene *scene, struct manifest **manifest,
                                      char **look)
{
    const bool stays = target->sink->sequence || request->as_begun;
    char hash[17];
    enum status status = manifest_read(manifest, target->work_folder);
    if (status != STATUS_OK)
        return status;
    char *text = scene_print(scene);
    scene_hash(scene, hash);
    status = manifest_check_scene(*manifest, text, hash, stays ? NULL : look);
    free(text);
    return status;
}

/* Checked before files in the way are reported, because the advice depends on it. That a run is in
 * progress is said first. */
static enum status check_unfinished(struct target *target, const struct target_request *request,
                                    const struct scene *scene)
{
    struct manifest *manifest = NULL;
    char *look = NULL, *folder = target->work_folder;
    enum status status = STATUS_OK, differs = STATUS_OK;
    if (work_folder_used(folder) && (request->resume || !request->overwrite))
        differs = compare_unfinished(target, request, scene, &manifest, &look);
    struct failure failure = {0};
    failure_keep(&failure, differs);
    status =
        work_folder_check(folder, target->params.path, request->resume || look, request->overwrite);
    if (status == STATUS_OK && request->resume)
        status = failure_report(&failure);
    if (status == STATUS_OK && look)
        status = plan_aside(target, request, manifest, look);
    free(look);
    manifest_close(&manifest);
    return status;
}

enum status target_set_aside(const struct target *target)
{
    int lock = -1;
    const char *path = target->params.path, *output = target->aside.output;
    char *folder = work_folder_path(output, false, 0, 0);
    const char *extension = file_extension(output);
    const int stem = (int)(strlen(output) - strlen(extension) - 1);
    char *scene = text_format("%.*s.scene.yaml", stem, output);
    enum status status = folder_lock(target->work_folder, false, &lock);
    if (status == STATUS_OK && rename(target->work_folder, folder) != 0)
        status = status_fail(STATUS_IO, "cannot rename '%s' to '%s': %s", target->work_folder,
                             folder, strerror(errno));
    if (status == STATUS_OK && file_exists(path) && rename(path, output) != 0)
        status =
            status_fail(STATUS_IO, "cannot rename '%s' to '%s': %s", path, output, strerror(errno));
    if (status == STATUS_OK && target->scene_path && goes_aside(target, target->scene_path))
        (void)rename(target->scene_path, scene); /* or it is replaced */
    if (lock >= 0)
        close(lock);
    if (status == STATUS_OK)
        log_info("%llu frames of an earlier run look otherwise: %s; they are set aside in '%s', "
                 "which `gravreel resume '%s'` finishes, and all frames are drawn anew",
                 (unsigned long long)target->aside.frames, target->aside.look, folder, output);
    free(scene);
    free(folder);
    return status;
}

/* Replaces "auto" by the codec that it stands for. */
static void settle_codec(struct target *target)
{
    const struct codec *codec = target->plan.codec;
    if (!codec || target->params.output.codec)
        return;
    target->params.output.codec = codec;
    if (codec->stands_in)
        log_info(
            "encoding on the GPU with %s; --codec %s encodes on the CPU and gives the same film "
            "on every machine",
            codec->name, codec->stands_in->name);
}

/* Films in files and PNG sequences are made in segments; only films encode several at once. */
static void choose_segments(struct target *target, const struct target_request *request,
                            uint64_t frames)
{
    const char *path = target->params.path;
    const bool sequence = target->sink->sequence;
    const bool whole = target->first == 0 && target->last == frames - 1;
    target->encoders = 1;
    if (!is_plain_file(path) || !(sequence || target->plan.container))
        return;
    target->work_folder = work_folder_path(path, sequence && !whole, target->first, target->last);
    if (target->plan.container)
        target->encoders = request->encoders
                               ? request->encoders
                               : encoders_default_count(target->params.output.threads);
}

static enum status load_libav(void *user)
{
    char versions[256];
    (void)user;
    video_libraries(versions, sizeof versions);
    return STATUS_OK;
}

/* Whether the backend's device may encode the film. CUDA, if there is a device, starts beside the
 * loading of the libraries that films need next. */
static bool finds_encoder(const struct target_request *request)
{
    const struct solver_ops *solver;
    struct worker *loading = worker_open(load_libav, NULL, true);
    worker_begin(loading);
    const bool found = solver_choose(request->backend, request->device, &solver) == STATUS_OK &&
                       solver->encodes && solver->encodes(request->device);
    worker_close(&loading);
    return found;
}

static struct sink_params sink_params_of(const struct target_request *request,
                                         const struct scene *scene)
{
    /* For files without further tags, such as clips that are drawn again: a reader takes colours
     * for straight where nothing is said. */
    static struct tag premultiplied = {ALPHA_TAG, "premultiplied"};
    const struct output_params *output = &scene->output;
    return (struct sink_params){
        .path = request->output ? request->output : "-",
        .format = request->output ? request->format : "null",
        .width = output->size.width,
        .height = output->size.height,
        .fps_num = output->fps.num,
        .fps_den = output->fps.den,
        .output = *output,
        .cuda_device = request->device,
        .projection = scene->camera.projection,
        .alpha = output->alpha->kind,
        .hdr = output->hdr->kind,
        .tags = output->alpha->kind == ALPHA_PREMULTIPLIED ? (struct tags){&premultiplied, 1}
                                                           : (struct tags){0},
    };
}

/* Checked before the film takes hours. */
static enum status check_sound(const struct target *target, const struct scene *scene)
{
    const char *file = scene->output.audio;
    if (!*file || target->sink->discards)
        return STATUS_OK;
    const bool has_none = !target->plan.container || !target->work_folder;
    if (has_none && !scene_is_option(scene, "output.audio")) {
        log_info(
            "'%s' is silent: the scene's sound, output.audio, goes into films of mp4, mov, mkv "
            "and webm",
            target->params.path);
        return STATUS_OK;
    }
    if (has_none)
        return status_fail(STATUS_USAGE,
                           "sound goes only into files of mp4, mov, mkv and webm, not into '%s'; "
                           "leave out --audio (output.audio)",
                           target->params.path);
    if (file_same(target->params.path, file))
        return status_fail(STATUS_USAGE, "'%s' is itself the film's sound; choose another -o",
                           file);
    return sound_check(file, target->plan.container);
}

/* Checked before the film takes hours, too. */
static enum status check_captions(const struct target *target, const struct scene *scene)
{
    struct caption_track *tracks;
    size_t count;
    enum status status = captions_tracks(&tracks, &count, scene, NULL, 0, 0);
    const bool carries = target->sink->discards ||
                         (target->plan.container && target->work_folder) || target->sink->sequence;
    caption_tracks_free(tracks, count);
    if (status == STATUS_OK && count > CAPTION_STREAMS_MOST)
        status = status_fail(STATUS_USAGE,
                             "the captions have %zu languages, and a film has at most "
                             "%d tracks of them; leave some out",
                             count, (int)CAPTION_STREAMS_MOST);
    if (status != STATUS_OK || count == 0 || carries)
        return status;
    if (!scene_is_option(scene, "output.captions")) {
        log_info(
            "'%s' has no tracks of captions, as its scene asks for: these go into films of mp4, "
            "mov, mkv and webm",
            target->params.path);
        return STATUS_OK;
    }
    return status_fail(STATUS_USAGE,
                       "tracks of captions go only into files of mp4, mov, mkv and webm, or beside "
                       "sequences of pictures, not into '%s'; choose --captions burn",
                       target->params.path);
}

static enum status check_timecode(const struct target *target, const struct scene *scene)
{
    const struct output_params *output = &scene->output;
    const bool carries =
        target->plan.container && target->plan.container->timecodes && target->work_folder;
    if (!*output->timecode)
        return STATUS_OK;
    enum status status = timecode_check(output->timecode, output->fps.num, output->fps.den);
    if (status != STATUS_OK || carries || target->sink->discards)
        return status;
    if (scene_is_option(scene, "output.timecode"))
        return status_fail(STATUS_USAGE,
                           "timecode goes only into files of mp4 and mov, not into '%s'; leave out "
                           "output.timecode",
                           target->params.path);
    log_info("'%s' has no timecode, as its scene asks for, which goes into films of mp4 and mov",
             target->params.path);
    return STATUS_OK;
}

static enum status range_fails(const char *what, uint64_t frame, const struct target *target)
{
    return status_fail(STATUS_USAGE,
                       "--frames %s at %llu, but the film has frames 0 to %llu; set its length "
                       "with --set output.frames=N",
                       what, (unsigned long long)frame, (unsigned long long)target->last);
}

static enum status choose_range(struct target *target, const struct target_request *request)
{
    if (!request->has_range)
        return STATUS_OK;
    if (request->first > target->last)
        return range_fails("starts", request->first, target);
    if (request->last != UINT64_MAX && request->last > target->last)
        return range_fails("ends", request->last, target);
    target->first = request->first;
    if (request->last < target->last)
        target->last = request->last;
    return STATUS_OK;
}

enum status target_plan(struct target *target, const struct target_request *request,
                        const struct scene *scene)
{
    *target = (struct target){
        .params = sink_params_of(request, scene),
        .last = scene->output.frames - 1,
        .metadata = request->metadata,
    };
    enum status status = choose_range(target, request);
    if (status != STATUS_OK)
        return status;
    target->params.first_frame = target->first;
    if (request->change)
        request->change(request->user, &target->params);
    status = sink_choose(&target->params, &target->sink);
    if (status == STATUS_OK && target->sink->film)
        target->params.nvenc = finds_encoder(request);
    if (status == STATUS_OK && target->sink->sequence)
        target->params.path = target->pattern =
            png_name_from(target->params.path, scene->output.start_number);
    if (status == STATUS_OK)
        status = sink_make_plan(&target->params, &target->plan);
    if (status != STATUS_OK)
        return status;
    if (writes_over(target, request->scene))
        return status_fail(STATUS_USAGE, "the scene is made from '%s'; choose another -o",
                           request->scene);
    settle_codec(target);
    choose_segments(target, request, scene->output.frames);
    status = request->silent ? STATUS_OK : check_sound(target, scene);
    if (status == STATUS_OK)
        status = check_captions(target, scene);
    if (status == STATUS_OK && !request->silent)
        status = check_timecode(target, scene);
    if (status != STATUS_OK)
        return status;
    target->finished = request->resume && is_finished(target, scene);
    if (target->finished) {
        choose_scene_path(target, request, scene);
        return STATUS_OK;
    }
    status = check_unfinished(target, request, scene);
    if (status == STATUS_OK)
        status = check_targets(target, request, scene);
    return status == STATUS_OK ? check_writable(target) : status;
}

/* Rank 0 sends this part of its target to the other ranks. */
struct target_head {
    uint64_t first, last;
    uint32_t encoders;
    enum picture_format format;
    bool finished, works, logs, aside;
    char sink[16];
};

enum status target_share(struct target *target)
{
    struct target_head head = {target->first,
                               target->last,
                               target->encoders,
                               target->plan.format,
                               target->finished,
                               target->work_folder != NULL,
                               target->diagnostics_path != NULL,
                               target->aside.output != NULL,
                               ""};
    if (target->sink)
        snprintf(head.sink, sizeof head.sink, "%s", target->sink->name);
    const enum status status = ranks_first(&head, sizeof head);
    if (status != STATUS_OK || !ranks_are_together() || ranks_own() == 0)
        return status;
    *target = (struct target){
        .sink = (const void *)choice_find(&sink_registry, head.sink),
        .params = {.path = "", .format = ""},
        .plan = {.format = head.format},
        .first = head.first,
        .last = head.last,
        .encoders = head.encoders,
        .finished = head.finished,
        .work_folder = head.works ? memory_text("") : NULL,
        .diagnostics_path = head.logs ? memory_text("") : NULL,
        .aside = {.output = head.aside ? memory_text("") : NULL},
    };
    return STATUS_OK;
}

void target_free(struct target *target)
{
    free(target->pattern);
    free(target->scene_path);
    free(target->diagnostics_path);
    free(target->work_folder);
    stale_free(&target->stale);
    free(target->aside.output);
    free(target->aside.scene);
    free(target->aside.look);
    target->pattern = target->scene_path = target->diagnostics_path = target->work_folder = NULL;
    target->aside.output = target->aside.scene = target->aside.look = NULL;
}

/* ==== the work folder ==== */

char *work_folder_path(const char *output, bool range, uint64_t first, uint64_t last)
{
    return range ? text_format("%s.%llu-%llu.parts", output, (unsigned long long)first,
                               (unsigned long long)last)
                 : text_format("%s.parts", output);
}

bool work_folder_used(const char *folder)
{
    return folder && manifest_exists(folder);
}

enum status work_folder_check(const char *folder, const char *output, bool resume, bool overwrite)
{
    int lock = -1;
    if (resume && !folder)
        return status_fail(
            STATUS_USAGE,
            "--resume needs a film made in segments (mp4, mov, mkv, webm) or a PNG sequence, "
            "and '%s' is neither",
            output);
    enum status status = folder ? folder_check(folder) : STATUS_OK;
    if (status != STATUS_OK || !work_folder_used(folder))
        return status;
    status = folder_lock(folder, false, &lock);
    if (lock >= 0)
        close(lock);
    if (status == STATUS_USAGE || resume || overwrite)
        return status == STATUS_USAGE ? status : STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "an earlier run of '%s' was interrupted, and '%s' holds what it made; "
                       "continue with `gravreel resume '%s'`, or discard it and start over with -y",
                       output, folder, output);
}

enum status work_folder_sweep(const char *folder)
{
    int lock = -1;
    if (!folder || !file_exists(folder))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (status == STATUS_OK)
        status = folder_clear(folder, true);
    if (lock >= 0)
        close(lock);
    return status;
}

/* ==== pictures of another sequence ==== */

/* Pictures of sequences contain the film's first state; stills do not. */
static bool is_of_another(const char *path, const char *scene)
{
    struct tags tags = {0};
    const struct picture_file *file = picture_file_named(path);
    if (!file || file->tags(path, &tags) != STATUS_OK) {
        tags_free(&tags);
        return false;
    }
    const char *there = tags_find(&tags, FILM_TAG_SCENE);
    const bool other = there && tags_find(&tags, FILM_TAG_FIRST_STATE) && strcmp(there, scene) != 0;
    tags_free(&tags);
    return other;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void stale_find(struct stale *stale, const char *pattern, uint64_t first, uint64_t last,
                const char *scene)
{
    *stale = (struct stale){0};
    char *folder = file_folder(pattern);
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        uint64_t frame;
        if (!png_name_number(pattern, entry->d_name, &frame) || (frame >= first && frame <= last))
            continue;
        char *path = text_format("%s/%s", folder, entry->d_name);
        if (is_of_another(path, scene)) {
            stale->paths = memory_grow(stale->paths, stale->count + 1, sizeof *stale->paths);
            stale->paths[stale->count++] = path;
        } else {
            free(path);
        }
    }
    if (entries)
        closedir(entries);
    free(folder);
    if (stale->count > 1)
        qsort(stale->paths, stale->count, sizeof *stale->paths, by_name);
}

void stale_free(struct stale *stale)
{
    for (size_t i = 0; i < stale->count; i++)
        free(stale->paths[i]);
    free(stale->paths);
    *stale = (struct stale){0};
}

enum status stale_remove(const struct stale *stale)
{
    for (size_t i = 0; i < stale->count; i++)
        if (unlink(stale->paths[i]) != 0 && errno != ENOENT)
            return status_fail(STATUS_IO, "cannot remove '%s', a picture of another sequence: %s",
                               stale->paths[i], strerror(errno));
    if (stale->count > 0)
        log_info("removed %zu picture%s of another sequence, '%s' to '%s'", stale->count,
                 stale->count == 1 ? "" : "s", stale->paths[0], stale->paths[stale->count - 1]);
    return STATUS_OK;
}
