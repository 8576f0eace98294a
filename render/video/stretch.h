/* Divides a film into stretches whose pictures share a palette: pictures wait until their stretch
 * is full or the film ends, then come out as palette indices. A stretch has as many pictures as fit
 * into a fixed memory, so that most loops have one palette. Used by one thread. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>

struct stretch;

/* `bytes` is the memory; a stretch has at least one picture. */
struct stretch *stretch_create(uint32_t width, uint32_t height, size_t bytes);
void stretch_destroy(struct stretch **stretch); /* accepts a pointer to NULL */

/* Copies an RGBA8 picture. Take all pictures that are ready before adding the next. STATUS_RUNTIME:
 * no memory. */
enum status stretch_add(struct stretch *stretch, const struct picture *picture);

/* Ends the film: waiting pictures become ready. */
void stretch_close(struct stretch *stretch);

/* Whether a picture is ready. */
bool stretch_ready(const struct stretch *stretch);

/* Takes the next picture: one index per pixel, and 256 colours as 0xAARRGGBB; the last is
 * transparent and is not used by any pixel. */
void stretch_take(struct stretch *stretch, uint8_t *numbers, int stride, uint32_t colours[256]);
