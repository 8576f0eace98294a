/* Single frames to look at: A, B and their difference as PNG files, with marks. */
#ifndef CMD_REGRESSION_EXHIBIT_FRAMES_H
#define CMD_REGRESSION_EXHIBIT_FRAMES_H

#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/report.h"

#include <stddef.h>

/* How many times the difference is amplified in its picture. */
enum { EXHIBIT_GAIN = 4 };

struct exhibit_frame {
    struct exhibit_pair pair;
    double worst;    /* of struct shown_frame */
    const char *why; /* the same */
};

/* Appends the frames to the case: FOLDER/frame-000017-a.png, -b.png and -difference.png of 8 bits.
 * Where one side has no such frame, the other is shown alone. */
enum status exhibit_frames(const struct exhibit *exhibit, const struct exhibit_frame *frames,
                           size_t count, struct case_report *one);

#endif
