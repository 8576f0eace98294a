#include "base/choice.h"
#include "render/params.h"

static const struct framing list[] = {
    {.name = "fixed", .doc = "camera.distance, camera.zoom and the moves"},
    {.name = "auto",
     .doc =
         "looks ahead, and changes slowly so that every galaxy's core and camera.fraction of the "
         "drawn mass are in the picture, clear of the overlay; with camera.follow mass as much "
         "room "
         "is left on either side of most of it; where camera.distance or keyframes are given, "
         "these count",
     .automatic = true},
};

const struct registry framing_registry = REGISTRY_OF("choice of the distance", list);
