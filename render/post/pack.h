/* The last pass: display values -> the planes of the sink's format, dithered, as bytes in RGBA8
 * targets that read back with the planes' memory layout. So there is one path for 8, 10 and 16
 * bits, and RGBA8 is what drivers and CUDA read back fastest. Only for the renderer; a GL context
 * must be current. */
#pragma once

#include "render/gl/gl.h"
#include "render/gl/transfer.h"
#include "render/picture/picture.h"

struct pack {
    struct picture_layout layout;
    struct gl_pass pass[PICTURE_PLANES_MAX];
    GLint frame[PICTURE_PLANES_MAX], origin[PICTURE_PLANES_MAX], fade[PICTURE_PLANES_MAX],
        background[PICTURE_PLANES_MAX], quiet[PICTURE_PLANES_MAX];
    double sky[3]; /* the background as stored in the display target */
    struct gl_target target[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
};

/* Fills *pack, which must be all zero. `background`: the display value of unlit pixels, which are
 * not dithered; STATUS_USAGE if it is not black and the format has alpha. After a failure
 * pack_destroy must still be called. */
enum status pack_create(struct pack *pack, const struct gl_context *context,
                        enum picture_format format, uint32_t width, uint32_t height,
                        const double background[3]);
void pack_destroy(struct pack *pack); /* accepts all zero */

/* Converts `display` (the size of the picture, bottom row first), faded to black by `fade` (0 ..
 * 1), into the slot's targets. (x, y) is the picture's upper left corner within a larger one whose
 * dither it continues; 0 if its chroma is halved. */
void pack_draw(const struct pack *pack, int slot, const struct gl_target *display, uint64_t frame,
               double fade, uint32_t x, uint32_t y);

/* Measures light as drawn: targets are read back after drawing, then hashed and summed on the CPU
 * in a fixed order. Only for the renderer; a GL context must be current. */

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
