/* A baseline: the record of a film as text for git, NAME.json, and beside it a folder of objects,
 * NAME.objects/, with a few states and pictures of it. The text alone detects changes; the objects
 * show them, and let later stages be judged when an earlier one has changed.
 *
 * Statuses: STATUS_IO for what cannot be read or was edited or damaged, STATUS_USAGE for a text of
 * a newer format and for a manifest that is no baseline, STATUS_MISMATCH for a folder. Used by one
 * thread at a time. */
#ifndef CMD_REGRESSION_BASELINE_BASELINE_H
#define CMD_REGRESSION_BASELINE_BASELINE_H

#include "cmd/regression/baseline/contents.h"

enum status baseline_read(struct baseline *out, const char *path); /* free in every case */

/* Replaces the text in one step, after the objects that it names are there, and removes those that
 * no text names any more. STATUS_USAGE when the text is larger than it may be. */
enum status baseline_write(struct baseline *baseline);

/* The object of a record's text, put or read; `limit` as of a text. */
enum status baseline_put_record(const struct baseline *baseline, const struct record *record,
                                char object[HASH_TEXT]);
enum status baseline_get_record(const struct baseline *baseline, const char *object,
                                struct record *out);

/* Makes the record of `before`, or what that one kept, the anchor of the baseline that takes its
 * place. */
enum status baseline_keep_anchor(struct baseline *baseline, const struct baseline *before);

/* Paths of all baselines that `path` means, in order: a text, or all texts in a folder and the
 * folders in it, except for hidden ones, those of objects and those in which a check keeps its
 * report; where the text beside objects is gone, its path. A path that is missing, and a folder
 * without a text or that cannot be read, is the path of a baseline of which baseline_read says what
 * is wrong. free() each and the list. */
void baseline_find(const char *path, char ***paths, size_t *count);

#endif
