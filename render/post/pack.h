/* The last pass: display values -> the planes of the sink's format, dithered, as bytes in RGBA8
 * targets that read back as the planes lie in memory. Only for the renderer; a GL context must be
 * current. */
#ifndef RENDER_POST_PACK_H
#define RENDER_POST_PACK_H

#include "render/gl/pass.h"
#include "render/gl/util.h"
#include "render/picture/picture.h"
#include "render/gl/transfer.h"

struct planes {
    struct picture_layout layout;
    struct gl_pass pass[PICTURE_PLANES_MAX];
    GLint frame[PICTURE_PLANES_MAX], origin[PICTURE_PLANES_MAX];
    struct gl_target target[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
};

/* Fills *planes, all zero before. On failure planes_destroy is still to be called. */
enum status planes_create(struct planes *planes, const struct gl_context *context,
                          enum picture_format format, uint32_t width, uint32_t height);
void planes_destroy(struct planes *planes); /* accepts one never created, all zero */

/* Converts `display` (the size of the picture, bottom row first) into the slot's targets. (x, y) is
 * the picture's upper left corner within a larger one whose dither it continues; 0 if its chroma is
 * halved. */
void planes_draw(const struct planes *planes, int slot, const struct gl_target *display,
                 uint64_t frame, uint32_t x, uint32_t y);

#endif
