/* Films in segments, as the joiner takes them. For tests only. */
#pragma once

#include "render/join/concatenate.h"
#include "render/sink/sink.h"

enum { SEGMENTS_MAX = 4 };

struct segments {
    struct join_segment list[SEGMENTS_MAX];
    size_t count;
    char names[SEGMENTS_MAX][4096];
    struct join_params params; /* joins them into FOLDER/film.EXTENSION; may be changed */
    char film[4096];
};

/* Writes segments of the given lengths, 0 ends them, into FOLDER/0.EXTENSION and so on, whose
 * frames are those of one film. `params` without path and format. */
void segments_make(struct segments *segments, const char *folder, const char *extension,
                   const struct sink_params *params, const uint64_t *lengths);

/* Hashes of the decoded pixels of the film's frames go to `hashes`, their times to `times` (may be
 * NULL), in seconds. The number of frames, of which the first `limit` are kept. */
uint64_t segments_decode(const char *path, uint64_t *hashes, double *times, uint64_t limit);
