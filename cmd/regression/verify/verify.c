#include "cmd/regression/verify/verify.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/tags.h"
#include "render/video/driver.h"
#include "scenes/scene_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- the subject ---- */

static bool has_own_tags(const struct tags *tags)
{
    static const char own[] = "gravreel_";
    for (size_t i = 0; i < tags->count; i++)
        if (strncasecmp(tags->list[i].name, own, sizeof own - 1) == 0)
            return true;
    return false;
}

static void read_scene(struct subject *subject)
{
    const char *file = subject->film.file ? subject->film.file : subject->path;
    enum status status = own_scene_open(&subject->scene, file);
    if (status == STATUS_OK)
        status = scene_validate(subject->scene);
    if (status == STATUS_OK)
        return;
    subject->refusal = memory_text(status_text());
    scene_close(&subject->scene);
}

/* Finds the driver whose name begins the description, "libx264 medium crf 18, 4 threads". */
static const struct driver *find_driver(const char *description)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(description, " ,"), description);
    return choice_find(&driver_registry, name);
}

/* Call after the film has been inspected. Free in every case; the inspection is not freed. */
static void subject_open(struct subject *subject, const char *path, const struct limits *limits)
{
    const struct tags *tags = &subject->film.tags;
    subject->path = path;
    subject->limits = limits;
    subject->damaged = tags_damaged(tags);
    subject->ours = subject->damaged || has_own_tags(tags);
    const char *range = tags_find(tags, FILM_TAG_FRAMES),
               *encoder = tags_find(tags, FILM_TAG_ENCODER);
    if (tags_find(tags, FILM_TAG_SCENE))
        read_scene(subject);
    subject->has_range =
        range && film_frames_read(range, &subject->first, &subject->last, &subject->of);
    subject->driver = encoder ? find_driver(encoder) : NULL;
    if (subject->film.is_film && played_read(path, &subject->played) != STATUS_OK)
        subject->unplayed = memory_text(status_text());
}

static void subject_close(struct subject *subject)
{
    scene_close(&subject->scene);
    played_free(&subject->played);
    free(subject->refusal);
    free(subject->unplayed);
    subject->refusal = subject->unplayed = NULL;
}

uint64_t subject_frame(const struct subject *subject, uint64_t index)
{
    return (subject->has_range ? subject->first : subject->film.first) + index;
}

/* ---- the verdict ---- */

/* Returns whether the film's motion showed that its frames are in order; see verify_pictures. */
static bool has_order(const struct stage_report *stage)
{
    for (uint32_t i = 0; i < stage->finding_count; i++)
        if (stage->findings[i].rule == &rules[RULE_FILM_ORDER])
            return true;
    return false;
}

/* Returns whether finding `a` says more than `b`: the worse verdict, then the certainty of pictures
 * drawn again against what their motion only suggests. */
static bool says_more(const struct finding *a, const struct finding *b)
{
    if (a->verdict != b->verdict)
        return a->verdict > b->verdict;
    return b->rule == &rules[RULE_FILM_ORDER] && a->rule == &rules[RULE_FILM_REDRAWN_ORDER];
}

/* Uses the worst finding as the sentence, or says what was checked without finding a fault. */
static void conclude_pictures(const struct subject *subject, uint64_t redrawn,
                              struct stage_report *stage)
{
    const struct finding *worst = NULL;
    for (uint32_t i = 0; i < stage->finding_count; i++)
        if (!worst || says_more(&stage->findings[i], worst))
            worst = &stage->findings[i];
    char again[80] = "";
    if (redrawn)
        snprintf(again, sizeof again, ", %" PRIu64 " of them as drawn again", redrawn);
    if (worst && worst->verdict > VERDICT_WITHIN)
        stage_say(stage, "%s", worst->text ? worst->text : worst->rule->doc);
    else
        stage_say(stage, "%" PRIu64 " pictures, none of them black, frozen or broken%s%s",
                  subject->film.count,
                  has_order(stage) ? ", in order as far as their motion shows" : "", again);
    stage->first_frame = worst && worst->verdict == VERDICT_CHANGED ? worst->frame : -1;
    stage_conclude(stage);
}

/* Returns what the verdict is based on and what was not checked: "; 3 of 24 frames, drawn again,
 * are the same within the limits, and 24 of 24 in order, light and colour; not compared: hue; the
 * bits of packets and container were not checked". The caller frees it. */
static char *say_proof(const struct verify_params *params, const struct subject *subject,
                       const struct redrawn *redrawn, const struct stage_report *picture)
{
    const bool film = subject->film.is_film, named = params->manifest != NULL,
               boxes = named && params->manifest->box_count > 0,
               packets = named || redrawn->packets;
    char again[512] = "", order[80] = "";
    if (redrawn->ordered > redrawn->frames)
        snprintf(order, sizeof order, ", and %" PRIu64 " of %" PRIu64 " in %s", redrawn->ordered,
                 subject->film.count, redrawn->bits ? "order" : "order, light and colour");
    if (redrawn->frames)
        snprintf(again, sizeof again,
                 "; %" PRIu64 " of %" PRIu64 " frames, drawn again, are the same %s%s%s%s",
                 redrawn->frames, subject->film.count,
                 redrawn->bits ? "bit by bit" : "within the limits", order,
                 redrawn->missing ? "; not compared: " : "",
                 redrawn->missing ? redrawn->missing : "");
    const char *unproven = !film     ? ""
                           : boxes   ? "; every bit is as in the manifest"
                           : packets ? "; the bits of the container were not checked"
                                     : "; the bits of packets and container were not checked";
    const char *how = !film || named || redrawn->frames ? "" : " (--manifest checks them)";
    const char *sound = !boxes && subject->played.stream_count ? "; sound was not decoded" : "";
    const bool ordered = named || has_order(picture) || redrawn->ordered == subject->film.count ||
                         redrawn->frames == subject->film.count;
    return text_format("%s%s%s%s%s", again, unproven, how, sound,
                       ordered ? "" : "; the order of the frames was not judged");
}

/* Says "sound in 4 of 4 stages", or what is wrong, by stage. */
static void say_case(const struct verify_params *params, const struct subject *subject,
                     const struct redrawn *redrawn, struct case_report *one)
{
    char *proof = say_proof(params, subject, redrawn, &one->stages[JUDGED_PICTURE]);
    char list[STATUS_TEXT_MAX] = "";
    int judged = 0;
    case_conclude(one);
    const bool passes = verdict_passes(one->verdict);
    for (int i = 0; i < JUDGED_COUNT; i++) {
        const struct stage_report *stage = &one->stages[i];
        const size_t used = strlen(list);
        judged += verdict_passes(stage->verdict);
        if (stage->verdict >= (passes ? VERDICT_WARNED : VERDICT_NOT_JUDGED) && stage->sentence)
            snprintf(list + used, sizeof list - used, "; %s: %s", judged_name((enum judged)i),
                     stage->sentence);
    }
    const bool unknown = one->verdict == VERDICT_NOT_JUDGED && list[0];
    case_say(one, passes ? text_format("sound in %d of %d stages%s%s", judged, judged, list, proof)
                  : unknown ? memory_text(list + strlen("; "))
                            : text_format("not sound%s", list));
    free(proof);
}

/* Returns the number of frames that the tags or the header promise, if the film holds fewer. */
static uint64_t planned_frames(const struct subject *subject)
{
    const struct inspection *film = &subject->film;
    const uint64_t tagged = subject->has_range ? subject->last - subject->first + 1 : 0;
    const uint64_t told = film->told_frames > tagged ? film->told_frames : tagged;
    return film->is_film && told > film->count ? told : film->count;
}

static enum status judge(const struct verify_params *params, struct subject *subject,
                         struct case_report *one, struct redrawn *redrawn)
{
    one->frames = planned_frames(subject);
    one->fps = subject->film.fps_den ? (double)subject->film.fps_num / subject->film.fps_den : 0;
    stage_not_applicable(&one->stages[JUDGED_LIGHT], "a film does not hold its linear light");
    stage_not_applicable(&one->stages[JUDGED_START], "needs --redraw");
    stage_not_applicable(&one->stages[JUDGED_PHYSICS], "needs --redraw");
    verify_scene(subject, &one->stages[JUDGED_SCENE]);
    verify_packets(subject, &one->stages[JUDGED_PACKETS]);
    verify_container(subject, &one->stages[JUDGED_CONTAINER]);
    verify_pictures(subject, &one->stages[JUDGED_PICTURE]);
    enum status status =
        params->manifest ? verify_manifest(subject, params->manifest, one) : STATUS_OK;
    if (status == STATUS_OK && params->redraw)
        status = verify_redraw(subject, params, one, redrawn);
    if (status == STATUS_OK)
        conclude_pictures(subject, redrawn->frames, &one->stages[JUDGED_PICTURE]);
    return status;
}

enum status verify_film(const struct verify_params *params, struct report *report)
{
    struct subject subject = {0};
    const double since = clock_seconds();
    enum status status = inspect_film(&subject.film, params->path, params->stop);
    struct case_report *one =
        status == STATUS_STOPPED ? NULL : report_add_case(report, params->path);
    if (one)
        one->a = memory_text(params->path);
    if (status == STATUS_OK) {
        subject_open(&subject, params->path, params->limits);
        struct redrawn redrawn = {0};
        status = judge(params, &subject, one, &redrawn);
        say_case(params, &subject, &redrawn, one);
        free(redrawn.missing);
        one->seconds = clock_seconds() - since;
        subject_close(&subject);
    } else if (one) {
        case_give_up(one, status_text());
    }
    inspection_free(&subject.film);
    return status;
}
