#include "cmd/regression/verify/stages.h"

#include "base/memory.h"
#include "render/video/driver.h"
#include "render/video/picture_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void check_warnings(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const char *why = NULL;
    uint64_t wrong = film->extra_pictures;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++) {
        const struct inspected_frame *frame = &film->frames[i];
        if (frame->decoded && !frame->complaint)
            continue;
        if (first < 0) {
            first = (int64_t)i;
            why = frame->complaint ? frame->complaint : "no picture comes of it";
        }
        wrong++;
    }
    struct finding *finding =
        stage_measured(stage, subject->limits, &rules[RULE_FILM_WARNINGS], (double)wrong);
    finding->frame = first;
    if (first >= 0)
        finding_say(finding,
                    "%" PRIu64 " of %" PRIu64 " packets do not decode without a warning, the first "
                    "at frame %" PRId64 ": %s",
                    wrong, film->count, first, why);
    else if (wrong)
        finding_say(finding, "%" PRIu64 " pictures have times that no packet has", wrong);
    else
        finding_say(finding, "%" PRIu64 " packets decode without a warning", film->count);
}

/* Returns what is wrong with a frame's place in its GOP; NULL: nothing. */
static const char *gop_fault(const struct subject *subject, uint64_t i, uint64_t since_key)
{
    const struct inspected_frame *frame = &subject->film.frames[i];
    if (i == 0 && !frame->key)
        return "the film does not begin with a key frame";
    if (frame->decoded && frame->key && !frame->key_coded)
        return "the container marks it as a key frame, and the stream does not";
    if (subject->ours && frame->leads_back)
        return "its GOP is open: it is shown before the key frame that it is decoded after";
    if (subject->driver && subject->driver->gop > 0 && since_key >= (uint64_t)subject->driver->gop)
        return "no key frame comes within the encoder's interval";
    return NULL;
}

static void check_gops(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const char *why = NULL;
    uint64_t wrong = 0, open = 0, since_key = 0, keys = 0;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++) {
        since_key = film->frames[i].key ? 0 : since_key + 1;
        keys += film->frames[i].key;
        open += film->frames[i].leads_back;
        const char *fault = gop_fault(subject, i, since_key);
        if (!fault)
            continue;
        wrong++;
        why = first < 0 ? fault : why;
        first = first < 0 ? (int64_t)i : first;
    }
    const struct rule *rule = &rules[RULE_FILM_GOPS];
    struct finding *finding =
        wrong || !open
            ? stage_measured(stage, subject->limits, rule, (double)wrong)
            : stage_measured_within(stage, subject->limits, rule, (double)open, 0, INFINITY);
    finding->frame = first;
    if (wrong)
        finding_say(finding,
                    "%" PRIu64 " frames break the structure of their GOPs, the first %" PRId64
                    ": %s",
                    wrong, first, why);
    else if (open)
        finding_say(finding,
                    "%" PRIu64 " frames are in open GOPs, so that the film cannot be cut "
                    "before them",
                    open);
    else
        finding_say(finding, "%" PRIu64 " closed GOPs", keys);
}

void verify_packets(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    if (!film->is_film) {
        stage_not_applicable(stage, "%s files have no packets", film->file_format->kind);
        return;
    }
    stage->planned = stage->compared = film->count;
    check_warnings(subject, stage);
    check_gops(subject, stage);
    const struct finding *warnings = &stage->findings[0], *gops = &stage->findings[1],
                         *worst = gops->verdict > warnings->verdict ? gops : warnings;
    stage->first_frame = verdict_passes(worst->verdict) ? -1 : worst->frame;
    if (verdict_passes(warnings->verdict) || warnings->verdict < gops->verdict)
        stage_say(stage, "%s, %s", worst->text, (worst == gops ? warnings : gops)->text);
    else
        stage_say(stage, "%s", worst->text);
    stage_conclude(stage);
}

void verify_packets_conclude(struct stage_report *stage, const struct finding *finding)
{
    char *before = stage->sentence ? memory_text(stage->sentence) : NULL;
    if (before && verdict_passes(finding->verdict))
        stage_say(stage, "%s, %s", before, finding->text);
    else if (!before || verdict_passes(stage->verdict))
        stage_say(stage, "%s", finding->text);
    else
        stage_say(stage, "%s; %s", before, finding->text);
    free(before);
    if (!verdict_passes(finding->verdict) && stage->first_frame < 0)
        stage->first_frame = finding->frame;
    stage_conclude(stage);
}
