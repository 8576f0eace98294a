/* A film of snapshots on several ranks: each has a share of the bodies, reads its slices of the
 * files, and draws the light of its bodies; rank 0 makes the pictures of the sum.
 *
 * Rank 0 opens a film as usual and uses it as usual. The others open the same scene in the same
 * task (base/ranks/tasks.h), and then lend their light. */
#pragma once

#include "base/ranks/tasks.h"
#include "cmd/film/film.h"

/* For ranks_offer. */
extern const struct ranks_task shared_task;

/* Whether the film is one that ranks share: of snapshots, and not yet opened by a task. */
bool shared_is_asked(const struct film *film);

/* Opens the film on all ranks; its scene, backend and device are set. STATUS_USAGE, with the key,
 * for what only a process with all bodies can show. */
enum status shared_open(struct film *film, enum picture_format format,
                        const struct film_picture *how);
void shared_close(struct film *film); /* on the others; does nothing for a film of one rank */

/* See film_find_moment. */
enum status shared_find(const struct film *film, const struct moment *moment, double *frame);

/* How light is added up; all zero if the film is not shared. */
struct light_sum shared_sum(const struct film *film);
