/* The captions of a film: what they say of their own run, and how long they stay.
 *
 * A text may contain {pericentre}, the distance of the first two galaxies at their first passage,
 * {mass_ratio}, the second galaxy's mass relative to the first one's, and a key of the scene, such
 * as {bodies.velocity_scale}. A caption whose placeholder has no value in this run, or whose `when`
 * does not hold, is left out.
 *
 * A caption stays for 1.5 s and 0.06 s a letter at least, unless overlay.readable is false: it ends
 * later than the scene says if the film and the caption after it leave the time, and is left out if
 * not. */
#pragma once

#include "cmd/film/script/script.h"

/* Whether a text needs the galaxies' first passage. */
bool captions_need_passage(const struct scene *scene);

/* Fills in script->captions, whose times are those of the scene, and script->caption_notes. `pilot`
 * has seen the passage; NULL: there is none. STATUS_USAGE names the caption whose placeholder or
 * condition is invalid. */
enum status captions_write(struct script *script, const struct script_source *source,
                           const struct pilot *pilot);

/* Passes invalid placeholders and conditions to `taker`. */
void captions_faults(const struct scene *scene, const struct fault_taker *taker);

/* Seconds that it takes to read a text. */
double caption_reading_time(const char *text);
