/* Films of every kind that can be resumed. For tests only. */
#pragma once

#include "tests/faults/faults.h"

enum { FILM_H264, FILM_PICTURES };            /* the first of them */
extern const struct fault_film fault_films[]; /* the last one has no name */

/* Writes the scenes that some of them need into the folder of the tests. */
void fault_films_prepare(void);
