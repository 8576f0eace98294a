/* The resolved scene as text, and its hash. Thread-safe. */
#pragma once

#include "scenes/params.h"

/* The scene as YAML with every default filled in, but without a section of limits if none is set;
 * parses back to exactly the same scene. The caller frees it. */
char *scene_print(const struct scene *scene);

/* The same with only the keys that do not have their defaults and those in `also`, which ends with
 * NULL; a blank line separates sections. A starting point for people. */
char *scene_print_short(const struct scene *scene, const char *const *also);

/* XXH3 of a scene's text as it is, as 16 hexadecimal digits. */
void scene_text_hash(const char *text, char out[17]);

/* XXH3 of the printed scene, as 16 hexadecimal digits. */
void scene_hash(const struct scene *scene, char out[17]);
