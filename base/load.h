/* The shares of the machine's processors that this process and others used between two moments. For
 * information only; no result depends on them. For one thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A moment: seconds of the clock, and of processors as machine_usage counts them. All zero:
 * unknown. */
struct load {
    double clock, all, own;
};

/* Shares of the processors' time, 0 to 1. If unknown, others have 0. */
struct load_parts {
    double others, idle;
};

/* The current moment; all zero if the system does not give it. */
struct load load_now(void);

/* The shares of this number of processors between two moments: {0, 1} if a moment is unknown, or if
 * they are less than half a second apart. */
struct load_parts load_between(struct load before, struct load now, unsigned processors);

/* The same for this machine's processors, up to now. */
struct load_parts load_since(struct load before);

/* Whether others slow this process down: they have at least a tenth, and less than a tenth is
 * idle. */
bool load_is_busy(struct load_parts parts);

/* "the machine is busy: others use 48 % of its processors", or "" if it is not. */
void load_describe(struct load_parts parts, char *text, size_t size);
