/* What captions say of their own scene: keys' values in a text, and conditions on them. A key is
 * written "section.key", an item's key "section.list[2].key", counted from 1; a list is the number
 * of its items. Pure, thread-safe. */
#pragma once

#include "base/status.h"
#include "scenes/scene.h"

#include <stdbool.h>

/* The key's value as YAML has it, which the caller frees; NULL when the list has fewer items.
 * STATUS_USAGE when there is no such key. */
enum status condition_value(const struct scene *scene, const char *path, char **out);

/* Whether the scene fulfils all conditions of a list such as
 *     bodies.pericentre <= 20, bodies.galaxies[1].inclination < 90
 * with <, <=, >, >= and = of numbers. If not, `failed` has the first that it does not fulfil; one
 * on an item that the list does not have is not fulfilled. An empty text holds. STATUS_USAGE when
 * the text has another form. */
enum { CONDITION_MAX = 128 };
enum status condition_holds(const struct scene *scene, const char *text, bool *holds,
                            char failed[CONDITION_MAX]);
