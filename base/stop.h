/* A flag that a signal handler or another thread raises, and that long work checks. C guarantees
 * only within the handler's thread that a volatile sig_atomic_t is read whole. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Whether to end soon; NULL: never. */
static inline bool stop_asked(const volatile sig_atomic_t *stop)
{
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0;
}
