#include "cmd/film/job/finish.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/queue.h"
#include "base/text.h"
#include "cmd/film/job/target.h"
#include "cmd/film/job/segments.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/script/captions.h"
#include "cmd/film/tags.h"
#include "render/join/concatenate.h"
#include "render/picture/png_pdf.h"
#include "render/reader/stream.h"
#include "render/reader/reader.h"
#include "render/video/codecs.h"
#include "render/video/timecode.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Consecutive segments of the film from its first frame on. */
struct reel {
    struct join_segment *list;
    size_t count;
    uint64_t frames;
};

/* Takes over `path`, a file with the next `frames` frames; NULL for a sequence. */
static void add_to_reel(struct reel *reel, char *path, uint64_t frames)
{
    reel->list[reel->count++] = (struct join_segment){path, frames};
    reel->frames += frames;
}

static bool is_next(const struct job *job, const struct reel *reel, uint64_t first)
{
    return first == job->plan.first + reel->frames;
}

/* The complete segments, then the partial one if it follows them. */
static struct reel make_reel(const struct job *job)
{
    const struct manifest *manifest = job->manifest;
    struct reel reel = {.list = memory_new(manifest->segment_count + 1, sizeof *reel.list)};
    for (size_t s = 0; s < manifest->segment_count; s++) {
        const struct manifest_segment *segment = &manifest->segments[s];
        if (!is_next(job, &reel, segment->first))
            break;
        add_to_reel(&reel, job->sequence ? NULL : manifest_path(manifest, segment->file),
                    segment->count);
    }
    if (job->partial.frames > 0 && is_next(job, &reel, job->partial.first))
        add_to_reel(&reel, job->sequence ? NULL : memory_text(job->partial.path),
                    job->partial.frames);
    return reel;
}

static void free_reel(struct reel *reel)
{
    for (size_t i = 0; i < reel->count; i++)
        free((char *)reel->list[i].path);
    free(reel->list);
}

static uint64_t sequence_bytes(struct job *job, uint64_t frames)
{
    uint64_t bytes = 0;
    struct stat found;
    for (uint64_t f = 0; f < frames; f++) {
        char *path = job_frame_file(job, job->plan.first + f);
        if (path && stat(path, &found) == 0)
            bytes += (uint64_t)found.st_size;
        free(path);
    }
    return bytes;
}

/* Adds the tags that are known only now. The simulation of a stopped run is ahead of its film. */
static void add_last_tags(struct job *job, const struct reel *reel, bool whole)
{
    char frames[FILM_FRAMES_TEXT];
    if (whole && *job->last_hash)
        tags_add(&job->tags, FILM_TAG_LAST_STATE, job->last_hash);
    film_frames_print(job->plan.first, job->plan.first + reel->frames - 1, job->plan.frames,
                      frames);
    tags_add(&job->tags, FILM_TAG_FRAMES, frames);
    film_tags_keep(&job->tags, job->target->metadata);
}

/* The film needs as much room as its segments, which are kept until it is complete. */
static enum status check_room(const struct job *job, const struct reel *reel)
{
    uint64_t bytes = 0;
    struct stat found;
    struct statvfs disk;
    char *folder = file_folder(job->target->params.path);
    for (size_t i = 0; i < reel->count; i++)
        if (stat(reel->list[i].path, &found) == 0)
            bytes += (uint64_t)found.st_size;
    const bool known = statvfs(folder, &disk) == 0 && disk.f_blocks > 0;
    free(folder);
    const uint64_t room = known ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    if (room >= bytes)
        return STATUS_OK;
    return status_fail(
        STATUS_IO,
        "joining '%s' needs %.1f MB more on its disk, but only %.1f MB are free; free some space",
        job->target->params.path, (double)bytes / 1e6, (double)room / 1e6);
}

/* A range has no sound; joining the ranges adds it. */
static const char *sound_of(const struct job *job)
{
    const char *file = job->film->scene->output.audio;
    const bool range = job->plan.first > 0 || job->plan.last + 1 < job->plan.frames;
    if (*file && range)
        log_info("a range of the film has no sound; `gravreel join` adds it to the whole");
    return *file && !range ? file : NULL;
}

/* The times of a range begin at its first frame. Pictures of a sequence keep the film's numbers, so
 * that captions beside them keep its times, and are the same beside all ranges. */
static enum status tracks_of(const struct job *job, struct caption_track **tracks, size_t *count)
{
    const struct film *film = job->film;
    const bool range = job->plan.first > 0 || job->plan.last + 1 < job->plan.frames;
    if (range && job->sequence && film->scene->output.captions->tracks)
        log_info("captions beside the pictures have the times of the whole film");
    return captions_tracks(tracks, count, film->scene, film->script.captions,
                           job->sequence ? 0 : job->plan.first,
                           job->sequence ? job->plan.frames : job->plan.last + 1);
}

/* The path of a file beside a sequence of pictures: NAME.`end` if the pictures have a name besides
 * their number, otherwise `alone`. NULL: no sequence, or one without such files. */
static char *beside_pictures(const struct job *job, const char *end, const char *alone)
{
    static const char usual[] = "scene.yaml";
    const char *scene = job->target->scene_path;
    if (!job->sequence || !scene || !text_ends_with(scene, usual))
        return NULL;
    const size_t before = strlen(scene) - strlen(usual);
    const bool named = before > 0 && scene[before - 1] != '/';
    return text_format("%.*s%s", (int)before, scene, named ? end : alone);
}

/* Writes captions.eng.vtt and captions.eng.srt beside a sequence of pictures, for each language;
 * NAME.eng.vtt if the pictures have a name besides their number. */
static enum status save_captions(const struct job *job)
{
    struct caption_track *tracks;
    size_t count;
    if (!job->sequence)
        return STATUS_OK;
    enum status status = tracks_of(job, &tracks, &count);
    for (size_t k = 0; k < 2 * count && status == STATUS_OK; k++) {
        char *end = text_format("%s.%s", tracks[k / 2].language, k % 2 ? "srt" : "vtt");
        char *alone = text_format("captions.%s", end);
        char *path = beside_pictures(job, end, alone);
        if (path)
            status = caption_file_write(&tracks[k / 2], path, k % 2);
        free(path);
        free(alone);
        free(end);
    }
    caption_tracks_free(tracks, count);
    return status;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Writes what a planetarium has to know of a sequence of dome masters: the plain text that the
 * working specification of IMERSA's standards group asks for. */
static enum status save_dome(struct job *job)
{
    const struct scene *scene = job->film->scene;
    const struct camera_params *camera = &scene->camera;
    char *path =
        scene->camera.projection->dome ? beside_pictures(job, "dome.txt", "dome.txt") : NULL;
    if (!path)
        return STATUS_OK;
    char *first = job_frame_file(job, job->plan.first), *last = job_frame_file(job, job->plan.last);
    const uint32_t columns = (uint32_t)camera->projection->columns;
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    char *text = text_format(
        "Title: %s\n"
        "Projection: dome master, equidistant azimuthal (fisheye); the front of the dome is at the "
        "bottom%s\n"
        "Field of view: %g degrees\n"
        "Dome tilt: %g degrees\n"
        "Frame size: %ux%u pixels%s\n"
        "Frame rate: %.6g per second\n"
        "Frames: %llu, from %s to %s\n"
        "Duration: %.3f seconds\n"
        "Sound: %s\n"
        "Program: gravreel " GRAVREEL_VERSION "\n",
        scene->output.title, columns > 1 ? "; left eye on the left" : "", camera->dome_field,
        camera->dome_tilt, scene->output.size.width / columns, scene->output.size.height,
        columns > 1 ? " for each eye" : "", fps,
        (unsigned long long)(job->plan.last - job->plan.first + 1), name_of(first), name_of(last),
        (double)(job->plan.last - job->plan.first + 1) / fps,
        *scene->output.audio ? scene->output.audio : "none");
    const enum status status = file_write(path, text, strlen(text));
    free(text);
    free(first);
    free(last);
    free(path);
    return status;
}

static enum status count_frames(struct reel *reel)
{
    enum status status = STATUS_OK;
    reel->frames = 0;
    for (size_t i = 0; i < reel->count && status == STATUS_OK; i++) {
        status = join_count(reel->list[i].path, &reel->list[i].frames);
        reel->frames += reel->list[i].frames;
    }
    return status;
}

static enum status join_film(struct job *job, struct reel *reel, bool whole,
                             const volatile sig_atomic_t *stop, uint64_t *bytes)
{
    enum status status = check_room(job, reel);
    if (status == STATUS_OK && job->as_found)
        status = count_frames(reel);
    if (status == STATUS_OK && reel->count > 0)
        add_last_tags(job, reel, whole);
    if (status != STATUS_OK || reel->count == 0)
        return status;
    const struct sink_params *target = &job->target->params;
    struct caption_track *captions = NULL;
    size_t caption_count = 0;
    status = tracks_of(job, &captions, &caption_count);
    if (status != STATUS_OK)
        return status;
    const struct scene *scene = job->film->scene;
    char timecode[TIMECODE_TEXT];
    const bool timed = *scene->output.timecode && job->target->plan.container->timecodes;
    if (timed)
        timecode_at(scene->output.timecode, target->fps_num, target->fps_den, job->plan.first,
                    timecode);
    const struct join_params params = {
        .segments = reel->list,
        .count = reel->count,
        .path = target->path,
        .container = job->target->plan.container,
        .fps_num = target->fps_num,
        .fps_den = target->fps_den,
        .timecode = timed ? timecode : NULL,
        .sound = sound_of(job),
        .captions = captions,
        .caption_count = caption_count,
        .tags = job->tags,
        .stop = stop,
    };
    status = join_segments(&params, bytes);
    caption_tracks_free(captions, caption_count);
    return status;
}

static enum status join(struct job *job, bool whole, const volatile sig_atomic_t *stop,
                        struct target_result *result)
{
    enum status status = STATUS_OK;
    struct reel reel = make_reel(job);
    result->frames = reel.frames;
    if (job->sequence)
        result->bytes = sequence_bytes(job, reel.frames);
    else
        status = join_film(job, &reel, whole, stop, &result->bytes);
    result->kept = status == STATUS_OK && result->frames > 0;
    free_reel(&reel);
    return status;
}

/* Called before the folder is removed: the scene beside a sequence shows that it is complete. */
static enum status save_scene(const struct job *job)
{
    const char *path = job->target->scene_path;
    return path ? file_write(path, job->scene, strlen(job->scene)) : STATUS_OK;
}

/* A resume starts only with the segments in the manifest. */
static void drop_partial(struct job *job)
{
    if (job->partial.path && unlink(job->partial.path) != 0)
        log_debug("'%s' is not removed", job->partial.path);
}

/* Pictures that are not in the manifest, which without the folder would be in the way of the same
 * command. */
static bool has_pictures(struct job *job)
{
    bool found = false;
    for (uint64_t f = job->plan.first; job->sequence && f <= job->plan.last && !found; f++) {
        char *path = job_frame_file(job, f);
        found = file_exists(path);
        free(path);
    }
    return found;
}

enum status job_finish(struct job *job, enum job_end end, const volatile sig_atomic_t *stop,
                       struct target_result *result)
{
    enum status status = STATUS_OK;
    uint64_t first, count;
    const bool gap = manifest_next_gap(job->manifest, job->plan.first, &first, &count);
    if (end == JOB_DONE && gap)
        return status_fail(STATUS_RUNTIME,
                           "frames %llu to %llu of '%s' are missing although the run has ended; "
                           "run it again with --resume",
                           (unsigned long long)first, (unsigned long long)(first + count - 1),
                           job->target->params.path);
    if (end == JOB_STOPPED || end == JOB_FUTILE)
        status = segments_show_unfinished(job);
    if (status == STATUS_OK && end != JOB_FAILED)
        status = join(job, end == JOB_DONE, stop, result);
    if (status == STATUS_OK && result->kept)
        status = save_scene(job);
    if (status == STATUS_OK && result->kept && end == JOB_DONE)
        status = save_captions(job);
    if (status == STATUS_OK && end == JOB_DONE)
        status = save_dome(job);
    drop_partial(job);
    /* Without its folder, a partial film could not be resumed and would be in the way. */
    const bool nothing = job->manifest->segment_count == 0 &&
                         job->manifest->checkpoint_count == 0 && result->frames == 0 &&
                         !has_pictures(job);
    if ((status == STATUS_OK && (end == JOB_DONE || end == JOB_FUTILE)) || nothing) {
        enum status removed = manifest_remove(&job->manifest);
        return status == STATUS_OK ? removed : status;
    }
    result->resumable = work_folder_used(job->target->work_folder);
    return status;
}

/* ==== a run that has ended already ==== */

/* Every picture of a sequence has the same tags. */
static enum status read_tags(const struct target *target, struct tags *tags)
{
    char name[PATH_MAX];
    *tags = (struct tags){0};
    if (target->plan.container)
        return film_info_read_tags(target->params.path, tags);
    enum status status = png_name(target->params.path, target->first, name, sizeof name);
    return status == STATUS_OK ? own_scene_tags(name, tags) : status;
}

static enum status check_start(const struct target *target, const char *state)
{
    struct tags tags;
    enum status status = read_tags(target, &tags);
    const char *there = status == STATUS_OK ? tags_find(&tags, FILM_TAG_FIRST_STATE) : NULL;
    if (status == STATUS_OK && *state && (!there || strcmp(there, state) != 0))
        status = status_fail(STATUS_USAGE,
                             "'%s' was made from other bodies, although the scene is the same: the "
                             "bodies file has changed; restore it, or start over with -y",
                             target->params.path);
    tags_free(&tags);
    return status;
}

static enum status read_all(const struct target *target, struct reader *reader, uint16_t *rgb,
                            const volatile sig_atomic_t *stop)
{
    for (uint64_t f = target->first; f <= target->last; f++) {
        if (stop_asked(stop))
            return status_fail(STATUS_STOPPED, "stopped");
        if (reader_read(reader, f, rgb) != STATUS_OK)
            return status_prefix(
                STATUS_IO,
                "cannot read frame %llu of '%s', which the run had written; remove the file, and "
                "render the frame again with --frames %llu..%llu",
                (unsigned long long)f, target->params.path, (unsigned long long)f,
                (unsigned long long)f);
    }
    return STATUS_OK;
}

static enum status check_pictures(const struct target *target, const volatile sig_atomic_t *stop)
{
    struct reader *reader;
    enum status status = reader_open(&reader, target->params.path);
    if (status != STATUS_OK)
        return status;
    const struct reader_info *info = reader_info(reader);
    const size_t samples = (size_t)info->width * info->height * 3;
    uint16_t *rgb = malloc(samples * sizeof *rgb);
    status = rgb ? read_all(target, reader, rgb, stop)
                 : status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                               samples * sizeof *rgb >> 20);
    free(rgb);
    reader_close(&reader);
    return status;
}

enum status finished_check(const struct target *target, const struct film *film,
                           const volatile sig_atomic_t *stop)
{
    char state[HASH_TEXT];
    enum status status = film_state_hash(film, state);
    if (ranks_begin_first() && status == STATUS_OK) {
        status = check_start(target, state);
        if (status == STATUS_OK && !target->plan.container)
            status = check_pictures(target, stop);
    }
    return ranks_end_first(status);
}
