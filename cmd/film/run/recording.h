/* Records a film's simulations as a run (sim/run/run.h). */
#pragma once

#include "cmd/film/film.h"
#include "sim/run/run.h"

#include <signal.h>

/* What a run of this film is, for run_create, which takes over its memory; the film is at frame 0,
 * and was opened with film_options.records. */
enum status recording_describe(struct run_about *out, const struct film *film);

struct recording;

/* Prepares to append the film's frames to the run, which both outlive it. */
enum status recording_open(struct recording **out, const struct film *film, struct run *run);
void recording_close(struct recording **recording); /* accepts a pointer to NULL */

/* Appends the present frame, which must be the run's next one. */
enum status recording_take(struct recording *recording);

/* Advances the film's simulations and appends all frames to the last one. STATUS_STOPPED soon after
 * *stop (may be NULL) becomes nonzero. */
enum status recording_go(struct recording *recording, uint64_t last, volatile sig_atomic_t *stop);
