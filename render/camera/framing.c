#include "base/choice.h"
#include "render/params.h"

static const struct framing list[] = {
    {.name = "fixed", .doc = "camera.distance, camera.zoom and the moves"},
    {.name = "auto",
     .doc = "changes smoothly so that camera.fraction of the drawn mass is in the picture; not "
            "with keyframes",
     .automatic = true},
};

const struct registry framing_registry = REGISTRY_OF("choice of the distance", list);
