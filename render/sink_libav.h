/* libav's log and errors in the program's own terms. */
#ifndef RENDER_SINK_LIBAV_H
#define RENDER_SINK_LIBAV_H

/* Sends libav's log to base/log at the debug level and keeps each thread's last error message.
 * Call before any other use of libav; idempotent and thread-safe. */
void libav_prepare(void);

/* Forgets this thread's message; call before what may fail. */
void libav_forget(void);

/* Why a libav call that returned `error` failed: this thread's message, else libav's text for the
 * code. Per-thread buffer. */
const char *libav_reason(int error);

#endif
