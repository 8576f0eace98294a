/* The universe of a film's bodies: how it expands, and its periodic box. */
#pragma once

#include "render/found.h"
#include "scenes/scene.h"

struct bodies;

/* What the file of the bodies at frame 0 says, all zero if there is none. */
enum status universe_read(const struct scene *scene, struct universe_found *out);

/* Fills params->found.universe from the file of the bodies at frame 0, which is only read if the
 * scene asks for something that needs it. STATUS_USAGE with the key if the file does not say it.
 * Collective for shared bodies. */
enum status universe_find(const struct scene *scene, const struct bodies *bodies,
                          struct universe_found *out);
