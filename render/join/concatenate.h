/* Joins the segments of a film into one file by stream copy: no picture is encoded again.
 *
 * A segment is a film of its own, written by sink_video from a new encoder, so it begins with a key
 * frame and refers to no other segment. Segments should have the film's container, which can store
 * everything that the film will say. (NUT keeps every packet but neither the colours of VP9 and
 * FFV1 nor the field order; Matroska lacks the tags by which MP4 distinguishes ways to store HEVC.)
 *
 * The segments' times only give the order of the frames, because Matroska rounds to milliseconds.
 * Frame n is shown at n / fps, and packet i, counted from 0, is decoded at (i - delay) / fps, where
 * delay is the smallest with which no frame is decoded after it is shown. The same segments and
 * parameters give the same bytes, and a single segment those of a film that was written at once
 * (except for FFV1, whose parameter set Matroska pads). Thread-safe. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/video/caption_track.h"
#include "render/video/demuxer.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct container; /* render/video/codecs.h */

struct join_segment {
    const char *path;
    uint64_t frames; /* expected number */
};

struct join_params {
    const struct join_segment *segments; /* in the film's order */
    size_t count;
    const char *path; /* of the film: a file, replaced if it exists */
    const struct container *container;
    uint32_t fps_num, fps_den;
    const char *timecode;                 /* of the first frame; NULL: none */
    const char *sound;                    /* an audio file for the film, see sound.h; NULL: none */
    const struct caption_track *captions; /* [caption_count] tracks of the film */
    size_t caption_count;                 /* at most CAPTION_STREAMS_MOST */
    struct tags tags;                     /* the film's; the segments' own are ignored */
    bool decode;                          /* the check decodes every frame, not only packets */
    const volatile sig_atomic_t *stop;    /* stops the work when not 0; may be NULL */
};

/* Checks the film in `file` by reading it again; messages call it params->path. STATUS_RUNTIME when
 * it does not match the segments. */
enum status join_check(const struct join_params *params, const char *file);

/* Reads every segment before touching a file, writes PATH.part, reads that again and only then
 * renames it to the film. The film must have each frame once, frame n at n / fps, and each segment
 * must begin with a key frame. The segments are kept; after a failure nothing else is left.
 *
 * STATUS_IO: a segment cannot be read, or the film cannot be written. STATUS_USAGE: a segment is
 * incomplete, has another number of frames, is given twice, or differs from the first in size,
 * codec or parameter sets; the message says in what. STATUS_RUNTIME: the check failed.
 * STATUS_STOPPED: see `stop`. *bytes (may be NULL) is the film's size. */
enum status join_segments(const struct join_params *params, uint64_t *bytes);

/* Counts the frames of a segment. STATUS_IO and STATUS_USAGE when it cannot be read. */
enum status join_count(const char *path, uint64_t *frames);
