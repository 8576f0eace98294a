#include "cmd/film/job/saved_exposure.h"

#include "cmd/film/manifest/manifest.h"

#include <stdio.h>

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
