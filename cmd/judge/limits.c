#include "cmd/judge/limits.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_ROOM = 64 };

struct limit {
    double warn, fail;
    char *because; /* NULL: the default */
};

struct limits {
    struct limit limit[RULE_COUNT];
};

void limits_open(struct limits **out)
{
    *out = memory_new(1, sizeof **out);
    for (int i = 0; i < RULE_COUNT; i++)
        (*out)->limit[i] = (struct limit){rules[i].warn, rules[i].fail, NULL};
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
    *limit = (struct limit){warn <= fail ? warn : fail, fail, copy};
}

/* Decimal, or "never". */
static enum status read_value(const char *text, double *out)
{
    char *end = NULL;
    if (strcmp(text, "never") == 0) {
        *out = INFINITY;
        return STATUS_OK;
    }
    *out = strspn(text, "+0123456789.eE-") == strlen(text) ? strtod(text, &end) : NAN;
    if (!(*out >= 0) || isinf(*out) || end == text || *end)
        return status_fail(STATUS_USAGE, "a limit is a number from 0 or 'never', found '%.40s'",
                           text);
    return STATUS_OK;
}

/* Takes ".warn" or ".fail" off the name. */
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
                           "'%.60s' sets no limit; write RULE=NUMBER, as in picture.counted=12",
                           assignment);
    memcpy(name, assignment, (size_t)(equals - assignment));
    name[equals - assignment] = '\0';
    const bool warns = ends_with(name, ".warn"), fails = !warns && ends_with(name, ".fail");
    enum status status = choice_require(&rule_registry, name, &found);
    if (status != STATUS_OK)
        return status;
    if ((status = read_value(equals + 1, &value)) != STATUS_OK)
        return status_prefix(status, "%s", name);
    const struct rule *rule = (const struct rule *)found;
    limits_change(limits, rule, fails ? limits_warn(limits, rule) : value,
                  warns ? limits_fail(limits, rule) : value, "given as an option");
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

const char *limits_because(const struct limits *limits, const struct rule *rule)
{
    return limits->limit[rule - rules].because;
}
