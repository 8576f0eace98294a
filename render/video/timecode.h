/* Timecode of SMPTE ST 12-1: HH:MM:SS:FF, or HH:MM:SS;FF with dropped numbers, which keeps 29.97
 * and 59.94 frames per second with the clock: the first two or four numbers of each minute are left
 * out, but for every tenth. Pure functions; thread-safe. */
#pragma once

#include "base/status.h"

#include <stdint.h>

enum { TIMECODE_TEXT = 12 };

/* STATUS_USAGE for a text that is no timecode, a number that does not exist, and a rate without
 * timecode. */
enum status timecode_check(const char *text, uint32_t fps_num, uint32_t fps_den);

/* The timecode of a film's frame, counted from 0, if frame 0 has the one in `text`, which passes
 * the check. After 23:59:59 comes 00:00:00. */
void timecode_at(const char *text, uint32_t fps_num, uint32_t fps_den, uint64_t frame,
                 char out[TIMECODE_TEXT]);
