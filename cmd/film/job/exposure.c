#include "cmd/film/job/exposure.h"

#include "base/file.h"
#include "base/json/codec.h"
#include "base/text.h"
#include "cmd/film/manifest/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#define NAME "exposure-%06" PRIu64 ".json"

static char *path_of(const struct job *job, uint64_t frame)
{
    return text_format("%s/" NAME, job->shared, frame);
}

size_t shared_exposure_name(const char *name)
{
    uint64_t frame;
    if (sscanf(name, "exposure-%" SCNu64 ".json", &frame) != 1)
        return 0;
    char *whole = text_format(NAME, frame);
    const size_t length = strlen(whole);
    const bool same = strncmp(name, whole, length) == 0;
    free(whole);
    return same ? length : 0;
}

bool shared_exposure_exists(const struct job *job, uint64_t frame)
{
    char *path = path_of(job, frame);
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
    char *path = path_of(job, frame), *text;
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
                             "use a folder of its own for each scene",
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
    char *path = path_of(job, frame);
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
