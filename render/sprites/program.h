/* Assembles the shader that draws bodies as light, for a look. Only for the renderer; a GL context
 * must be current. */
#pragma once

#include "render/sprites/setup.h"

struct sprite_program {
    GLuint program;
    GLint view_projection, eye, upright, slab, shift, moment, opening, closing, exposed, plane,
        size_at_unit_depth, body_radius, target_distance, focal, light, tint, tinted, saturation,
        to_map, before, quad_first, first_star, speed;
};

/* The primitives that bodies are turned into. */
enum sprite_kind {
    SPRITE_DRAWN,
    SPRITE_SPLATS,  /* records, see splats.h */
    SPRITE_STREAKS, /* rows of sprites drawn by a geometry shader, see setup.h */
    SPRITE_STREAK_SPLATS,
    SPRITE_CAPTURED, /* sprites or rows of them, see captured.h */
    SPRITE_STREAKS_CAPTURED,
};

/* For a target of width x height pixels. */
enum status sprite_program_create(struct sprite_program *out, const struct sprites_setup *setup,
                                  const struct sprite_size *size, enum sprite_kind kind,
                                  GLsizei width, GLsizei height);
/* The texts and uniforms of SPRITE_DRAWN, whose points become quads with "#define QUADS". */
enum status sprite_program_recipe(struct recipe_program *out, const struct sprites_setup *setup,
                                  const struct sprite_size *size);
void sprite_program_destroy(struct sprite_program *program); /* accepts all zero */

/* Sets the uniforms that follow from numbers of the look which may have keyframes. */
void sprite_program_tune(GLuint program, const struct sprites_setup *setup,
                         const struct sprite_size *size);

/* Makes the program in use colour comoving velocities as peculiar ones, which are `scale` times as
 * large. scale 0: velocities are not comoving, and nothing is set. */
void sprite_program_set_scale(const struct sprite_program *program,
                              const struct sprites_setup *setup, double scale);

/* Sets the uniforms of shaders/colours.glsl in the program in use. */
void sprite_program_set_map(GLuint program, const struct look_params *look);
