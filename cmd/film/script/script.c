#include "cmd/film/script/script.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "cmd/film/script/axes.h"
#include "cmd/film/script/film_camera.h"
#include "cmd/film/script/reach.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/start/universe.h"
#include "scenes/print.h"
#include "scenes/value.h"
#include "render/camera/follow.h"
#include "sim/models/models.h"
#include "sim/pilot/galaxy_core.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Few bodies do not show how far galaxies reach. */
enum { OPENING_STAND_INS = 65536 };

static struct frame_clock even_clock(const struct scene *scene)
{
    return (struct frame_clock){.dt = scene->simulation.dt,
                                .steps_per_frame = scene->simulation.steps_per_frame};
}

/* Events that a pilot run must find. */
struct search {
    bool two_galaxies; /* false: no event (pericentre, merger) can be found */
    bool happens, late, redshifts;
};

static void need(struct search *search, const struct moment *moment)
{
    search->happens |= search->two_galaxies && moment_happens(moment);
    search->late |= search->two_galaxies && moment_is_late(moment);
    search->redshifts |= moment->kind == MOMENT_REDSHIFT;
}

/* Moments that must happen. */
static void need_moments(struct search *search, const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->simulation.slow_count; i++)
        need(search, &scene->simulation.slow[i].at);
    need(search, &scene->simulation.freeze_at);
    for (uint32_t i = 0; i < scene->camera.keyframe_count; i++)
        need(search, &scene->camera.keyframes[i].at);
    for (uint32_t i = 0; i < scene->camera.move_count; i++) {
        need(search, &scene->camera.moves[i].from);
        need(search, &scene->camera.moves[i].to);
    }
    for (size_t k = 0; k < scene_key_count; k++)
        for (uint32_t i = 0; i < scene->tracks[k].count; i++)
            need(search, &scene->tracks[k].points[i].at);
    for (uint32_t i = 0; i < scene->overlay.caption_count; i++) {
        need(search, &scene->overlay.captions[i].from);
        need(search, &scene->overlay.captions[i].to);
    }
    for (uint32_t i = 0; i < scene->overlay.label_count; i++) {
        need(search, &scene->overlay.labels[i].from);
        need(search, &scene->overlay.labels[i].to);
    }
}

/* Without those of the clock and of a caption's text, films are made, too. */
static void need_all(struct search *search, const struct scene *scene)
{
    need_moments(search, scene);
    /* The framing finds the first passage, too. */
    if (captions_need_passage(scene) && !reach_is_needed(scene))
        need(search, &(struct moment){.kind = MOMENT_PERICENTRE, .value = 1});
    if (scene->overlay.clock &&
        (moment_is_late(&scene->overlay.clock_from) || !reach_is_needed(scene)))
        need(search, &scene->overlay.clock_from);
}

/* Reads the universe only if the scene or `moment` (NULL: none) has a redshift. */
static struct moment_scale scale_of(const struct scene *scene, const struct frame_clock *clock,
                                    const struct moment *moment)
{
    struct moment_scale out = {
        .fps = (double)scene->output.fps.num / scene->output.fps.den,
        .frames = scene->output.frames,
        .clock = clock,
    };
    struct search search = {.two_galaxies = false};
    struct universe_found universe;
    need_moments(&search, scene);
    need(&search, moment ? moment : &scene->overlay.clock_from);
    if (search.redshifts && universe_read(scene, &universe) == STATUS_OK) {
        out.cosmology = universe.cosmology;
        out.age = universe.age;
    }
    return out;
}

static bool has_two_galaxies(const struct bodies *bodies)
{
    return galaxies_count(bodies) >= 2;
}

static double find_passage(const struct pilot *pilot, const struct moment_scale *scale)
{
    return pilot && pilot->separation && pilot->happened.pericentre_count > 0
               ? frame_clock_frame(scale->clock, pilot->happened.pericentre[0].time) / scale->fps
               : -1;
}

/* A callback that sees the bodies of a pilot run. */
struct looker {
    const struct frame_clock *clock;
    bool stand_ins;
    enum status (*see)(void *user, const struct bodies *bodies, const struct view *view,
                       double time);
    void *user;
};

static enum status fly(struct pilot **out, const struct script_source *source,
                       enum pilot_seeks seeks, const struct looker *looker)
{
    const struct scene *scene = source->scene;
    const struct frame_clock even = even_clock(scene);
    const uint64_t last = scene->output.frames - 1;
    struct simulation_params simulation = scene->simulation;
    simulation.played = film_played(scene);
    const struct pilot_params params = {
        .simulation = &simulation,
        .duration = frame_clock_time(looker ? looker->clock : &even, last),
        .frames = scene->output.frames,
        .seeks = seeks,
        .stand_ins = looker && looker->stand_ins,
        .backend = source->backend,
        .device = source->device,
        .run = source->run,
        .keep = source->pilots,
        .see = looker ? looker->see : NULL,
        .user = looker ? looker->user : NULL,
    };
    return pilot_run(out, &params, source->bodies);
}

/* Makes a pilot run for the scene's moments or for `alone`; *out stays NULL if none needs one. */
static enum status find_moments(struct pilot **out, const struct script_source *source,
                                const struct moment *alone)
{
    struct search search = {.two_galaxies = has_two_galaxies(source->bodies)};
    if (alone)
        need(&search, alone);
    else
        need_all(&search, source->scene);
    if (!search.happens)
        return STATUS_OK;
    return fly(out, source, search.late ? PILOT_STORY : PILOT_PASSAGE, NULL);
}

/* A moment's key in a scene; without a field the item as a whole, without a list the key. */
struct place {
    const struct scene *scene;
    const char *list;
    uint32_t item; /* counted from 0 */
    const char *field;
};

static enum status blame(const struct place *place, enum status status)
{
    char key[64];
    if (place->list)
        snprintf(key, sizeof key, "%s[%u]%s%s", place->list, place->item + 1,
                 place->field ? "." : "", place->field ? place->field : "");
    else
        snprintf(key, sizeof key, "%s", place->field);
    return status == STATUS_USAGE ? scene_blame(place->scene, key) : status;
}

static enum status resolve(const struct place *place, const struct moment *moment,
                           const struct moment_scale *scale, double *frame)
{
    enum status status = moment_frame(moment, scale, frame);
    if (status == STATUS_OK)
        status = moment_within(*frame, scale);
    return blame(place, status);
}

/* A shortened film may end before a stretch of slow motion does, or before a move begins, so later
 * moments are allowed. */
static enum status resolve_later(const struct place *place, const struct moment *moment,
                                 const struct moment_scale *scale, double *frame)
{
    enum status status = moment_frame(moment, scale, frame);
    if (status == STATUS_OK && *frame < 0)
        status = moment_within(*frame, scale);
    return blame(place, status);
}

/* The clock of a film of even->frames frames with the scene's slow motion. */
static enum status slow_down(struct frame_clock *clock, const struct scene *scene,
                             const struct moment_scale *even)
{
    const struct simulation_params *simulation = &scene->simulation;
    const double frame_time = simulation->dt * simulation->steps_per_frame;
    const double last = (double)(even->frames - 1);
    enum status status = STATUS_OK;
    *clock = *even->clock;
    for (uint32_t i = 0; i < simulation->slow_count && status == STATUS_OK; i++) {
        const struct slow_params *slow = &simulation->slow[i];
        const struct place at = {scene, "simulation.slow", i, "at"};
        double frame = 0;
        status = resolve_later(&at, &slow->at, even, &frame);
        clock->slow[clock->slow_count++] = (struct slow_motion){
            .at = frame * frame_time,
            .factor = slow->factor,
            .span = slow->span > 0 ? slow->span : last * frame_time / 10,
        };
    }
    return status;
}

/* Whether a film with that many frames shows `time`. */
static bool reaches(const struct scene *scene, const struct moment_scale *even, uint64_t frames,
                    double time)
{
    struct frame_clock clock;
    struct moment_scale longer = *even;
    longer.frames = frames;
    return slow_down(&clock, scene, &longer) == STATUS_OK &&
           frame_clock_frame(&clock, time) <= (double)(frames - 1) + 1e-9;
}

/* Measures how slow motion delays the story. A span that is a tenth of the film grows with the
 * film, so a large factor may prevent it from ever getting there. */
static void measure_story(struct script *script, const struct scene *scene,
                          const struct moment_scale *even)
{
    enum { TIMES_MOST = 64 };
    const uint64_t frames = scene->output.frames;
    uint64_t few = frames, enough = frames;
    script->story = frame_clock_time(even->clock, frames - 1);
    if (script->clock.slow_count == 0 || reaches(scene, even, frames, script->story))
        return;
    do {
        if (enough >= TIMES_MOST * frames)
            return;
        enough *= 2;
    } while (!reaches(scene, even, enough, script->story));
    while (enough - few > 1) {
        const uint64_t middle = few + (enough - few) / 2;
        *(reaches(scene, even, middle, script->story) ? &enough : &few) = middle;
    }
    script->story_frames = enough;
}

/* Warns of moments that slow motion moves behind the end. Not an error: the scene of a film that an
 * option made shorter is a scene, too. */
static void warn_of_late(const struct frame_clock *clock, const struct scene *scene,
                         const struct moment_scale *even)
{
    const double last = (double)(scene->output.frames - 1);
    for (uint32_t i = 0; i < scene->simulation.slow_count; i++) {
        const double time = clock->slow[i].at, frame = frame_clock_frame(clock, time);
        if (frame_clock_frame(even->clock, time) <= last && frame > last)
            log_message_once(LOG_WARNING,
                             "slow motion takes up frames: the film ends with frame %.0f, before "
                             "simulation.slow[%u].at, frame %.0f; raise output.frames, or give an "
                             "earlier moment or a smaller factor or span",
                             last, i + 1, ceil(frame));
    }
}

static enum status make_clock(struct script *script, const struct scene *scene,
                              const struct moment_scale *even)
{
    script->clock = *even->clock;
    if (scene->output.frames == 1) /* a still has no motion to slow down */
        return STATUS_OK;
    const enum status status = slow_down(&script->clock, scene, even);
    if (status == STATUS_OK && !scene_is_option(scene, "output.frames"))
        warn_of_late(&script->clock, scene, even);
    return status;
}

/* Freezes at a whole frame, so that no step is shortened. */
static enum status freeze(struct frame_clock *clock, const struct scene *scene,
                          const struct moment_scale *scale)
{
    const struct moment *at = &scene->simulation.freeze_at;
    const struct place place = {scene, NULL, 0, "simulation.freeze_at"};
    double frame = 0;
    if (at->kind == MOMENT_END && at->shift == 0)
        return STATUS_OK;
    enum status status = resolve(&place, at, scale, &frame);
    clock->freezes = true;
    clock->freeze_frame = (uint64_t)fmax(0, round(frame));
    return status;
}

/* The end of what begins at a frame: `to: end` is before it if it begins after the film. */
static double end_after(double begins, double ends, const struct moment_scale *scale)
{
    return begins > (double)scale->frames - 1 ? fmax(ends, begins + 1) : ends;
}

static enum status make_camera(struct script *script, const struct scene *scene,
                               const struct moment_scale *whole)
{
    const struct camera_params *camera = &scene->camera;
    struct moment_scale looping = *whole;
    const struct moment_scale *scale = &looping;
    enum status status = STATUS_OK;
    looping.loops = scene->output.loop;
    script->keyframe = memory_new(camera->keyframe_count, sizeof *script->keyframe);
    script->move_from = memory_new(camera->move_count, sizeof *script->move_from);
    script->move_to = memory_new(camera->move_count, sizeof *script->move_to);
    for (uint32_t i = 0; i < camera->keyframe_count && status == STATUS_OK; i++) {
        const struct place at = {scene, "camera.keyframes", i, "at"};
        status = resolve(&at, &camera->keyframes[i].at, scale, &script->keyframe[i]);
    }
    for (uint32_t i = 0; i < camera->move_count && status == STATUS_OK; i++) {
        const struct move_params *move = &camera->moves[i];
        const struct place from = {scene, "camera.moves", i, "from"};
        const struct place to = {scene, "camera.moves", i, "to"};
        status = resolve_later(&from, &move->from, scale, &script->move_from[i]);
        /* A move that has begun ends, if not in the film; where time stands still it never would.
         */
        const bool ends = scale->clock->freezes && script->move_from[i] < (double)scale->frames;
        if (status == STATUS_OK)
            status = (ends ? resolve : resolve_later)(&to, &move->to, scale, &script->move_to[i]);
        script->move_to[i] = end_after(script->move_from[i], script->move_to[i], scale);
    }
    return status;
}

size_t script_tracks(const struct scene *scene)
{
    size_t count = 0;
    for (size_t k = 0; k < scene_key_count; k++)
        count += scene->tracks[k].count;
    return count;
}

/* The keyframes of numbers. A shortened film may end before the last ones. */
static enum status make_tracks(struct script *script, const struct scene *scene,
                               const struct moment_scale *scale)
{
    double *frame = script->track = memory_new(script_tracks(scene), sizeof *frame);
    for (size_t k = 0; k < scene_key_count; k++) {
        const struct track *track = &scene->tracks[k];
        char key[KEY_PATH];
        key_path(&scene_keys[k], key);
        for (uint32_t i = 0; i < track->count; i++, frame++) {
            const struct place at = {scene, key, i, "at"};
            enum status status = resolve_later(&at, &track->points[i].at, scale, frame);
            if (status == STATUS_OK && i > 0 && !(frame[0] > frame[-1]))
                status = blame(&at, status_fail(STATUS_USAGE,
                                                "the keyframe is at frame %.10g, not after the one "
                                                "before it, at frame %.10g; list them in the order "
                                                "of their moments",
                                                frame[0], frame[-1]));
            if (status != STATUS_OK)
                return status;
        }
    }
    script_key(script, scene);
    return STATUS_OK;
}

/* Which parameters have the key. */
static enum keyed_part part_of(const struct key *key, size_t *offset)
{
    static const size_t parts[] = {[KEYED_CAMERA] = offsetof(struct scene, camera),
                                   [KEYED_LOOK] = offsetof(struct scene, look),
                                   [KEYED_OVERLAY] = offsetof(struct scene, overlay)};
    enum keyed_part part = KEYED_OVERLAY;
    while (part > 0 && key->offset < parts[part])
        part--;
    *offset = key->offset - parts[part];
    return part;
}

void script_key(struct script *script, const struct scene *scene)
{
    const double *frame = script->track;
    const size_t points = script_tracks(scene);
    struct keyed_point *point = NULL;
    script->keyed_count = 0;
    for (size_t k = 0; k < scene_key_count; k++)
        script->keyed_count += scene->tracks[k].count > 0;
    free(script->keyed);
    script->keyed =
        memory_new(1, script->keyed_count * sizeof *script->keyed + points * sizeof *point);
    point = (struct keyed_point *)(void *)(script->keyed + script->keyed_count);
    struct keyed *keyed = script->keyed;
    for (size_t k = 0; k < scene_key_count; k++) {
        const struct track *track = &scene->tracks[k];
        if (track->count == 0)
            continue;
        keyed->part = part_of(&scene_keys[k], &keyed->offset);
        keyed->count = track->count;
        keyed->points = point;
        for (uint32_t i = 0; i < track->count; i++)
            *point++ =
                (struct keyed_point){*frame++, track->points[i].value, track->points[i].ease};
        keyed++;
    }
}

/* The texts that appear and disappear. */
static const char captions_key[] = "overlay.captions", labels_key[] = "overlay.labels";

static void moments_of(const struct scene *scene, const char *list, uint32_t i,
                       const struct moment **from, const struct moment **to)
{
    const struct overlay_params *overlay = &scene->overlay;
    const bool label = list == labels_key;
    *from = label ? &overlay->labels[i].from : &overlay->captions[i].from;
    *to = label ? &overlay->labels[i].to : &overlay->captions[i].to;
}

static const double always = 1e9; /* frames, more than a film has */

/* In seconds; may be after the film's end. */
static enum status resolve_span(const struct scene *scene, const char *list, uint32_t i,
                                const struct moment_scale *scale, struct label_found *out)
{
    const struct place whole = {scene, list, i, NULL};
    const struct place at_from = {scene, list, i, "from"}, at_to = {scene, list, i, "to"};
    const struct moment *from, *to;
    double begins = 0, ends = 0;
    moments_of(scene, list, i, &from, &to);
    enum status status = resolve_later(&at_from, from, scale, &begins);
    if (status == STATUS_OK)
        status = resolve_later(&at_to, to, scale, &ends);
    ends = end_after(begins, ends, scale);
    /* A label that is there all the time fades neither in nor out. */
    if (list == labels_key && from->kind == MOMENT_START && from->shift == 0)
        begins = -always;
    if (list == labels_key && to->kind == MOMENT_END && to->shift == 0)
        ends = always;
    out->begins = begins / scale->fps;
    out->ends = ends / scale->fps;
    if (status != STATUS_OK || ends > begins)
        return status;
    return blame(&whole, status_fail(STATUS_USAGE,
                                     "expected an end after the beginning, found %g to %g seconds",
                                     out->begins, out->ends));
}

static enum status make_captions(struct script *script, const struct scene *scene,
                                 const struct moment_scale *scale)
{
    const struct overlay_params *overlay = &scene->overlay;
    enum status status = STATUS_OK;
    script->caption_count = overlay->caption_count;
    script->captions = memory_new(overlay->caption_count, sizeof *script->captions);
    script->caption_notes = memory_new(overlay->caption_count, sizeof *script->caption_notes);
    script->labels = memory_new(overlay->label_count, sizeof *script->labels);
    for (uint32_t i = 0; i < overlay->caption_count && status == STATUS_OK; i++) {
        struct label_found found;
        status = resolve_span(scene, captions_key, i, scale, &found);
        script->captions[i].begins = found.begins;
        script->captions[i].ends = found.ends;
    }
    for (uint32_t i = 0; i < overlay->label_count && status == STATUS_OK; i++)
        status = resolve_span(scene, labels_key, i, scale, &script->labels[i]);
    return status;
}

/* Simulated time between two frames; before the film, at the pace of its start. */
static double time_at(const struct frame_clock *clock, double frame)
{
    const uint64_t first = (uint64_t)fmax(0, floor(frame));
    const double from = frame_clock_time(clock, first), to = frame_clock_time(clock, first + 1);
    return from + (to - from) * (frame - (double)first);
}

static void tell_clock(const struct moment *from, const struct moment_scale *scale)
{
    const char *word = moment_word(from->kind);
    char which[48];
    if (!scale->pilot || !scale->pilot->separation) {
        log_info("the clock counts from the start of the film: %s", status_text());
        return;
    }
    if (from->kind == MOMENT_MERGER)
        snprintf(which, sizeof which, "the %s", word);
    else if (from->value == 1)
        snprintf(which, sizeof which, "the first %s", word);
    else
        snprintf(which, sizeof which, "%s %.0f", word, from->value);
    log_info("the film (%.4g s) ends before %s, so the clock counts from its start; make the film "
             "longer, or set overlay.clock_from to a time",
             (double)scale->frames / scale->fps, which);
}

/* If its event does not happen, the clock counts from the start. This is reported, but the film is
 * still made. */
static enum status set_clock(struct script *script, const struct scene *scene,
                             const struct moment_scale *scale)
{
    const struct moment *from = &scene->overlay.clock_from;
    const struct place place = {scene, NULL, 0, "overlay.clock_from"};
    double frame;
    if (!scene->overlay.clock || (from->kind == MOMENT_START && from->shift == 0))
        return STATUS_OK;
    if (from->kind == MOMENT_TIME && from->shift == 0) {
        script->event = from->value;
    } else {
        enum status status = moment_frame(from, scale, &frame);
        if (status != STATUS_OK && moment_happens(from)) {
            tell_clock(from, scale);
            return STATUS_OK;
        }
        if (status != STATUS_OK)
            return blame(&place, status);
        script->event = time_at(scale->clock, frame);
    }
    script->counts_from_event = true;
    return STATUS_OK;
}

/* Checks before a pilot run. */
struct check {
    const struct scene *scene;
    const struct moment_scale *scale;
    const struct fault_taker *taker;
    bool nothing_happens; /* these bodies have no events */
    bool sought;          /* a pilot run has been made */
};

/* Whether the moment's frame, or its absence, is known without a pilot run and without a clock of
 * slow motion. */
static bool is_plain(const struct check *check, const struct moment *moment)
{
    if (check->sought)
        return true;
    if (moment_happens(moment))
        return check->nothing_happens;
    return (moment->kind != MOMENT_TIME && moment->kind != MOMENT_REDSHIFT) ||
           check->scene->simulation.slow_count == 0;
}

typedef enum status (*resolver)(const struct place *, const struct moment *,
                                const struct moment_scale *, double *frame);

static void check_by(resolver resolves, const struct check *check, const char *list, uint32_t item,
                     const char *field, const struct moment *moment)
{
    const struct place place = {check->scene, list, item, field};
    double frame;
    if (is_plain(check, moment) && resolves(&place, moment, check->scale, &frame) != STATUS_OK)
        check->taker->take(check->taker->user, status_text());
}

static void check_span(const struct check *check, const char *list, uint32_t i)
{
    const struct moment *from, *to;
    struct label_found found;
    moments_of(check->scene, list, i, &from, &to);
    if (is_plain(check, from) && is_plain(check, to) &&
        resolve_span(check->scene, list, i, check->scale, &found) != STATUS_OK)
        check->taker->take(check->taker->user, status_text());
}

static void check_all_slow(const struct check *check)
{
    const struct scene *scene = check->scene;
    for (uint32_t i = 0; i < scene->simulation.slow_count && scene->output.frames > 1; i++)
        check_by(resolve_later, check, "simulation.slow", i, "at", &scene->simulation.slow[i].at);
}

static void check_others(const struct check *check)
{
    const struct camera_params *camera = &check->scene->camera;
    for (uint32_t i = 0; i < camera->keyframe_count; i++)
        check_by(resolve, check, "camera.keyframes", i, "at", &camera->keyframes[i].at);
    for (uint32_t i = 0; i < camera->move_count; i++) {
        check_by(resolve_later, check, "camera.moves", i, "from", &camera->moves[i].from);
        check_by(resolve_later, check, "camera.moves", i, "to", &camera->moves[i].to);
    }
    for (size_t k = 0; k < scene_key_count; k++) {
        char key[KEY_PATH];
        key_path(&scene_keys[k], key);
        for (uint32_t i = 0; i < check->scene->tracks[k].count; i++)
            check_by(resolve_later, check, key, i, "at", &check->scene->tracks[k].points[i].at);
    }
    for (uint32_t i = 0; i < check->scene->overlay.caption_count; i++)
        check_span(check, captions_key, i);
    for (uint32_t i = 0; i < check->scene->overlay.label_count; i++)
        check_span(check, labels_key, i);
}

static void check_all(const struct scene *scene, const struct fault_taker *taker,
                      bool nothing_happens)
{
    const struct frame_clock even = even_clock(scene);
    const struct moment_scale scale = scale_of(scene, &even, NULL);
    const struct check check = {scene, &scale, taker, nothing_happens, false};
    check_all_slow(&check);
    check_by(resolve, &check, NULL, 0, "simulation.freeze_at", &scene->simulation.freeze_at);
    check_others(&check);
    captions_faults(scene, taker);
}

void script_faults(const struct scene *scene, const struct fault_taker *taker)
{
    check_all(scene, taker, false);
}

static void keep_first(void *user, const char *sentence)
{
    (void)sentence;
    failure_keep(user, STATUS_USAGE);
}

/* Framing keeps galaxies in the picture, and a pilot run, which finds it, has other bodies. */
static enum status check_framing(const struct script_source *source)
{
    const struct camera_bodies *bodies = source->watch ? &source->watch->bodies : NULL;
    const bool follows =
        bodies && (bodies->count > 0 ||
                   (bodies->find && camera_follow_finds(source->scene->camera.follow, bodies)));
    if (!follows || !reach_is_needed(source->scene))
        return STATUS_OK;
    status_fail(
        STATUS_USAGE,
        "auto keeps galaxies in the picture, which a camera that follows a body or a halo cannot; "
        "set it to fixed and give camera.distance, or follow a galaxy");
    return scene_blame(source->scene, "camera.frame");
}

/* Reports what is wrong without a pilot run before spending seconds on one. */
static enum status check_before(const struct script_source *source)
{
    struct failure failure = {0};
    check_all(source->scene, &(struct fault_taker){keep_first, &failure},
              !has_two_galaxies(source->bodies));
    enum status status = failure_report(&failure);
    if (status == STATUS_OK)
        status = check_framing(source);
    return status == STATUS_OK ? film_camera_check(source->scene, source->bodies, source->watch)
                               : status;
}

/* Finds the smoothed axis of camera.align. If only rank 0 sees the bodies, the other ranks get the
 * axis with the plan. */
static enum status find_axes(struct script *script, const struct script_source *source)
{
    const struct scene *scene = source->scene;
    const struct output_params *output = &scene->output;
    struct axes axes = {.scene = scene};
    struct pilot *pilot = NULL;
    if (!scene->camera.align[0] || !(scene->camera.align_time > 0))
        return STATUS_OK;
    const enum status status =
        fly(&pilot, source, PILOT_ROUGH, &(struct looker){&script->clock, false, axes_see, &axes});
    if (status == STATUS_OK && axes.count > 0)
        script->axes =
            axes_smooth(&axes, pilot->interval, &script->clock, output->frames,
                        scene->camera.align_time * output->fps.num / output->fps.den, output->loop);
    axes_end(&axes);
    pilot_close(&pilot);
    return status;
}

/* Finds what the camera must keep in the picture as it turns during the film. */
static enum status find_framing(struct script *script, struct pilot **rough,
                                const struct script_source *source,
                                const struct moment_scale *scale, const struct loop_range *loop)
{
    struct script_source own = *source;
    struct bodies *made, *many = NULL;
    if (!reach_is_needed(source->scene))
        return STATUS_OK;
    enum status status = stand_ins_make(&source->scene->bodies, PILOT_STAND_INS, &made);
    if (status == STATUS_OK && ranks_lead())
        status = stand_ins_make(&source->scene->bodies, OPENING_STAND_INS, &many);
    if (made)
        own.bodies = made;
    ranks_decide("stand-ins", made != NULL);
    struct reach reach = {
        .scene = source->scene,
        .bodies = own.bodies,
        .stand_ins = made,
        .many = many,
        .clock = &script->clock,
        .found = {.axes = script->axes,
                  .move_from = script->move_from,
                  .move_to = script->move_to,
                  .keyed = script->keyed,
                  .keyed_count = script->keyed_count},
    };
    if (status == STATUS_OK)
        status = fly(rough, &own, PILOT_ROUGH,
                     &(struct looker){&script->clock, made != NULL, reach_see, &reach});
    /* Where rank 0 alone looked, the others get its framing with the plan. */
    if (status == STATUS_OK && reach.count > 0) {
        struct moment_scale whole = *scale;
        whole.loops = source->scene->output.loop;
        reach_settle(&reach, (*rough)->interval);
        script->framing = reach_smooth(&reach, &whole, loop);
        reach_light(&reach, script->framing, &script->light);
    }
    reach_end(&reach);
    stand_ins_free(&made);
    stand_ins_free(&many);
    return status;
}

enum status script_open(struct script *out, const struct script_source *source,
                        const struct loop_range *loop)
{
    const struct scene *scene = source->scene;
    const struct frame_clock even = even_clock(scene);
    struct pilot *pilot = NULL, *rough = NULL;
    struct moment_scale scale = scale_of(scene, &even, NULL);
    *out = (struct script){0};
    enum status status = check_before(source);
    if (status == STATUS_OK)
        status = find_moments(&pilot, source, NULL);
    scale.pilot = pilot;
    if (status == STATUS_OK)
        status = make_clock(out, scene, &scale);
    if (status == STATUS_OK)
        measure_story(out, scene, &scale);
    scale.clock = &out->clock;
    if (status == STATUS_OK)
        status = freeze(&out->clock, scene, &scale);
    if (status == STATUS_OK)
        status = make_camera(out, scene, &scale);
    if (status == STATUS_OK)
        status = make_tracks(out, scene, &scale);
    if (status == STATUS_OK)
        status = make_captions(out, scene, &scale);
    if (status == STATUS_OK)
        status = find_axes(out, source);
    if (status == STATUS_OK)
        status = find_framing(out, &rough, source, &scale, loop);
    scale.pilot = pilot ? pilot : rough;
    if (status == STATUS_OK)
        status = set_clock(out, scene, &scale);
    if (status == STATUS_OK)
        status = captions_write(out->captions, out->caption_notes, &out->captions_moved, scene,
                                scale.pilot);
    if (status == STATUS_OK) {
        out->passage = find_passage(pilot ? pilot : rough, &scale);
        out->duration = frame_clock_time(&out->clock, scene->output.frames - 1);
    }
    pilot_close(&pilot);
    pilot_close(&rough);
    if (status != STATUS_OK)
        script_close(out);
    return status;
}

bool script_seeks(const struct scene *scene)
{
    struct search search = {.two_galaxies = true};
    need_moments(&search, scene);
    return search.happens;
}

void script_seek_faults(const struct script_source *source, const struct fault_taker *taker)
{
    const struct scene *scene = source->scene;
    const struct frame_clock even = even_clock(scene);
    struct moment_scale scale = scale_of(scene, &even, NULL);
    const struct check check = {scene, &scale, taker, false, true};
    struct script script = {0};
    struct pilot *pilot = NULL;
    if (!script_seeks(scene))
        return;
    if (find_moments(&pilot, source, NULL) != STATUS_OK) {
        taker->take(taker->user, status_text());
        return;
    }
    scale.pilot = pilot;
    check_all_slow(&check);
    if (slow_down(&script.clock, scene, &scale) == STATUS_OK) {
        enum status status = make_clock(&script, scene, &scale);
        if (status == STATUS_OK) {
            scale.clock = &script.clock;
            status = freeze(&script.clock, scene, &scale);
        }
        if (status != STATUS_OK)
            taker->take(taker->user, status_text());
    }
    check_others(&check);
    pilot_close(&pilot);
}

void script_close(struct script *script)
{
    free(script->keyframe);
    free(script->move_from);
    free(script->move_to);
    free(script->framing);
    free(script->axes);
    for (uint32_t i = 0; i < script->caption_count; i++)
        free(script->captions[i].text);
    free(script->captions);
    free(script->caption_notes);
    free(script->labels);
    free(script->track);
    free(script->keyed);
    *script = (struct script){0};
}

/* Whether the clock counts from the same first passage: then the film has one, although another
 * pilot run would find it some frames away. */
static bool counts_from(const struct script *script, const struct scene *scene,
                        const struct moment *moment)
{
    const struct moment *from = &scene->overlay.clock_from;
    return script->counts_from_event && from->kind == MOMENT_PERICENTRE &&
           moment->kind == MOMENT_PERICENTRE && from->value == 1 && moment->value == 1 &&
           from->shift == 0;
}

enum status script_find(const struct script *script, const struct script_source *source,
                        const struct moment *moment, double *frame)
{
    struct moment_scale scale = scale_of(source->scene, &script->clock, moment);
    double together = 0;
    const struct pilot known = {
        .separation = &together,
        .happened = {.pericentre_count = 1, .pericentre = {{.time = script->event}}}};
    struct pilot *pilot = NULL;
    const bool counts = counts_from(script, source->scene, moment);
    enum status status = counts ? STATUS_OK : find_moments(&pilot, source, moment);
    scale.pilot = counts ? &known : pilot;
    if (status == STATUS_OK)
        status = moment_frame(moment, &scale, frame);
    if (status == STATUS_OK)
        status = moment_within(*frame, &scale);
    pilot_close(&pilot);
    return status;
}

double script_event_reach(const struct script *script)
{
    const double frame = floor(frame_clock_frame(&script->clock, script->event));
    return fabs(time_at(&script->clock, frame + 1) - time_at(&script->clock, frame)) / 2;
}

void script_direct(const struct script *script, struct renderer_params *params)
{
    params->found.camera.keyframe = script->keyframe;
    params->found.camera.move_from = script->move_from;
    params->found.camera.move_to = script->move_to;
    params->found.camera.framing = script->framing;
    params->found.camera.axes = script->axes;
    params->found.camera.keyed = script->keyed;
    params->found.camera.keyed_count = script->keyed_count;
    params->found.captions = script->captions;
    params->found.labels = script->labels;
    params->found.counts_from_event = script->counts_from_event;
    params->found.event = script->event;
    params->found.event_reach = script_event_reach(script);
    params->found.duration = script->duration;
}

void script_motion_hash(const struct script *script, const struct scene *scene, bool panels,
                        char out[17])
{
    const struct frame_clock *clock = &script->clock;
    char *text = scene_print_motion(scene, false);
    if (panels)
        film_physics_list(scene, &text);
    text_append(&text, "", "clock: %.17g * %" PRIu64, clock->dt, clock->steps_per_frame);
    for (size_t i = 0; i < clock->slow_count; i++)
        text_append(&text, ", ", "%.17g / %.17g for %.17g", clock->slow[i].at,
                    clock->slow[i].factor, clock->slow[i].span);
    if (clock->freezes)
        text_append(&text, ", ", "still from frame %" PRIu64, clock->freeze_frame);
    scene_text_hash(text, out);
    free(text);
}
