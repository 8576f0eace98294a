/* What is said of a scene that can be filmed as it stands, but hardly as it was meant. Messages and
 * warnings, each at most once; never an error. */
#ifndef CMD_FILM_ADVICE_H
#define CMD_FILM_ADVICE_H

#include "cmd/film/film.h"

/* Before the first frame: what slow motion costs of the story, and what nobody will see. */
void advice_tell(const struct film *film);

/* Of a film that is played again and again from its beginning. */
void advice_tell_loop(const struct scene *scene);

/* Of pictures of this format: that they are ordinary ones where the scene asks for output.hdr. */
void advice_tell_range(const struct scene *scene, enum picture_format format);

/* Of a scene file that says nothing of its bodies: which ones it gets. */
void advice_tell_bodies(const struct scene *scene);

#endif
