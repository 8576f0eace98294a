/* The name that an encoder of H.264 or H.265 writes into a film. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { ENCODER_NAME_MAX = 128 };

/* "x264 - core 164 r3095 baee400" from a packet or from the stream's extra data. A name that is
 * already there is kept; it stays empty where nothing is found. `data` may be NULL. Pure. */
void encoder_name_find(const uint8_t *data, size_t size, char name[ENCODER_NAME_MAX]);
