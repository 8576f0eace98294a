/* The rules by which films are judged: what is measured, in which unit, and what is allowed.
 *
 * A rule belongs to one stage. A measured value is within a rule when !(value > limit) is not
 * enough: NaN never is. Values are such that larger is worse and 0 is equal. */
#ifndef CMD_JUDGE_RULES_H
#define CMD_JUDGE_RULES_H

#include "base/choice.h"
#include "base/status.h"

#include <stdbool.h>

/* In the order in which they are judged: the first that differs names the cause. */
enum judged {
    JUDGED_SCENE,
    JUDGED_START, /* the initial state */
    JUDGED_PHYSICS,
    JUDGED_LIGHT, /* linear, before exposure and tone curve */
    JUDGED_PICTURE,
    JUDGED_PACKETS,
    JUDGED_CONTAINER,
    JUDGED_COUNT
};

/* "scene", "start", "physics", "light", "picture", "packets", "container". */
extern const struct registry judged_registry; /* entries: struct choice, index = enum judged */

struct rule {
    const char *name,
        *doc; /* "picture.unpaired_stars", "stars of 12/255 or more without a partner" */
    enum judged stage;
    const char *unit;    /* "codes", "pixels", "%", "" */
    double warn, fail;   /* defaults; INFINITY: never */
    const char *because; /* where the default comes from */
};

extern const struct registry rule_registry;
/* The rules as the code names them: &rule_registry's entries by index, see rules.c. */

/* The limits of one comparison: the defaults, changed by options or by a YAML file of
 * `rule: {fail: 3, warn: 2, because: TEXT, measured: 2.1, expires: 2027-01-31}`. */
struct limits;
enum status limits_open(struct limits **out);
void limits_close(struct limits **limits);
/* "picture.counted=12" for both, "picture.counted.warn=3"; STATUS_USAGE with the nearest name. */
enum status limits_set(struct limits *limits, const char *assignment);
/* STATUS_USAGE with file and line; an override without `because`, or past its day, is one. */
enum status limits_read(struct limits *limits, const char *path);
double limits_fail(const struct limits *limits, const struct rule *rule);
double limits_warn(const struct limits *limits, const struct rule *rule);
/* Text of why the limit is not the default; NULL when it is. */
const char *limits_because(const struct limits *limits, const struct rule *rule);

#endif
