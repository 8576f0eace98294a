#include "cmd/regression/judge/rules.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "scenes/read.h"

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

/* Reads a number >= 0, or INFINITY for "never"; returns false for any other text. */
static bool limits_number(const char *text, double *out)
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
        return status_fail(
            STATUS_USAGE,
            "'%.60s' is not a limit; write RULE=NUMBER, as in picture.counted=12, or "
            "`--limit help` for the list of rules",
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

/* ---- files ---- */

enum { FILE_MAX = 1 << 20 };

/* The limit that a file sets for a rule. */
struct entry {
    char *fail, *warn, *because, *expires; /* fail and warn: "": not given */
    double measured;
};

static const struct key entry_keys[] = {
    {.name = "fail", .type = KEY_TEXT, .offset = offsetof(struct entry, fail), .fallback = "\"\""},
    {.name = "warn", .type = KEY_TEXT, .offset = offsetof(struct entry, warn), .fallback = "\"\""},
    {.name = "because", .type = KEY_TEXT, .offset = offsetof(struct entry, because)},
    {.name = "measured",
     .type = KEY_NUMBER,
     .offset = offsetof(struct entry, measured),
     .max = 1e300},
    {.name = "expires", .type = KEY_TEXT, .offset = offsetof(struct entry, expires)},
};

static const struct key_list entries = {
    .keys = entry_keys,
    .key_count = sizeof entry_keys / sizeof *entry_keys,
    .item_size = sizeof(struct entry),
    .example = "rules, as in 'picture.counted: {fail: 12, ...}'",
};

struct reading {
    struct limits *limits;
    const char *today;
    bool given[RULE_COUNT];
};

static bool is_date(const char *text)
{
    static const char *const form = "dddd-dd-dd";
    if (strlen(text) != strlen(form))
        return false;
    for (size_t i = 0; form[i]; i++)
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    const long month = strtol(text + 5, NULL, 10), day = strtol(text + 8, NULL, 10);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static enum status check_entry(const struct entry *entry, const char *today)
{
    if (!*entry->because)
        return status_fail(STATUS_USAGE, "'because' is empty; say why the default does not fit");
    if (!*entry->fail && !*entry->warn)
        return status_fail(STATUS_USAGE, "neither 'fail' nor 'warn' is given; give one of them");
    if (!is_date(entry->expires))
        return status_fail(STATUS_USAGE,
                           "expires: expected a day such as 2027-01-31, found '%.40s'",
                           entry->expires);
    if (strcmp(entry->expires, today) < 0)
        return status_fail(STATUS_USAGE,
                           "expired on %s; measure again and set another day, or remove it",
                           entry->expires);
    return STATUS_OK;
}

/* Reads a limit that may be missing, "": NAN. */
static enum status read_limit(const char *name, const char *text, double *out)
{
    *out = NAN;
    if (!*text || limits_number(text, out))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s: expected a number from 0, found '%.40s'", name, text);
}

/* Changes the limit of a rule. */
static enum status take_entry(void *user, const struct choice *of, const void *item)
{
    struct reading *reading = user;
    const struct entry *entry = item;
    const struct rule *rule = (const struct rule *)of;
    double fail = NAN, warn = NAN;
    if (reading->given[rule - rules])
        return status_fail(STATUS_USAGE, "given twice; remove one");
    reading->given[rule - rules] = true;
    enum status status = check_entry(entry, reading->today);
    if (status == STATUS_OK)
        status = read_limit("fail", entry->fail, &fail);
    if (status == STATUS_OK)
        status = read_limit("warn", entry->warn, &warn);
    if (status != STATUS_OK)
        return status;
    const double limit = isnan(fail) ? limits_fail(reading->limits, rule) : fail;
    if (entry->measured > limit)
        return status_fail(STATUS_USAGE, "the measured %g is over the limit %g", entry->measured,
                           limit);
    char *because =
        text_format("%s (measured %g, until %s)", entry->because, entry->measured, entry->expires);
    limits_change(reading->limits, rule, warn, fail, because);
    free(because);
    return STATUS_OK;
}

enum status limits_parse(struct limits *limits, const char *text, size_t size, const char *origin,
                         const char *today)
{
    struct reading reading = {.limits = limits, .today = today};
    return items_read(text, size, origin, &rule_registry, &entries, take_entry, &reading);
}

enum status limits_read(struct limits *limits, const char *path, const char *today)
{
    char *text;
    size_t size;
    enum status status = file_read(path, FILE_MAX, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = limits_parse(limits, text, size, path, today);
    free(text);
    return status;
}
