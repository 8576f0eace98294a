#include "cmd/film/pipeline/passing.h"

#include "base/clock.h"
#include "base/ranks/ranks.h"
#include "sim/views.h"

enum status pass_check(const struct scene *scene, bool played, const char *what)
{
    static const char *const encoding[] = {"output.codec",         "output.crf",  "output.preset",
                                           "output.codec_options", "output.bits", "output.chroma",
                                           "output.deterministic", "output.loop"};
    for (size_t i = 0; i < sizeof encoding / sizeof *encoding; i++)
        if (scene_is_option(scene, encoding[i]))
            return status_fail(STATUS_USAGE,
                               "%s is for films, and %s encodes no pictures; leave it out",
                               encoding[i], what);
    return ranks_count() > 1 && played
               ? status_fail(STATUS_USAGE,
                             "%s needs all bodies in one process, which no rank has of snapshots; "
                             "start one process without mpirun",
                             what)
               : STATUS_OK;
}

static enum status pass_frames(const struct pipeline_params *params, const struct passing *passing,
                               struct view *view, struct pipeline_progress *progress)
{
    const double start = clock_seconds();
    enum status status = STATUS_OK;
    for (uint64_t frame = 0; frame <= params->last && status == STATUS_OK; frame++) {
        double since = clock_seconds();
        status = ranks_stop(params->stop) ? STATUS_STOPPED : STATUS_OK;
        for (int i = 0; i < params->simulation_count && status == STATUS_OK; i++)
            status =
                simulation_advance(params->simulations[i], frame, i == 0 ? params->stop : NULL);
        if (status == STATUS_OK)
            status = views_fill(params->simulations, view);
        progress->busy[STAGE_SIMULATE] += clock_seconds() - since;
        since = clock_seconds();
        if (status == STATUS_OK && params->renderer) {
            view->frame = frame;
            status = passing->take(passing->user, view);
        }
        status = ranks_are_together() ? ranks_agree(status) : status;
        progress->busy[STAGE_DRAW] += clock_seconds() - since;
        if (status == STATUS_OK && frame >= params->first)
            for (int s = 0; s < STAGE_COUNT; s++)
                progress->done[s]++;
        progress->elapsed = clock_seconds() - start;
        progress->time = simulation_time(params->simulations[0]);
        progress->next = frame + (status == STATUS_OK);
        if (params->tick)
            params->tick(params->tick_user, progress);
    }
    return status;
}

enum status pass_views(const struct pipeline_params *params, const struct passing *passing,
                       struct pipeline_progress *progress)
{
    struct view *view = NULL;
    *progress = (struct pipeline_progress){.wanted = params->last - params->first + 1,
                                           .failed = STAGE_COUNT};
    enum status status = views_create(params->simulations, params->simulation_count, &view);
    if (status == STATUS_OK && params->renderer)
        status = renderer_bind(params->renderer);
    const bool bound = status == STATUS_OK && params->renderer;
    if (ranks_are_together())
        status = ranks_agree(status);
    if (status == STATUS_OK)
        status = pass_frames(params, passing, view, progress);
    if (bound)
        renderer_unbind(params->renderer);
    const double since = clock_seconds();
    if (bound && (status == STATUS_OK || status == STATUS_STOPPED)) {
        const enum status finished = passing->finish(passing->user);
        status = finished == STATUS_OK ? status : finished;
    }
    progress->busy[STAGE_ENCODE] = clock_seconds() - since;
    progress->device_memory = simulation_device_memory(params->simulations[0]);
    if (ranks_are_together())
        status = ranks_agree(status);
    views_destroy(params->simulations, &view);
    return status;
}
