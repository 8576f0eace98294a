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

void limits_take_lossy(struct limits *limits)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        const struct rule *rule = &rules[r];
        const bool judged = rule->stage == JUDGED_PICTURE || rule->stage == JUDGED_CONTAINER;
        if (!judged || rule->flags & RULE_IS_SETTING || limits_is_given(limits, rule))
            continue;
        if (rule->lossy.means)
            limits_change(limits, rule, rule->lossy.warn, rule->lossy.fail, rule->lossy.means);
        else
            limits_change(limits, rule, INFINITY, INFINITY, "a lossy copy may differ in it");
    }
}
