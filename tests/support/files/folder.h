/* A folder for a group of tests. For tests only. */
#pragma once

/* A new folder in $TMPDIR or /tmp; ends the test program where there can be none. */
char *folder_make(void);

/* Removes it with all that is in it, and frees the name. */
void folder_remove(char *folder);

/* For cmocka: a folder of the group, and its end. In memory where there is such a place, because
 * what the program writes is synced to the disk. */
int folder_set_up(void **state);
int folder_tear_down(void **state);

/* The group's folder, and a path in it; valid until some calls later. */
const char *folder_name(void);
const char *folder_path(const char *name);
