#include "cmd/job/job.h"

#include "cmd/job/state.h"

#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/manifest/lock.h"
#include "render/picture/png_name.h"
#include "render/sinks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_png(const struct target *target)
{
    const struct sink_ops *ops;
    return sink_choose(&target->params, &ops) == STATUS_OK && ops->sequence;
}

/* Neither a pipe nor a device: something that can be put into place at the end. */
static bool is_plain(const char *path)
{
    struct stat found;
    return strcmp(path, "-") != 0 && (stat(path, &found) != 0 || S_ISREG(found.st_mode));
}

static bool parts_suit(const struct target *target)
{
    return is_plain(target->params.path) && (is_png(target) || target->plan.container);
}

enum status job_no_memory(void)
{
    return status_fail(STATUS_RUNTIME, "no memory left for the segments of the film");
}

/* Ranges of a PNG sequence may be rendered into one folder at the same time. */
enum status work_folder_path(const struct target *target, uint64_t frames, char **folder)
{
    *folder = NULL;
    if (!parts_suit(target))
        return STATUS_OK;
    const bool whole = target->first == 0 && target->last == frames - 1;
    *folder = is_png(target) && !whole
                  ? text_format("%s.%llu-%llu.parts", target->params.path,
                                (unsigned long long)target->first, (unsigned long long)target->last)
                  : text_format("%s.parts", target->params.path);
    return *folder ? STATUS_OK : job_no_memory();
}

bool work_folder_used(const struct target *target)
{
    return target->work_folder && manifest_exists(target->work_folder);
}

enum status work_folder_sweep(const struct target *target)
{
    int lock = -1;
    const char *folder = target->work_folder;
    if (!folder || !file_exists(folder))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (status == STATUS_OK)
        status = folder_clear(folder, true);
    if (lock >= 0)
        close(lock);
    return status;
}

enum status work_folder_check(const struct target *target, bool resume, bool overwrite)
{
    const char *folder = target->work_folder;
    int lock = -1;
    if (resume && !folder)
        return status_fail(STATUS_USAGE,
                           "--resume wants a film in a file or a PNG sequence, and '%s' is neither",
                           target->params.path);
    if (!work_folder_used(target))
        return STATUS_OK;
    enum status status = folder_lock(folder, false, &lock);
    if (lock >= 0)
        close(lock);
    if (status == STATUS_USAGE || resume || overwrite)
        return status == STATUS_USAGE ? status : STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a run of '%s' was cut short, and '%s' has what it made; go on with "
                       "--resume, or begin anew with -y",
                       target->params.path, folder);
}

char *job_frame_file(void *user, uint64_t frame)
{
    const struct job *job = user;
    char name[4096];
    return png_name(job->target->params.path, frame, name, sizeof name) == STATUS_OK ? strdup(name)
                                                                                     : NULL;
}

uint64_t job_segment_length(const struct job *job)
{
    return job->plan.segment_length;
}

bool job_is_resumed(const struct job *job)
{
    return job->resumed;
}

bool job_is_metered(const struct job *job)
{
    return job->metered;
}

/* The film of this scene that a stopped run has left may be replaced, any other only with -y. */
static enum status check_film(const struct job *job, bool overwrite)
{
    const char *path = job->target->params.path;
    uint64_t frames;
    if (overwrite || job->png || !file_exists(path) ||
        target_holds_film(job->target, job->film->scene, &frames))
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and is not what the run to be resumed has left there; "
                       "replace it with -y or move it away",
                       path);
}

static enum status open_manifest(struct job *job, bool resume, bool overwrite)
{
    const char *folder = job->target->work_folder;
    const bool there = manifest_exists(folder);
    enum status status;
    if (resume && there) {
        status = manifest_open(&job->manifest, folder, &job->plan);
        if (status == STATUS_OK)
            status = check_film(job, overwrite);
        job->resumed = true;
    } else {
        if (resume)
            log_info("there is no '%s' to go on from: the film begins at its first frame", folder);
        status = manifest_create(&job->manifest, folder, &job->plan);
    }
    if (status != STATUS_OK)
        return status;
    job->manifest->frame_file = job_frame_file;
    job->manifest->user = job;
    return job->resumed ? manifest_verify(job->manifest, NULL) : STATUS_OK;
}

static enum status fill(struct job *job, bool resume, bool overwrite, uint64_t *start)
{
    const struct scene *scene = job->film->scene;
    job->scene = scene_print(scene);
    if (!job->scene)
        return job_no_memory();
    scene_hash(scene, job->scene_hash);
    enum status status = film_state_hash(job->film, job->start_hash);
    if (status == STATUS_OK)
        status = film_tags_make(&job->tags, job->film, &job->target->plan);
    const bool cuda = simulation_solver(job->film->simulations[0])->ops->on_gpu;
    job->plan = (struct manifest_plan){
        .program = cuda ? GRAVREEL_VERSION " with cuda" : GRAVREEL_VERSION " with cpu",
        .scene = job->scene,
        .scene_hash = job->scene_hash,
        .start = job->start_hash,
        .codec = job->target->plan.description,
        .container = job->png ? "png" : job->target->plan.container,
        .frames = scene->output.frames,
        .first = job->target->first,
        .last = job->target->last,
        .segment_length = scene->output.segment,
    };
    if (status == STATUS_OK)
        status = open_manifest(job, resume, overwrite);
    if (status == STATUS_OK)
        status = job_restore(job, start);
    return status;
}

void job_free(struct job **job)
{
    struct job *self = *job;
    manifest_close(&self->manifest);
    film_tags_free(&self->tags);
    pthread_mutex_destroy(&self->lock);
    free(self->scene);
    free(self->partial.path);
    free(self->done);
    free(self);
    *job = NULL;
}

enum status job_open(struct job **out, const struct target *target, struct film *film, bool resume,
                     bool overwrite, uint64_t *start)
{
    struct job *job = *out = calloc(1, sizeof *job);
    if (!job)
        return job_no_memory();
    pthread_mutex_init(&job->lock, NULL);
    job->target = target;
    job->film = film;
    job->png = is_png(target);
    enum status status = fill(job, resume, overwrite, start);
    if (status != STATUS_OK)
        job_free(out);
    return status;
}
