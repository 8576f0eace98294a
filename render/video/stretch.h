/* Stretches of a film whose pictures share a palette: pictures wait until their stretch is full or
 * the film ends, then come out as numbers of its colours. A stretch is as many pictures as fit into
 * a fixed memory, so that most loops have one palette. Used by one thread. */
#ifndef RENDER_VIDEO_STRETCH_H
#define RENDER_VIDEO_STRETCH_H

#include "base/status.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>

struct stretch;

/* `bytes` is the memory; a stretch has one picture at least. */
struct stretch *stretch_create(uint32_t width, uint32_t height, size_t bytes);
void stretch_destroy(struct stretch **stretch); /* accepts a pointer to NULL */

/* Copies a picture of RGBA8. Take all that are ready before the next one. STATUS_RUNTIME: no
 * memory. */
enum status stretch_add(struct stretch *stretch, const struct picture *picture);

/* The film has ended: those that wait are ready. */
void stretch_close(struct stretch *stretch);

/* Whether there is a picture to take. */
bool stretch_ready(const struct stretch *stretch);

/* The next one: a number a pixel, and the 256 colours as 0xAARRGGBB; the last is transparent and
 * none of the numbers. */
void stretch_take(struct stretch *stretch, uint8_t *numbers, int stride, uint32_t colours[256]);

#endif
