/* What a light pass is made from. */
#ifndef RENDER_SPRITES_SETUP_H
#define RENDER_SPRITES_SETUP_H

#include "render/draw.h"
#include "render/gl/bodies.h"

struct sprites_setup {
    struct look_params look; /* of the picture: with what a panel changes */
    struct look_found found;
    GLuint vertex_array; /* for full-screen passes */
    const struct draw_group *groups;
    int group_count;
    struct body_buffers bodies;
    GLuint reference;                   /* positions that bodies are compared with; 0: none */
    bool whole_sphere;                  /* this is a face of it */
    uint32_t width, height;             /* of the rectangle that is drawn */
    uint32_t whole_width, whole_height; /* of the picture that the rectangle is a tile of */
    bool quads;                         /* for tests: quads even where points would do */
};

#endif
