/* What a test program ends with. Part of test.h. A function that cannot run here says what is
 * missing and is skipped; a program of which every function was skipped ends with OUTCOME_SKIPPED,
 * which ctest shows as "Skipped"; one of which some were shows in ctest's summary as a label that
 * says which and why. */
#pragma once

#include <stddef.h>

enum { OUTCOME_SKIPPED = 77 }; /* as SKIP_RETURN_CODE in tests/CMakeLists.txt */

/* scripts/test knows from these what must not be missing on the machine that it runs on. */
enum missing {
    MISSING_GPU,
    MISSING_DATA,      /* shared/data */
    MISSING_GL,        /* no GL context opens, or not the one that is wanted */
    MISSING_MOUNT,     /* the right to mount a small disk */
    MISSING_ENCODER,   /* in this build of libav */
    MISSING_FONT,      /* one that has certain letters */
    MISSING_TERMINAL,  /* no pseudo-terminal */
    MISSING_SOURCE,    /* the source tree */
    MISSING_ALLOCATOR, /* AddressSanitizer's keeps memory and refuses limits */
    MISSING_COUNT
};

/* Ends the test function that runs, after a line "skipped: WHAT: WHY". */
_Noreturn void outcome_skip(enum missing missing, const char *why);

/* The exit code of a group of `functions`, of which `failed` failed. */
int outcome_of(const char *file, size_t functions, int failed);
