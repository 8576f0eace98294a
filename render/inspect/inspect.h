/* Looks at everything that a film's file says and holds, packet by packet and picture by picture.
 * What is wrong with it is told, and only what keeps it from being read at all is a failure. */
#pragma once

#include "base/status.h"
#include "render/inspect/inspection.h"

#include <signal.h>

/* `path` as for reader_open. STATUS_IO: it cannot be read; STATUS_USAGE: it is no film or holds no
 * picture; STATUS_DEVICE: there is no decoder; STATUS_STOPPED soon after *stop, which may be NULL,
 * becomes nonzero. inspection_free in every case. */
enum status inspect_film(struct inspection *out, const char *path, volatile sig_atomic_t *stop);

/* PNG files (sequence.c), which inspect_film looks at in the same way; files that are missing or
 * cannot be read are told of. */
enum status inspect_sequence(struct inspection *out, const char *path, volatile sig_atomic_t *stop);
