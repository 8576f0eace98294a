/* One of two films to compare: its metadata and its pictures. */
#pragma once

#include "base/status.h"
#include "base/text.h"
#include "render/reader/reader.h"
#include "render/reader/played.h"
#include "render/reader/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct reader;

struct side {
    const char *path; /* belongs to the caller */
    struct reader *reader;
    const struct reader_info *info;
    struct stream stream;   /* of a film; empty for PNG files */
    struct played played;   /* the same */
    uint64_t first, frames; /* the range to compare: frames first .. first + frames - 1 */
};

/* Opens a film with `threads` decoding threads. Fails as reader_open does. */
enum status side_open(struct side *side, const char *path, int threads);
void side_close(struct side *side); /* accepts a zeroed one */

/* Selects a range of frames; a zeroed range selects all. Returns STATUS_USAGE if the film does not
 * have all of them. */
enum status side_choose(struct side *side, const struct text_range *frames);

/* Returns whether both sides are the same file or the same sequence. */
bool side_same(const struct side *a, const struct side *b);
