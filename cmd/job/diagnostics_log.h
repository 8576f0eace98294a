/* Energies, momenta and half-mass radii every few frames, as a CSV file beside the film. */
#ifndef CMD_JOB_DIAGNOSTICS_LOG_H
#define CMD_JOB_DIAGNOSTICS_LOG_H

#include "cmd/film/film.h"
#include "cmd/job/target.h"

#include <stdbool.h>

struct diagnostics_log;

/* Starts target->diagnostics_path with its header and the row of frame 0, and has the simulation
 * write a row every scene->simulation.diagnostics_every frames. *out is NULL when the target has no
 * such path. Where the run is `resumed` and stands at a later frame, the rows up to it stay, and
 * the log goes on behind them. The film must stay open until the log is closed. */
enum status diagnostics_log_open(struct diagnostics_log **out, const struct target *target,
                                 const struct film *film, bool resumed);

/* Ends with a row of the present frame if it is not there yet and `complete` says that the
 * simulation still stands; accepts a pointer to NULL. */
enum status diagnostics_log_close(struct diagnostics_log **log, bool complete);

#endif
