/* How a force is evaluated on ranks: all pairs by slices of the bodies, the exact tree by stretches
 * of the curve. Every rank calls the same functions in the same order. */
#pragma once

#include "sim/gravity/force.h"
#include "sim/ranks/share.h"
#include "sim/solver/solver.h"

struct method_setup {
    const struct solver_setup *solver;
    const struct bodies *bodies; /* all of them, without velocities, if the method is `whole`;
                                  * otherwise NULL */
    size_t total;
    double largest; /* mass */
};

struct method;

/* Functions of a method whose bodies are on a device; only `count` of the share is then kept up to
 * date. */
struct method_held {
    enum status (*load)(struct method *method,
                        struct share *share); /* empties the share's memory */
    enum status (*save)(struct method *method, struct share *out);
    enum status (*kick)(struct method *method, double dt);
    enum status (*drift)(struct method *method, double dt);
    enum status (*damp)(struct method *method, double factor);
    enum status (*keep)(struct method *method);
    enum status (*restore)(struct method *method, struct share *share);
    /* Like largest_of and broken_of in rank_solver.c, for bodies on a device. */
    enum status (*largest)(struct method *method, double *square);
    enum status (*broken)(struct method *method, size_t *first);
};

/* An open method. Each method's own struct begins with this one. */
struct method {
    const struct method_held *held; /* NULL: the bodies are in the share */
    const char *where;   /* the name of the rank's CUDA device; NULL: the processors compute */
    struct force *force; /* name and kernel as the solver of rank 0 shows them; owned */
};

/* The phases of an evaluation of tree-exact, in order; all pairs have only TRADE and WALK. */
enum method_phase { FRAME, SORT, TOP, FILL, ASK, TRADE, BUILD, WALK, PHASES };

struct method_work {
    uint64_t pairs, joins;  /* of all ranks */
    double slowest;         /* the longest time of a rank relative to the mean */
    double seconds[PHASES]; /* of this rank, including waits for others */
    size_t bodies;          /* of this rank, and those of others that it holds: */
    size_t foreign;
    int rounds; /* rounds of asking others for cells; 1 unless the margin was too small */
};

struct method_ops {
    const struct force_ops *force;
    bool whole;   /* open needs the masses and positions of all bodies on every rank */
    size_t block; /* bodies are dealt in whole blocks of this many */
    /* share: the rank's bodies, with their numbers set. */
    enum status (*open)(struct method **out, const struct method_setup *setup);
    /* Returns the number of the body that is dealt k-th; NULL: bodies are dealt by number. */
    const uint32_t *(*order)(const struct method *method);
    /* Collective: computes the accelerations of all bodies from their positions. May move bodies to
     * other ranks. */
    enum status (*accelerate)(struct method *method, struct share *share, uint64_t turn,
                              struct method_work *work);
    /* Collective: out[share->count], in the order of the share's bodies after the call. */
    enum status (*potential)(struct method *method, struct share *share, double **out);
    void (*close)(struct method **method);
};

extern const struct method_ops method_slices_fast, method_slices_exact, method_slices_double,
    method_stretches;
