/* The scenes that ship with the program: the YAML files of this folder. Constant; thread-safe.
 *
 * A new scene is a file NAME.yaml, whose first line describes it, and NAME in CMakeLists.txt. */
#pragma once

#include "base/choice.h"

struct scene_builtin {
    const char *name, *doc;
    const char *text; /* the file as shipped; its first line is a comment, the doc */
};

/* Of struct scene_builtin, default first. */
extern const struct registry builtin_registry;

/* The name of the default one. */
const char *builtin_default(void);
