#include "cmd/regression/baseline/substitute.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/film.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/gallery.h"
#include "cmd/regression/baseline/redraw.h"
#include "cmd/regression/baseline/run.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/record/recorder.h"

#include <stdlib.h>

/* Turns a missing object into STATUS_OK: the stage then keeps its verdict, and the check has not
 * failed. */
static enum status unless_missing(enum status status)
{
    return status == STATUS_IO || status == STATUS_MISMATCH ? STATUS_OK : status;
}

/* ---- the start ---- */

/* Returns whether the baseline stored the masses, positions and velocities of its start; older
 * baselines have no masses. Reads the object. */
static bool restart_is_possible(const struct baseline *baseline)
{
    struct state first = {0};
    const bool possible = baseline->state_count > 0 && baseline->states[0].frame == 0 &&
                          baseline_get_state(baseline, &baseline->states[0], &first) == STATUS_OK &&
                          first.mass;
    state_free(&first);
    return possible;
}

/* Refuses a number of bodies other than the baseline's: the sketches could not be compared. */
static enum status run(const struct baseline *baseline, const struct run_params *params,
                       struct film *film, struct record *record)
{
    const struct record *before = &baseline->record;
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < before->count && status == STATUS_OK; f++) {
        struct frame_record *frame = &record->frames[f];
        frame->frame = before->frames[f].frame;
        for (int s = 0; s < film->simulation_count && status == STATUS_OK; s++)
            status = simulation_advance(film->simulations[s], frame->frame, params->stop);
        if (status == STATUS_OK)
            status = physics_record(film, true, f > 0 ? &before->frames[f] : NULL, frame);
    }
    physics_describe(film, record);
    record->bodies = film->bodies->count;
    record->softening = before->softening;
    return status;
}

/* Runs the physics again from the bodies that the baseline stored, without pictures, so that a
 * changed start cannot hide a change of the motion. Records only the bodies, at the frames that the
 * baseline has. Returns STATUS_MISMATCH when the scene has another number of bodies, STATUS_STOPPED
 * after *stop. record_free frees the record in every case. */
static enum status restart_physics(const struct baseline *baseline, const struct run_params *params,
                                   struct record *record)
{
    struct bodies *bodies = NULL;
    struct film film = {0};
    *record = (struct record){0};
    enum status status = redraw_bodies(baseline, params->scene, &bodies);
    if (status == STATUS_OK)
        status = record_create(record, 0, baseline->record.count);
    if (status != STATUS_OK) {
        bodies_destroy(&bodies);
        return status;
    }
    status = film_open(&film, &(struct film_options){.scene = params->scene,
                                                     .backend = params->backend,
                                                     .device = params->device,
                                                     .bodies = bodies,
                                                     .opens = FILM_SIMULATIONS});
    if (status != STATUS_OK)
        return status;
    status = run(baseline, params, &film, record);
    film_close(&film);
    return status;
}

static enum status judge_restarted(const struct substitution *substitution,
                                   const struct record *restarted)
{
    struct comparison comparison = *substitution->comparison;
    struct record now = *restarted;
    now.platform = comparison.now->platform;
    comparison.now = &now;
    comparison.substituted = true;
    comparison.details = (struct comparison_details){0};
    return judge_stage(&comparison, JUDGED_PHYSICS, &substitution->one->stages[JUDGED_PHYSICS]);
}

enum status substitute_start(const struct substitution *substitution)
{
    struct record now;
    if (!restart_is_possible(substitution->baseline))
        return STATUS_OK;
    enum status status = restart_physics(substitution->baseline, &substitution->run, &now);
    status = status == STATUS_OK ? judge_restarted(substitution, &now) : unless_missing(status);
    record_free(&now);
    return status;
}

/* ---- states ---- */

struct redrawn {
    struct capture capture;
    struct frame_record frames[BASELINE_STATES_MAX];
    uint32_t count;
};

static enum status see(void *user, const struct renderer *renderer, const struct picture *picture)
{
    (void)renderer;
    struct redrawn *redrawn = user;
    struct frame_record *frame = &redrawn->frames[redrawn->count];
    struct capture *capture = &redrawn->capture;
    frame_record_clear(frame, picture->frame);
    redraw_measure(picture, frame);
    capture->picture_frames[redrawn->count] = picture->frame;
    capture->picture_count = ++redrawn->count;
    return picture_copy(picture, &capture->pictures[redrawn->count - 1]);
}

static enum status judge_redrawn(const struct substitution *substitution, struct redrawn *redrawn)
{
    struct report scratch = {0};
    struct case_report *aside = report_add_case(&scratch, "substituted");
    aside->frames = substitution->one->frames;
    aside->fps = substitution->one->fps;
    char *folder = substitution->shown ? text_format("%s/substituted", substitution->shown) : NULL;
    struct gallery gallery = {.baseline = substitution->baseline,
                              .now = &redrawn->capture,
                              .limits = substitution->comparison->limits,
                              .one = aside,
                              .folder = folder,
                              .note = "drawn from a stored state"};
    struct comparison comparison = *substitution->comparison;
    struct record now = *comparison.now;
    now.frames = redrawn->frames;
    now.count = redrawn->count;
    comparison.now = &now;
    comparison.substituted = true;
    comparison.details = gallery_details(&gallery);
    struct stage_report *stages = substitution->one->stages;
    enum status status = judge_stage(&comparison, JUDGED_LIGHT, &stages[JUDGED_LIGHT]);
    if (status == STATUS_OK)
        status = judge_stage(&comparison, JUDGED_PICTURE, &stages[JUDGED_PICTURE]);
    gallery_move_shown(aside, substitution->one);
    gallery_close(&gallery);
    report_free(&scratch);
    free(folder);
    return status;
}

static enum picture_format format_of(const struct baseline *baseline)
{
    struct picture *picture;
    enum picture_format format = PICTURE_RGBA16;
    if (baseline->picture_count > 0 &&
        baseline_get_picture(baseline, &baseline->pictures[0], &picture) == STATUS_OK) {
        format = picture->layout.format;
        picture_free(&picture);
    }
    return format;
}

enum status substitute_states(const struct substitution *substitution)
{
    const struct baseline *baseline = substitution->baseline;
    struct redrawn *redrawn = memory_new(1, sizeof *redrawn);
    uint32_t drawn;
    enum status status =
        redraw_states(baseline, substitution->scene, format_of(baseline), see, redrawn, &drawn);
    status = status == STATUS_OK ? judge_redrawn(substitution, redrawn) : unless_missing(status);
    capture_free(&redrawn->capture);
    free(redrawn);
    return status;
}

/* ---- pictures ---- */

static enum status encode(const struct substitution *substitution, struct record *now)
{
    const struct baseline *baseline = substitution->baseline;
    struct picture *pictures[BASELINE_PICTURES_MAX] = {0};
    enum status status = STATUS_OK;
    for (uint32_t i = 0; i < baseline->picture_count && status == STATUS_OK; i++)
        status = baseline_get_picture(baseline, &baseline->pictures[i], &pictures[i]);
    if (status == STATUS_OK)
        status =
            run_pictures(&substitution->run, "pictures", pictures, baseline->picture_count, now);
    for (uint32_t i = 0; i < baseline->picture_count; i++)
        picture_free(&pictures[i]);
    return status;
}

static enum status judge_encoded(const struct substitution *substitution, const struct record *then,
                                 const struct record *encoded)
{
    struct comparison comparison = *substitution->comparison;
    struct record before = *then, now = *encoded;
    before.platform = comparison.before->platform;
    before.output_format = comparison.before->output_format;
    now.platform = comparison.now->platform;
    now.output_format = comparison.now->output_format;
    comparison.before = &before;
    comparison.now = &now;
    comparison.substituted = true;
    comparison.details = (struct comparison_details){0};
    struct stage_report *stages = substitution->one->stages;
    enum status status = judge_stage(&comparison, JUDGED_PACKETS, &stages[JUDGED_PACKETS]);
    /* If the packets differ, the size of the container differs too. */
    const bool same = stages[JUDGED_PACKETS].verdict == VERDICT_SAME ||
                      stages[JUDGED_PACKETS].verdict == VERDICT_NOT_APPLICABLE;
    return status == STATUS_OK && same
               ? judge_stage(&comparison, JUDGED_CONTAINER, &stages[JUDGED_CONTAINER])
               : status;
}

enum status substitute_pictures(const struct substitution *substitution)
{
    const struct baseline *baseline = substitution->baseline;
    struct record then = {0}, now = {0};
    if (baseline->picture_count == 0)
        return STATUS_OK;
    enum status status = baseline_get_record(baseline, baseline->encoding, &then);
    if (status == STATUS_OK)
        status = encode(substitution, &now);
    status =
        status == STATUS_OK ? judge_encoded(substitution, &then, &now) : unless_missing(status);
    record_free(&then);
    record_free(&now);
    return status;
}
