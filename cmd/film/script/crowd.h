/* All bodies of a pilot run, as what frames them sees them: places, light and galaxies, but not how
 * ranks share the film's bodies. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "render/params.h"

#include <stddef.h>

struct bodies;
struct galaxy_core;

/* Bodies that are framed together: a galaxy's, or all that are drawn. */
struct group {
    size_t *body; /* [count], drawn */
    size_t count;
};

struct crowd {
    size_t count, parts;          /* bodies, components */
    const double (*position)[3];  /* [count], current; of the bodies */
    double *light;                /* [count] */
    struct group all, *galaxy;    /* [galaxies] */
    size_t galaxies;              /* that are drawn */
    double (*centre)[3], *radius; /* [galaxies], current; of their cores, see galaxy_core.h */
    struct galaxy_core **core;    /* [galaxies] */
};

/* Reduced bodies represent the film's: each component has as much light as among these. Close it
 * in every case. */
void crowd_open(struct crowd *out, const struct bodies *bodies, const struct bodies *film,
                const struct look_params *look);
/* Also finds the galaxies. STATUS_RUNTIME when out of memory. */
enum status crowd_find_galaxies(struct crowd *crowd, const struct bodies *bodies);
/* The same bodies have moved; they must stay until the next call. */
void crowd_move(struct crowd *crowd, const struct bodies *bodies);
void crowd_close(struct crowd *crowd); /* accepts all zero */
