/* Pictures of both sides of a check, measured and kept to look at. The baseline's come from its
 * objects, the others were captured. Used by one thread at a time. */
#ifndef CMD_REGRESSION_BASELINE_GALLERY_H
#define CMD_REGRESSION_BASELINE_GALLERY_H

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/report.h"

struct gallery {
    const struct baseline *baseline;
    const struct capture *then; /* in the place of the baseline's objects, or NULL */
    const struct capture *now;
    const struct limits *limits;
    struct case_report *one;
    const char *folder; /* of the pictures to look at; NULL: none are written */
    const char *note;   /* in front of why they are shown; NULL: nothing */
    uint32_t missing;   /* pictures of the baseline that were wanted and are not there */
    struct state state; /* the one read last, and its positions */
    double (*positions[2])[3];
};

void gallery_close(struct gallery *gallery); /* accepts a zeroed one */

/* What a comparison asks for. The gallery outlives it. */
struct comparison_details gallery_details(struct gallery *gallery);

/* Shows the worst of all frames that both sides have, without judging them. */
enum status gallery_show(struct gallery *gallery);

/* Moves what is shown of one case to another, as far as there is room. Timelines stay: they are of
 * few frames. */
void gallery_move_shown(struct case_report *from, struct case_report *to);

#endif
