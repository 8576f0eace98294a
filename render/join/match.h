/* Whether two streams can be concatenated into one. libav's own types stay opaque here. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct AVStream;
struct AVCodecParameters;
struct projection;

/* A stream's format, kept after its file is closed. */
struct join_format;

struct join_format *join_format_copy(const struct AVStream *stream);
void join_format_free(struct join_format **format); /* accepts a pointer to NULL */
const struct AVCodecParameters *join_format_codec(const struct join_format *format);
const struct projection *join_format_projection(const struct join_format *format);

/* Whether their containers describe both in the same way, including the parameter sets, which
 * contain everything that a decoder needs. */
bool join_format_told_alike(const struct join_format *a, const struct join_format *b);

/* STATUS_USAGE says how the file `b` differs from the preceding file `a`. */
enum status join_format_match(const struct join_format *a, const char *a_path,
                              const struct join_format *b, const char *b_path);
