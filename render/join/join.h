/* Joins the segments of a film into one file by stream copy: no picture is encoded again.
 *
 * A segment is a film of its own, written by sink_video from a new encoder, so that it begins
 * with a keyframe and nothing in it refers to another. The container of the segments should
 * be that of the film: it then keeps everything that the film will say. (NUT, for one, keeps every
 * packet but neither the colours of VP9 and FFV1 nor the order of fields, and Matroska not the tags
 * by which MP4 distinguishes ways to store HEVC.)
 *
 * Of the segments' times only the order of the frames is used, because Matroska rounds to
 * milliseconds: frame n is shown at n / fps, and the packet written as the i-th, counted from 0, is
 * decoded at (i - delay) / fps, where delay is the least by which no frame is decoded after it is
 * shown. The same segments and parameters give the same bytes. Thread-safe. */
#ifndef RENDER_JOIN_JOIN_H
#define RENDER_JOIN_JOIN_H

#include "base/status.h"
#include "render/join/params.h"

/* Reads every segment before a file is touched, writes PATH.part, reads that again and only then
 * gives it the film's name: it must hold each frame once, frame n at n / fps, and begin each
 * segment with a keyframe. The segments stay as they are, and after a failure nothing else is left.
 *
 * STATUS_IO: a segment cannot be read, or the film not be written. STATUS_USAGE: a segment is not
 * whole, has another number of frames, is given twice, or differs in size, codec or parameter sets
 * from the first; the sentence says in what. STATUS_RUNTIME: the check failed. STATUS_STOPPED: see
 * `stop`. *bytes (may be NULL) is the film's size. */
enum status join_segments(const struct join_params *params, uint64_t *bytes);

/* Counts the frames of a segment. STATUS_IO and STATUS_USAGE when it cannot be read. */
enum status join_count(const char *path, uint64_t *frames);

#endif
