/* The outcome of a test program. Part of test.h. A function that cannot run here prints what is
 * missing and is skipped. A program whose functions were all skipped ends with OUTCOME_SKIPPED,
 * which ctest shows as "Skipped"; if some were, ctest's summary has a label that says which and
 * why. */
#pragma once

#include <stddef.h>

enum { OUTCOME_SKIPPED = 77 }; /* as SKIP_RETURN_CODE in tests/CMakeLists.txt */

/* scripts/test uses these to know what must not be missing on its machine. */
enum missing {
    MISSING_GPU,
    MISSING_DATA,      /* shared/data */
    MISSING_GL,        /* no GL context opens, or not the required one */
    MISSING_MOUNT,     /* the right to mount a small disk */
    MISSING_ENCODER,   /* in this build of libav */
    MISSING_FONT,      /* a font with certain letters */
    MISSING_TERMINAL,  /* no pseudo-terminal */
    MISSING_SOURCE,    /* the source tree */
    MISSING_ALLOCATOR, /* AddressSanitizer keeps memory and forbids limits */
    MISSING_COUNT
};

/* Ends the running test function, after a line "skipped: WHAT: WHY". */
_Noreturn void outcome_skip(enum missing missing, const char *why);

/* The exit code of a group of `functions`, of which `failed` failed. */
int outcome_of(const char *file, size_t functions, int failed);
