/* Words that several views of a report share, and how texts are written in each of them. The caller
 * frees returned texts. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- texts from outside ---- */

/* Escapes texts from outside, such as file names, so that they neither control what displays them
 * nor end the string or element that they are in. Control characters, including those that change
 * the direction of writing, and bytes that are not UTF-8 become U+FFFD ('?' for a terminal); line
 * breaks and tabs become a space. NULL means "". Thread-safe. */

/* Returns the next character, made harmless as above; 0 at the end. Advances by at least one
 * byte. */
uint32_t escape_next(const char **text);

/* Writes a character as UTF-8. */
void escape_put(FILE *out, uint32_t character);

/* Returns the columns that a terminal needs for the text, one per character. */
int escape_columns(const char *text);

/* For a terminal or a log: writes at most `room` columns, one per character. A text that is cut off
 * ends with three dots within them. Returns the number of columns written. */
int escape_terminal(FILE *out, const char *text, int room);

/* For HTML and XML: text or quoted attribute. */
void escape_markup(FILE *out, const char *text);

/* For Markdown as read by GitHub and GitLab: no emphasis, link, table, tag, mention or issue. */
void escape_markdown(FILE *out, const char *text);

/* For a JSON string: valid UTF-8 with control characters kept. The caller frees it. */
char *escape_utf8(const char *text);

/* ---- what was compared ---- */

/* How much of what was planned was compared. A stage that the film does not have counts as neither.
 * A case's frames are those that every judged stage with frames has compared. */
struct compared {
    uint64_t frames, frames_planned, stages, stages_planned;
    bool alone; /* single films, as verify judges them: nothing was compared */
    bool scene; /* the scene alone was compared, because it has changed */
};
struct compared summary_case(const struct case_report *one);
struct compared summary_report(const struct report *report);

/* Returns whether the case could not be judged at all: its sentence says everything. */
bool summary_gave_up(const struct case_report *one);

/* Returns "compared 96 of 96 frames, 7 of 7 stages"; for single films, "examined ..."; if nothing
 * could be planned, "nothing was compared"; of a changed scene, "nothing but the scene was
 * compared". */
char *summary_compared(struct compared compared);

/* Returns "2 of 6 cases do not pass", "6 of 6 cases pass", "nothing was compared, which does not
 * pass". */
char *summary_sentence(const struct report *report);

/* Returns that sentence, `between`, and what was compared; without cases, what was compared is left
 * out. */
char *summary_outcome(const struct report *report, const char *between);

/* Returns the indices of the cases: first those that do not pass, then those that do, both in the
 * report's order. */
uint32_t *summary_order(const struct report *report);

/* Returns the number of cases that pass. */
uint32_t summary_passing(const struct report *report);

/* Returns the severity of a frame, for sorting: its own `worst` value or, failing that, the largest
 * share of a limit that a series reaches at the frame. */
double summary_worst(const struct case_report *one, const struct shown_frame *shown);

/* Returns the findings of a stage, sorted: those that fail and use most of their limit first. A
 * finding that only says that bits differ comes after those that say how. */
const struct finding **summary_findings(const struct stage_report *stage);

/* Returns "picture.pixel 92 codes, limit 64", and the same with the share of the limit, frame and
 * pixel: "... (1.4 x the limit), frame 17, pixel 3,4". A changed key of the scene has no
 * limit. */
char *summary_value(const struct finding *finding);
char *summary_finding(const struct finding *finding);

/* Returns whether the case compares two films, neither of them a baseline: then no scene is
 * judged. */
bool summary_has_two(const struct case_report *one);

/* Returns what the case's command does: "frame now" draws a frame as it is now, "record" records
 * the baseline again, "run again" runs the check again. */
const char *summary_reproduce(const struct case_report *one);

/* Returns "Mesa 22.3.6 > 25.0.7, x264 164 > 165", or for two films "codec h264 and hevc"; NULL when
 * nothing changed. */
char *summary_environment(const struct case_report *one);

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
