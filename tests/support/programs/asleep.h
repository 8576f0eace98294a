/* Whether other threads are waiting. */
#pragma once

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* `thread`: a thread of this process, by gettid(). */
static inline bool is_asleep(pid_t thread)
{
    char path[64], state = '?';
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = '?';
        fclose(file);
    }
    return state == 'S';
}

static inline bool are_others_asleep(void)
{
    bool asleep = true;
    DIR *open = opendir("/proc/self/task");
    for (struct dirent *entry; open && asleep && (entry = readdir(open));) {
        const pid_t thread = (pid_t)atoi(entry->d_name);
        asleep = thread == 0 || thread == gettid() || is_asleep(thread);
    }
    if (open)
        closedir(open);
    return asleep;
}

/* Returns when all other threads wait for this one. */
static inline void let_others_wait(void)
{
    for (int times = 0; times < 3; times = are_others_asleep() ? times + 1 : 0)
        sched_yield();
}
