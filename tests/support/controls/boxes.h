/* The boxes of a film in MP4 or MOV that is completely in memory (ISO/IEC 14496-12), for changing
 * them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first box of that name, also within other boxes; *at: its content, after the name. False if
 * there is none, or the data have no boxes. */
bool boxes_find(const char *data, size_t size, const char *name, size_t *at, size_t *bytes);

/* Big-endian 32-bit numbers. */
uint32_t boxes_get(const char *data);
void boxes_set(char *data, uint32_t number);
