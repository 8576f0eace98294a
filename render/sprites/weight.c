#include "render/sprites/weight.h"

#include "base/choice.h"
#include "render/params.h"

const struct light_weight light_by_component = {
    .name = "component",
    .doc = "its component's light alone",
};

const struct light_weight light_by_mass = {
    .name = "mass",
    .doc = "its component's light times its mass relative to the mean of the drawn bodies; "
           "massless bodies are dark",
    .by_mass = true,
};

static const struct light_weight *const list[] = {&light_by_component, &light_by_mass};

const struct registry light_weight_registry = REGISTRY_LIST("source of light", list);
