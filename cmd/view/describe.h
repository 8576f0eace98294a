/* Describes to the page, as JSON, the key table, so that the page has no list of its own, and the
 * scene with the page's changes. docs/view.md lists the members. Thread-safe. */
#pragma once

#include "scenes/scene.h"

/* The caller frees both. */
char *describe_keys(void);

struct described {
    const struct scene *scene;
    const char *name;        /* what is shown, where the scene has no title */
    const char *save, *film; /* what the command line names; NULL: nothing */
    const char *command;     /* that renders the scene */
};
char *describe_scene(const struct described *described);
