/* Reads a film's own limits from a YAML file:
 *
 *     picture.counted: {fail: 12, warn: 4, because: TEXT, measured: 9, expires: 2027-01-31}
 *
 * `because`, `measured` (the largest value seen, which the limit must allow) and `expires` (the
 * last day on which the limit is valid) are required, and `fail`, `warn` or both. */
#pragma once

#include "cmd/regression/judge/limits.h"

/* `today` is a UTC date, "2026-12-31". Returns STATUS_USAGE with file and line in the message, and
 * the limits partly changed; STATUS_IO when the file cannot be read. */
enum status limits_read(struct limits *limits, const char *path, const char *today);

/* Does the same for a text; `origin` names its source in messages. */
enum status limits_parse(struct limits *limits, const char *text, size_t size, const char *origin,
                         const char *today);
