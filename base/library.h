/* Shared libraries that are loaded when they are first needed, because loading them takes longer
 * than all else that a short command does. The program is not linked with them, so
 * scripts/bundle and cmake/install.cmake name them too. */
#pragma once

#include <stddef.h>

struct library {
    const char *what;         /* "films": what needs the library */
    const char *const *files; /* "libavutil.so.57", ...: each before those that need it */
    size_t file_count;
    const char *const *names; /* of functions */
    size_t count;
};

/* Loads the files and finds the functions, also those of the same name that the program or a
 * preloaded library has. `calls` gets a pointer to each, in the order of the names. If something is
 * missing, ends the process with a sentence and the code of STATUS_DEVICE, as the system ends one
 * whose libraries are missing; with that of STATUS_RUNTIME if memory is short. No other thread may fork a process meanwhile. */
void library_load(const struct library *library, void *calls);
