#include "cmd/regression/verify/verify.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/record/readback.h"
#include "render/picture/picture.h"
#include "render/reader/stream.h"
#include "render/video/caption_track.h"
#include "render/video/codecs.h"
#include "render/video/driver.h"
#include "render/video/picture_file.h"
#include "render/video/timecode.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds a finding with the number of faults or, if there are none, a warning with the number of
 * oddities. */
static struct finding *found(const struct subject *subject, struct stage_report *stage,
                             enum rule_name rule, double wrong, double named)
{
    return wrong > 0 || !(named > 0)
               ? stage_measured(stage, subject->limits, &rules[rule], wrong)
               : stage_measured_within(stage, subject->limits, &rules[rule], named, 0, INFINITY);
}

/* Adds a finding of faults, which are only oddities in a film by another program. */
static struct finding *found_ours(const struct subject *subject, struct stage_report *stage,
                                  enum rule_name rule, double wrong)
{
    return found(subject, stage, rule, subject->ours ? wrong : 0, subject->ours ? 0 : wrong);
}

/* Gives the finding the text, and frees it; NULL: the sentence for no fault. */
static void say_or(struct finding *finding, char *text, const char *right)
{
    finding_say(finding, "%s", text ? text : right);
    free(text);
}

void verify_conclude(struct stage_report *stage, const char *between)
{
    char *text = NULL;
    enum verdict worst = VERDICT_SAME;
    for (uint32_t i = 0; i < stage->finding_count; i++)
        worst = stage->findings[i].verdict > worst ? stage->findings[i].verdict : worst;
    stage->first_frame = -1;
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        const struct finding *finding = &stage->findings[i];
        if (finding->verdict != worst)
            continue;
        text_append(&text, between, "%s", finding->text);
        if (stage->first_frame < 0 && !verdict_passes(worst))
            stage->first_frame = finding->frame;
    }
    stage_say(stage, "%s", text ? text : "");
    stage_conclude(stage);
    free(text);
}

/* ---- packets ---- */

struct tally verify_tally(const struct subject *subject, verify_fault *fault)
{
    struct tally tally = {.first = -1};
    for (uint64_t i = subject->film.count; i-- > 0;) {
        const char *why = fault(subject, i);
        if (!why)
            continue;
        tally.wrong++;
        tally.first = (int64_t)i;
        tally.why = why;
    }
    return tally;
}

static const char *packet_fault(const struct subject *subject, uint64_t i)
{
    const struct inspected_frame *frame = &subject->film.frames[i];
    return frame->complaint  ? frame->complaint
           : !frame->decoded ? "it does not decode to a picture"
                             : NULL;
}

static void check_warnings(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const struct tally tally = verify_tally(subject, packet_fault);
    const uint64_t wrong = film->extra_pictures + tally.wrong;
    struct finding *finding = found(subject, stage, RULE_FILM_WARNINGS, (double)wrong, 0);
    finding->frame = tally.first;
    if (tally.wrong)
        finding_say(finding,
                    "%" PRIu64 " of %" PRIu64 " packets do not decode without a warning, the first "
                    "at frame %" PRId64 ": %s",
                    wrong, film->count, tally.first, tally.why);
    else if (wrong)
        finding_say(finding, "%" PRIu64 " pictures have times that no packet has", wrong);
    else
        finding_say(finding, "%" PRIu64 " packets decode without a warning", film->count);
}

/* Returns what is wrong with a frame's place in its GOP; NULL: nothing. */
static const char *gop_fault(const struct subject *subject, uint64_t i)
{
    const struct inspected_frame *frame = &subject->film.frames[i];
    const int most = subject->driver ? subject->driver->gop : 0;
    int since_key = 0;
    while (since_key < most && (uint64_t)since_key <= i && !frame[-since_key].key)
        since_key++;
    if (i == 0 && !frame->key)
        return "the film does not begin with a key frame";
    if (frame->decoded && frame->key && !frame->key_coded)
        return "the container marks it as a key frame, and the stream does not";
    if (subject->ours && frame->leads_back)
        return "its GOP is open: it is shown before the key frame that it is decoded after";
    if (most > 0 && since_key == most)
        return "no key frame comes within the encoder's interval";
    return NULL;
}

static void check_gops(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const struct tally tally = verify_tally(subject, gop_fault);
    uint64_t open = 0, keys = 0;
    for (uint64_t i = 0; i < film->count; i++) {
        keys += film->frames[i].key;
        open += film->frames[i].leads_back;
    }
    struct finding *finding =
        found(subject, stage, RULE_FILM_GOPS, (double)tally.wrong, (double)open);
    finding->frame = tally.first;
    if (tally.wrong)
        finding_say(finding,
                    "%" PRIu64 " frames break the structure of their GOPs, the first %" PRId64
                    ": %s",
                    tally.wrong, tally.first, tally.why);
    else if (open)
        finding_say(finding,
                    "%" PRIu64 " frames are in open GOPs, so the film cannot be cut "
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
    verify_conclude(stage, ", ");
}

/* ---- colours, size, frames and times ---- */

/* Colour tags that this program's encoders write (render/video/driver.c), by colour_field. */
static const char *const usual[][COLOUR_WORDS] = {
    [HDR_NONE] = {"tv", "bt709", "bt709", "bt709", "left"},
    [HDR_PQ] = {"tv", "bt2020nc", "smpte2084", "bt2020", "left"},
    [HDR_HLG] = {"tv", "bt2020nc", "arib-std-b67", "bt2020", "left"},
};

static const char *expected(const struct subject *subject, int field)
{
    return usual[subject->scene ? subject->scene->output.hdr->kind : HDR_NONE][field];
}

/* Returns whether a container must have the field. MOV cannot store a range. Y4M can store only
 * range and chroma site, and neither is required. Without a chroma site, the usual one is meant. */
static bool must_be_told(const struct container *container, int field)
{
    enum { RANGE, MATRIX, TRANSFER, PRIMARIES, SITE };
    if (field == SITE || strcmp(container->name, "y4m") == 0)
        return false;
    return field != RANGE || strcmp(container->name, "mov") != 0;
}

static int check_colour(const struct subject *subject, int field, char **text, int *unsaid)
{
    const struct inspection *film = &subject->film;
    const char *told = colour_word(&film->told, field), *coded = colour_word(&film->coded, field),
               *name = colour_field(field), *either = *coded ? coded : told;
    if (*told && *coded && strcmp(told, coded) != 0) {
        text_append(text, "; ", "%s is %s in the container and %s in the stream", name, told,
                    coded);
        return 1;
    }
    if (subject->ours && *either && strcmp(either, expected(subject, field)) != 0) {
        text_append(text, "; ", "%s is %s instead of %s", name, either, expected(subject, field));
        return 1;
    }
    if (*told || !must_be_told(film->container, field))
        return 0;
    text_append(text, "; ", "the container does not say its %s", name);
    *unsaid += !subject->ours;
    return subject->ours;
}

static void check_colours(const struct subject *subject, struct stage_report *stage)
{
    const char *format = subject->film.pixel_format; /* RGB has no matrix and no chroma */
    const bool tagged = strncmp(format, "yuv", 3) == 0 || strncmp(format, "nv", 2) == 0;
    char *text = NULL;
    int wrong = 0, unsaid = 0;
    for (int field = 0; tagged && field < COLOUR_WORDS; field++)
        wrong += check_colour(subject, field, &text, &unsaid);
    say_or(found(subject, stage, RULE_FILM_COLOURS, wrong, unsaid), text, "colours as tagged");
}

/* Checks that container and stream agree on the size. */
static void check_size(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const bool wrong = film->told_width && film->told_height &&
                       (film->told_width != film->width || film->told_height != film->height);
    struct finding *finding = found_ours(subject, stage, RULE_CONTAINER_FIELDS, wrong);
    if (wrong)
        finding_say(finding, "the size is %ux%u in the container and %ux%u in the stream",
                    film->told_width, film->told_height, film->width, film->height);
    else
        finding_say(finding, "%ux%u", film->width, film->height);
}

static void check_count(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const uint64_t promised[2] = {subject->has_range ? subject->last - subject->first + 1
                                                     : film->count,
                                  film->told_frames ? film->told_frames : film->count};
    static const char *const by[2] = {"tags say", "header says"};
    char *text = NULL, right[40];
    double wrong = 0;
    for (int i = 0; i < 2; i++) {
        wrong += fabs((double)film->count - (double)promised[i]);
        if (promised[i] != film->count)
            text_append(&text, "; ", "it holds %" PRIu64 " frames, but its %s %" PRIu64,
                        film->count, by[i], promised[i]);
    }
    if (film->ending) {
        wrong++;
        text_append(&text, "; ", "it cannot be read beyond %" PRIu64 " frames: %s", film->count,
                    film->ending);
    }
    snprintf(right, sizeof right, "%" PRIu64 " frames", film->count);
    say_or(found(subject, stage, RULE_CONTAINER_FRAMES, wrong, 0), text, right);
}

/* Returns the ticks per frame; NAN: unknown. */
static double frame_ticks(const struct inspection *film)
{
    if (!film->fps_num || film->base_num <= 0 || film->base_den <= 0)
        return NAN;
    return (double)film->base_den * film->fps_den / ((double)film->base_num * film->fps_num);
}

/* Returns the tolerance of a time: rounding to a tick, if ticks do not fall on every frame. */
static double allowed(const struct subject *subject, double ticks)
{
    static const double HALF = 0.5 + 1e-6;
    const bool hits = fabs(ticks - nearbyint(ticks)) < 1e-9;
    return hits ? 1e-6 : subject->ours ? HALF : 2 * HALF;
}

static void check_steps(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const double ticks = frame_ticks(film), most = allowed(subject, ticks);
    const int64_t begin = subject->ours ? 0 : film->frames[0].shown;
    uint64_t wrong = 0, twice = 0;
    int64_t first = -1;
    for (uint64_t i = 0; i < film->count; i++) {
        const int64_t shown = film->frames[i].shown;
        const double off = (double)shown - (double)begin - (double)i * ticks;
        twice += i > 0 && shown == film->frames[i - 1].shown;
        if (fabs(off) <= most)
            continue;
        first = first < 0 ? (int64_t)i : first;
        wrong++;
    }
    struct finding *finding = twice > 0
                                  ? found(subject, stage, RULE_FILM_STEPS, (double)wrong, 0)
                                  : found_ours(subject, stage, RULE_FILM_STEPS, (double)wrong);
    if (!wrong) {
        finding_say(finding, "times at a constant step");
        return;
    }
    finding->frame = first;
    finding_say(finding,
                "%" PRIu64 " of %" PRIu64 " frames are not at their time; frame %" PRId64
                " is shown at tick %" PRId64 " instead of %.1f of 1/%.6g s",
                wrong, film->count, first, film->frames[first].shown,
                (double)begin + (double)first * ticks,
                (double)film->base_den / (double)film->base_num);
}

/* Checks the last frame's duration, which readers derive from the film's length. */
static void check_duration(const struct subject *subject, struct stage_report *stage)
{
    const struct inspection *film = &subject->film;
    const double ticks = frame_ticks(film),
                 tick = film->base_den > 0 ? 1e6 * (double)film->base_num / (double)film->base_den
                                           : NAN,
                 want = (double)film->count * ticks * tick,
                 off = film->duration < 0 ? 0 : fabs((double)film->duration - want);
    const bool right = off <= tick + 1;
    struct finding *finding = found_ours(subject, stage, RULE_CONTAINER_TIMES, !right);
    if (right)
        finding_say(finding, "%.6g s", want * 1e-6);
    else
        finding_say(finding, "it is %.6f s long, but its %" PRIu64 " frames last %.6f s",
                    (double)film->duration * 1e-6, film->count, want * 1e-6);
}

/* ---- what players show and play: what the scene asks for ---- */

/* Times are rounded to milliseconds in Matroska. */
static const double ROUNDING = 0.002;

/* Lists faults (wrong) and oddities (named), which only warn. */
struct faults {
    char *text;
    int wrong, named;
};

static const char *expected_view(const struct subject *subject, const char *name)
{
    if (strcmp(name, PLAYED_ASPECT) == 0)
        return "1:1";
    if (strcmp(name, PLAYED_LOOP) == 0)
        return "forever";
    const struct projection *projection = subject->scene ? subject->scene->camera.projection : NULL;
    const bool dome = projection && projection->dome;
    if (!projection || projection->flat || projection->eye || (dome && projection->columns == 1) ||
        !subject->film.container->tells_projection)
        return NULL;
    if (projection->whole_sphere && !dome)
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

/* Returns whether the film must have a track of timecode; `text` is that of its first frame. */
static bool must_have_timecode(const struct subject *subject, char text[TIMECODE_TEXT])
{
    const struct scene *scene = subject->scene;
    if (!scene || !*scene->output.timecode || !subject->has_range ||
        !subject->film.container->timecodes)
        return false;
    timecode_at(scene->output.timecode, scene->output.fps.num, scene->output.fps.den,
                subject->first, text);
    return true;
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
                  text_format("its picture track has the title or language %s", field->value));
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
    char timecode[TIMECODE_TEXT];
    const struct played_stream *track = played_stream(played, "timecode");
    if (subject->ours && must_have_timecode(subject, timecode) &&
        (!track || strcmp(track->form, timecode) != 0))
        fault(faults, true,
              text_format("its timecode is %s instead of %s", track ? track->form : "missing",
                          timecode));
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
    const bool tracks = !subject->scene || subject->scene->output.captions->tracks;
    for (size_t i = 0; i < played->stream_count; i++) {
        const struct played_stream *stream = &played->streams[i];
        if (strcmp(stream->name, "sound") == 0)
            check_sound(subject, stream, faults);
        if (tracks && strncmp(stream->name, "subtitles", 9) == 0)
            continue;
        if ((!subject->scene || *subject->scene->output.timecode) &&
            strcmp(stream->name, "timecode") == 0)
            continue;
        if (subject->ours && *stream->told)
            fault(faults, false,
                  text_format("its %s has the title or language %s", stream->name, stream->told));
        if (subject->ours && !(sounds && strcmp(stream->name, "sound") == 0))
            fault(faults, true,
                  text_format("it has %s (%s), which its scene does not have", stream->name,
                              stream->codec));
    }
}

/* Judges what a player shows and plays besides the pictures. A film by this program must have what
 * its scene asks for: its projection and its sound, as long as the film, a mastering display with
 * PQ, and nothing else. What other films have, and another title, is a warning. */
static void check_played(const struct subject *subject, struct stage_report *stage)
{
    struct faults faults = {.named = subject->unplayed != NULL};
    if (subject->unplayed)
        text_append(&faults.text, "", "rotation, sound and chapters are not judged: %s",
                    subject->unplayed);
    for (size_t i = 0; i < subject->played.field_count && !subject->unplayed; i++)
        check_field(subject, &subject->played.fields[i], &faults);
    if (!subject->unplayed) {
        check_missing(subject, &faults);
        check_streams(subject, &faults);
    }
    say_or(found(subject, stage, RULE_CONTAINER_PLAYED, faults.wrong, faults.named), faults.text,
           "shown as it is coded");
}

void verify_container(const struct subject *subject, struct stage_report *stage)
{
    stage->planned = stage->compared = 1;
    check_count(subject, stage);
    if (subject->film.is_film) {
        check_steps(subject, stage);
        check_duration(subject, stage);
        check_size(subject, stage);
        check_colours(subject, stage);
        check_played(subject, stage);
    }
    verify_conclude(stage, "; ");
}

/* ---- the manifest ---- */

static void compare_packets(const struct stream *stream, const struct record *record,
                            const struct limits *limits, struct stage_report *stage)
{
    const uint64_t both = stream->count < record->count ? stream->count : record->count;
    uint64_t wrong = stream->count + record->count - 2 * both;
    int64_t first = wrong ? (int64_t)both : -1;
    for (uint64_t i = both; i-- > 0;) {
        if (strcmp(stream->packets[i].hash, record->frames[i].packet) == 0)
            continue;
        wrong++;
        first = (int64_t)i;
    }
    struct finding *finding =
        stage_measured(stage, limits, &rules[RULE_PACKETS_BITS], (double)wrong);
    finding->frame = first;
    if (wrong)
        finding_say(finding,
                    "%" PRIu64 " of %" PRIu64 " packets are not those of the manifest, the first "
                    "at frame %" PRId64,
                    wrong, record->count, first);
    else
        finding_say(finding, "every bit of them as in the manifest");
    verify_conclude(stage, ", ");
}

static bool has_packets(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!record->frames[i].packet[0])
            return false;
    return record->count > 0;
}

static enum status compare_boxes(const struct subject *subject, const struct record *manifest,
                                 bool packets, struct stage_report *stage)
{
    struct record now = {0};
    uint32_t count = 0;
    if (manifest->box_count == 0) {
        struct finding *finding = stage_add_finding(stage, &rules[RULE_CONTAINER_BOXES]);
        finding->verdict = VERDICT_WARNED;
        finding_say(finding,
                    "the manifest has no hashes of the container's boxes, so the container "
                    "is not proven; render the film again");
        verify_conclude(stage, "; ");
        return STATUS_OK;
    }
    const enum status status = boxes_read(subject->path, &now);
    if (status == STATUS_OK) {
        char *text = boxes_difference(manifest, &now, packets, &count);
        struct finding *finding =
            stage_measured(stage, subject->limits, &rules[RULE_CONTAINER_BOXES], count);
        finding_say(finding, "%s%s",
                    text ? "not as in the manifest: " : "every bit of it as in the manifest",
                    text ? text : "");
        free(text);
        verify_conclude(stage, "; ");
    }
    record_free(&now);
    return status;
}

enum status verify_manifest(const struct subject *subject, const struct record *manifest,
                            struct case_report *one)
{
    struct stage_report *packets = &one->stages[JUDGED_PACKETS];
    struct stream stream = {0};
    enum status status =
        subject->film.is_film && has_packets(manifest)
            ? STATUS_OK
            : status_fail(STATUS_USAGE,
                          "'%s' and its manifest do not both have packets; --manifest is for films",
                          subject->path);
    if (status == STATUS_OK)
        status = stream_read(subject->path, &stream);
    if (status == STATUS_OK)
        compare_packets(&stream, manifest, subject->limits, packets);
    else
        stage_not_judged(packets, "%s", status_text());
    if (status == STATUS_OK)
        status = compare_boxes(subject, manifest, verdict_passes(packets->verdict),
                               &one->stages[JUDGED_CONTAINER]);
    stream_free(&stream);
    return status;
}
