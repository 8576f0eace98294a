#include "sim/solver/force.h"

#include "base/choice.h"
#include "sim/params.h"

#include <stddef.h>
#include <string.h>

const struct force_mode force_fast = {
    .name = "fast",
    .doc = "single precision; the same bits on the same kind of device",
};

const struct force_mode force_exact = {
    .name = "exact",
    .doc = "single precision in IEEE-exact operations; the same bits on every device",
};

const struct force_mode force_double = {
    .name = "double",
    .doc = "double precision; errors below 1e-14",
};

const struct force_mode *const force_modes[] = {&force_fast, &force_exact, &force_double, NULL};

const struct registry force_registry = REGISTRY_LIST("force", force_modes);

const struct force_mode *force_mode_find(const char *name)
{
    for (const struct force_mode *const *mode = force_modes; *mode; mode++)
        if (strcmp(name, (*mode)->name) == 0)
            return *mode;
    return NULL;
}
