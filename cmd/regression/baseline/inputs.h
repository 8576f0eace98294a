/* The files that a check of a baseline reads, none of which it may write over. */
#ifndef CMD_REGRESSION_BASELINE_INPUTS_H
#define CMD_REGRESSION_BASELINE_INPUTS_H

/* Calls `see` with the baseline's text, the folder of its objects, the file of its scene and that
 * of its bodies; `what` completes the sentence "PATH is ...". Of a text that cannot be read, only
 * the first two. */
void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user);

#endif
