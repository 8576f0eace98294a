#include "base/machine.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"

#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* ---- load ---- */

static const double much = 0.1, long_enough = 0.5; /* of the processors; seconds: ticks are 10 ms */

struct load load_now(void)
{
    struct load now = {.clock = clock_seconds()};
    return machine_usage(&now.all, &now.own) ? now : (struct load){0};
}

/* Clamped to 0 .. 1, because the process and the machine are counted by different clocks. */
static double part(double seconds, double whole)
{
    return fmin(fmax(seconds / whole, 0), 1);
}

struct load_parts load_between(struct load before, struct load now, unsigned processors)
{
    const double wall = now.clock - before.clock, used = now.all - before.all;
    if (!(before.all > 0) || !(wall >= long_enough) || processors == 0)
        return (struct load_parts){.idle = 1};
    return (struct load_parts){
        .others = part(used - (now.own - before.own), wall * processors),
        .idle = 1 - part(used, wall * processors),
    };
}

struct load_parts load_since(struct load before)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return load_between(before, load_now(), online > 0 ? (unsigned)online : 1);
}

bool load_is_busy(struct load_parts parts)
{
    return parts.others >= much && parts.idle < much;
}

void load_describe(struct load_parts parts, char *text, size_t size)
{
    if (load_is_busy(parts))
        snprintf(text, size, "the machine is busy: others use %.0f %% of its processors",
                 100 * parts.others);
    else if (size > 0)
        *text = '\0';
}

/* ---- machine ---- */

unsigned machine_processors(void)
{
    cpu_set_t set;
    int count = 0;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        count = CPU_COUNT(&set);
    if (count < 1)
        count = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}

/* The limit of the control group; no limit if the file says "max" or does not exist. */
static uint64_t group_limit(const char *path)
{
    char *text;
    if (!file_exists(path) || file_read(path, 64, &text, NULL) != STATUS_OK)
        return UINT64_MAX;
    uint64_t limit = isdigit((unsigned char)text[0]) ? strtoull(text, NULL, 10) : UINT64_MAX;
    free(text);
    return limit;
}

uint64_t machine_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t most = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : (uint64_t)1 << 32;
    const uint64_t limits[] = {group_limit("/sys/fs/cgroup/memory.max"),
                               group_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes")};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i] > 0 && limits[i] < most)
            most = limits[i];
    return most;
}

uint64_t machine_peak_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}

uint64_t machine_memory_now(void)
{
    char *text;
    unsigned long long pages = 0;
    if (file_read("/proc/self/statm", 4096, &text, NULL) != STATUS_OK)
        return 0;
    if (sscanf(text, "%*u %llu", &pages) != 1)
        pages = 0;
    free(text);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The 22nd field of /proc/self/stat, in ticks since the system was started. The second field, the
 * program's name, may itself contain spaces and parentheses. */
double machine_age(void)
{
    char *text;
    unsigned long long ticks = 0;
    struct timespec now;
    if (file_read("/proc/self/stat", 4096, &text, NULL) != STATUS_OK)
        return 0;
    char *at = strrchr(text, ')');
    for (int word = 2; at && word < 22; word++)
        at = strchr(at + 1, ' ');
    const bool known = at && sscanf(at, "%llu", &ticks) == 1 && ticks > 0 &&
                       clock_gettime(CLOCK_BOOTTIME, &now) == 0;
    free(text);
    return known ? (double)now.tv_sec + 1e-9 * (double)now.tv_nsec -
                       (double)ticks / (double)sysconf(_SC_CLK_TCK)
                 : 0;
}

bool machine_usage(double *all, double *own)
{
    /* user, nice, system, idle, iowait, irq, softirq, steal: time that the host gave to others
     * counts */
    enum { FIELDS = 8, IDLE = 3, WAITING = 4 };
    unsigned long long ticks[FIELDS] = {0};
    struct rusage self, children;
    FILE *file = fopen("/proc/stat", "r");
    const int read =
        file ? fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &ticks[0], &ticks[1],
                      &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6], &ticks[7])
             : 0;
    if (file)
        fclose(file);
    if (read < WAITING || getrusage(RUSAGE_SELF, &self) != 0 ||
        getrusage(RUSAGE_CHILDREN, &children) != 0)
        return false;
    *all = *own = 0;
    for (int i = 0; i < read; i++)
        *all += i == IDLE || i == WAITING ? 0 : (double)ticks[i] / (double)sysconf(_SC_CLK_TCK);
    const struct timeval times[] = {self.ru_utime, self.ru_stime, children.ru_utime,
                                    children.ru_stime};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *own += (double)times[i].tv_sec + 1e-6 * (double)times[i].tv_usec;
    return *all > 0;
}

/* Returns whether the loader had no room for a library that is there. */
static bool is_memory(const char *reason)
{
    return strstr(reason, "failed to map") || strstr(reason, "annot allocate") ||
           strstr(reason, "annot create");
}

static _Noreturn void give_up(const struct library *library)
{
    char reason[256];
    snprintf(reason, sizeof reason, "%s", dlerror());
    if (is_memory(reason)) {
        log_error("there is no memory left to load a library that %s need: %s; %s", library->what,
                  reason, limits_advice("close other programs"));
        _exit(STATUS_RUNTIME);
    }
    log_error("%s need a library that cannot be loaded: %s; install it, or build gravreel where "
              "the program is to run",
              library->what, reason);
    _exit(STATUS_DEVICE);
}

void library_load(const struct library *library, void *calls)
{
    for (size_t i = 0; i < library->file_count; i++)
        if (!dlopen(library->files[i], RTLD_LAZY | RTLD_GLOBAL))
            give_up(library);
    for (size_t i = 0; i < library->count; i++) {
        void *found = dlsym(RTLD_DEFAULT, library->names[i]);
        if (!found)
            give_up(library);
        memcpy((char *)calls + i * sizeof found, &found, sizeof found);
    }
}
