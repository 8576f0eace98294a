/* The tags of a joined film, derived from those of its segments. */
#pragma once

#include "cmd/film/join/inputs.h"

/* Fills `tags`, which is empty, with those of a film of the whole range rendered in one run. What
 * segments may differ in, such as the device that they were simulated on, is listed, with a warning
 * where pictures depend on it. */
void join_tags(const struct inputs *inputs, struct tags *tags);
