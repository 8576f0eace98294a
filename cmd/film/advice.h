/* Advice about scenes that can be filmed but may not give what was intended. Messages and warnings,
 * each at most once; never an error. */
#pragma once

#include "cmd/film/film.h"

/* The frames that a run makes, of the film's. */
struct advice_range {
    uint64_t first, last; /* inclusive */
    bool loops;           /* they are played in a loop by themselves, whatever output.loop says */
};

/* Says, before the first frame, how slow motion shortens the story and what will be invisible.
 * Leaves out what lies outside the range. */
void advice_tell(const struct film *film, const struct advice_range *range);

/* Says which captions of the film are left out or stay longer: what advice_tell says of them. */
void advice_tell_left_out(const struct film *film);

/* Says that pictures of this format have ordinary range, although the scene asks for output.hdr. */
void advice_tell_range(const struct scene *scene, enum picture_format format);

/* Says which bodies a scene file that names none gets. */
void advice_tell_bodies(const struct scene *scene);
