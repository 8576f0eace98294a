/* libav's log and errors in the program's own terms. */
#pragma once

#include "render/picture/format.h"

#include <libavutil/pixfmt.h>
#include <stddef.h>

/* Sends libav's log to base/log at the debug level and keeps each thread's last error message.
 * Call before any other use of libav; idempotent and thread-safe. */
void libav_prepare(void);

/* Clears this thread's messages; call before an operation that may fail. */
void libav_forget(void);

/* Why a libav call that returned `error` failed: this thread's message, otherwise libav's text for
 * the code. Per-thread buffer. */
const char *libav_reason(int error);

/* This thread's last error message since libav_forget, NULL if there was none: decoders conceal
 * damage that they have reported. Valid until the next call of libav. */
const char *libav_complaint(void);

/* This thread's first warning or error since libav_forget, NULL if there was none. Per-thread
 * buffer. */
const char *libav_warning(void);

/* This thread's first warning or error since libav_forget that contains `word` as a word, NULL if
 * there was none. Per-thread buffer. */
const char *libav_warning_about(const char *word);

/* libav's name for our pixel format. */
enum AVPixelFormat libav_pixel_format(enum picture_format format);

/* "libavcodec 59.37.100, libavformat 59.27.100": the loaded versions. */
void libav_versions(char *out, size_t size);
