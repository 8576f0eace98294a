/* A force that is in no registry: a spring from the origin to each body, whose evaluations count
 * more interactions each time. Tests what a solver must do for an unknown force. */
#pragma once

#include "sim/gravity/force.h"

struct spring {
    struct force force;
    int evaluations;
};

extern const struct force_path spring_cpu;
extern int springs_open; /* opened and not closed */

/* What every path does. */
enum status spring_open(struct force *force, const struct force_request *request);
void spring_close(struct force *force);
void spring_count(struct force *force); /* an evaluation, which takes 10 interactions more */
void spring_pull(size_t bodies, const float (*rows)[4], double (*out)[3]);

/* Three steps of a solver with it on that backend; a path of NULL: not available. */
void check_spring(const char *backend, const struct force_path *path);
