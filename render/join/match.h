/* Whether two streams may follow one another in one. libav's own types stay opaque here. */
#ifndef RENDER_JOIN_MATCH_H
#define RENDER_JOIN_MATCH_H

#include "base/status.h"

#include <stdbool.h>

struct AVStream;
struct AVCodecParameters;
struct projection;

/* What a stream is, kept after its file is closed. */
struct join_format;

struct join_format *join_format_copy(const struct AVStream *stream);
void join_format_free(struct join_format **format); /* accepts a pointer to NULL */
const struct AVCodecParameters *join_format_codec(const struct join_format *format);
const struct projection *join_format_projection(const struct join_format *format);

/* Whether their containers tell the same of both, parameter sets included, which say all that a
 * decoder has to know. */
bool join_format_told_alike(const struct join_format *a, const struct join_format *b);

/* STATUS_USAGE says what differs between the file `b` and the file `a` before it. */
enum status join_format_match(const struct join_format *a, const char *a_path,
                              const struct join_format *b, const char *b_path);

#endif
