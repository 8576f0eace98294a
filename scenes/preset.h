/* Looks with a name: each sets keys of the scene that nobody else has set. One const entry each. */
#ifndef SCENES_PRESET_H
#define SCENES_PRESET_H

#include "scenes/scene.h"

enum { PRESET_KEYS = 24 };

struct look_preset {
    const char *name, *doc;
    /* As in YAML. */
    struct preset_value {
        const char *key, *value;
    } set[PRESET_KEYS];
};

/* Does what look.preset says and forgets it: a preset of the scene's text sets the keys that the
 * text and options leave out, one of an option also those that only the text gives, but not its
 * colours (look.color, look.map); which of them stay is said at info level. */
enum status preset_apply(struct scene *scene);

#endif
