/* What a body's light comes from. One const entry each, default first. */
#pragma once

#include <stdbool.h>

struct light_weight {
    const char *name, *doc;
    bool by_mass; /* the component's light times mass / mean mass of the drawn bodies */
};

extern const struct light_weight light_by_component, light_by_mass;
