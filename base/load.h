/* Who used the machine's processors from one moment to another: this process or others. Figures
 * for people; nothing that is computed depends on them. For one thread. */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

/* A moment: seconds of the clock, and of processors as machine_usage counts them. Zeros: none. */
struct load {
    double clock, all, own;
};

/* Parts of the processors' time, 0 to 1. Nothing by others where it is not known. */
struct load_parts {
    double others, idle;
};

/* Now; zeros where the system does not say. */
struct load load_now(void);

/* Of so many processors, between two moments: {0, 1} where one is none or they lie so close
 * together that nothing can be told, half a second. */
struct load_parts load_between(struct load before, struct load now, unsigned processors);

/* The same, of this machine's processors, up to now. */
struct load_parts load_since(struct load before);

/* Others take what this process could use: they have a tenth or more, and less than a tenth is
 * idle. */
bool load_is_busy(struct load_parts parts);

/* "the machine is busy: others use 48 % of its processors", or "" where it is not. */
void load_describe(struct load_parts parts, char *text, size_t size);

#endif
