/* Glow around light: the light target is halved level by level and added up again from the
 * coarsest, each level smoothed, so that dense regions shine beyond their bodies. After J. Jimenez,
 * "Next generation post processing in Call of Duty: Advanced Warfare", SIGGRAPH 2014 course. Only
 * for the renderer; a GL context must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/util.h"

#include <stdbool.h>

struct bloom;

/* Creates bloom for a light target of this size. `joined`: the target's left and right edges
 * meet. */
enum status bloom_create(struct bloom **out, const struct gl_context *context, GLsizei width,
                         GLsizei height, bool joined);
void bloom_destroy(struct bloom **bloom); /* accepts a pointer to NULL */

enum { BLOOM_FACTOR = 4 }; /* texels of the light target per texel of bloom_target, along an axis */

/* Writes the glow of `light` to bloom_target, at a quarter of its size and with the same total
 * light. */
void bloom_make(struct bloom *bloom, const struct gl_target *light);
const struct gl_target *bloom_target(const struct bloom *bloom);
