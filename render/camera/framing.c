#include "base/choice.h"
#include "render/params.h"

static const struct framing list[] = {
    {.name = "fixed", .doc = "camera.distance, camera.zoom and the moves"},
    {.name = "auto",
     .doc =
         "looks ahead, and changes slowly so that 95 % of the light of each galaxy is in the "
         "picture, clear of its margin and of the overlay, until they are one, and then, or where "
         "none are named, camera.fraction of all light; the same for any number of bodies; with "
         "camera.follow mass as much room is left on either side; the orbit begins and ends at "
         "rest; where camera.distance or keyframes are given, these count",
     .automatic = true},
};

const struct registry framing_registry = REGISTRY_OF("choice of the distance", list);
