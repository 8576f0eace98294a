/* Frames of another program's simulation, as they arrive on a pipe: each becomes a snapshot, and
 * the film is one of snapshots. */
#pragma once

#include "base/status.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Receives all frames from the file or pipe `from`, "-" being standard input, until it ends, and
 * writes each as OUTPUT.bodies/frame_000000.hdf5 as soon as it is complete. *pattern finds them;
 * the caller frees it. A frame that is incomplete at the end is left out, with a warning. A signal
 * that raises *stop ends the stream, too; stop may be NULL. If `from`
 * is a pattern, its streams are read together: a frame has the bodies of all streams, in the order
 * of their names. The streams have the same times, arrays and units, and no components; files that
 * an earlier run has left are refused. *count: the complete frames.
 *
 * The stream is text and numbers (docs/frames.md). It begins with the line
 *
 *     {"gravreel": "frames", "format": 1}
 *
 * which may have the members "units": {"length_cm": 1, "mass_g": 1, "velocity_cms": 1} and "begun",
 * the seconds since 1970, by which streams of two runs are told apart. A frame is a
 * line, such as
 *
 *     {"time": 0.5, "bodies": 1000, "arrays": ["mass f8", "pos f8", "vel f4", "temperature f4 K"]}
 *
 * followed by these arrays, without gaps: little-endian numbers, three for each body in pos and
 * vel, one in others. Types are f4, f8, i4, i8, u4, u8. A name is followed by its type and, if
 * known, its unit. Arrays that do not change may be left out after the first frame, except pos and
 * vel. "id" identifies bodies, which may then come, go and change places; without it there are
 * always as many. "components": {"gas": 400, "stars": 600} divides the rows into components.
 *
 * A frame of a single stream may be a file of bodies instead (formats.h), such as NumPy's archive
 * or HDF5, which states its time. Its line is only {"bytes": 12345}, and these bytes follow. HDF5
 * is kept as it is.
 *
 * STATUS_USAGE, with the number of the frame, for anything else, and for frames that exist, unless
 * `overwrite`, which replaces them once the first frame is complete; STATUS_IO. If two frames or
 * more are complete by then, *pattern finds them even so.
 */
enum status frames_receive(const char *from, const char *output, bool overwrite,
                           const volatile sig_atomic_t *stop, char **pattern, uint64_t *count);
