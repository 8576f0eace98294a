/* What is asked of verify. */
#ifndef CMD_REGRESSION_VERIFY_PARAMS_H
#define CMD_REGRESSION_VERIFY_PARAMS_H

#include <signal.h>

struct limits;
struct record;

struct verify_params {
    const char *path;              /* a film, or a sequence by its pattern; as for reader_open */
    const struct record *manifest; /* whose packets the film must have; NULL: none */
    unsigned redraw;               /* frames to make again from the film's own scene; 0: none */
    const char *backend;           /* of that, as for simulation_open */
    int device;
    const struct limits *limits;
    volatile sig_atomic_t *stop; /* may be NULL */
};

#endif
