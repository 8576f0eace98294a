#include "base/ranks/processors.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSORS_MOST = 8192, ANCESTORS_MOST = 64 };

struct processors_share processors_divide(int own, int host, int local, int local_count)
{
    const int share = host > local_count ? host / local_count : 1;
    if (local_count < 2 || own <= share)
        return (struct processors_share){0};
    if (own < host || local_count > own) /* which ranks share the same processors is not known */
        return (struct processors_share){.threads = share};
    const int first = (int)((long)local * own / local_count);
    return (struct processors_share){.first = first,
                                     .count = (int)((long)(local + 1) * own / local_count) - first};
}

struct mask {
    cpu_set_t *set;
    size_t size;
};

static struct mask mask_new(void)
{
    const size_t size = CPU_ALLOC_SIZE(PROCESSORS_MOST);
    return (struct mask){memory_new(1, size), size};
}

/* The parent of a process, 0 if there is none or it is hidden. */
static pid_t parent_of(pid_t pid)
{
    char path[64];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    FILE *file = fopen(path, "r");
    for (char line[256]; file && fgets(line, sizeof line, file);)
        if (sscanf(line, "PPid: %ld", &parent) == 1)
            break;
    if (file)
        fclose(file);
    return (pid_t)parent;
}

/* Processors of this host that the job may use: those of the launcher and of what started it,
 * because a launcher that binds its ranks is not bound itself. Slurm's own processes may use the
 * whole host, so that its number counts. */
static int processors_of_host(int own)
{
    const char *slurm = getenv("SLURM_CPUS_ON_NODE");
    const int given = slurm ? atoi(slurm) : 0;
    if (given > 0)
        return given > own ? given : own;
    struct mask mask = mask_new();
    int most = own;
    pid_t pid = getpid();
    for (int i = 0; i < ANCESTORS_MOST && (pid = parent_of(pid)) > 0; i++) {
        if (sched_getaffinity(pid, mask.size, mask.set) != 0)
            continue;
        const int count = CPU_COUNT_S(mask.size, mask.set);
        most = count > most ? count : most;
    }
    free(mask.set);
    return most;
}

/* ---- the order of processors ---- */

struct processor {
    int package, core, number;
};

static int topology(int number, const char *what)
{
    char path[128];
    int value = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/%s", number, what);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &value) != 1)
        value = 0;
    if (file)
        fclose(file);
    return value;
}

static int by_core(const void *a, const void *b)
{
    const struct processor *x = a, *y = b;
    if (x->package != y->package)
        return x->package < y->package ? -1 : 1;
    if (x->core != y->core)
        return x->core < y->core ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Leaves `count` of the mask's processors from `first` on, so that ranks share no core if possible.
 */
static void keep_part(struct mask mask, int first, int count)
{
    struct processor *all = memory_new(PROCESSORS_MOST, sizeof *all);
    int found = 0;
    for (int i = 0; i < PROCESSORS_MOST; i++)
        if (CPU_ISSET_S(i, mask.size, mask.set))
            all[found++] =
                (struct processor){topology(i, "physical_package_id"), topology(i, "core_id"), i};
    qsort(all, (size_t)found, sizeof *all, by_core);
    CPU_ZERO_S(mask.size, mask.set);
    for (int i = first; i < first + count && i < found; i++)
        CPU_SET_S(all[i].number, mask.size, mask.set);
    free(all);
}

/* ---- the limit ---- */

/* Returns only if the program cannot be started again. */
static void start_again(void)
{
    enum { ARGUMENTS_BYTES_MOST = 16 << 20 };
    char *text;
    size_t size;
    if (file_read("/proc/self/cmdline", ARGUMENTS_BYTES_MOST, &text, &size) != STATUS_OK)
        return;
    size_t count = 0;
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        count++;
    char **argv = memory_new(count + 1, sizeof *argv);
    count = 0;
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        argv[count++] = text + at;
    execv("/proc/self/exe", argv);
    free(argv);
    free(text);
}

void processors_limit(const struct launch *launch)
{
    if (launch_is_kept())
        return;
    launch_keep();
    if (launch->local < 0 || getenv("OMP_NUM_THREADS"))
        return;
    struct mask mask = mask_new();
    if (sched_getaffinity(0, mask.size, mask.set) == 0) {
        const int own = CPU_COUNT_S(mask.size, mask.set);
        const struct processors_share share =
            processors_divide(own, processors_of_host(own), launch->local, launch->local_count);
        char text[16];
        bool limited = share.threads > 0;
        if (limited) {
            snprintf(text, sizeof text, "%d", share.threads);
            setenv("OMP_NUM_THREADS", text, 1);
        } else if (share.count > 0) {
            keep_part(mask, share.first, share.count);
            limited = sched_setaffinity(0, mask.size, mask.set) == 0;
        }
        if (limited)
            start_again();
    }
    free(mask.set);
}

int processors_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    const long given = text ? strtol(text, NULL, 10) : 0;
    return given > 0 && given < INT_MAX ? (int)given : (int)machine_processors();
}
