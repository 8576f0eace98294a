/* PNG files looked at as a film is. */
#ifndef RENDER_INSPECT_SEQUENCE_H
#define RENDER_INSPECT_SEQUENCE_H

#include "base/status.h"
#include "render/inspect/inspection.h"

#include <signal.h>

/* As inspect_film; files that are missing or cannot be read are told of. */
enum status inspect_sequence(struct inspection *out, const char *path, volatile sig_atomic_t *stop);

#endif
