/* Where two resolved scenes differ, from their texts alone: for parts of a film that must belong to
 * one scene, and for films that carry theirs. Pure, thread-safe. */
#ifndef SCENES_DIFFERENCE_H
#define SCENES_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { DIFFERENCE_KEY_MAX = 160, DIFFERENCE_VALUE_MAX = 80 };

struct scene_difference {
    char key[DIFFERENCE_KEY_MAX]; /* "bodies.galaxies[2].name" */
    char a[DIFFERENCE_VALUE_MAX],
        b[DIFFERENCE_VALUE_MAX]; /* as printed, a long one cut with "..."; "not given" */
};

/* Whether two texts by scene_print, also of other versions of the program, differ. *out is the
 * first key of a, in its order, whose value b does not have, or else the first key that only b has;
 * empty where there is none. Items of a list are counted from 1. A line of another form is compared
 * as a whole and called by its number. */
bool scene_difference(const char *a, const char *b, struct scene_difference *out);

/* All of them: those of a, then those that only b has. Returns their number, of which the first
 * `room` are in out. */
size_t scene_differences(const char *a, const char *b, struct scene_difference *out, size_t room);

/* For people: values by which output.crf and output.preset leave the choice to the codec become
 * "default (23)". What the codec chose is read from what encoded the two films, "libx264 medium crf
 * 23, 8 threads" (struct sink_plan); "default" where that is NULL or "". */
void scene_differences_say(struct scene_difference *found, size_t count, const char *encoding_a,
                           const char *encoding_b);

/* "ONE, ONE, ONE and 4 more": each as `say` words it in a text of its own, which is freed. `found`
 * has the first three of `count`, or all. The caller frees what is returned. */
char *scene_differences_text(const struct scene_difference *found, size_t count,
                             char *(*say)(const struct scene_difference *one));

#endif
