/* Formats of bodies that are recognized by their content but not supported. */
#pragma once

#include "sim/formats/format.h"

/* STATUS_USAGE, with the name of the format and the way to convert it, for a file that begins like
 * this. */
enum status known_refuse(const char *path, const struct format_head *head);
