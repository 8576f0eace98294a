/* What a light pass is made from. Pure. */
#ifndef RENDER_SPRITES_SETUP_H
#define RENDER_SPRITES_SETUP_H

#include "base/status.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/gl/bodies.h"

struct sprites_setup {
    struct look_params look;     /* of the picture: with what a panel changes */
    const struct colour *colour; /* whatever look says, in full floats; NULL: as it says */
    struct look_found found;
    GLuint vertex_array; /* for full-screen passes */
    const struct draw_group *groups;
    int group_count;
    struct body_buffers bodies;
    bool absences;                      /* bodies that COLUMN_ABSENT marks are not drawn */
    GLuint reference;                   /* positions that bodies are compared with; 0: none */
    bool whole_sphere;                  /* this is a face of it */
    uint32_t width, height;             /* of the rectangle that is drawn */
    uint32_t whole_width, whole_height; /* of the picture that the rectangle is a tile of */
    double stretch;                     /* camera_found's */
    double spread; /* of sprites of adaptive size, a factor on their radii, which are not below a
                      third of what is usual; 0: 1, and no such limit */
    bool weighed;  /* the target's alpha is the light, and its colour is that times the colour, or
                      where that is mapped, times the value */
    bool quads;    /* for tests: quads even where points would do */
    size_t splats_at_once; /* for tests: records that are held, see splats.h; 0: as many as suit */
};

/* STATUS_USAGE for a look that does not go together. */
enum status sprites_setup_check(const struct sprites_setup *setup);

/* The exposure with which sprites of adaptive size add up to the surface density of the bodies, or
 * of their mass where that is look.weight: a body whose light is 1 brings pi / 3 times the square
 * of found.spacing, a third being the mean of all profiles over the disk. */
double sprites_setup_surface(const struct sprites_setup *setup);

/* What bodies are coloured by: look.color, unless the reference or the draw mode decides. */
const struct colour *sprites_setup_colour(const struct sprites_setup *setup);
/* The columns of bodies that the sprites are made of, in the order of their attributes. */
void sprites_setup_columns(const struct sprites_setup *setup, bool adaptive,
                           struct column_names *out);
/* Whether the target holds values instead of colours. */
bool sprites_setup_values(const struct sprites_setup *setup);

#endif
