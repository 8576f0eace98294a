/* Moments of a film as people write them.
 *
 *     12.5, 1:30   seconds of the film, or minutes and seconds
 *     frame 100    counted from 0
 *     t=30         simulated time
 *     start, end   the first and the last frame
 *     pericentre, pericentre 2, apocentre, merger
 *                  of the first two galaxies, see sim/pilot/pilot.h; counted from 1
 *
 * Each may be followed by + 2 or - 1.5, in seconds of the film. Pure functions; thread-safe. */
#pragma once

#include "base/moment.h"
#include "base/status.h"

/* Sets out->text to NULL. STATUS_USAGE says what is expected and, for a misspelt word, suggests the
 * right one. */
enum status moment_parse(const char *text, struct moment *out);

/* "pericentre"; "" for seconds, "t" for a time. */
const char *moment_word(enum moment_kind kind);
