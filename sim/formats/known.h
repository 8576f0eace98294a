/* Formats of bodies that are recognized by their first bytes but not supported. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* STATUS_USAGE, with the name of the format and advice, for a file that begins with these bytes. */
enum status known_refuse(const char *path, const unsigned char *head, size_t size);
