/* Formats of bodies that are known by their first bytes and cannot be read. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* STATUS_USAGE names the format of a file that begins so, and what to do. */
enum status known_refuse(const char *path, const unsigned char *head, size_t size);
