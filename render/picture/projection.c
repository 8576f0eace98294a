#include "render/picture/projection.h"

#include "base/choice.h"
#include "render/params.h"

const struct projection projection_flat = {
    .name = "flat",
    .doc = "one picture",
    .flat = true,
    .columns = 1,
    .rows = 1,
};

static const struct projection side_by_side = {
    .name = "side-by-side",
    .doc = "a stereo pair, the left eye's picture on the left",
    .columns = 2,
    .rows = 1,
};

static const struct projection over_under = {
    .name = "over-under",
    .doc = "a stereo pair, the left eye's picture above",
    .columns = 1,
    .rows = 2,
};

static const struct projection equirect = {
    .name = "equirect",
    .doc = "the whole sphere around the camera, for 360-degree players",
    .columns = 1,
    .rows = 1,
    .whole_sphere = true,
};

static const struct projection *const list[] = {&projection_flat, &side_by_side, &over_under,
                                                &equirect};

const struct registry projection_registry = REGISTRY_LIST("projection", list);
