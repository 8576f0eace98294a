/* Wall time for measuring; never an input of the simulation. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Monotonic seconds since some fixed moment. Thread-safe. */
double clock_seconds(void);

#endif
