/* Bodies at rest, of shapes that a tree finds easy and hard. */
#ifndef CMD_BENCH_CLOUDS_H
#define CMD_BENCH_CLOUDS_H

#include "sim/bodies/bodies.h"

#include <stdint.h>

struct bench_cloud {
    const char *name;
    void (*fill)(struct bodies *bodies, uint64_t *seed); /* positions and masses */
};

/* Ends with a name that is NULL. A Plummer sphere (a = 1, cut at 20) comes first. */
extern const struct bench_cloud bench_clouds[];

/* The same bodies each time. */
enum status bench_cloud_make(const struct bench_cloud *cloud, size_t count, struct bodies **out);

#endif
