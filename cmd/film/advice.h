/* Advice about scenes that can be filmed but may not give what was intended. Messages and warnings,
 * each at most once; never an error. */
#pragma once

#include "cmd/film/film.h"

/* Before the first frame: how slow motion shortens the story, and what will be invisible. */
void advice_tell(const struct film *film);

/* For a film that is played in a loop. */
void advice_tell_loop(const struct scene *scene);

/* For pictures of this format: that they have ordinary range although the scene asks for
 * output.hdr. */
void advice_tell_range(const struct scene *scene, enum picture_format format);

/* For a scene file without bodies: which ones it gets. */
void advice_tell_bodies(const struct scene *scene);
