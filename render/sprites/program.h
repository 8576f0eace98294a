/* The shader that draws bodies as light, put together from what the look asks for. Only for the
 * renderer; a GL context must be current. */
#ifndef RENDER_SPRITES_PROGRAM_H
#define RENDER_SPRITES_PROGRAM_H

#include "render/colour/colour.h"
#include "render/colour/map.h"
#include "render/sprites/size.h"

struct sprite_look {
    const struct draw_mode *mode;
    const struct colour *colour; /* what bodies are coloured by, whatever the mode */
    const struct colour_map *map;
    const struct sprite_profile *profile;
    bool by_mass;
};

/* STATUS_USAGE, listing what there is, for a name that is none, and for what does not go together.
 */
enum status sprite_look_choose(struct sprite_look *out, const struct sprites_setup *setup);

struct sprite_program {
    GLuint program;
    GLint view_projection, eye, shift, moment, size_at_unit_depth, light, tint, to_map;
};

/* For a target of width x height pixels. */
enum status sprite_program_create(struct sprite_program *out, const struct sprite_look *look,
                                  const struct sprites_setup *setup, const struct sprite_size *size,
                                  GLsizei width, GLsizei height);
void sprite_program_destroy(struct sprite_program *program); /* accepts one all zero */

/* The uniforms of shaders/colour_map.glsl. */
void sprite_program_set_map(GLuint program, const struct colour_map *map, double saturation);

/* Texts one after another, for free(); NULL without memory. The list ends with NULL. */
char *sprite_program_join(const char *const *texts);

#endif
