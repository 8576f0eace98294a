/* Joins pictures of one format side by side into one picture. Pure; thread-safe for different
 * pictures. */
#pragma once

#include "render/picture/picture.h"

/* Fills the planes with black, transparent if the format has transparency. */
void montage_blacken(const struct picture_layout *layout, uint8_t *data);

/* Draws a grey line of that size from the pixel x, y; nothing if the format has transparency. */
void montage_line(const struct picture_layout *layout, uint8_t *data, uint32_t x, uint32_t y,
                  uint32_t width, uint32_t height);

/* Copies a picture to the pixel x, y of another, in which it must fit. x and y must be even if the
 * format halves its chroma planes. */
void montage_put(const struct picture *from, uint32_t x, uint32_t y, struct picture *to);

/* The sum of the pictures' light, and the hash of their hashes. */
void montage_light(struct picture *const *pictures, int count, struct picture_light *out);
