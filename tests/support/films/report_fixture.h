/* A report like a check's, for the tests of its formats: case 0 fails in its physics and all that
 * follows, 1 passes on another platform, 2 has the same bits, 3 compared nothing, 4 lost stars; and
 * so on. */
#pragma once

#include "cmd/regression/judge/report.h"

enum { FIXTURE_FRAMES = 48, FIXTURE_KINDS = 5 };

/* Text that has an effect wherever it is not escaped: terminal, HTML, XML, Markdown, JSON. */
extern const char fixture_hostile[];

struct report_fixture {
    uint32_t cases;       /* at most 200 */
    uint32_t only;        /* 1 + kind: all cases are of one kind; 0: they take turns */
    const char *pictures; /* folder with a/, b/ and difference/frame_NNNNNN.png; NULL: none */
    const char *clip;     /* NULL: none */
    const char *text;     /* in every place that can hold one; NULL: plausible texts */
};
void report_fixture_make(struct report *report, const struct report_fixture *fixture);

/* Setup and teardown of a group of tests, which works in a new folder that is removed with it. */
int report_fixture_enter(void **state);
int report_fixture_leave(void **state);
