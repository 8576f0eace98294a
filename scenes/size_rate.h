/* Sizes and frame rates as people write them. Pure functions, thread-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* "1280x720", or one of 720p, 1080p, 1440p, 2160p, 4k, 8k, vertical and square in any case. The
 * caller checks ranges; a number beyond 32 bits is not a size. */
bool frame_size_parse(const char *text, uint32_t *width, uint32_t *height);

/* "30", "12.5", "30000/1001". The customary short forms 23.976 (23.98), 29.97, 47.952, 59.94 and
 * 119.88 mean n * 1000/1001 exactly; other decimals, of at most three places, are taken literally.
 * Reduced. Zero is not a rate. */
bool frame_rate_parse(const char *text, uint32_t *num, uint32_t *den);
