/* Whether a scene makes sense as a whole. */
#pragma once

#include "base/status.h"
#include "scenes/scene.h"

/* Named looks: each sets keys that the scene does not set itself. One const entry each. */

enum { PRESET_KEYS = 24 };

struct look_preset {
    const char *name, *doc;
    /* A value as in YAML. */
    struct preset_value {
        const char *key, *value;
    } set[PRESET_KEYS];
};

/* Checks all ranges and what depends on more than one key; adds two galaxies to a scene of the
 * model galaxies that lists none, and passes the softening to the model. May be called again after
 * a change. STATUS_USAGE. */
enum status scene_validate(struct scene *scene);

/* ---- finds all faults of a scene's text at once ---- */

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
