/* Films that are interrupted, and the expected result. For tests only; in the folder of
 * tests/support/programs/cli.h. */
#pragma once

#include "tests/support/programs/cli.h"

#include <stdint.h>

enum { FAULT_WORDS_MAX = 48, FAULT_FRAMES_MAX = 64 };

/* An unfinished film. */
struct fault_film {
    const char *name;         /* of the kind, for messages */
    const char *output;       /* "film.mp4"; "%d.png" for a sequence, in the folder of the film */
    const char *const *words; /* besides -o, NULL-terminated */
    bool csv;                 /* writes diagnostics */
};

/* The words `render ... -o FOLDER/OUTPUT EXTRA`; `extra` may be NULL. Valid until the next call. */
const char *const *fault_words(const struct fault_film *film, const char *folder,
                               const char *extra);

/* Runs the film into the folder with a fault, see shim.c, or NULL; returns the exit code. The
 * output goes to *run, which may be NULL. */
int fault_run(const struct fault_film *film, const char *folder, const char *fault,
              const char *extra, struct run *run);

/* The number of file changes that an uninterrupted run into the folder makes. Removes this folder
 * and "cut" first. */
long fault_count(const struct fault_film *film, const char *folder);

/* Fails unless both folders contain the same film: the same decoded pictures, besides them only the
 * scene and the diagnostics, and these equal. */
void fault_same(const struct fault_film *film, const char *folder, const char *other);

/* Fails unless the folder contains exactly these names; NULL-terminated. */
void fault_holds(const char *folder, const char *const *names);
#define FAULT_HOLDS(folder, ...) fault_holds(folder, ARGUMENTS(__VA_ARGS__))

/* Runs into "cut" with a fault that kills or stops, then resumes, and compares with the film in
 * `whole`. Returns how the interrupted run ended. */
int fault_interrupt(const struct fault_film *film, const char *whole, const char *fault);

/* The environment that preloads the shim. Valid until the next call. */
const char *const *fault_environment(const char *fault);

void fault_remove(const char *folder);
