/* Energies, momenta and half-mass radii every few frames, as a CSV file beside the film. */
#pragma once

#include "cmd/film/film.h"

#include <stdbool.h>

struct diagnostics_log;

/* Starts the file with its header and the row of frame 0, and has the simulation write a row every
 * scene->simulation.diagnostics_every frames. *out is NULL if `path` is. If the run is `resumed` at
 * a later frame, earlier rows are kept and the log continues after them. Film and path must outlive
 * the log. */
enum status diagnostics_log_open(struct diagnostics_log **out, const char *path,
                                 const struct film *film, bool resumed);

/* Ends with a row of the current frame, unless it exists already or the simulation is not
 * `complete`; accepts a pointer to NULL. */
enum status diagnostics_log_close(struct diagnostics_log **log, bool complete);
