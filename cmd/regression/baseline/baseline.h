/* A baseline is the record of a film as text for git, NAME.json, and a folder of objects beside it,
 * NAME.objects/, with a few states and pictures of the film. The text alone detects changes. The
 * objects show the changes, and let later stages be judged when an earlier one has changed.
 * Functions return STATUS_IO for a file that cannot be read, was edited or is damaged, STATUS_USAGE
 * for a text in a newer format and for a manifest that is not a baseline, and STATUS_MISMATCH for a
 * folder. Used by one thread at a time. */
#pragma once

#include "cmd/regression/baseline/contents.h"

enum status baseline_read(struct baseline *out, const char *path); /* free in every case */

/* Replaces the text in one step, after all objects that it names are written, then removes objects
 * that no text names any more. Returns STATUS_USAGE when the text is larger than it may be. */
enum status baseline_write(struct baseline *baseline);

/* Writes or reads the object that holds a record's text; `limit` bounds the size of the text. */
enum status baseline_put_record(const struct baseline *baseline, const struct record *record,
                                char object[HASH_TEXT]);
enum status baseline_get_record(const struct baseline *baseline, const char *object,
                                struct record *out);

/* Sets the anchor of the baseline that replaces `before`: the anchor of `before`, or its record if
 * it has none. */
enum status baseline_keep_anchor(struct baseline *baseline, const struct baseline *before);

/* Lists the paths of all baselines that `path` means, in order. `path` is a text, or a folder that
 * is searched for texts with its subfolders, except for hidden folders, folders of objects and
 * folders in which a check keeps its report. Where objects have lost their text, the list has the
 * path of the missing text. A path that is missing, and a folder that has no text or cannot be
 * read, is listed too: baseline_read then says what is wrong with it. free() each path and the
 * list. */
void baseline_find(const char *path, char ***paths, size_t *count);

/* Calls `see` with the baseline's text, the folder of its objects, its scene file and its bodies
 * file; `what` completes the sentence "PATH is ...". If the text cannot be read, calls it with the
 * first two only. */
void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user);

/* Returns the section "baseline"; the caller frees it. NULL when a string in it is not UTF-8. */
char *baseline_to_json(const struct baseline *baseline);

/* Fills in everything that baseline_free frees except record, path, name, folder and hash. Returns
 * STATUS_USAGE for a newer format, and STATUS_IO for a text that baseline_to_json did not make. */
enum status baseline_from_json(struct baseline *baseline, const char *text);
