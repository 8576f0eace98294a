#include "sim/integrators/integrator.h"

#include <string.h>

const struct integrator *const integrators[] = {&integrator_kdk, &integrator_dkd,
                                                &integrator_yoshida4, &integrator_euler, NULL};

const struct integrator *integrator_find(const char *name)
{
    for (const struct integrator *const *i = integrators; *i; i++)
        if (strcmp(name, (*i)->name) == 0)
            return *i;
    return NULL;
}
