/* The universe of a film's bodies: how it expands, and its periodic box. */
#pragma once

#include "render/found.h"
#include "scenes/scene.h"

struct bodies;

/* Reads the universe from the file of the bodies at frame 0; all zero if there is no file. */
enum status universe_read(const struct scene *scene, struct universe_found *out);

/* Fills *out like universe_read, but only if a key needs it; otherwise all zero. STATUS_USAGE names
 * the key if the file does not state what the key needs. Collective for shared bodies. */
enum status universe_find(const struct scene *scene, const struct bodies *bodies,
                          struct universe_found *out);
