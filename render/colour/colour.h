/* Colour modes: how a body's state becomes a colour. One const entry each, default first. */
#ifndef RENDER_COLOUR_COLOUR_H
#define RENDER_COLOUR_COLOUR_H

#include "render/colour/legend.h"

#include <stdbool.h>

/* What the tints of the groups of bodies mean. */
/* Of stars: by the component where stars.h knows its name, otherwise by the galaxy. */
enum colour_tint { TINT_NONE, TINT_GALAXY, TINT_COMPONENT, TINT_STARS };

struct colour {
    const char *name, *doc;
    /* Defines `vec3 body_colour()`, linear light; what it may use is in shaders/colour_common.glsl.
     */
    const char *glsl;
    enum colour_tint tint;
    bool by_acceleration; /* needs look.acceleration as a scale */
    bool by_density;      /* needs a density scale */
    bool by_dispersion;   /* needs view.dispersion */
    bool by_quantity;     /* needs renderer_params.quantity */
    bool by_age;          /* takes renderer_params.age, if it is given */
    bool mapped;          /* through look.map */
    struct legend legend; /* all zero: the colours mean nothing */
};

/* Not to be chosen by name: how far bodies are from where another simulation has them, the one
 * colour of a plain draw mode, and how deep in the picture bodies are. */
extern const struct colour colour_difference, colour_plain, colour_depth;

#endif
