/* The name that an H.264 or H.265 encoder writes into its stream. */
#ifndef RENDER_READER_ENCODER_NAME_H
#define RENDER_READER_ENCODER_NAME_H

#include <stddef.h>
#include <stdint.h>

enum { ENCODER_NAME_MAX = 128 };

/* Finds "x264 - core 164 r3095 baee400" in a packet, or in the stream's extradata. Keeps a name
 * that was already found; leaves it empty if there is none. `data` may be NULL. Pure. */
void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX]);

#endif
