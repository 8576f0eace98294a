/* All elements of the overlay, and the texts of those that are lines. A new element is an entry
 * here, its flag in render/params.h and its key in scenes/keys.c; a box also has a file of its own.
 * Only for the overlay. */
#pragma once

#include "base/choice.h"
#include "render/overlay/entry.h"

enum { OVERLAY_ELEMENTS_MAX = 16 };

extern const struct registry overlay_registry; /* Entries are struct overlay_element. */

bool overlay_shows(const struct overlay_element *element, const struct renderer_params *params);

/* Copies what the lines need, with texts shortened to fit. The caller frees the captions, and sets
 * view and pose for each frame. */
void overlay_facts_open(struct overlay_facts *out, struct ink *ink,
                        const struct renderer_params *params, const struct overlay_layout *layout);

/* Copies `text`, cleaned for the ink and shortened to `room` pixels at letter size `size`. `out`
 * has room for OVERLAY_TEXT_MAX + 4 bytes; longer text is cut between letters. */
void overlay_fit_text(char *out, struct ink *ink, double size, double room, const char *text);
