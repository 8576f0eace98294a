#include "sim/integrators/integrator.h"

extern const struct integrator integrator_kdk, integrator_dkd, integrator_yoshida4,
    integrator_euler;
static const struct integrator *const integrators[] = {&integrator_kdk, &integrator_dkd,
                                                       &integrator_yoshida4, &integrator_euler};
const struct registry integrator_registry = REGISTRY_LIST("integrator", integrators);
