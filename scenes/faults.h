/* Finds all faults of a scene's text at once. */
#pragma once

#include "base/status.h"
#include "scenes/scene.h"

/* Receives one message, with file, line and key; must not keep it. */
struct fault_taker {
    void (*take)(void *user, const char *sentence);
    void *user;
};

/* Opens and validates the scene like scene_open. On failure, each fault goes to `taker`; then its
 * line, with the lines indented below it, is left out and the rest is read again, so that
 * consequential faults are not reported. *out is the rest, or NULL if nothing can be read after a
 * fault. The status is that of the first fault, without its message. */
enum status scene_open_faults(struct scene **out, const char *name,
                              const struct fault_taker *taker);
