/* Inspects everything in a film's file, packet by packet and picture by picture. Faults are
 * recorded in the inspection; only a file that cannot be read at all is a failure. */
#pragma once

#include "base/status.h"
#include "render/inspect/inspection.h"

#include <signal.h>

/* `path` as for reader_open. STATUS_IO: it cannot be read; STATUS_USAGE: it is not a film or has no
 * picture; STATUS_DEVICE: there is no decoder; STATUS_STOPPED soon after *stop, which may be NULL,
 * becomes nonzero. inspection_free in every case. */
enum status inspect_film(struct inspection *out, const char *path, volatile sig_atomic_t *stop);

/* The same for PNG files (sequence.c); missing and unreadable files are recorded. */
enum status inspect_sequence(struct inspection *out, const char *path, volatile sig_atomic_t *stop);
