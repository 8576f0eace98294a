/* The force that leaves the choice between all pairs and a tree to the program. */
#ifndef SIM_GRAVITY_AUTO_AUTO_H
#define SIM_GRAVITY_AUTO_AUTO_H

#include "sim/gravity/force.h"

extern const struct force_ops force_auto; /* has no path of its own */

/* All that the choice depends on, with the backend: never how fast a machine is at the moment. */
struct force_wish {
    size_t bodies;
    double error;  /* relative, RMS, that is asked for */
    size_t subset; /* 1: all bodies are sources */
    bool negative; /* there are negative masses */
    bool plummer;  /* all have one Plummer softening */
    double tensor; /* the error of the force tensor */
    int device;    /* of CUDA */
};

/* For these bodies; `plummer`, subset and device as above. */
struct force_wish force_wish_for(const struct bodies *bodies, double error, bool plummer,
                                 size_t subset, int device);

/* What `ops` stands for on that backend: itself, unless it is force_auto. */
const struct force_ops *force_resolve(const struct force_ops *ops, const char *backend,
                                      const struct force_wish *wish);

#endif
