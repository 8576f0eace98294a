#include "base/machine.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

/* The limit of the control group; none where the file says "max" or is not there. */
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

/* The 22nd word of the process's line, in ticks since the system was started. The second word, the
 * program's name, may itself have spaces and brackets. */
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

enum status machine_temporary_folder(char *path, size_t size)
{
    const char *base = getenv("TMPDIR");
    base = base && *base ? base : "/tmp";
    errno = ENAMETOOLONG;
    int length = snprintf(path, size, "%s/gravreel-XXXXXX", base);
    if (length > 0 && (size_t)length < size && mkdtemp(path))
        return STATUS_OK;
    path[0] = '\0';
    return status_fail(STATUS_IO,
                       "cannot create a temporary folder in '%s': %s; set TMPDIR to a folder that "
                       "can be written",
                       base, strerror(errno));
}
