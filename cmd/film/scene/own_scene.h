/* The scene that a film or a picture made here carries in its tags: what it was made of.
 * Thread-safe. */
#ifndef CMD_FILM_SCENE_OWN_SCENE_H
#define CMD_FILM_SCENE_OWN_SCENE_H

#include "base/tag.h"
#include "scenes/scene.h"

#include <stdbool.h>

/* Whether the file is a film or a picture by its first bytes, or a film by its name. */
bool own_scene_possible(const char *path);

/* What a film or picture says of itself. Free with tags_free in every case. */
enum status own_scene_tags(const char *path, struct tags *out);

/* STATUS_MISMATCH when a tag that holds others is damaged (base/packed_tags.h). */
enum status own_scene_check(const struct tags *tags, const char *path);

/* Opens the scene of such a file, whose bodies file is looked for as that of a scene file in its
 * place. The scene is the whole film's, whichever frames the file holds. STATUS_USAGE when the file
 * says nothing of a scene, else as own_scene_check fails. */
enum status own_scene_open(struct scene **out, const char *path);

/* The same with the text of a resolved scene that was kept beside the file at `path`. */
enum status own_scene_parse(struct scene **out, const char *text, const char *path);

/* The film that this scene was written beside when it was made: film.mp4 of film.scene.yaml and of
 * film.mp4.scene.yaml, or a picture of the sequence, as long as both say the same. NULL: none. The
 * caller frees it. */
char *own_scene_film(const char *path);

#endif
