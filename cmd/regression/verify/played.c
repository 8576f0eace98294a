#include "cmd/regression/verify/stages.h"

#include "base/text.h"
#include "render/picture/picture.h"
#include "render/video/codecs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times are rounded to milliseconds in Matroska. */
static const double ROUNDING = 0.002;

/* Lists what is wrong, and what is only named. */
struct faults {
    char *text;
    int wrong, named;
};

/* ---- what the scene asks for ---- */

static const char *expected_view(const struct subject *subject, const char *name)
{
    if (strcmp(name, PLAYED_ASPECT) == 0)
        return "1:1";
    if (strcmp(name, PLAYED_LOOP) == 0)
        return "forever";
    const struct projection *projection = subject->scene ? subject->scene->camera.projection : NULL;
    if (!projection || projection->flat || !subject->film.container->tells_projection)
        return NULL;
    if (projection->whole_sphere)
        return strcmp(name, "sphere") == 0 ? "equirectangular" : NULL;
    if (strcmp(name, "stereo") != 0)
        return NULL;
    return projection->columns > 1 ? "side by side" : "top and bottom";
}

static const char *expected_title(const struct subject *subject)
{
    if (!subject->scene)
        return NULL;
    return *subject->scene->output.title ? subject->scene->output.title : "gravreel";
}

/* Returns whether the whole of the film has sound of its scene: a range has none, and a film that
 * is written to a pipe, which mkv and webm may be, has none either. */
static bool must_sound(const struct subject *subject)
{
    const bool whole =
        subject->has_range && subject->first == 0 && subject->last + 1 == subject->of;
    return subject->scene && *subject->scene->output.audio && whole &&
           subject->film.container->needs_seek && !subject->film.container->loops;
}

/* ---- judging ---- */

static void fault(struct faults *faults, bool is_wrong, char *text)
{
    text_append(&faults->text, ", ", "%s", text);
    faults->wrong += is_wrong;
    faults->named += !is_wrong;
    free(text);
}

static void check_field(const struct subject *subject, const struct played_field *field,
                        struct faults *faults)
{
    const bool ours = subject->ours,
               pq = subject->scene && subject->scene->output.hdr->kind == HDR_PQ;
    const char *expected = expected_view(subject, field->name), *title = expected_title(subject);
    const bool known = ours && subject->scene,
               excused = !known &&
                         (strcmp(field->name, "sphere") == 0 || strcmp(field->name, "stereo") == 0);
    if (field->kind == PLAYED_VIEW && expected && strcmp(field->value, expected) == 0)
        return;
    if (field->kind == PLAYED_SCREEN && (!known || pq))
        return;
    if (field->kind == PLAYED_TEXT) {
        if (ours && strcmp(field->name, PLAYED_TRACK) == 0)
            fault(faults, false,
                  text_format("the track of its pictures is called %s", field->value));
        if (known && title && strcmp(field->name, "title") == 0 && strcmp(field->value, title) != 0)
            fault(faults, false,
                  text_format("title is '%s', but the scene's is '%s'", field->value, title));
        return;
    }
    fault(faults, ours && !excused,
          text_format("%s %s%s%s", field->name, field->value,
                      !ours      ? ""
                      : expected ? " instead of "
                                 : ", which this program does not write",
                      ours && expected ? expected : ""));
}

static void check_missing(const struct subject *subject, struct faults *faults)
{
    static const char *const views[] = {"sphere", "stereo"};
    const struct played *played = &subject->played;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (expected_view(subject, views[i]) && !played_field(played, views[i]))
            fault(faults, subject->ours,
                  text_format("it does not say that it is %s", expected_view(subject, views[i])));
    if (played_stream(played, "sound") == NULL && must_sound(subject))
        fault(faults, true, text_format("the sound of its scene is missing"));
}

/* Checks that sound begins with the film and ends with it, or before. */
static void check_sound(const struct subject *subject, const struct played_stream *sound,
                        struct faults *faults)
{
    const double rate = (double)subject->film.fps_num / subject->film.fps_den,
                 length = (double)subject->film.count / rate, end = sound->begins + sound->lasts,
                 allowed = sound->packet + ROUNDING;
    if (subject->film.fps_num == 0)
        return;
    if (!(fabs(sound->begins) <= allowed))
        fault(faults, subject->ours,
              text_format("its sound begins %.3f s after its pictures", sound->begins));
    if (end > length + allowed)
        fault(faults, subject->ours,
              text_format("its sound ends %.3f s after its pictures", end - length));
}

static void check_streams(const struct subject *subject, struct faults *faults)
{
    const struct played *played = &subject->played;
    const bool sounds = !subject->scene || *subject->scene->output.audio;
    for (size_t i = 0; i < played->stream_count; i++) {
        const struct played_stream *stream = &played->streams[i];
        if (strcmp(stream->name, "sound") == 0)
            check_sound(subject, stream, faults);
        if (subject->ours && *stream->told)
            fault(faults, false, text_format("its %s is called %s", stream->name, stream->told));
        if (subject->ours && !(sounds && strcmp(stream->name, "sound") == 0))
            fault(faults, true,
                  text_format("it has %s (%s), which its scene does not have", stream->name,
                              stream->codec));
    }
}

void verify_played(const struct subject *subject, struct stage_report *stage)
{
    const struct rule *rule = &rules[RULE_CONTAINER_PLAYED];
    struct faults faults = {0};
    if (subject->unplayed) {
        struct finding *finding =
            stage_measured_within(stage, subject->limits, rule, 1, 0, INFINITY);
        finding_say(finding, "rotation, sound and chapters are not judged: %s", subject->unplayed);
        return;
    }
    for (size_t i = 0; i < subject->played.field_count; i++)
        check_field(subject, &subject->played.fields[i], &faults);
    check_missing(subject, &faults);
    check_streams(subject, &faults);
    struct finding *finding =
        faults.wrong
            ? stage_measured(stage, subject->limits, rule, faults.wrong)
            : stage_measured_within(stage, subject->limits, rule, faults.named, 0, INFINITY);
    if (faults.text)
        finding_say(finding, "%s", faults.text);
    else
        finding_say(finding, "shown as it is coded");
    free(faults.text);
}
