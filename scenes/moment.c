#include "scenes/moment.h"

#include "base/choice.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum moment_kind; "": only a number. */
static const struct {
    const char *word;
    bool needs_number, counts;
} forms[] = {{"", true, false},          {"frame", true, false},  {"t", true, false},
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

/* Reads the rest of "1:30" after `minutes`: seconds below 60. NULL: there are none. */
static const char *read_seconds(const char *at, double *minutes)
{
    double seconds = 0;
    const bool whole = *minutes == floor(*minutes);
    const char *end = whole ? read_number(at, &seconds) : NULL;
    *minutes = 60 * *minutes + seconds;
    return end && seconds < 60 ? end : NULL;
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
    return status_fail(
        STATUS_USAGE,
        "expected seconds of the film (12.5 or 1:30), frame 100, t=30 (simulated time), "
        "start, end, pericentre, pericentre 2, apocentre or merger, optionally "
        "followed by + or - seconds; found '%.48s'%s",
        text, known ? "" : suggest_text(&near));
}

/* Reads the part before + or -; NULL when it has none of the forms. */
static const char *read_form(const char *at, struct moment *moment)
{
    if (isalpha((unsigned char)*at)) {
        size_t letters = 0;
        while (isalpha((unsigned char)at[letters]))
            letters++;
        for (int i = MOMENT_FRAME; i < FORMS; i++)
            if (letters == strlen(forms[i].word) && strncmp(at, forms[i].word, letters) == 0)
                moment->kind = (enum moment_kind)i;
        if (moment->kind == MOMENT_SECONDS)
            return NULL;
        at = skip_blanks(at + letters);
        if (moment->kind == MOMENT_TIME && *at++ != '=')
            return NULL;
        at = skip_blanks(at);
    }
    moment->value = 1;
    if (!forms[moment->kind].needs_number &&
        !(forms[moment->kind].counts && isdigit((unsigned char)*at)))
        return at;
    at = read_number(at, &moment->value);
    if (at && moment->kind == MOMENT_SECONDS && *at == ':')
        return read_seconds(at + 1, &moment->value);
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

const char *moment_word(enum moment_kind kind)
{
    return forms[kind].word;
}
