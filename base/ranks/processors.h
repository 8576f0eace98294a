/* How the ranks of a host share its processors. Call before other threads are started. */
#pragma once

#include "base/ranks/launcher.h"

/* The processors of a rank: either some of the processors, or all of them with fewer threads. */
struct processors_share {
    int first, count; /* of this process's processors in the order of their cores; 0: all */
    int threads;      /* threads for OpenMP; 0: as many as processors */
};

/* The share of rank `local` of `local_count` on a host with `host` processors that the job may use,
 * of which `own` are this process's. Launchers that bind ranks give each its own or let several
 * have the same: those of a socket. */
struct processors_share processors_divide(int own, int host, int local, int local_count);

/* Limits this process to its share, unless OMP_NUM_THREADS is set, the launcher has bound it to no
 * more than that, or does not say how many ranks the host has. Starts the program again in this
 * process (exec) where there is something to limit, because OpenMP and other libraries have counted
 * the processors when they were loaded; at most once, and the process is then marked by
 * launch_keep. */
void processors_limit(const struct launch *launch);

/* Threads that OpenMP starts: of OMP_NUM_THREADS, else one per processor. */
int processors_threads(void);
