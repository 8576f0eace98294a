/* Measures pictures of both sides of a check and keeps them for viewing. The baseline's pictures
 * come from its objects, the others from a capture. Used by one thread at a time. */
#pragma once

#include "cmd/regression/baseline/capture.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/judge/report.h"

struct gallery {
    const struct baseline *baseline;
    const struct capture *now;
    const struct limits *limits;
    struct case_report *one;
    const char *folder; /* folder for the pictures to view; NULL: none are written */
    const char *note;   /* text in front of the reason why they are shown; NULL: none */
    struct state state; /* the state that was read last, and its positions */
    double (*positions[2])[3];
};

void gallery_close(struct gallery *gallery); /* accepts a zeroed one */

/* Returns the callbacks for a comparison. The gallery must outlive them. */
struct comparison_details gallery_details(struct gallery *gallery);

/* Shows the worst of the frames that both sides have, without judging them. */
enum status gallery_show(struct gallery *gallery);

/* Moves the pictures shown in one case to another, as far as there is room. Timelines are not
 * moved: they cover few frames. */
void gallery_move_shown(struct case_report *from, struct case_report *to);
