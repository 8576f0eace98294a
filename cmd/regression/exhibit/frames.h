/* Single frames for viewing: A, B and their difference as PNG files, with marks. */
#pragma once

#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/report.h"

#include <stddef.h>

/* Gain of the difference in its picture. */
enum { EXHIBIT_GAIN = 4 };

struct exhibit_frame {
    struct exhibit_pair pair;
    double worst;    /* see struct shown_frame */
    const char *why; /* see struct shown_frame */
};

/* Appends the frames to the case as 8-bit PNG files: FOLDER/frame-000017-a.png, -b.png and
 * -difference.png. If one side lacks the frame, the other is shown alone. */
enum status exhibit_frames(const struct exhibit *exhibit, const struct exhibit_frame *frames,
                           size_t count, struct case_report *one);
