/* A film or sequence that a run to be resumed finds complete (target.h): whether it really is what
 * this run would make. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"

#include <signal.h>

/* `film` is at frame 0. STATUS_USAGE when it was made of other bodies, although the scene is the
 * same; STATUS_IO with the first picture of a sequence that cannot be read. Reads all pictures of a
 * sequence; STATUS_STOPPED soon after *stop becomes nonzero. */
enum status finished_check(const struct target *target, const struct film *film,
                           const volatile sig_atomic_t *stop);
