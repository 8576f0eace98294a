/* The reference of all keys. */
#ifndef SCENES_REFERENCE_H
#define SCENES_REFERENCE_H

#include <stdio.h>

/* Plain text for the terminal, or Markdown as in docs/scene.md. */
void scene_print_keys(FILE *file, int markdown);

#endif
