/* How the ranks of a host share its processors. Call before other threads are started. */
#pragma once

#include "base/ranks/launcher.h"

/* The processors of a rank: some of the processors, or all of them with fewer threads. */
struct processors_share {
    int first, count; /* range of this process's processors in the order of their cores; count 0:
                       * all */
    int threads;      /* threads for OpenMP; 0: as many as processors */
};

/* Returns the share of rank `local` of `local_count`, on a host where the job may use `host`
 * processors and this process may use `own`. A launcher that binds ranks gives each its own
 * processors, or several ranks the same ones, such as those of a socket. */
struct processors_share processors_divide(int own, int host, int local, int local_count);

/* Limits this process to its share. Does nothing if OMP_NUM_THREADS is set, if the launcher has
 * bound the process to no more than that, or if the launcher does not say how many ranks the host
 * has. If there is something to limit, starts the program again in this process (exec), because
 * OpenMP and other libraries count the processors when they are loaded. This happens at most once:
 * launch_keep marks the process. */
void processors_limit(const struct launch *launch);

/* Returns the number of threads that OpenMP starts: $OMP_NUM_THREADS, or else one per processor. */
int processors_threads(void);
