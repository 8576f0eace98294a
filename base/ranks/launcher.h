/* Finds out from the environment, without any MPI library, whether a launcher (mpirun, mpiexec,
 * srun) started this program several times. Thread-safe as long as nothing changes the environment.
 */
#pragma once

#include <stdbool.h>

struct launch {
    const char *by;         /* "mpirun", "mpiexec", "srun"; NULL: started once */
    int count, own;         /* ranks, and this one's number; 1 and 0 if started once */
    int local, local_count; /* the same on this host; local is -1 where the launcher does not say */
    bool connected;         /* the launcher tells an MPI library how the ranks reach each other */
};

/* A process that a rank starts, such as those of `check`, inherits the launcher's variables but is
 * no rank: launch_keep has left the number of the rank's process in the environment. */
void launch_find(struct launch *launch);

/* Marks this process as a rank. The mark survives exec. */
void launch_keep(void);

/* Whether this process has called launch_keep, perhaps before exec. */
bool launch_is_kept(void);

/* The number of tasks on node `node` from Slurm's list, as "4(x2),3"; 0 if it is not listed. */
int launch_tasks_on(const char *list, int node);
