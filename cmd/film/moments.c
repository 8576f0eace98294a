#include "cmd/film/moments.h"

#include "base/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum moment_kind; "" is a number alone. */
static const struct {
    const char *word;
    bool wants_number, counts;
} forms[] = {{"", true, false},          {"frame", true, false},  {"t=", true, false},
             {"start", false, false},    {"end", false, false},   {"pericentre", false, true},
             {"apocentre", false, true}, {"merger", false, false}};

enum { FORMS = sizeof forms / sizeof *forms, COUNT_MOST = 1000 };

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* A plain decimal number without a sign; NULL when there is none. */
static const char *read_number(const char *at, double *value)
{
    char *end;
    if (!isdigit((unsigned char)at[0]) && !(at[0] == '.' && isdigit((unsigned char)at[1])))
        return NULL;
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        return NULL;
    *value = strtod(at, &end);
    return isfinite(*value) ? end : NULL;
}

static enum status not_a_moment(const char *text)
{
    char word[32] = "";
    size_t letters = 0;
    const char *at = skip_blanks(text);
    while (isalpha((unsigned char)at[letters]) && letters + 1 < sizeof word)
        letters++;
    memcpy(word, at, letters);
    struct suggestion near = {word, NULL, 0};
    for (int i = MOMENT_FRAME; i < FORMS; i++)
        if (i != MOMENT_TIME)
            suggest_offer(&near, forms[i].word);
    bool known = near.best && strcmp(near.best, word) == 0;
    return status_fail(STATUS_USAGE,
                       "expected seconds of the film (12.5), frame 100, t=30 (simulated time), "
                       "start, end, pericentre, pericentre 2, apocentre or merger, with + or - "
                       "seconds behind it if wanted; found '%.48s'%s",
                       text, known ? "" : suggest_text(&near));
}

/* The part before + or -; NULL when it has none of the forms. */
static const char *read_form(const char *at, struct moment *moment)
{
    if (isalpha((unsigned char)*at)) {
        size_t letters = 0;
        while (isalpha((unsigned char)at[letters]))
            letters++;
        for (int i = MOMENT_FRAME; i < FORMS; i++)
            if (letters == strcspn(forms[i].word, "=") && strncmp(at, forms[i].word, letters) == 0)
                moment->kind = (enum moment_kind)i;
        if (moment->kind == MOMENT_SECONDS)
            return NULL;
        at = skip_blanks(at + letters);
        if (moment->kind == MOMENT_TIME && *at++ != '=')
            return NULL;
        at = skip_blanks(at);
    }
    moment->value = 1;
    if (!forms[moment->kind].wants_number &&
        !(forms[moment->kind].counts && isdigit((unsigned char)*at)))
        return at;
    at = read_number(at, &moment->value);
    bool whole = moment->value == floor(moment->value);
    if (at && moment->kind == MOMENT_FRAME && !whole)
        return NULL;
    if (at && forms[moment->kind].counts &&
        !(whole && moment->value >= 1 && moment->value <= COUNT_MOST))
        return NULL;
    return at;
}

enum status moment_parse(const char *text, struct moment *out)
{
    *out = (struct moment){.kind = MOMENT_SECONDS};
    const char *at = read_form(skip_blanks(text), out);
    at = at ? skip_blanks(at) : NULL;
    if (at && (*at == '+' || *at == '-')) {
        double sign = *at == '-' ? -1 : 1;
        at = read_number(skip_blanks(at + 1), &out->shift);
        out->shift *= sign;
    }
    if (!at || *skip_blanks(at))
        return not_a_moment(text);
    return STATUS_OK;
}

bool moment_happens(const struct moment *moment)
{
    return moment->kind >= MOMENT_PERICENTRE;
}

bool moment_is_late(const struct moment *moment)
{
    return moment_happens(moment) && !(moment->kind == MOMENT_PERICENTRE && moment->value == 1);
}

static enum status find_event(const struct moment *moment, const struct pilot *pilot, double *time)
{
    const char *what = forms[moment->kind].word;
    if (!pilot || !pilot->separation)
        return status_fail(STATUS_USAGE,
                           "%s needs two galaxies with names, and the bodies have fewer; give a "
                           "time or a frame instead",
                           what);
    const struct encounter *happened = &pilot->happened;
    if (moment->kind == MOMENT_MERGER) {
        *time = happened->merger.time;
        return happened->merges
                   ? STATUS_OK
                   : status_fail(
                         STATUS_USAGE,
                         "the two galaxies have not merged by the end of the film (they must "
                         "stay within %.3g of each other and have turned back there); give "
                         "a time instead, or make the film longer",
                         pilot->touch);
    }
    bool near = moment->kind == MOMENT_PERICENTRE;
    size_t count = near ? happened->pericentre_count : happened->apocentre_count;
    if (moment->value > (double)count)
        return status_fail(STATUS_USAGE,
                           "there is no %s %.0f: the film has %zu; give an earlier one or a time "
                           "instead, or make the film longer",
                           what, moment->value, count);
    const struct encounter_moment *list = near ? happened->pericentre : happened->apocentre;
    *time = list[(size_t)moment->value - 1].time;
    return STATUS_OK;
}

enum status moment_frame(const struct moment *moment, const struct moment_scale *scale,
                         double *frame)
{
    double time = moment->value;
    enum status status = STATUS_OK;
    switch (moment->kind) {
    case MOMENT_SECONDS:
        *frame = moment->value * scale->fps;
        break;
    case MOMENT_FRAME:
        *frame = moment->value;
        break;
    case MOMENT_START:
        *frame = 0;
        break;
    case MOMENT_END:
        *frame = (double)(scale->frames - 1);
        break;
    case MOMENT_PERICENTRE:
    case MOMENT_APOCENTRE:
    case MOMENT_MERGER:
        status = find_event(moment, scale->pilot, &time);
        *frame = status == STATUS_OK ? frame_clock_frame(scale->clock, time) : 0;
        break;
    case MOMENT_TIME:
        *frame = frame_clock_frame(scale->clock, time);
        break;
    }
    *frame += moment->shift * scale->fps;
    return status;
}

enum status moment_within(double frame, const struct moment_scale *scale)
{
    double frames = (double)scale->frames;
    if (frame >= -1e-9 && frame <= frames + 1e-9)
        return STATUS_OK;
    if (frame < 0)
        return status_fail(STATUS_USAGE,
                           "the moment is %.3g seconds before the film begins; give a later one",
                           -frame / scale->fps);
    return status_fail(STATUS_USAGE,
                       "the moment falls on frame %.0f, but the film ends with frame %.0f; give an "
                       "earlier one, or set output.frames to %.0f or more",
                       frame, frames - 1, ceil(frame) + 1);
}
