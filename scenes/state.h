/* What a scene keeps beside its values: where each came from. Private to scenes/. */
#ifndef SCENES_STATE_H
#define SCENES_STATE_H

#include "scenes/outline.h"
#include "scenes/scene.h"

struct scene_state {
    struct scene scene; /* first: a struct scene made here is the start of one of these */
    struct {
        char *origin;  /* file or option; NULL: the default */
        uint32_t line; /* 0: the origin has no lines */
    } from[KEYS_MAX];
    struct outline_item *items[KEYS_MAX]; /* lines within lists, as the lists are long */
};

/* Puts where a key came from and its name before this thread's sentence. `item` counts from 1 and
 * `field` is an index into the list's keys; 0, -1 for keys that are no list's. Returns
 * STATUS_USAGE. */
enum status scene_blame_key(const struct scene *scene, int key, uint32_t item, int field);

#endif
