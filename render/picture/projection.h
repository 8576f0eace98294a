/* How the scene is projected to the picture. One const entry each, default first. */
#ifndef RENDER_PICTURE_PROJECTION_H
#define RENDER_PICTURE_PROJECTION_H

#include <stdbool.h>

struct projection {
    const char *name, *doc;
    bool flat;         /* a single flat picture, which can have tiles or panels */
    int columns, rows; /* arrangement of pictures: two for a stereo pair, left eye first */
    bool whole_sphere; /* all directions around the camera, twice as wide as high */
};

extern const struct projection projection_flat;

#endif
