#include "base/library.h"

#include "base/limits.h"
#include "base/log.h"
#include "base/status.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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
