/* One of two films that are compared: what it says of itself, and its pictures. */
#ifndef CMD_REGRESSION_COMPARE_SIDE_H
#define CMD_REGRESSION_COMPARE_SIDE_H

#include "base/status.h"
#include "base/text.h"
#include "render/reader/info.h"
#include "render/reader/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct reader;

struct side {
    const char *path; /* the caller's */
    struct reader *reader;
    const struct reader_info *info;
    struct stream stream;   /* of a film; empty for PNG files */
    uint64_t first, frames; /* that are compared: numbers first .. first + frames - 1 */
};

/* With so many threads that decode. As reader_open fails. */
enum status side_open(struct side *side, const char *path, int threads);
void side_close(struct side *side); /* accepts a zeroed one */

/* Only these frames; all of a zeroed range. STATUS_USAGE where the film does not have all. */
enum status side_choose(struct side *side, const struct text_range *frames);

/* Whether both are one file, or the same sequence. */
bool side_same(const struct side *a, const struct side *b);

#endif
