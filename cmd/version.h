/* gravreel --version: the program, its commit, and what it is linked with. */
#pragma once

#include <stdio.h>

/* The commit of the build; "unknown" if not known; ends in + if the source was modified.
 * cmake/commit.cmake writes it at each build. */
extern const char version_commit[];

/* The first line is "gravreel VERSION" alone. Opens no display and no device. */
void version_print(FILE *file);
