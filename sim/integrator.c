#include "sim/integrator.h"

#include <string.h>

extern const struct integrator integrator_kdk;

const struct integrator *const integrators[] = {&integrator_kdk, NULL};

const struct integrator *integrator_find(const char *name)
{
    for (const struct integrator *const *i = integrators; *i; i++)
        if (strcmp(name, (*i)->name) == 0)
            return *i;
    return NULL;
}
