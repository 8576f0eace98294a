/* Bodies at rest in various shapes, some easy and some hard for a tree. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stdint.h>

struct bench_cloud {
    const char *name;
    void (*fill)(struct bodies *bodies, uint64_t *seed); /* positions and masses */
};

/* Ends with a NULL name. A Plummer sphere (a = 1, truncated at 20) comes first. */
extern const struct bench_cloud bench_clouds[];

/* Always makes the same bodies. */
enum status bench_cloud_make(const struct bench_cloud *cloud, size_t count, struct bodies **out);
