/* The registry entry that a word of the scene means. */
#pragma once

#include "base/choice.h"

#include <stdio.h>
#include <stdlib.h>

/* The entry, to be assigned to a pointer of its own type. Ends the test when there is none. */
static inline const void *choose(const struct registry *registry, const char *name)
{
    const void *entry = choice_find(registry, name);
    if (!entry) {
        fprintf(stderr, "there is no %s '%s'\n", registry->what, name);
        abort();
    }
    return entry;
}
