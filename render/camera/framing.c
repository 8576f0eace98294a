#include "base/choice.h"
#include "render/params.h"

static const struct framing list[] = {
    {.name = "fixed", .doc = "camera.distance, camera.zoom and the moves"},
    {.name = "auto",
     .doc = "from a pilot run: changes slowly so that 95 % of the light of each galaxy is in the "
            "picture, clear of its margin and of the overlay, until the galaxies have merged, and "
            "then, or if none are named, camera.fraction of all light; the same for any number of "
            "bodies; with camera.follow mass the margins on both sides are equal; the orbit begins "
            "and ends at rest; camera.distance and keyframes take precedence",
     .automatic = true},
};

const struct registry framing_registry = REGISTRY_OF("choice of the distance", list);
