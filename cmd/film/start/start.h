/* A film's bodies at frame 0, and what is measured of them. Only bodies that are
 * drawn count in a measure. Used by one thread at a time. */
#ifndef CMD_FILM_START_START_H
#define CMD_FILM_START_START_H

#include "sim/bodies/bodies.h"
#include "sim/view.h"

struct start {
    const struct bodies *bodies; /* not owned */
    struct view view;            /* of them, in host memory, without velocities */
    double *lengths;             /* [count], working memory */
};

/* The bodies outlive the start. STATUS_RUNTIME when memory is short. */
enum status start_open(struct start *out, const struct bodies *bodies);
void start_close(struct start *start); /* accepts a zeroed one */

/* The distance from `target` within which `fraction` of the bodies lie, and the speed that
 * `fraction` of them do not exceed. 0 where none is drawn. */
double start_radius(struct start *start, const double target[3], double fraction);
double start_speed(struct start *start, double fraction);

/* The length that `fraction` of the vectors [count][3], one per body, do not exceed. */
double start_length(struct start *start, double (*vectors)[3], double fraction);

double start_mean_mass(const struct start *start);

#endif
