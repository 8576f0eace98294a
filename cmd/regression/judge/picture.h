/* Pairs of pictures, as render/compare measures them, judged by the rules named picture.* and
 * sequence.*: what is worst of all frames becomes a finding per rule. Used by one thread. */
#ifndef CMD_REGRESSION_JUDGE_PICTURE_H
#define CMD_REGRESSION_JUDGE_PICTURE_H

#include "cmd/regression/judge/limits.h"
#include "cmd/regression/judge/report.h"
#include "render/compare/measure.h"

/* What the settings among the rules say: what is free, what is counted, what is a star. */
struct measure_params picture_params(const struct limits *limits);

struct picture_judge;
/* Keeps the limits, which must outlive it. `frames` of the case, for its series. */
void picture_judge_open(struct picture_judge **out, const struct limits *limits, uint64_t frames);
void picture_judge_close(struct picture_judge **judge); /* accepts a pointer to NULL */

/* One pair: `index` counts the case's frames from 0, `frame` is the number shown to people. Pairs
 * come in ascending order. Returns how the frame was judged. */
enum verdict picture_judge_add(struct picture_judge *judge, uint64_t index, int64_t frame,
                               const struct measure *measure);

/* A frame worth looking at. */
struct picture_choice {
    int64_t frame;
    double worst;  /* as in struct shown_frame */
    char why[320]; /* "the first that fails, worst by picture.bias"; "" for the worst alone */
};
enum { PICTURE_CHOICES_MAX = 8 };

/* Of the frames beyond a limit, or without any of all that differ: the worst, the first, the last,
 * and the worst by each rule that fails, as many of these as there is room for, in ascending order.
 * Returns how many. */
size_t picture_judge_choose(const struct picture_judge *judge, struct picture_choice *out,
                            size_t most);

/* Appends the findings, sets what was compared and the first frame that differs, and gives the
 * series to the case. The stage is not concluded. */
void picture_judge_end(struct picture_judge *judge, struct case_report *one,
                       struct stage_report *stage);

/* The marks of a frame to look at: stars, the worst tiles, the worst pixel. The caller frees them.
 */
struct mark *picture_marks(const struct measure *measure, const struct limits *limits,
                           uint32_t *count);

#endif
