#include "cmd/regression/compare/films.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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
