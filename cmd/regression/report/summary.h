/* Summaries of a report that several views share. The caller frees returned texts. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stddef.h>
#include <stdio.h>

/* How much of what was planned was compared. A stage that the film does not have counts as neither.
 * A case's frames are those that every judged stage with frames has compared. */
struct compared {
    uint64_t frames, frames_planned, stages, stages_planned;
    bool alone; /* single films, as verify judges them: nothing was compared */
};
struct compared summary_case(const struct case_report *one);
struct compared summary_report(const struct report *report);

/* Returns "compared 96 of 96 frames, 7 of 7 stages"; for single films, "examined ...". */
char *summary_compared(struct compared compared);

/* Returns "2 of 6 cases do not pass", "6 of 6 cases pass", "nothing was compared, which does not
 * pass". */
char *summary_sentence(const struct report *report);

/* Returns the indices of the cases: first those that do not pass, then those that do, both in the
 * report's order. */
uint32_t *summary_order(const struct report *report);

/* Returns the number of cases that pass. */
uint32_t summary_passing(const struct report *report);

/* Returns the share of the limit that a value uses: 1 at the limit, INFINITY above a limit of 0 and
 * for NaN. */
double summary_share(const struct finding *finding);

/* Returns the severity of a frame, for sorting: its own `worst` value or, failing that, the largest
 * share of a limit that a series reaches at the frame. */
double summary_worst(const struct case_report *one, const struct shown_frame *shown);

/* Returns the findings of a stage, sorted: those that fail and use most of their limit first. A
 * finding that only says that bits differ comes after those that say how. */
const struct finding **summary_findings(const struct stage_report *stage);

/* Returns "31 % of the limit", "309 x the limit", "none found" for a limit of 0, "not a number". */
char *summary_share_text(const struct finding *finding);

/* Returns whether the case compares two films, neither of them a baseline: then no scene is
 * judged. */
bool summary_has_two(const struct case_report *one);

/* Returns what the case's command does: "frame now" draws a frame as it is now, "run again" runs
 * the check again. */
const char *summary_reproduce(const struct case_report *one);

/* Returns "Mesa 22.3.6 > 25.0.7, x264 164 > 165", or for two films "codec h264 and hevc"; NULL when
 * nothing changed. */
char *summary_environment(const struct case_report *one);

/* Formats a number with 4 digits; "none" for a limit that is never reached. */
void summary_number(double value, char *text, size_t size);

/* ---- names of cases and findings, which all views share ---- */

/* Returns the id of a case: the first 80 characters of its name, with '-' for everything except
 * letters, digits, '.', '_' and '-', and "~2" and so on appended for later cases of the same name.
 * Safe in a URL, a file name and an attribute. The caller frees it. */
char *names_case(const struct report *report, uint32_t index);

/* Returns the id of a finding: case, rule and frame, "default/picture.counted@17". The caller frees
 * it. */
char *names_finding(const char *of_case, const struct finding *finding);

/* A report being written: collected in memory, then saved to its file in one step. */
struct draft {
    FILE *file; /* writes to memory */
    char *text;
    size_t size;
};
void draft_open(struct draft *draft);

/* Ends the draft; the caller frees the text. */
char *draft_text(struct draft *draft, size_t *size);

/* Ends the draft: replaces the file, or prints to standard output if path is NULL. */
enum status draft_save(struct draft *draft, const char *path);
