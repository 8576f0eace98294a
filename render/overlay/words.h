/* The elements of the overlay that are lines of text, and what they are about. Only for the
 * overlay. */
#ifndef RENDER_OVERLAY_WORDS_H
#define RENDER_OVERLAY_WORDS_H

#include "render/overlay/element.h"

extern const struct overlay_element element_title, element_clock, element_scale_bar, element_bodies,
    element_frame, element_captions;

/* Copies what the lines need, with texts shortened to the room that they have. */
void overlay_facts_open(struct overlay_facts *out, struct ink *ink,
                        const struct renderer_params *params, const struct overlay_layout *layout);
void overlay_facts_close(struct overlay_facts *facts);

/* Copies `text`, cleaned for the ink and shortened to `room` pixels of letters of `size`. `out` has
 * room for OVERLAY_TEXT_MAX + 4 bytes; what is longer is cut between letters. */
void overlay_fit_text(char *out, struct ink *ink, double size, double room, const char *text);

#endif
