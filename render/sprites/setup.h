/* The inputs of a light pass. Pure. */
#pragma once

#include "base/status.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/gl/bodies.h"

struct sprites_setup {
    struct look_params look;     /* of the picture, with the changes of its panel */
    const struct colour *colour; /* replaces the look's, in full floats; or NULL */
    struct look_found found;
    GLuint vertex_array; /* for full-screen passes */
    const struct draw_group *groups;
    int group_count;
    struct light_sum sum;
    struct body_buffers bodies;
    bool absences;                      /* bodies marked by COLUMN_ABSENT are not drawn */
    GLuint reference;                   /* positions to compare bodies with; 0: none */
    bool whole_sphere;                  /* this is a face of a sphere */
    uint32_t width, height;             /* of the drawn rectangle */
    uint32_t whole_width, whole_height; /* size of the picture that the rectangle is a tile of */
    double stretch;                     /* camera_found's */
    double spread; /* factor on the radii of adaptive sprites, with a third of the usual radius as a
                    * lower limit; 0: factor 1 and no limit */
    bool weighed;  /* alpha is the light, and the colour is alpha times the body's colour, or its
                    * value if that is mapped */
    bool quads;    /* for tests: quads even where points would suffice */
    size_t splats_at_once; /* for tests: number of records, see splats.h; 0: chosen automatically */
};

/* STATUS_USAGE for an inconsistent look. */
enum status sprites_setup_check(const struct sprites_setup *setup);

/* The exposure at which adaptive sprites add up to the surface density of the bodies, or of their
 * mass if look.weight says so: a body with light 1 contributes pi / 3 times the square of
 * found.spacing; 1/3 is the mean of all profiles over the disk. */
double sprites_setup_surface(const struct sprites_setup *setup);

/* The mode that colours bodies: look.color, unless the reference or the draw mode decides. */
const struct colour *sprites_setup_colour(const struct sprites_setup *setup);
/* The columns that the sprites read, in the order of their attributes. */
void sprites_setup_columns(const struct sprites_setup *setup, bool adaptive,
                           struct column_names *out);
/* Whether the target holds values instead of colours. */
bool sprites_setup_values(const struct sprites_setup *setup);
