/* Compares two resolved scenes by their texts: for segments of a film, which must come from one
 * scene, and for films that contain theirs. Pure, thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

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

/* Rewords differences for people: values of output.crf and output.preset that leave the choice to
 * the codec become "default (23)". The codec's choice is taken from the encoders of the two films,
 * "libx264 medium crf 23, 8 threads" (struct sink_plan); "default" if that is NULL or "". */
void scene_differences_say(struct scene_difference *found, size_t count, const char *encoding_a,
                           const char *encoding_b);

/* "ONE, ONE, ONE and 4 more": `say` returns the text of each, which is freed. `found` has the first
 * three of `count`, or all. The caller frees the result. */
char *scene_differences_text(const struct scene_difference *found, size_t count,
                             char *(*say)(const struct scene_difference *one));
