/* The force that lets the program choose between all pairs and a tree. */
#pragma once

#include "base/whole.h"
#include "sim/gravity/force.h"

/* Everything that the choice depends on, besides the backend; it never depends on the machine's
 * current speed. */
struct force_wish {
    struct whole bodies;
    double error;  /* requested relative RMS error */
    size_t subset; /* 1: all bodies are sources */
    bool negative; /* there are negative masses */
    bool plummer;  /* all have one Plummer softening */
    double tensor; /* the error of the force tensor */
    int device;    /* of CUDA */
};

/* Collective for shared bodies: the wish for these bodies; `plummer`, subset and device as above.
 */
enum status force_wish_for(struct force_wish *out, const struct bodies *bodies, double error,
                           bool plummer, size_t subset, int device);

/* Resolves `ops` on that backend: returns `ops` itself, unless it is force_auto. */
const struct force_ops *force_resolve(const struct force_ops *ops, const char *backend,
                                      const struct force_wish *wish);
