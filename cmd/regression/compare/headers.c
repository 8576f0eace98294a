#include "cmd/regression/compare/films.h"

#include "base/memory.h"
#include "base/tag.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "cmd/regression/record/record.h"
#include "render/picture/png_pdf.h"
#include "render/reader/stream.h"
#include "render/video/picture_file.h"
#include "scenes/print.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- scenes ---- */

enum { LISTED_MAX = 16 };

/* The scene and encoding in a film's tags; the caller frees them. NULL: the film or the first
 * picture has no such tag. */
struct told {
    char *scene, *encoding;
    bool damaged; /* the tag that holds both is damaged */
};

static char *copy(const struct tags *tags, const char *name)
{
    const char *text = tags_find(tags, name);
    return text ? memory_text(text) : NULL;
}

static struct told read_told(const struct side *side)
{
    struct tags tags = {0};
    char name[PATH_MAX];
    if (side->info->is_video)
        film_info_read_tags(side->path, &tags);
    else if (png_name(side->path, side->info->first, name, sizeof name) == STATUS_OK)
        side->info->file->tags(name, &tags);
    const struct told told = {copy(&tags, FILM_TAG_SCENE), copy(&tags, FILM_TAG_ENCODER),
                              tags_damaged(&tags) != NULL};
    tags_free(&tags);
    return told;
}

static char *say(const struct scene_difference *one)
{
    return text_format("%s (%s against %s)", one->key, one->a, one->b);
}

static char *compare(const struct told *a, const struct told *b, struct case_report *one)
{
    struct scene_difference found[LISTED_MAX];
    const size_t count = scene_differences(a->scene, b->scene, found, LISTED_MAX),
                 listed = count < LISTED_MAX ? count : LISTED_MAX;
    struct stage_report *stage = &one->stages[JUDGED_SCENE];
    if (count == 0) {
        stage_not_applicable(stage, "two films are compared as they are shown; their scenes are "
                                    "the same in every key");
        return NULL;
    }
    scene_differences_say(found, listed, a->encoding, b->encoding);
    for (size_t i = 0; i < listed; i++)
        case_add_environment(one, found[i].key, found[i].a, found[i].b);
    char *keys = scene_differences_text(found, count, say);
    char *names = text_format("the scenes differ in %s", keys);
    free(keys);
    stage_not_applicable(stage, "two films are compared as they are shown; %s", names);
    return names;
}

static void judge_damage(const bool damaged[2], const struct limits *limits,
                         struct stage_report *stage)
{
    stage->verdict = VERDICT_NOT_JUDGED;
    stage->planned = stage->compared = 1;
    struct finding *finding = stage_measured(stage, limits, &rules[RULE_FILM_SCENE],
                                             (double)damaged[0] + (double)damaged[1]);
    finding_say(finding, "the tag '%s' of %s is damaged", PACKED_TAG,
                damaged[0] && damaged[1] ? "A and of B"
                : damaged[0]             ? "A"
                                         : "B");
    free(stage->sentence);
    stage->sentence = NULL;
    stage_conclude(stage);
}

char *scenes_compare(const struct side *a, const struct side *b, const struct limits *limits,
                     struct case_report *one)
{
    const struct told in_a = read_told(a), in_b = read_told(b);
    const bool damaged[2] = {in_a.damaged, in_b.damaged};
    if (damaged[0] || damaged[1])
        judge_damage(damaged, limits, &one->stages[JUDGED_SCENE]);
    char *names = in_a.scene && in_b.scene ? compare(&in_a, &in_b, one) : NULL;
    free(in_a.scene), free(in_a.encoding);
    free(in_b.scene), free(in_b.encoding);
    return names;
}

/* ---- headers ---- */

enum { VALUE_MAX = 96 };

/* A field that is more than a text of the stream. */
enum made { A_TEXT, RATE, DEPTH, ALPHA, SAMPLES, FORMAT, SIZE, CONTAINER };

/* Fields that are judged, fields that only films have, and fields about how a film was made. */
static const struct field {
    const char *name;
    bool judged, of_films;
    enum made made;
    size_t text; /* offset in the stream */
} fields[] = {
    {"frame rate", true, true, RATE, 0},
    {"depth", true, false, DEPTH, 0}, /* not between a film in Y'CbCr and pictures in RGB */
    {"alpha", true, false, ALPHA, 0},
    {"samples", true, false, SAMPLES, 0},
    {"pixel format", true, true, FORMAT, 0},
    {"size in the container", true, true, SIZE, 0},
    {"colour range", true, true, A_TEXT, offsetof(struct stream, range)},
    {"colour matrix", true, true, A_TEXT, offsetof(struct stream, matrix)},
    {"transfer", true, true, A_TEXT, offsetof(struct stream, transfer)},
    {"primaries", true, true, A_TEXT, offsetof(struct stream, primaries)},
    {"chroma site", true, true, A_TEXT, offsetof(struct stream, chroma_site)},
    {"container", false, false, CONTAINER, 0},
    {"codec", false, true, A_TEXT, offsetof(struct stream, codec)},
    {"profile", false, true, A_TEXT, offsetof(struct stream, profile)},
    {"time base", false, true, A_TEXT, offsetof(struct stream, time_base)},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void put_field(const struct field *field, const struct side *side, char out[VALUE_MAX])
{
    static const char *const alphas[] = {"no", "straight", "premultiplied"};
    const struct reader_info *info = side->info;
    const char *text =
        field->made == ALPHA    ? alphas[info->alpha]
        : field->made == FORMAT ? info->pixel_format
        : field->made == SAMPLES
            ? info->file && info->file->light ? "scene-linear light" : "display values"
        : field->made == CONTAINER ? info->is_video ? side->stream.format : info->file->name
                                   : (const char *)&side->stream + field->text;
    if (field->made == RATE && info->fps_num > 0)
        snprintf(out, VALUE_MAX, "%u/%u", info->fps_num, info->fps_den);
    else if (field->made == DEPTH)
        snprintf(out, VALUE_MAX, "%u bits", info->bits);
    else if (field->made == SIZE)
        snprintf(out, VALUE_MAX, "%ux%u", side->stream.width, side->stream.height);
    else
        snprintf(out, VALUE_MAX, "%s", field->made == RATE ? "" : text);
}

/* Returns whether the rate is constant; the rate of uneven steps is an average, and the times are
 * compared instead. */
static bool has_steady_rate(const struct side *side)
{
    const struct stream *stream = &side->stream;
    bool steady = true;
    for (uint64_t i = 2; side->info->is_video && i < stream->count && steady; i++) {
        const int64_t step = stream->packets[i].shown - stream->packets[i - 1].shown,
                      first = stream->packets[1].shown - stream->packets[0].shown;
        steady = step - first <= 1 && first - step <= 1;
    }
    return steady;
}

/* Returns whether both sides have one size; headers_match reports different sizes. */
static bool has_one_size(const struct side *a, const struct side *b)
{
    return a->info->width == b->info->width && a->info->height == b->info->height;
}

/* Returns whether the field can be judged; bit depths of Y'CbCr and RGB are not comparable. */
static bool is_judged(const struct field *field, const struct side *a, const struct side *b)
{
    const bool alike = a->info->is_video == b->info->is_video;
    return field->judged && (field->made != DEPTH || alike) &&
           (field->made != SIZE || has_one_size(a, b)) &&
           (field->made != RATE || (has_steady_rate(a) && has_steady_rate(b)));
}

static void compare_fields(const struct side *a, const struct side *b, const struct limits *limits,
                           bool lossy, struct case_report *one, char **missing)
{
    const bool films = a->info->is_video && b->info->is_video;
    char *list[2] = {NULL, NULL}; /* of fields; of colours */
    int count[2] = {0, 0};
    for (size_t i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        char in_a[VALUE_MAX], in_b[VALUE_MAX];
        if (field->of_films && !films)
            continue; /* pictures lack this field */
        put_field(field, a, in_a);
        put_field(field, b, in_b);
        if (strcmp(in_a, in_b) == 0)
            continue;
        const bool lacks = !*in_a || !*in_b, is_colour = field->judged && field->made == A_TEXT;
        const char *said_a = *in_a ? in_a : "unsaid", *said_b = *in_b ? in_b : "unsaid";
        case_add_environment(one, field->name, said_a, said_b);
        if (!is_judged(field, a, b))
            continue;
        if (lossy && (!is_colour || lacks))
            text_append(missing, ", ", "%s (%s against %s)", field->name, said_a, said_b);
        if (lossy && is_colour && lacks)
            continue;
        text_append(&list[is_colour], ", ", "%s %s against %s", field->name, said_a, said_b);
        count[is_colour]++;
    }
    for (int k = 0; k < 2; k++) {
        struct finding *finding =
            stage_measured(&one->stages[JUDGED_CONTAINER], limits,
                           &rules[k ? RULE_CONTAINER_COLOURS : RULE_CONTAINER_FIELDS], count[k]);
        if (list[k])
            finding_say(finding, "%s", list[k]);
        free(list[k]);
    }
}

/* Counts the frames whose times since the first frame differ, compared in seconds. Returns false if
 * the times cannot be compared. */
static bool count_times(const struct side *a, const struct side *b, uint64_t *count, int64_t *first)
{
    const struct side *const sides[2] = {a, b};
    const double tick[2] = {times_base(a->stream.time_base), times_base(b->stream.time_base)};
    /* Matroska rounds times to its time base */
    const double allowed = strcmp(a->stream.time_base, b->stream.time_base) == 0
                               ? 0
                               : 1.000001 * fmax(tick[0], tick[1]);
    *count = 0;
    *first = -1;
    if (isnan(tick[0]) || isnan(tick[1]))
        return false;
    for (uint64_t i = 0; i < a->frames && i < b->frames; i++) {
        double seconds[2];
        for (int s = 0; s < 2; s++) {
            const struct stream_packet *packets = sides[s]->stream.packets + sides[s]->first;
            seconds[s] = ((double)packets[i].shown - (double)packets[0].shown) * tick[s];
        }
        if (fabs(seconds[0] - seconds[1]) <= allowed)
            continue;
        *first = *count == 0 ? (int64_t)(a->first + i) : *first;
        ++*count;
    }
    return true;
}

static void compare_times(const struct side *a, const struct side *b, const struct limits *limits,
                          struct stage_report *stage)
{
    uint64_t count;
    int64_t first;
    if (!a->info->is_video || !b->info->is_video)
        return;
    const bool known = count_times(a, b, &count, &first);
    const uint64_t frames = a->frames < b->frames ? a->frames : b->frames;
    struct finding *finding =
        stage_measured(stage, limits, &rules[RULE_CONTAINER_TIMES], known && count == 0 ? 0 : 1);
    finding->frame = first;
    if (!known)
        finding_say(finding, "the times at which frames are shown cannot be compared");
    else if (count == 1)
        finding_say(finding, "frame %" PRId64 " is shown at another time", first);
    else if (count == a->first + frames - (uint64_t)first)
        finding_say(finding, "from frame %" PRId64 " on frames are shown at other times", first);
    else if (count > 1)
        finding_say(finding,
                    "%" PRIu64 " frames are shown at other times, frame %" PRId64 " is the first",
                    count, first);
}

/* Returns whether the index was read as written, which is so only for MP4 and MOV. */
static bool has_index(const struct side *side)
{
    return side->info->is_video && strstr(side->stream.format, "mov") != NULL;
}

/* Compares the key frames; where packets differ, the encoders may have begun GOPs at different
 * frames. */
static void compare_keys(const struct side *a, const struct side *b, const struct limits *limits,
                         struct stage_report *stage)
{
    uint64_t count = 0, first = 0;
    if (!has_index(a) || !has_index(b))
        return;
    for (uint64_t i = 0; i < a->frames && i < b->frames; i++) {
        const struct stream_packet *in_a = &a->stream.packets[a->first + i],
                                   *in_b = &b->stream.packets[b->first + i];
        if (in_a->key == in_b->key || strcmp(in_a->hash, in_b->hash) != 0)
            continue;
        first = count == 0 ? i : first;
        count++;
    }
    struct finding *finding =
        stage_measured(stage, limits, &rules[RULE_CONTAINER_KEYS], (double)count);
    if (count == 0)
        return;
    finding->frame = (int64_t)(a->first + first);
    finding_say(finding,
                "the index of B calls frame %" PRIu64 " %s key frame, with the same packet",
                b->first + first, b->stream.packets[b->first + first].key ? "a" : "no");
}

/* Returns the first frame in a finding that does not pass. */
static int64_t first_failing(const struct stage_report *stage)
{
    int64_t first = -1;
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        const struct finding *finding = &stage->findings[i];
        if (finding->verdict == VERDICT_CHANGED && finding->frame >= 0)
            first = first < 0 || finding->frame < first ? finding->frame : first;
    }
    return first;
}

static void compare_counts(const struct side *a, const struct side *b, const struct limits *limits,
                           struct stage_report *stage)
{
    const double more = fabs((double)a->frames - (double)b->frames);
    struct finding *finding = stage_measured(stage, limits, &rules[RULE_CONTAINER_FRAMES], more);
    if (more > 0)
        finding_say(finding, "%" PRIu64 " frames against %" PRIu64, a->frames, b->frames);
}

char *headers_compare(const struct side *a, const struct side *b, const struct limits *limits,
                      bool lossy, struct case_report *one)
{
    struct stage_report *stage = &one->stages[JUDGED_CONTAINER];
    stage->planned = stage->compared = 1;
    char *missing = NULL;
    compare_fields(a, b, limits, lossy, one, &missing);
    compare_counts(a, b, limits, stage);
    compare_times(a, b, limits, stage);
    compare_keys(a, b, limits, stage);
    played_compare(a, b, limits, lossy, one, &missing);
    stage->first_frame = first_failing(stage);
    stage_conclude(stage);
    return missing;
}

bool headers_match(const struct side *a, const struct side *b, const struct limits *limits,
                   struct stage_report *picture)
{
    const struct reader_info *x = a->info, *y = b->info;
    const bool same = has_one_size(a, b);
    struct finding *finding =
        stage_measured(picture, limits, &rules[RULE_PICTURE_SIZE], same ? 0 : 1);
    if (same)
        return true;
    finding_say(finding, "A has %ux%u pixels, B has %ux%u", x->width, x->height, y->width,
                y->height);
    finding->verdict = VERDICT_CHANGED; /* regardless of the limits, because nothing was compared */
    return false;
}

/* ---- what players show and play ---- */

/* Times are rounded to milliseconds in Matroska, in both films. */
static const double ROUNDING = 0.002;

/* The differences of two films, by how they are judged. */
struct differing {
    struct case_report *one;
    bool lossy, contained_otherwise; /* in another container */
    char *played, *tags;             /* lists; NULL: empty */
    char **missing;                  /* the same, the caller's */
    int played_count, tag_count;
};

static void tell(struct differing *to, const char *name, const char *a, const char *b)
{
    case_add_environment(to->one, name, a, b);
    text_append(&to->played, ", ", "%s %s against %s", name, a, b);
    to->played_count++;
}

__attribute__((format(printf, 2, 3))) static void miss(struct differing *to, const char *format,
                                                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = text_format_list(format, arguments);
    va_end(arguments);
    text_append(to->missing, ", ", "%s", text);
    free(text);
}

/* ---- fields ---- */

/* Returns whether a film need not say what the other does. Some containers cannot say for which
 * screen a film was made. */
static bool may_lack(const struct differing *to, enum played_kind kind)
{
    return kind == PLAYED_SCREEN ? to->lossy || to->contained_otherwise
                                 : kind == PLAYED_TEXT && to->lossy;
}

static void compare_field(struct differing *to, const struct played_field *field, const char *a,
                          const char *b)
{
    if (a && b && strcmp(a, b) == 0)
        return;
    if ((!a || !b) && may_lack(to, field->kind)) {
        miss(to, "%s (%s has none)", field->name, a ? "B" : "A");
    } else if (field->kind != PLAYED_TEXT) {
        tell(to, field->name, a ? a : "none", b ? b : "none");
    } else {
        case_add_environment(to->one, field->name, a ? a : "none", b ? b : "none");
        text_append(&to->tags, ", ", "%s '%s' against '%s'", field->name, a ? a : "", b ? b : "");
        to->tag_count++;
    }
}

static void compare_all_fields(struct differing *to, const struct played *a, const struct played *b)
{
    for (size_t i = 0; i < a->field_count; i++)
        compare_field(to, &a->fields[i], a->fields[i].value, played_field(b, a->fields[i].name));
    for (size_t i = 0; i < b->field_count; i++)
        if (!played_field(a, b->fields[i].name))
            compare_field(to, &b->fields[i], NULL, b->fields[i].value);
}

/* ---- streams ---- */

static bool is_sound(const struct played_stream *stream)
{
    return stream->channels > 0;
}

static void compare_text(struct differing *to, const struct played_stream *stream, const char *what,
                         const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return;
    char *name = text_format("%s%s%s", what, *what ? " of the " : "", stream->name);
    tell(to, name, *a ? a : "none", *b ? b : "none");
    free(name);
}

static void compare_number(struct differing *to, const struct played_stream *stream,
                           const char *what, int a, int b)
{
    char in_a[16], in_b[16];
    snprintf(in_a, sizeof in_a, "%d", a);
    snprintf(in_b, sizeof in_b, "%d", b);
    compare_text(to, stream, what, in_a, in_b);
}

static void compare_time(struct differing *to, const struct played_stream *stream, const char *what,
                         double a, double b, double allowed)
{
    char in_a[32] = "none", in_b[32] = "none";
    if (fabs(a - b) <= allowed || (isnan(a) && isnan(b)))
        return;
    if (!isnan(a))
        snprintf(in_a, sizeof in_a, "%.3f s", a);
    if (!isnan(b))
        snprintf(in_b, sizeof in_b, "%.3f s", b);
    compare_text(to, stream, what, in_a, in_b);
}

/* Muxers differ in the packets that prepare a sound's decoder, so that its times may differ by a
 * packet; an encoder adds one or two of its own. */
static void compare_streams(struct differing *to, const struct played_stream *a,
                            const struct played_stream *b)
{
    const bool same = played_same_packets(a, b), again = to->lossy && !same && is_sound(a);
    const double packet = is_sound(a) ? fmax(a->packet, b->packet) * (again ? 3 : 1) : 0,
                 allowed = packet + ROUNDING;
    if (again)
        miss(to, "packets of the %s (encoded again)", a->name);
    else
        compare_text(to, a, "codec", a->codec, b->codec);
    if (!again)
        compare_number(to, a, "sampling rate", a->rate, b->rate);
    compare_number(to, a, "channels", a->channels, b->channels);
    compare_text(to, a, "form", a->form, b->form);
    if (to->lossy && (!*a->told || !*b->told) && strcmp(a->told, b->told) != 0)
        miss(to, "language or role of the %s", a->name);
    else
        compare_text(to, a, "language or role", a->told, b->told);
    compare_time(to, a, "begin", a->begins, b->begins, allowed);
    compare_time(to, a, "length", a->lasts, b->lasts, allowed);
    if (!same && !again && strcmp(a->codec, b->codec) == 0)
        compare_text(to, a, "packets", "of A", "others");
}

static void tell_alone(struct differing *to, const struct played_stream *stream, bool of_a)
{
    char *what = is_sound(stream)
                     ? text_format("%s, %d Hz, %d channel%s", stream->codec, stream->rate,
                                   stream->channels, stream->channels == 1 ? "" : "s")
                     : text_format("%s", stream->codec);
    tell(to, stream->name, of_a ? what : "none", of_a ? "none" : what);
    free(what);
}

static void compare_all_streams(struct differing *to, const struct played *a,
                                const struct played *b)
{
    for (size_t i = 0; i < a->stream_count; i++) {
        const struct played_stream *stream = &a->streams[i],
                                   *other = played_stream(b, stream->name);
        if (other)
            compare_streams(to, stream, other);
        else
            tell_alone(to, stream, true);
    }
    for (size_t i = 0; i < b->stream_count; i++)
        if (!played_stream(a, b->streams[i].name))
            tell_alone(to, &b->streams[i], false);
}

/* Compares when the first picture is shown, which muxers move by a frame or by a packet of sound.
 */
static void compare_begin(struct differing *to, const struct side *a, const struct side *b)
{
    double allowed = a->info->fps_num ? (double)a->info->fps_den / a->info->fps_num : 0;
    const struct played *const both[2] = {&a->played, &b->played};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < both[side]->stream_count; i++)
            if (is_sound(&both[side]->streams[i]))
                allowed = fmax(allowed, both[side]->streams[i].packet);
    if (fabs(a->played.begins - b->played.begins) <= allowed + ROUNDING)
        return;
    char in_a[32], in_b[32];
    snprintf(in_a, sizeof in_a, "%.3f s", a->played.begins);
    snprintf(in_b, sizeof in_b, "%.3f s", b->played.begins);
    tell(to, "begin of the pictures", in_a, in_b);
}

/* Pictures have no such fields: names those of the film. */
static void miss_all(struct differing *to, const struct played *film, const char *side)
{
    for (size_t i = 0; i < film->field_count; i++)
        if (film->fields[i].kind != PLAYED_TEXT && strcmp(film->fields[i].value, "1:1") != 0)
            miss(to, "%s (%s is pictures)", film->fields[i].name, side);
    for (size_t i = 0; i < film->stream_count; i++)
        miss(to, "%s (%s is pictures)", film->streams[i].name, side);
}

void played_compare(const struct side *a, const struct side *b, const struct limits *limits,
                    bool lossy, struct case_report *one, char **missing)
{
    struct differing found = {.one = one,
                              .lossy = lossy,
                              .missing = missing,
                              .contained_otherwise =
                                  strcmp(a->stream.format, b->stream.format) != 0};
    if (!a->info->is_video || !b->info->is_video) {
        miss_all(&found, &a->played, "B");
        miss_all(&found, &b->played, "A");
        return;
    }
    compare_all_fields(&found, &a->played, &b->played);
    compare_all_streams(&found, &a->played, &b->played);
    compare_begin(&found, a, b);
    struct stage_report *stage = &one->stages[JUDGED_CONTAINER];
    struct finding *finding =
        stage_measured(stage, limits, &rules[RULE_CONTAINER_PLAYED], found.played_count);
    if (found.played)
        finding_say(finding, "%s", found.played);
    finding = stage_measured(stage, limits, &rules[RULE_CONTAINER_TAGS], found.tag_count);
    if (found.tags)
        finding_say(finding, "%s", found.tags);
    free(found.played);
    free(found.tags);
}
