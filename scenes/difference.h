/* Where two resolved scenes differ, from their texts alone: for parts of a film that must belong to
 * one scene, and for films that carry theirs. Pure, thread-safe. */
#ifndef SCENES_DIFFERENCE_H
#define SCENES_DIFFERENCE_H

#include "base/status.h"

#include <stdbool.h>

enum { DIFFERENCE_KEY_MAX = 160, DIFFERENCE_VALUE_MAX = 80 };

struct scene_difference {
    char key[DIFFERENCE_KEY_MAX]; /* "bodies.galaxies[2].name" */
    char a[DIFFERENCE_VALUE_MAX],
        b[DIFFERENCE_VALUE_MAX]; /* as printed, a long one cut with "..."; "not given" */
};

/* The first key of a, in its order, whose value b has not, or else the first key that only b has,
 * between two texts by scene_print, also of other versions of the program. Items of a list are
 * counted from 1. A line of another form is compared as a
 * whole and called by its number. *differ false: no difference, *out is empty. STATUS_RUNTIME when
 * memory is short. */
enum status scene_difference(const char *a, const char *b, bool *differ,
                             struct scene_difference *out);

#endif
