/* All elements of the overlay. An element more is an entry more, and its key in scenes/keys.c. */
#ifndef RENDER_OVERLAY_ELEMENTS_H
#define RENDER_OVERLAY_ELEMENTS_H

#include "base/choice.h"
#include "render/overlay/element.h"

enum { OVERLAY_ELEMENTS_MAX = 16 };

extern const struct registry overlay_registry; /* of struct overlay_element */

#endif
