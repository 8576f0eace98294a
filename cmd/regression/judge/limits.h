/* The limits of one comparison: the defaults of the rules, and what was put in their place.
 * limits_file.h reads them from a file. Not thread-safe while being changed. */
#ifndef CMD_REGRESSION_JUDGE_LIMITS_H
#define CMD_REGRESSION_JUDGE_LIMITS_H

#include "base/status.h"
#include "cmd/regression/judge/rules.h"

struct limits;
void limits_open(struct limits **out);
void limits_close(struct limits **limits); /* accepts a pointer to NULL */

/* "picture.counted=12" for both limits, "picture.counted.warn=3" and "picture.counted.fail=12" for
 * one of them; "never" is a value too. STATUS_USAGE, with the nearest name where it is unknown. */
enum status limits_set(struct limits *limits, const char *assignment);

/* A number from 0, or INFINITY for "never"; false where the text is neither. */
bool limits_number(const char *text, double *out);

/* The limits of one rule and why (copied); NAN leaves one as it is. A warning above the failure is
 * lowered to it. */
void limits_change(struct limits *limits, const struct rule *rule, double warn, double fail,
                   const char *because);

double limits_fail(const struct limits *limits, const struct rule *rule);
double limits_warn(const struct limits *limits, const struct rule *rule);
/* Whether the value beyond which the rule fails was given, if only the default once more. */
bool limits_is_given(const struct limits *limits, const struct rule *rule);
/* Why the limit is not the default; NULL when it is. Valid until it is changed. */
const char *limits_because(const struct limits *limits, const struct rule *rule);

/* Every limit of pictures and containers that was not given becomes that of a copy that was encoded
 * again on purpose, for YouTube say: other limits of the same rules, and none for what encoding is
 * allowed to lose. */
void limits_take_lossy(struct limits *limits);

#endif
