#include "base/library.h"

#include "base/log.h"
#include "base/status.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void give_up(const struct library *library)
{
    log_error("%s need a library that cannot be loaded: %s; install it, or build gravreel where "
              "the program is to run",
              library->what, dlerror());
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
