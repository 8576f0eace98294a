/* The limits of one comparison: the defaults of the rules, and the values that replace them.
 * limits_file.h reads them from a file. Not thread-safe while being changed. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/rules.h"

struct limits;
void limits_open(struct limits **out);
void limits_close(struct limits **limits); /* accepts a pointer to NULL */

/* Sets a limit: "picture.counted=12" sets both, "picture.counted.warn=3" and
 * "picture.counted.fail=12" set one. "never" is a valid value. Returns STATUS_USAGE on an error;
 * for an unknown name the message suggests the nearest. */
enum status limits_set(struct limits *limits, const char *assignment);

/* Reads a number >= 0, or INFINITY for "never"; returns false for any other text. */
bool limits_number(const char *text, double *out);

/* Sets the limits of one rule and the reason (copied); NAN leaves a limit unchanged. A warning
 * limit above the failure limit is lowered to it. */
void limits_change(struct limits *limits, const struct rule *rule, double warn, double fail,
                   const char *because);

double limits_fail(const struct limits *limits, const struct rule *rule);
double limits_warn(const struct limits *limits, const struct rule *rule);
/* Returns whether the rule's failure limit was set, even if to the default. */
bool limits_is_given(const struct limits *limits, const struct rule *rule);
/* Returns why the limit is not the default; NULL if it is. Valid until the limit is changed. */
const char *limits_because(const struct limits *limits, const struct rule *rule);

/* Sets every limit of pictures and containers that was not given to one for a film that was
 * re-encoded on purpose, for example for YouTube: other limits for the same rules, and no limit on
 * what encoding is allowed to lose. */
void limits_take_lossy(struct limits *limits);
