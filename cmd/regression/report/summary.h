/* What several views say of a report in the same words. Texts returned are the caller's. */
#ifndef CMD_REGRESSION_REPORT_SUMMARY_H
#define CMD_REGRESSION_REPORT_SUMMARY_H

#include "cmd/regression/judge/report.h"

/* What was compared of what was planned. A stage that the film does not have counts in neither;
 * a case's frames are those that every judged stage of frames has compared. */
struct compared {
    uint64_t frames, frames_planned, stages, stages_planned;
    bool alone; /* of films by themselves, as verify judges them: nothing was compared */
};
struct compared summary_case(const struct case_report *one);
struct compared summary_report(const struct report *report);

/* "compared 96 of 96 frames, 7 of 7 stages"; of films alone "examined ...". */
char *summary_compared(struct compared compared);

/* "2 of 6 cases do not pass", "6 of 6 cases pass", "nothing was compared, which does not pass". */
char *summary_sentence(const struct report *report);

/* Case indices, those that do not pass first, each half in the report's order. */
uint32_t *summary_order(const struct report *report);

/* Cases that pass. */
uint32_t summary_passing(const struct report *report);

/* Share of the limit that a value uses, 1 at the limit; INFINITY above a limit of 0 and for NaN. */
double summary_share(const struct finding *finding);

/* How bad a frame is, to order them by: what it says itself, or else the largest share of a limit
 * that a figure over the frames uses there. */
double summary_worst(const struct case_report *one, const struct shown_frame *shown);

/* The findings of a stage, those that fail and use most of their limit first; that bits
 * differ comes after what says how. */
const struct finding **summary_findings(const struct stage_report *stage);

/* "31 % of the limit", "309 x the limit", "none found" where none is allowed, "not a number". */
char *summary_share_text(const struct finding *finding);

/* Whether the case is of two films, of which neither is a baseline: no scene is judged. */
bool summary_has_two(const struct case_report *one);

/* What the line of the case does: "frame now" draws a frame as it is now, "run again" checks. */
const char *summary_reproduce(const struct case_report *one);

/* "Mesa 22.3.6 > 25.0.7, x264 164 > 165", of two films "codec h264 and hevc"; NULL when nothing
 * changed. */
char *summary_environment(const struct case_report *one);

/* A number for people: 4 digits, "none" for a limit that is never reached. */
void summary_number(double value, char *text, size_t size);

#endif
