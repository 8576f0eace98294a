/* The values of a scene's text, typed, through libcyaml with schemas made from the key table.
 * Not part of the scene's interface: for scene.c. */
#ifndef SCENES_LOAD_H
#define SCENES_LOAD_H

#include "scenes/outline.h"
#include "scenes/scene.h"

/* Loads the keys that `outline` (of this very text) found and puts them into `scene`; the others
 * stay as they are. Keys that a list's item does not give get their defaults. On failure the scene
 * is unchanged. */
enum status load_values(struct scene *scene, const char *text, size_t size,
                        const struct outline *outline, const char *origin);

/* Frees the items of a list and sets it to empty. `key` is one of scene_keys. */
void load_free_list(struct scene *scene, const struct key *key);

/* Gives a new item of a list its defaults; texts are allocated. */
enum status load_item_defaults(const struct key_list *list, void *item);

#endif
