#include "cmd/regression/judge/limits.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 64 };

struct limit {
    double warn, fail;
    bool given;    /* whether `fail` was set */
    char *because; /* NULL: the default */
};

struct limits {
    struct limit limit[RULE_COUNT];
};

void limits_open(struct limits **out)
{
    *out = memory_new(1, sizeof **out);
    for (int i = 0; i < RULE_COUNT; i++)
        (*out)->limit[i] = (struct limit){.warn = rules[i].warn, .fail = rules[i].fail};
}

void limits_close(struct limits **limits)
{
    for (int i = 0; *limits && i < RULE_COUNT; i++)
        free((*limits)->limit[i].because);
    free(*limits);
    *limits = NULL;
}

void limits_change(struct limits *limits, const struct rule *rule, double warn, double fail,
                   const char *because)
{
    struct limit *limit = &limits->limit[rule - rules];
    char *copy = memory_text(because);
    free(limit->because);
    const bool given = limit->given || !isnan(fail);
    warn = isnan(warn) ? limit->warn : warn;
    fail = isnan(fail) ? limit->fail : fail;
    *limit = (struct limit){warn <= fail ? warn : fail, fail, given, copy};
}

bool limits_number(const char *text, double *out)
{
    char *end = NULL;
    if (strcmp(text, "never") == 0) {
        *out = INFINITY;
        return true;
    }
    *out = strspn(text, "+0123456789.eE-") == strlen(text) ? strtod(text, &end) : NAN;
    return *out >= 0 && isfinite(*out) && end != text && !*end;
}

/* Removes ".warn" or ".fail" from the end of the name. */
static bool ends_with(char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    if (length < tail || strcmp(name + length - tail, end) != 0)
        return false;
    name[length - tail] = '\0';
    return true;
}

enum status limits_set(struct limits *limits, const char *assignment)
{
    const char *equals = strchr(assignment, '=');
    char name[NAME_ROOM];
    const struct choice *found;
    double value;
    if (!equals || equals - assignment >= NAME_ROOM)
        return status_fail(STATUS_USAGE,
                           "'%.60s' sets no limit; write RULE=NUMBER, as in picture.counted=12; "
                           "help instead lists the rules",
                           assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = '\0';
    const bool warns = ends_with(name, ".warn"), fails = !warns && ends_with(name, ".fail");
    enum status status = choice_require(&rule_registry, name, &found);
    if (status != STATUS_OK)
        return status;
    if (!limits_number(equals + 1, &value))
        return status_fail(STATUS_USAGE, "%s: a limit is a number from 0 or 'never', found '%.40s'",
                           name, equals + 1);
    limits_change(limits, (const struct rule *)found, fails ? NAN : value, warns ? NAN : value,
                  "given as an option");
    return STATUS_OK;
}

double limits_fail(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].fail;
}

double limits_warn(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].warn;
}

bool limits_is_given(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].given;
}

const char *limits_because(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].because;
}

/* Measured with x264 at crf 18, 23 and 28; see docs/regression.md. */
static const struct {
    enum rule_name rule;
    double warn, fail;
    const char *means;
} profile[] = {
    {RULE_PICTURE_SIZE, 0, 0, "the same width and height"},
    {RULE_PICTURE_PSNR, 66, 69, "PSNR of luma is at least 31 dB over the whole film"},
    {RULE_PICTURE_PSNR_WORST, 71, 73, "PSNR of luma is at least 27 dB in every frame"},
    {RULE_PICTURE_SSIM_MEAN, 0.65, INFINITY,
     "layout and detail judge the film; a coarse encoder spoils single frames"},
    {RULE_PICTURE_COLOUR, 8, INFINITY,
     "hue and saturation judge the film; a coarse encoder spoils single frames"},
    {RULE_PICTURE_BIAS, 3, 5, "lit pixels are brighter or darker by at most 5 codes on average"},
    {RULE_PICTURE_LIT_LIGHT, 12, 20, "the lit pixels keep four fifths of their linear light"},
    {RULE_PICTURE_BRIGHTNESS, 2.25, 2.5, "the median brightness of bright places changes by 2.5 %"},
    {RULE_PICTURE_CHANNEL, 16, 25, "red, green and blue each keep three quarters of their light"},
    {RULE_PICTURE_HUE, 5, 6.5, "colours are turned by at most 6.5 degrees beyond doubt"},
    {RULE_PICTURE_PALER, 60, 75, "a quarter of the saturation is left"},
    {RULE_PICTURE_RICHER, 20, 35, "saturation grows by a third at most"},
    {RULE_PICTURE_DETAIL, 50, 65, "a third of the detail is left"},
    {RULE_PICTURE_LAYOUT, 0.03, 0.04, "96 % of the bright contrast is where it was"},
    {RULE_PICTURE_SHIFT, 0.25, 0.5, "pictures are shifted by at most half a pixel"},
    {RULE_SEQUENCE_COUNT, 0, 0, "the same number of frames"},
    {RULE_SEQUENCE_ORDER, 0, 0, "no frame is missing, repeated or swapped"},
    {RULE_SEQUENCE_FAILED, 0, 0, "no frame is beyond a limit of its own"},
    {RULE_CONTAINER_FRAMES, 0, 0, "the file holds as many frames"},
    {RULE_CONTAINER_TIMES, 0, 0, "frames are shown at the same times, for as long"},
    {RULE_CONTAINER_COLOURS, 0, 0, "colour tags that both films have are the same"},
    {RULE_CONTAINER_PLAYED, 0, 0, "players turn, crop and stretch both alike, with the same sound"},
    {RULE_CONTAINER_TAGS, 0, INFINITY, "titles and tags that both films have are the same"},
};
enum { PROFILE = sizeof profile / sizeof *profile };

static int place_of(const struct rule *rule)
{
    int i = 0;
    while (i < PROFILE && &rules[profile[i].rule] != rule)
        i++;
    return i;
}

void limits_take_lossy(struct limits *limits)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        const struct rule *rule = &rules[r];
        const int i = place_of(rule);
        const bool judged = rule->stage == JUDGED_PICTURE || rule->stage == JUDGED_CONTAINER;
        if (!judged || rule->setting || limits_is_given(limits, rule))
            continue;
        if (i < PROFILE)
            limits_change(limits, rule, profile[i].warn, profile[i].fail, profile[i].means);
        else
            limits_change(limits, rule, INFINITY, INFINITY, "a lossy copy may differ in it");
    }
}
