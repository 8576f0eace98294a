/* The resolved scene as text, and its hash. Thread-safe. */
#pragma once

#include "scenes/scene.h"

#include <stdbool.h>
#include <stddef.h>

/* The scene as YAML with every default filled in, but without a section of limits if none is set;
 * parses back to exactly the same scene. The caller frees it. */
char *scene_print(const struct scene *scene);

/* The same with only the keys that do not have their defaults and those in `also`, which ends with
 * NULL; a blank line separates sections. A starting point for people. */
char *scene_print_short(const struct scene *scene, const char *const *also);

/* The half of the scene that moves (HALF_MOTION), with or without the keys that only set the clock.
 * Panels with simulations of their own are told by film_physics_list (cmd/film/start/panels.h). The
 * caller frees it. */
char *scene_print_motion(const struct scene *scene, bool clock);

/* Makes the same scene again: its errors name the same files, lines and options. It shares the run,
 * which closing the first scene may close. */
enum status scene_copy(struct scene **out, const struct scene *scene);

/* XXH3 of a scene's text as it is, as 16 hexadecimal digits. */
void scene_text_hash(const char *text, char out[17]);

/* XXH3 of the printed scene, as 16 hexadecimal digits. */
void scene_hash(const struct scene *scene, char out[17]);

/* Compares two resolved scenes by their texts: for segments of a film, which must come from one
 * scene, and for films that contain theirs. Pure, thread-safe. */

enum { DIFFERENCE_KEY_MAX = 160, DIFFERENCE_VALUE_MAX = 80 };

struct scene_difference {
    char key[DIFFERENCE_KEY_MAX]; /* "bodies.galaxies[2].name" */
    char a[DIFFERENCE_VALUE_MAX],
        b[DIFFERENCE_VALUE_MAX]; /* as printed, long ones truncated with "..."; "not given" */
};

/* Whether two texts by scene_print, possibly of other versions of the program, differ. *out is the
 * first key of a, in its order, whose value is missing in b, or else the first key that only b has;
 * empty if there is none. List items are counted from 1. A line of another form is compared as a
 * whole and named by its number. */
bool scene_difference(const char *a, const char *b, struct scene_difference *out);

/* All differences: those of a, then keys that only b has. Returns their number, of which the first
 * `room` are in out. */
size_t scene_differences(const char *a, const char *b, struct scene_difference *out, size_t room);

/* Moves the differences in what moves to the front, and returns their number. */
size_t scene_differences_in_motion(struct scene_difference *found, size_t count);

/* Rewords differences for people: values of output.crf and output.preset that leave the choice to
 * the codec become "default (23)". The codec's choice is taken from the encoders of the two films,
 * "libx264 medium crf 23, 8 threads" (struct sink_plan); "default" if that is NULL or "". */
void scene_differences_say(struct scene_difference *found, size_t count, const char *encoding_a,
                           const char *encoding_b);

/* "ONE, ONE, ONE and 4 more": `say` returns the text of each, which is freed. `found` has the first
 * three of `count`, or all. The caller frees the result. */
char *scene_differences_text(const struct scene_difference *found, size_t count,
                             char *(*say)(const struct scene_difference *one));

/* References of captions to their own scene: keys' values in a text, and conditions on them. A key
 * is written "section.key", an item's key "section.list[2].key", counted from 1; a list is the
 * number of its items. Pure, thread-safe. */

/* The key's value as YAML has it, which the caller frees; NULL when the list has fewer items.
 * STATUS_USAGE when there is no such key. */
enum status condition_value(const struct scene *scene, const char *path, char **out);

/* Whether the scene fulfils all conditions of a list such as
 *     bodies.pericentre <= 20, bodies.galaxies[1].inclination < 90
 * with <, <=, >, >= and = of numbers. If not, `failed` has the first that it does not fulfil; one
 * on an item that the list does not have is not fulfilled. An empty text holds. STATUS_USAGE when
 * the text has another form. */
enum { CONDITION_MAX = 128 };
enum status condition_holds(const struct scene *scene, const char *text, bool *holds,
                            char failed[CONDITION_MAX]);
