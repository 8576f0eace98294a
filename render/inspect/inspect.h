/* Inspects a film's file packet by packet and picture by picture. Faults of the film are recorded;
 * only what prevents reading it is a failure. */
#ifndef RENDER_INSPECT_INSPECT_H
#define RENDER_INSPECT_INSPECT_H

#include "base/status.h"
#include "render/inspect/inspection.h"

#include <signal.h>

/* `path` as for reader_open. STATUS_IO: it cannot be read; STATUS_USAGE: it is not a film or has no
 * pictures; STATUS_DEVICE: there is no decoder; STATUS_STOPPED soon after *stop, which may be NULL,
 * becomes nonzero. inspection_free in every case. */
enum status inspect_film(struct inspection *out, const char *path, volatile sig_atomic_t *stop);

#endif
