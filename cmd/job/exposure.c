#include "cmd/job/exposure.h"

#include "cmd/manifest/manifest.h"
#include "sim/views.h"

#include <stdio.h>

/* An exposure that adapts has a state at the first frame of each segment, any other one for all. */
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

bool exposure_is_known(const struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    return find(job, frame, state);
}

void exposure_restore(struct job *job, uint64_t frame)
{
    double state[RENDERER_STATE];
    if (!find(job, frame, state))
        return;
    renderer_resume(job->film->renderer, state);
    job->metered = true;
}

enum status exposure_keep(void *user, uint64_t frame)
{
    struct job *job = user;
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

enum status exposure_meter(struct job *job)
{
    struct film *film = job->film;
    struct view *view = NULL;
    enum status status = renderer_bind(film->renderer);
    if (status != STATUS_OK)
        return status;
    status = views_create(film->simulations, film->simulation_count, &view);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, view);
    if (status == STATUS_OK)
        status = renderer_meter(film->renderer, view);
    views_destroy(film->simulations, &view);
    renderer_unbind(film->renderer);
    job->metered = status == STATUS_OK;
    return status;
}
