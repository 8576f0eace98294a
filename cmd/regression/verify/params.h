/* Parameters of verify. */
#pragma once

#include <signal.h>

struct limits;
struct record;

struct verify_params {
    const char *path;              /* a film, or the pattern of a sequence, as for reader_open */
    const struct record *manifest; /* whose packets the film must have; NULL: none */
    unsigned redraw;               /* frames to redraw from the film's own scene; 0: none */
    const char *backend;           /* backend for redrawing, as for simulation_open */
    int device;
    const struct limits *limits;
    volatile sig_atomic_t *stop; /* may be NULL */
};
