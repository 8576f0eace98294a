/* Harmless differences, made like controls: another platform may cause them. Judged by limits, they
 * must pass. For tests only. */
#pragma once

#include "tests/support/controls/control.h"

extern const struct registry noise_registry; /* of struct control; their size is a seed */
