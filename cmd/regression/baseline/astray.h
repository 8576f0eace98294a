/* Shows film frames that are out of order: A is the picture that was drawn, B is what the film
 * shows in its place. */
#pragma once

#include "cmd/regression/record/recorder.h"
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

/* Adds a frame; for use as record_hooks.astray. */
enum status astray_add(struct astray *astray, const struct picture *drawn, const uint16_t *rgb,
                       uint32_t width, uint32_t height);

/* Writes the frames, and a clip of all that were added, to the folder and adds them to the case.
 * Does nothing if the film's frames are in order. */
enum status astray_show(const struct astray *astray, const struct limits *limits,
                        const char *folder, struct case_report *one);
