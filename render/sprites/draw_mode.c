#include "render/sprites/draw_mode.h"

#include "base/choice.h"
#include "render/params.h"

static const struct draw_mode sprites = {
    .name = "sprites",
    .doc = "soft round lights, larger when closer, in the colour of look.color",
    .point_size = 6,
};

static const struct draw_mode sprites_plain = {
    .name = "sprites-plain",
    .doc = "the same, all in the one colour look.plain",
    .point_size = 6,
    .plain = true,
};

static const struct draw_mode points = {
    .name = "points",
    .doc = "sharp squares of whole pixels, the same size at any distance, in the colour of "
           "look.color",
    .point_size = 3,
    .square = true,
};

static const struct draw_mode activity = {
    .name = "activity",
    .doc = "a map of the number of bodies in each cell, look.cells along the shorter side, through "
           "look.map, logarithmic up to the fullest cell at the start; without light, glow and "
           "samples",
    .counts = true,
    .legend = {.quantity = "bodies in a cell",
               .scale = LEGEND_CELL,
               .from_one = true,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct draw_mode *const list[] = {&sprites, &sprites_plain, &points, &activity};

const struct registry draw_mode_registry = REGISTRY_LIST("draw mode", list);
