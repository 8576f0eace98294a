#include "base/ranks/launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MARK "GRAVREEL_RANK_PROCESS"

/* Reads a number that is at least `least` from the environment; false if there is none. */
static bool number(const char *name, int least, int *out)
{
    const char *text = getenv(name);
    char *end;
    errno = 0;
    const long value = text ? strtol(text, &end, 10) : 0;
    if (!text || !*text || *end || errno || value < least || value > INT_MAX)
        return false;
    *out = (int)value;
    return true;
}

int launch_tasks_on(const char *list, int node)
{
    while (node >= 0) {
        char *end;
        const long tasks = strtol(list, &end, 10);
        long times = 1;
        if (end == list || tasks < 0 || tasks > INT_MAX)
            return 0;
        if (strncmp(end, "(x", 2) == 0) {
            times = strtol(end + 2, &end, 10);
            if (*end++ != ')' || times < 1)
                return 0;
        }
        if (node < times)
            return (int)tasks;
        if (*end != ',')
            return 0;
        node -= (int)times;
        list = end + 1;
    }
    return 0;
}

static bool is_other_process_of_rank(void)
{
    return getenv(MARK) && !launch_is_kept();
}

static void find_local(struct launch *launch)
{
    static const char *const names[][2] = {
        {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    };
    int local = -1, count = 0, node = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && count == 0; i++)
        if (!number(names[i][0], 0, &local) || !number(names[i][1], 1, &count))
            count = 0;
    const char *tasks = getenv("SLURM_STEP_TASKS_PER_NODE");
    if (!tasks)
        tasks = getenv("SLURM_TASKS_PER_NODE");
    if (count == 0 && tasks && number("SLURM_LOCALID", 0, &local) &&
        (number("SLURM_NODEID", 0, &node), true))
        count = launch_tasks_on(tasks, node);
    const bool known = count > 0 && local >= 0 && local < count;
    launch->local = known ? local : -1;
    launch->local_count = known ? count : 0;
}

void launch_find(struct launch *launch)
{
    static const struct {
        const char *by, *count, *own;
        bool connected;
    } kinds[] = {
        {"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", true},
        {"mpiexec", "PMI_SIZE", "PMI_RANK", true},
        {"srun", "SLURM_STEP_NUM_TASKS", "PMIX_RANK", true},
        {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", false},
    };
    *launch = (struct launch){.count = 1, .local = -1};
    if (is_other_process_of_rank())
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        int count, own;
        if (!number(kinds[i].count, 1, &count) || !number(kinds[i].own, 0, &own) || own >= count)
            continue;
        if (count == 1)
            return;
        *launch = (struct launch){
            .by = kinds[i].by, .count = count, .own = own, .connected = kinds[i].connected};
        if (i == 1 && getenv("SLURM_STEP_NUM_TASKS") && !getenv("HYDRA_BOOTSTRAP") &&
            !getenv("MPI_LOCALNRANKS"))
            launch->by = "srun";
        find_local(launch);
        return;
    }
}

void launch_keep(void)
{
    char text[32];
    snprintf(text, sizeof text, "%ld", (long)getpid());
    setenv(MARK, text, 1);
}

bool launch_is_kept(void)
{
    int kept;
    return number(MARK, 1, &kept) && kept == (int)getpid();
}
