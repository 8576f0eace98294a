/* Frames of a film that are out of their order, to look at: A is the picture that was drawn, B what
 * the film shows in its place. */
#ifndef CMD_REGRESSION_BASELINE_ASTRAY_H
#define CMD_REGRESSION_BASELINE_ASTRAY_H

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/judge/report.h"

struct limits;

struct astray {
    uint32_t count;
    struct {
        struct picture *drawn;
        uint16_t *rgb; /* [height of the film][width][3]; NULL: the film has ended */
        uint32_t width;
    } frames[RECORD_ASTRAY_MAX];
};

void astray_free(struct astray *astray); /* accepts a zeroed one */

/* Takes one more; as record_hooks.astray. */
enum status astray_add(struct astray *astray, const struct picture *drawn, const uint16_t *rgb,
                       uint32_t width, uint32_t height);

/* Puts the frames into the folder and the case, and a clip of all that were seen. Nothing where the
 * film's frames are in order. */
enum status astray_show(const struct astray *astray, const struct limits *limits,
                        const char *folder, struct case_report *one);

#endif
