/* Lists the files that a check of a baseline reads, which the check must not overwrite. */
#pragma once

/* Calls `see` with the baseline's text, the folder of its objects, its scene file and its bodies
 * file; `what` completes the sentence "PATH is ...". If the text cannot be read, calls it with the
 * first two only. */
void inputs_see(const char *path, void (*see)(void *user, const char *what, const char *path),
                void *user);
