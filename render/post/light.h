/* Measures light as drawn: targets are read back after drawing, then hashed and summed on the CPU
 * in a fixed order. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/gl/transfer.h"
#include "render/gl/util.h"
#include "render/picture/picture.h"

struct light_tap {
    GLuint buffers[TRANSFER_SLOTS]; /* pixel-pack buffers; 0: not created yet */
    size_t size[TRANSFER_SLOTS];    /* bytes in use */
};

void light_tap_destroy(struct light_tap *tap); /* accepts all zero */

/* Starts reading the targets, one after the other, each with its bottom row first. */
enum status light_tap_start(struct light_tap *tap, int slot, const struct gl_target *const *targets,
                            int count);

/* Waits for what was started in the slot, then measures it. */
enum status light_tap_wait(struct light_tap *tap, int slot, struct picture_light *out);
