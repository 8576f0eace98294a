/* The captions of a film: what they say of their own run, and how long they stay.
 *
 * A text may contain {pericentre}, the distance of the first two galaxies at their first passage
 * ("about 30 kiloparsecs": a pilot run does not find it more exactly),
 * {mass_ratio}, the second galaxy's mass relative to the first one's, and a key of the scene, such
 * as {bodies.velocity_scale}. A caption whose placeholder has no value in this run, or whose `when`
 * does not hold, is left out.
 *
 * A caption stays for 1.5 s and 0.06 s a letter at least, unless overlay.readable is false: it ends
 * later than the scene says if the film and the caption after it leave the time, and is left out if
 * not. */
#pragma once

#include "render/found.h"
#include "render/video/caption_track.h"
#include "scenes/scene_check.h"
#include "scenes/scene.h"
#include "sim/pilot/pilot.h"

/* Whether a text needs the galaxies' first passage. */
bool captions_need_passage(const struct scene *scene);

enum { CAPTION_NOTE = 200 };

struct caption_note {
    char text[CAPTION_NOTE]; /* why the caption is left out; "": it is shown */
    bool moved;              /* its times differ from the scene's */
};

/* Fills in the scene's captions, whose times are those of the scene: texts, which the caller frees,
 * and times; and `notes` [overlay.caption_count]. *moved is the number of captions whose times
 * differ from the scene's. `pilot` has seen the passage; NULL: there is none. STATUS_USAGE names
 * the caption whose placeholder or condition is invalid. */
enum status captions_write(struct caption_found *captions, struct caption_note *notes,
                           uint32_t *moved, const struct scene *scene, const struct pilot *pilot);

/* Passes invalid placeholders and conditions to `taker`. */
void captions_faults(const struct scene *scene, const struct fault_taker *taker);

/* The captions of frames from .. until - 1 as tracks, one for each language; times begin at `from`.
 * The language of the scene's texts comes first, then those of translations, in which a caption
 * without a translation has the scene's text. Where captions overlap, the track has the later one
 * of the list. There are no tracks if the scene has no captions or output.captions wants none.
 * caption_tracks_free frees them. STATUS_USAGE names the key of an invalid language. */
enum status captions_tracks(struct caption_track **out, size_t *count, const struct scene *scene,
                            const struct caption_found *found, uint64_t from, uint64_t until);

/* Seconds that it takes to read a text. */
double caption_reading_time(const char *text);
