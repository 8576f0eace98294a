/* The boxes of a film in MP4 or MOV that is wholly in memory (ISO/IEC 14496-12), for mistakes to be
 * made in them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first box of that name, searched in those that hold others; *at: its content, behind the
 * name. False when there is none, or the data are no boxes. */
bool boxes_find(const char *data, size_t size, const char *name, size_t *at, size_t *bytes);

/* Numbers of 32 bits, the highest byte first. */
uint32_t boxes_get(const char *data);
void boxes_set(char *data, uint32_t number);
