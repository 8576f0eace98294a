#include "cmd/film/job/job.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/job/checkpoints.h"
#include "cmd/film/job/finish.h"
#include "cmd/film/job/target.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/job/segments.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/tags.h"
#include "render/video/codecs.h"
#include "render/sinks.h"
#include "render/video/picture_file.h"
#include "scenes/print.h"
#include "scenes/scene.h"
#include "sim/playback/series.h"
#include "sim/run/run.h"

#include <stdlib.h>
#include <string.h>

/* ---- none, interrupted -> running ---- */

/* A film of this scene left by a stopped run may be replaced; any other only with -y. */
static enum status check_film(const struct job *job, bool overwrite)
{
    const char *path = job->target->params.path;
    uint64_t frames;
    if (overwrite || job->sequence || !file_exists(path) ||
        target_holds_film(job->target, job->film->scene, &frames))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and was not left there by the run to be resumed; "
                       "replace it with -y or move it away",
                       path);
}

static enum status open_manifest(struct job *job, bool resume, bool overwrite)
{
    const char *folder = job->target->work_folder;
    enum status status = job->target->aside.output ? target_set_aside(job->target) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    job->resumed = resume && work_folder_used(folder);
    if (job->resumed) {
        status = manifest_open(&job->manifest, folder, &job->plan);
        if (status == STATUS_OK)
            status = check_film(job, overwrite);
    } else {
        if (resume && !job->target->aside.output)
            log_info("there is no '%s' to resume: the film starts at its first frame", folder);
        status = manifest_create(&job->manifest, folder, &job->plan);
        if (status == STATUS_OK)
            status = stale_remove(&job->target->stale);
    }
    if (status != STATUS_OK)
        return status;
    job->manifest->frame_file = job_frame_file;
    job->manifest->user = job;
    return job->resumed ? manifest_verify(job->manifest, NULL) : STATUS_OK;
}

/* Whoever resumes the run draws by its plan, in which pilot runs of another build or on another
 * number of ranks could have found other numbers. */
static enum status keep_plan(const struct job *job)
{
    const char *text = job->film->plan;
    char *path = manifest_path_to_write(job->manifest, PLAN_FILE), *there = NULL;
    size_t size;
    const bool kept = text && job->resumed && file_exists(path) &&
                      file_read(path, strlen(text), &there, &size) == STATUS_OK &&
                      strcmp(there, text) == 0;
    enum status status = text && !kept ? file_write(path, text, strlen(text)) : STATUS_OK;
    if (status == STATUS_OK && text)
        status = manifest_list_plan(job->manifest, text);
    free(there);
    free(path);
    return status;
}

static uint64_t count_done(struct job *job)
{
    uint64_t frames = 0;
    for (uint64_t f = job->plan.first; f <= job->plan.last; f++)
        frames += !segments_want(job, f);
    return frames;
}

/* The last frame if only joining is left, because the last state is a tag. */
static uint64_t first_wanted(struct job *job)
{
    uint64_t frame = job->plan.first;
    while (frame < job->plan.last && !segments_want(job, frame))
        frame++;
    return frame;
}

static enum status open_folder(struct job *job, bool resume, bool overwrite)
{
    enum status status = open_manifest(job, resume, overwrite);
    if (status == STATUS_OK)
        status = keep_plan(job);
    if (status == STATUS_OK)
        segments_note(job);
    return status;
}

static void tell_resumed(struct job *job)
{
    const unsigned long long done = count_done(job), start = job->start,
                             frames = job->plan.last - job->plan.first + 1;
    if (job->film->scene->run || film_played(job->film->scene))
        log_info("%llu of %llu frames are done", done, frames);
    else if (start > 0)
        log_info("%llu of %llu frames are done; the simulation continues from frame %llu", done,
                 frames, start);
    else
        log_info("%llu of %llu frames are done; the simulation starts again from frame 0", done,
                 frames);
}

/* Opens the job's manifest. With `resume`, where there is one, finds out which segments are
 * complete, and continues from the latest checkpoint before the first one missing; otherwise starts
 * over. */
static enum status job_resume(struct job *job, bool resume, bool overwrite)
{
    const size_t frames = (size_t)(job->plan.last - job->plan.first + 1);
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = open_folder(job, resume, overwrite);
    else
        job->done = memory_new(frames, sizeof *job->done);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first(&job->resumed, sizeof job->resumed);
    if (status == STATUS_OK)
        status = ranks_first(job->done, frames * sizeof *job->done);
    if (status == STATUS_OK && job->target->aside.output)
        return checkpoints_borrow(job);
    if (status != STATUS_OK || !job->resumed)
        return status;
    status = checkpoints_continue(job, first_wanted(job));
    if (status == STATUS_OK)
        tell_resumed(job);
    return status;
}

/* Hashes what identifies the bodies: the bodies at the start or, for snapshots, the files, which
 * identify all bodies even where each rank has only some of them. */
static enum status hash_start(struct job *job)
{
    const struct bodies_params *played = film_played(job->film->scene);
    enum status status = STATUS_OK;
    if (!played)
        return film_state_hash(job->film, job->start_hash);
    if (ranks_begin_first())
        status = series_hash(played, job->start_hash);
    return ranks_end_first(status);
}

static void describe_target(struct job *job)
{
    const struct target *target = job->target;
    /* A run with less or different metadata must not be continued as one with all. */
    const bool usual = !target->metadata || target->metadata->packed;
    job->codec = text_format("%s%s%s", target->plan.description, usual ? "" : METADATA_SUFFIX,
                             usual ? "" : target->metadata->name);
    job->plan.codec = job->codec;
    job->plan.container =
        job->sequence ? target->plan.pictures->name : target->plan.container->name;
}

/* JSON cannot hold every path. */
static bool is_utf8(const char *text)
{
    uint32_t next;
    while ((next = text_character(&text)) != 0)
        if (next == TEXT_NO_CHARACTER)
            return false;
    return true;
}

/* Notes the run from which a resumed film is drawn. */
static void describe_run(struct job *job)
{
    const struct run *run = job->film->scene->run;
    const bool named = run && *run_path(run) && is_utf8(run_path(run));
    char *place = named ? realpath(run_path(run), NULL) : NULL;
    const bool placed = place && is_utf8(place);
    job->run_place = memory_text(placed ? place : "");
    job->plan.run = named ? run_path(run) : "";
    job->plan.run_place = job->run_place;
    job->plan.run_hash = named ? run_hash(run) : "";
    free(place);
}

static enum status make_plan(struct job *job)
{
    const struct target *target = job->target;
    const struct scene *scene = job->film->scene;
    job->scene = scene_print(scene);
    scene_hash(scene, job->scene_hash);
    script_motion_hash(&job->film->script, scene, true, job->motion_hash);
    enum status status = hash_start(job);
    if (status == STATUS_OK)
        status = film_tags_make(&job->tags, job->film, &target->plan);
    film_tags_keep(&job->tags, target->metadata);
    const struct run *run = job->film->run;
    const char *backend = run ? run_about(run)->simulations[0].backend
                              : simulation_solver(job->film->simulations[0])->ops->name;
    job->program = text_format(GRAVREEL_VERSION PROGRAM_SUFFIX "%s", backend);
    job->plan = (struct manifest_plan){
        .program = job->program,
        .scene = job->scene,
        .scene_hash = job->scene_hash,
        .start = job->start_hash,
        .frames = scene->output.frames,
        .first = target->first,
        .last = target->last,
        .segment_length = scene_segment_length(scene),
    };
    describe_run(job);
    if (!job_follows())
        describe_target(job);
    return status;
}

static void job_free(struct job **job)
{
    struct job *self = *job;
    manifest_close(&self->manifest);
    tags_free(&self->tags);
    pthread_mutex_destroy(&self->lock);
    pthread_mutex_destroy(&self->writing.lock);
    pthread_cond_destroy(&self->writing.changed);
    free(self->scene);
    free(self->program);
    free(self->codec);
    free(self->run_place);
    free(self->partial.path);
    free(self->done);
    free(self);
    *job = NULL;
}

enum status job_open(struct job **out, const struct target *target, struct film *film,
                     const struct job_options *options)
{
    struct job *job = *out = memory_new(1, sizeof *job);
    pthread_mutex_init(&job->lock, NULL);
    pthread_mutex_init(&job->writing.lock, NULL);
    pthread_cond_init(&job->writing.changed, NULL);
    job->target = target;
    job->film = film;
    job->sequence = target->sink->sequence;
    job->as_found = options->as_found;
    enum status status = make_plan(job);
    if (status == STATUS_OK)
        status = job_resume(job, options->resume, options->overwrite);
    if (status != STATUS_OK)
        job_free(out);
    else if (options->checkpoints)
        status = checkpoints_share(job, options->checkpoints);
    return status;
}

/* ---- running ---- */

bool job_is_resumed(const struct job *job)
{
    return job->resumed;
}

void job_set_pipeline(struct job *job, struct pipeline_params *params)
{
    static const struct pipeline_events events = {
        .wanted = segments_want,
        .simulated = checkpoints_leave,
        .drawing = shared_exposure_keep,
    };
    static const struct pipeline_events events_of_others = {.wanted = segments_want,
                                                            .simulated = checkpoints_leave};
    if (!job_follows())
        params->segments = job->sequence ? &segments_write_sequence : &segments_write_films;
    params->events = job_follows() ? &events_of_others : &events;
    params->user = job;
    params->segment_length = job->plan.segment_length;
    params->from = job->start;
    params->metered = job->metered;
    params->encoders = job->target->encoders;
}

/* ---- running -> done, stopped, futile, failed ---- */

static enum job_end end_of(const struct job *job, enum status run, enum stage failed)
{
    if (run == STATUS_OK)
        return JOB_DONE;
    if (run == STATUS_STOPPED)
        return JOB_STOPPED;
    if (run == STATUS_RUNTIME && failed == STAGE_SIMULATE)
        for (int i = 0; i < job->film->simulation_count; i++)
            if (simulation_is_broken(job->film->simulations[i]))
                return JOB_FUTILE;
    return JOB_FAILED;
}

enum status job_close(struct job **job, enum status run, const struct pipeline_progress *progress,
                      const volatile sig_atomic_t *stop, struct target_result *result)
{
    *result = (struct target_result){0};
    if (!*job)
        return STATUS_OK;
    enum status written = STATUS_OK, status = STATUS_OK;
    if (ranks_begin_first())
        written = checkpoints_end(*job);
    written = ranks_end_first(written);
    const bool failed = run == STATUS_OK && written != STATUS_OK;
    struct failure writing = {0};
    failure_keep(&writing, failed ? written : STATUS_OK);
    const enum job_end end = failed ? JOB_FAILED : end_of(*job, run, progress->failed);
    if (end == JOB_STOPPED)
        checkpoints_leave_last(*job, progress->next);
    if (end == JOB_DONE && !(*job)->sequence)
        status = film_state_hash((*job)->film, (*job)->last_hash);
    if (ranks_begin_first() && status == STATUS_OK)
        status = job_finish(*job, end, stop, result);
    status = ranks_end_first(status);
    if (status == STATUS_OK && failed)
        status = failure_report(&writing);
    job_free(job);
    return status;
}

/* ==== outputs without segments ==== */

enum status single_open(struct sink **sink, const struct target *target, const struct film *film)
{
    struct tags tags;
    char frames[FILM_FRAMES_TEXT];
    struct sink_params params = target->params;
    *sink = NULL;
    enum status status = film_tags_make(&tags, film, &target->plan);
    film_frames_print(target->first, target->last, film->scene->output.frames, frames);
    tags_add(&tags, FILM_TAG_FRAMES, frames);
    film_tags_keep(&tags, target->metadata);
    params.tags = tags;
    if (ranks_begin_first() && status == STATUS_OK)
        status = sink_open(&params, sink);
    tags_free(&tags);
    return ranks_end_first(status);
}

/* The sink is already open, and is closed only after the run. */
static enum status open_segment(void *user, uint64_t segment, uint64_t *frames, struct sink **sink)
{
    (void)segment, (void)frames;
    *sink = user;
    return STATUS_OK;
}

static enum status close_segment(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    (void)user, (void)segment, (void)sink, (void)frames, (void)whole, (void)broken;
    return STATUS_OK;
}

void single_set_pipeline(struct sink *sink, struct pipeline_params *params)
{
    static const struct segment_ops segments = {.open = open_segment, .close = close_segment};
    params->segments = sink ? &segments : NULL;
    params->user = sink;
    params->encoders = 1;
}

/* The simulation of a stopped run is ahead of its film: then there is no last state. */
static enum status tag_last_state(struct sink *sink, const struct film *film)
{
    char state[HASH_TEXT];
    enum status status = film_state_hash(film, state);
    if (status == STATUS_OK && *state && sink)
        sink_add_tag(sink, FILM_TAG_LAST_STATE, state);
    return status;
}

enum status single_close(struct sink **sink, const struct film *film, enum status run,
                         uint64_t frames, struct target_result *result)
{
    struct failure failure = {0};
    *result = (struct target_result){0};
    failure_keep(&failure, run == STATUS_OK ? tag_last_state(*sink, film) : run);
    const bool keep = frames > 0 && failure.status != STATUS_IO;
    enum status closed = STATUS_OK;
    if (ranks_begin_first())
        closed = (*sink)->ops->close(sink, keep, &result->frames, &result->bytes);
    closed = ranks_end_first(closed);
    result->kept = keep && closed == STATUS_OK;
    failure_keep(&failure, closed);
    return failure_report(&failure);
}
