/* Named looks: each sets keys that the scene does not set itself. One const entry each. */
#pragma once

#include "scenes/scene.h"

enum { PRESET_KEYS = 24 };

struct look_preset {
    const char *name, *doc;
    /* A value as in YAML. */
    struct preset_value {
        const char *key, *value;
    } set[PRESET_KEYS];
};

/* Applies look.preset and clears it. A preset in the scene's text sets the keys that the text and
 * options leave out; one given by an option also overrides keys of the text, except colours
 * (look.color, look.map). Logs at info level which keys stay. */
enum status preset_apply(struct scene *scene);
