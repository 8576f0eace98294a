/* Colour modes: how a body's state becomes a colour. One const entry each, default first. */
#ifndef RENDER_COLOUR_H
#define RENDER_COLOUR_H

struct colour {
    const char *name, *doc;
    /* GLSL that defines `vec3 body_colour()` in the sprite's vertex stage. It may use the
     * attributes position and velocity and the uniforms speed, saturation and tint (one a group of
     * bodies). */
    const char *glsl;
};

extern const struct colour *const colours[]; /* NULL-terminated */

/* NULL when there is none of that name. */
const struct colour *colour_find(const char *name);

#endif
