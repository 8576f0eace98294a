/* Opens and closes films. Several ranks share a film: each has a part of the bodies and draws their
 * light; rank 0 makes the pictures from the sum.
 *
 * Rank 0 opens and uses a film as in one process. The other ranks open the same scene in the same
 * task (base/ranks/tasks.h), and then lend their light. */
#pragma once

#include "base/ranks/tasks.h"
#include "cmd/film/film.h"

/* Makes the bodies, and opens the simulations and the renderer for pictures of `format`. On failure
 * everything is closed again. If how->whole is set, rank 0 has and draws all bodies of a
 * simulation, and says so. */
enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format); /* rank 0 has all simulated bodies */
enum status film_open_pictures(struct film *film, const struct scene *scene, const char *backend,
                               int device, enum picture_format format,
                               const struct film_picture *how);
void film_close(struct film *film); /* also films that film.h opened */

/* The frame of a moment within the film, with a fraction; see script_find. */
enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame);

/* For ranks_offer. */
extern const struct ranks_task film_task;
