#include "cmd/film/job/single.h"

#include "base/ranks/ranks.h"
#include "cmd/film/tags.h"
#include "render/sinks.h"

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
    if (status == STATUS_OK && ranks_begin_first())
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
