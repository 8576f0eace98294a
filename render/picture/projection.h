/* The projection of the scene into the picture. One const entry each, default first. */
#pragma once

#include <stdbool.h>

struct projection {
    const char *name, *doc;
    bool flat;         /* one picture: it can be drawn in tiles, or be shared by panels */
    int columns, rows; /* of pictures: two for a stereo pair, the left eye first */
    bool whole_sphere; /* around the camera, all directions, twice as wide as high */
};

extern const struct projection projection_flat;
