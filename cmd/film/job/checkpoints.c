#include "cmd/film/job/checkpoints.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/log.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/manifest/manifest.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *path_of(const char *folder, uint64_t frame)
{
    char name[MANIFEST_NAME_MAX];
    manifest_checkpoint_name(name, frame);
    return text_format("%s/%s", folder, name);
}

static const char *plan_of(const struct job *job)
{
    return job->film->plan ? job->film->plan : "";
}

/* ---- continuing ---- */

/* Finds the latest usable checkpoint at or before `limit`. False: there is none. */
typedef bool (*checkpoint_finder)(const struct job *job, uint64_t limit, uint64_t *frame);

static bool find_own(const struct job *job, uint64_t limit, uint64_t *frame)
{
    const struct manifest_checkpoint *found = manifest_checkpoint_before(job->manifest, limit);
    while (found && !saved_exposure_exists(job, found->frame))
        found =
            found->frame > 0 ? manifest_checkpoint_before(job->manifest, found->frame - 1) : NULL;
    if (found)
        *frame = found->frame;
    return found != NULL;
}

/* Whether a run that starts at a shared checkpoint also needs the exposure there. */
static bool needs_exposure(const struct job *job)
{
    return job->film->scene->look.exposure.adapts;
}

static bool find_shared(const struct job *job, uint64_t limit, uint64_t *frame)
{
    uint64_t at = limit + 1;
    while (manifest_checkpoint_file_before(job->shared, at, &at) && at > 0)
        if (!needs_exposure(job) || shared_exposure_exists(job, at)) {
            *frame = at;
            return true;
        }
    return false;
}

/* A film that shows a run needs no state. */
static enum status show_frame(struct job *job, uint64_t frame)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < job->film->simulation_count && status == STATUS_OK; i++)
        status = simulation_show(job->film->simulations[i], frame);
    if (status == STATUS_OK)
        job->start = frame;
    return status;
}

static enum status read_checkpoint(struct job *job, const char *folder, uint64_t frame)
{
    if (job->film->run)
        return show_frame(job, frame);
    char *path = path_of(folder, frame);
    enum status status = checkpoint_read(path, job->film->simulations,
                                         (size_t)job->film->simulation_count, job->motion_hash);
    free(path);
    if (status == STATUS_OK)
        job->start = frame;
    return status;
}

static enum status read_own(struct job *job, uint64_t frame)
{
    return read_checkpoint(job, job->manifest ? job->manifest->folder : "", frame);
}

/* Rank 0's status, to all. */
static enum status agree(enum status status)
{
    return ranks_are_together() ? ranks_agree(status) : status;
}

static enum status read_shared(struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    enum status status = STATUS_OK;
    if (needs_exposure(job) && !job_follows())
        status = shared_exposure_read(job, frame, state);
    status = agree(status);
    if (status == STATUS_OK)
        status = read_checkpoint(job, job->shared, frame);
    if (status == STATUS_OK && needs_exposure(job)) {
        if (!job_follows())
            renderer_resume(job->film->renderer, state);
        job->metered = true;
    }
    return status;
}

/* Rank 0 looks for one; all learn which. */
static enum status agree_on_frame(const struct job *job, checkpoint_finder find, uint64_t limit,
                                  bool *there, uint64_t *frame)
{
    struct {
        uint64_t there, frame;
    } found = {0};
    if (!job_follows())
        found.there = find(job, limit, &found.frame);
    const enum status status = ranks_first(&found, sizeof found);
    *there = found.there;
    *frame = found.frame;
    return status;
}

/* Reads the latest checkpoint, or else an earlier one. */
static enum status continue_from(struct job *job, checkpoint_finder find,
                                 enum status (*read)(struct job *job, uint64_t frame),
                                 uint64_t limit)
{
    for (uint64_t frame;; limit = frame - 1) {
        bool there;
        enum status status = agree_on_frame(job, find, limit, &there, &frame);
        if (status != STATUS_OK || !there)
            return status;
        status = read(job, frame);
        if (status != STATUS_IO)
            return status;
        log_warning("%s; the run continues from an earlier checkpoint", status_text());
        if (frame == 0)
            break;
    }
    return STATUS_OK;
}

enum status checkpoints_continue(struct job *job, uint64_t frame)
{
    enum status status = continue_from(job, find_own, read_own, frame);
    if (status == STATUS_OK && job->start > 0 && !job_follows())
        saved_exposure_restore(job, job->start);
    return status == STATUS_OK ? ranks_first(&job->metered, sizeof job->metered) : status;
}

/* Sets the exposure from frame 0, where the film is. */
static enum status meter_exposure(struct job *job)
{
    struct film *film = job->film;
    struct view *view = NULL;
    enum status status = film->renderer ? renderer_bind(film->renderer) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    status = views_create(film->simulations, film->simulation_count, &view);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, view);
    if (status == STATUS_OK && film->renderer)
        status = renderer_meter(film->renderer, view);
    views_destroy(film->simulations, &view);
    if (film->renderer)
        renderer_unbind(film->renderer);
    job->metered = status == STATUS_OK;
    return status;
}

/* The exposure that is set from frame 0 is the film's, like its plan: the first run of the scene
 * finds it, and the others take it from the shared folder. */
static enum status share_exposure(struct job *job)
{
    double state[RENDERER_STATE];
    bool anew = !job_follows() && !shared_exposure_exists(job, 0);
    enum status status = ranks_first(&anew, sizeof anew);
    if (status == STATUS_OK && anew)
        status = meter_exposure(job);
    if (status == STATUS_OK && anew && !job_follows())
        status = shared_exposure_write(job, 0);
    if (status == STATUS_OK && !job_follows())
        status = shared_exposure_read(job, 0, state);
    status = agree(status);
    if (status == STATUS_IO)
        log_warning("%s; it is set anew", status_text());
    if (status != STATUS_OK)
        return status == STATUS_IO ? meter_exposure(job) : status;
    if (!job_follows())
        renderer_resume(job->film->renderer, state);
    job->metered = true;
    return STATUS_OK;
}

/* The length of "plan-" and a scene's hash, or "exposure-" and one, at the beginning of a name; 0:
 * it begins otherwise. */
static size_t hashed_name(const char *name, const char *stem)
{
    const size_t length = strlen(stem), hash = sizeof((struct job *)NULL)->scene_hash - 1;
    return strncmp(name, stem, length) == 0 && strspn(name + length, "0123456789abcdef") == hash
               ? length + hash
               : 0;
}

static size_t exposure_name(const char *name)
{
    const size_t stem = hashed_name(name, "exposure-");
    const size_t digits = stem && name[stem] == '-' ? strspn(name + stem + 1, "0123456789") : 0;
    const size_t end = stem + 1 + digits;
    return digits >= 6 && strncmp(name + end, ".json", 5) == 0 ? end + 5 : 0;
}

/* The length of "checkpoint-000012.h5", or of the name of an exposure or a plan, at the beginning
 * of a name; 0: it begins otherwise. */
static size_t file_name(const char *name)
{
    uint64_t at;
    char whole[MANIFEST_NAME_MAX];
    const size_t plan = hashed_name(name, "plan-");
    if (plan > 0)
        return strncmp(name + plan, ".json", 5) == 0 ? plan + 5 : 0;
    if (sscanf(name, "checkpoint-%" SCNu64 ".h5", &at) != 1)
        return exposure_name(name);
    manifest_checkpoint_name(whole, at);
    const size_t length = strlen(whole);
    return strncmp(name, whole, length) == 0 ? length : 0;
}

/* Recognizes such a name followed by the suffix of file_write_shared. */
static bool is_unfinished(const char *name)
{
    const size_t length = file_name(name);
    if (length == 0 || name[length] != '.')
        return false;
    const char *dash = strrchr(name, '-'), *process = dash + 1;
    const char *end = process + strspn(process, "0123456789");
    return process > name + length && end > process &&
           (!*end || strcmp(end, ".gravreel.part") == 0);
}

/* A run that starts from none of the checkpoints there would leave its own between them. */
static enum status check_shared(const struct job *job)
{
    uint64_t frame = UINT64_MAX;
    enum status status = STATUS_OK;
    if (ranks_begin_first() && job->start == 0 &&
        manifest_checkpoint_file_before(job->shared, frame, &frame)) {
        char *path = path_of(job->shared, frame);
        status = checkpoint_check(path, job->motion_hash);
        free(path);
    }
    return ranks_end_first(status == STATUS_USAGE ? status : STATUS_OK);
}

enum status checkpoints_share(struct job *job, const char *folder)
{
    enum status status = job_follows() ? STATUS_OK : file_make_folder(folder);
    status = agree(status);
    if (status != STATUS_OK)
        return status;
    if (!job_follows())
        part_sweep(folder, is_unfinished);
    job->shared = folder;
    if (job->start > 0)
        return STATUS_OK;
    if (!job->metered && !needs_exposure(job))
        status = share_exposure(job);
    if (status == STATUS_OK)
        status = continue_from(job, find_shared, read_shared, job->plan.first);
    if (status == STATUS_OK)
        status = check_shared(job);
    if (status == STATUS_OK && job->start > 0)
        log_info("the simulation starts at frame %" PRIu64 ", from '%s'", job->start, folder);
    return status;
}

enum status checkpoints_borrow(struct job *job)
{
    if (job->plan.first == 0 || job->film->run || needs_exposure(job))
        return STATUS_OK;
    char *folder = work_folder_path(job->target->aside.output, false, 0, 0);
    job->shared = folder;
    enum status status = meter_exposure(job);
    if (status == STATUS_OK)
        status = continue_from(job, find_shared, read_shared, job->plan.first);
    job->shared = NULL;
    free(folder);
    if (status == STATUS_OK && job->start > 0)
        log_info("the simulation starts at its checkpoint, frame %" PRIu64, job->start);
    return status == STATUS_USAGE ? STATUS_OK : status; /* of another clock */
}

/* ---- leaving ---- */

static enum status leave_shared(const struct job *job, const struct checkpoint *taken,
                                uint64_t frame)
{
    char *path = path_of(job->shared, frame);
    enum status status = checkpoint_store(taken, path, job->motion_hash, plan_of(job), true);
    free(path);
    return status;
}

static bool has_own(struct job *job, uint64_t frame)
{
    pthread_mutex_lock(&job->lock);
    const struct manifest_checkpoint *found = manifest_checkpoint_before(job->manifest, frame);
    const bool has = found && found->frame == frame;
    pthread_mutex_unlock(&job->lock);
    return has;
}

static bool has_shared(const struct job *job, uint64_t frame)
{
    char *path = path_of(job->shared, frame);
    const bool has = file_exists(path);
    free(path);
    return has;
}

/* Writes and hashes without the lock, which the other threads need. */
static enum status leave_own(struct job *job, const struct checkpoint *taken, uint64_t frame)
{
    struct manifest_checkpoint checkpoint = {.frame = frame};
    if (job_follows())
        return checkpoint_store(taken, "", job->motion_hash, "", false);
    manifest_checkpoint_name(checkpoint.file, frame);
    char *path = manifest_path(job->manifest, checkpoint.file);
    enum status status = checkpoint_store(taken, path, job->motion_hash, plan_of(job), false);
    free(path);
    if (status == STATUS_OK)
        status = manifest_hash_checkpoint(job->manifest, &checkpoint);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&job->lock);
    status = manifest_add_checkpoint(job->manifest, &checkpoint);
    if (status == STATUS_OK)
        status = manifest_drop_checkpoints(job->manifest);
    pthread_mutex_unlock(&job->lock);
    return status;
}

static enum status leave_taken(struct job *job, const struct checkpoint *taken)
{
    const struct checkpoint_writing *writing = &job->writing;
    enum status status = STATUS_OK;
    if (writing->shared)
        status = leave_shared(job, taken, writing->frame);
    if (status == STATUS_OK && writing->own)
        status = leave_own(job, taken, writing->frame);
    return status;
}

/* Writing takes as long as many frames of a fast simulation, which continues meanwhile. */
static void *write_checkpoints(void *user)
{
    struct job *job = user;
    struct checkpoint_writing *writing = &job->writing;
    pthread_mutex_lock(&writing->lock);
    for (;;) {
        while (!writing->taken && !writing->ends)
            pthread_cond_wait(&writing->changed, &writing->lock);
        if (!writing->taken)
            break;
        pthread_mutex_unlock(&writing->lock);
        enum status status = leave_taken(job, writing->taken);
        pthread_mutex_lock(&writing->lock);
        failure_keep(&writing->failure, status);
        checkpoint_free(&writing->taken);
        pthread_cond_broadcast(&writing->changed);
    }
    pthread_mutex_unlock(&writing->lock);
    return NULL;
}

static enum status wait_for_writer(struct checkpoint_writing *writing)
{
    pthread_mutex_lock(&writing->lock);
    while (writing->taken)
        pthread_cond_wait(&writing->changed, &writing->lock);
    enum status status = failure_report(&writing->failure);
    pthread_mutex_unlock(&writing->lock);
    return status;
}

static void hand_over(struct job *job, struct checkpoint *taken)
{
    struct checkpoint_writing *writing = &job->writing;
    pthread_mutex_lock(&writing->lock);
    writing->taken = taken;
    pthread_cond_broadcast(&writing->changed);
    pthread_mutex_unlock(&writing->lock);
}

enum status checkpoints_end(struct job *job)
{
    struct checkpoint_writing *writing = &job->writing;
    if (!writing->thread_runs)
        return failure_report(&writing->failure);
    pthread_mutex_lock(&writing->lock);
    writing->ends = true;
    pthread_cond_broadcast(&writing->changed);
    pthread_mutex_unlock(&writing->lock);
    (void)pthread_join(writing->thread, NULL);
    writing->thread_runs = false;
    return failure_report(&writing->failure);
}

/* Frame 0 needs no checkpoint: the scene makes it just as fast. */
enum status checkpoints_leave(void *user, uint64_t frame)
{
    struct job *job = user;
    struct checkpoint_writing *writing = &job->writing;
    if (frame == 0 || job->film->run)
        return STATUS_OK;
    if (!writing->thread_runs && !job_follows()) {
        const int error = pthread_create(&writing->thread, NULL, write_checkpoints, job);
        if (error != 0)
            return status_fail(STATUS_RUNTIME,
                               "cannot start the thread that writes checkpoints: %s",
                               strerror(error));
        writing->thread_runs = true;
    }
    enum status status = wait_for_writer(writing);
    if (status != STATUS_OK)
        return status;
    struct {
        bool shared, own;
    } lacks = {false, false};
    if (!job_follows()) {
        lacks.shared = job->shared && !has_shared(job, frame);
        lacks.own = !has_own(job, frame);
    }
    status = ranks_first(&lacks, sizeof lacks);
    if (status != STATUS_OK)
        return status;
    writing->frame = frame;
    writing->shared = lacks.shared;
    writing->own = lacks.own;
    if (!writing->shared && !writing->own)
        return STATUS_OK;
    struct checkpoint *taken;
    status = checkpoint_take(job->film->simulations, (size_t)job->film->simulation_count, &taken);
    if (status != STATUS_OK)
        return status;
    if (!simulation_state_is_shared(job->film->simulations[0])) {
        if (job_follows())
            checkpoint_free(&taken);
        else
            hand_over(job, taken);
        return STATUS_OK;
    }
    /* The bodies stay with the ranks that share them: they do not move until they are written. */
    status = leave_taken(job, taken);
    checkpoint_free(&taken);
    return status;
}

static enum status leave_now(struct job *job, uint64_t frame)
{
    struct checkpoint *taken = NULL;
    bool lacks = !job_follows() && !has_own(job, frame);
    enum status status = ranks_first(&lacks, sizeof lacks);
    if (status != STATUS_OK || !lacks)
        return status;
    status = checkpoint_take(job->film->simulations, (size_t)job->film->simulation_count, &taken);
    if (status == STATUS_OK &&
        (!job_follows() || simulation_state_is_shared(job->film->simulations[0])))
        status = leave_own(job, taken, frame);
    checkpoint_free(&taken);
    return status;
}

void checkpoints_leave_last(struct job *job, uint64_t next)
{
    const uint64_t at = simulation_frame(job->film->simulations[0]);
    if (at == 0 || at >= next || at >= job->plan.last || job->film->run)
        return;
    enum status status = job_follows() ? STATUS_OK : saved_exposure_keep(job, at + 1);
    status = agree(status);
    if (status == STATUS_OK)
        status = leave_now(job, at + 1);
    if (ranks_are_together())
        status = ranks_scope(status);
    if (status != STATUS_OK)
        log_warning("%s, so a resume simulates frames up to %" PRIu64 " again", status_text(), at);
}

/* ==== the exposure beside a checkpoint ==== */

/* An adapting exposure has a state for the first frame of each segment; any other has one for
 * all. */
static void name_value(const struct job *job, uint64_t frame, int i, char name[MANIFEST_NAME_MAX])
{
    if (renderer_meters_every_frame(job->film->renderer))
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d at frame %llu", i,
                 (unsigned long long)frame);
    else
        snprintf(name, MANIFEST_NAME_MAX, "renderer %d", i);
}

static bool find(const struct job *job, uint64_t frame, double state[RENDERER_STATE])
{
    bool found = true;
    for (int i = 0; i < RENDERER_STATE && found; i++) {
        char name[MANIFEST_NAME_MAX];
        name_value(job, frame, i, name);
        found = manifest_get_value(job->manifest, name, &state[i]);
    }
    return found;
}

bool saved_exposure_exists(const struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    return find(job, frame, state);
}

void saved_exposure_restore(struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    if (!find(job, frame, state))
        return;
    renderer_resume(job->film->renderer, state);
    job->metered = true;
}

enum status saved_exposure_keep(struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    struct manifest_value values[RENDERER_STATE];
    pthread_mutex_lock(&job->lock);
    enum status status = STATUS_OK;
    if (!find(job, frame, state)) {
        renderer_state(job->film->renderer, state);
        for (int i = 0; i < RENDERER_STATE; i++) {
            name_value(job, frame, i, values[i].name);
            values[i].value = state[i];
        }
        status = manifest_set_values(job->manifest, values, RENDERER_STATE);
    }
    pthread_mutex_unlock(&job->lock);
    return status;
}

enum { FORMAT = 1, TEXT_MOST = 1 << 16 };

struct shared_exposure {
    char scene_hash[sizeof((struct job *)NULL)->scene_hash];
    uint64_t frame;
    double state[RENDERER_STATE];
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = FORMAT, .most = FORMAT},
    {"scene_hash", AS_NAME, MEMBER_AT(struct shared_exposure, scene_hash)},
    {"frame", AS_WHOLE, MEMBER_AT(struct shared_exposure, frame)},
    {"state", AS_REAL, MEMBER_ARRAY(struct shared_exposure, state)},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_INDENTED};

#define NAME "exposure-%s-%06" PRIu64 ".json"

static char *exposure_path(const struct job *job, uint64_t frame)
{
    return text_format("%s/" NAME, job->shared, job->scene_hash, frame);
}

bool shared_exposure_exists(const struct job *job, uint64_t frame)
{
    char *path = exposure_path(job, frame);
    const bool exists = file_exists(path);
    free(path);
    return exists;
}

static enum status parse(struct shared_exposure *out, const char *text, size_t size,
                         const char *path)
{
    int format;
    enum status status = STATUS_IO;
    if (json_is_sealed(text, size))
        status = json_read(&form, text, size, out, NULL, &format);
    else
        (void)status_fail(STATUS_IO, "its checksum does not match");
    return status == STATUS_OK ? status : status_prefix(status, "the exposure '%s'", path);
}

enum status shared_exposure_read(const struct job *job, uint64_t frame,
                                 double state[RENDERER_STATE])
{
    char *path = exposure_path(job, frame), *text;
    size_t size;
    struct shared_exposure read = {0};
    enum status status = file_read(path, TEXT_MOST, &text, &size);
    if (status == STATUS_OK) {
        status = parse(&read, text, size, path);
        free(text);
    }
    if (status == STATUS_OK &&
        (strcmp(read.scene_hash, job->scene_hash) != 0 || read.frame != frame))
        status = status_fail(STATUS_USAGE,
                             "the exposure '%s' belongs to another scene (hash %s, expected %s); "
                             "delete it",
                             path, read.scene_hash, job->scene_hash);
    memcpy(state, read.state, sizeof read.state);
    free(path);
    return status;
}

enum status shared_exposure_write(const struct job *job, uint64_t frame)
{
    struct shared_exposure own = {.frame = frame};
    strcpy(own.scene_hash, job->scene_hash);
    renderer_state(job->film->renderer, own.state);
    char *text = json_write(&form, &own, NULL),
         *sealed = text ? json_seal(text, strlen(text)) : NULL;
    char *path = exposure_path(job, frame);
    enum status status =
        sealed
            ? file_write_first(path, sealed, strlen(sealed))
            : status_fail(STATUS_RUNTIME, "the exposure at frame %" PRIu64 " is not finite", frame);
    free(path);
    free(text);
    free(sealed);
    return status;
}

enum status shared_exposure_keep(void *user, uint64_t frame)
{
    struct job *job = user;
    enum status status = saved_exposure_keep(job, frame);
    if (status != STATUS_OK || frame == 0 || !job->shared ||
        !renderer_meters_every_frame(job->film->renderer) || shared_exposure_exists(job, frame))
        return status;
    return shared_exposure_write(job, frame);
}
