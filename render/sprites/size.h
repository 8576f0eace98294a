/* How large sprites are, and with which primitives they are drawn. Only for the renderer; pure. */
#pragma once

#include "render/camera/project.h"
#include "render/sprites/setup.h"

#include <stdbool.h>
#include <stdint.h>

/* Diameters in pixels of the target. */
struct sprite_size {
    float nominal;  /* at the target's distance; 0: from the radius */
    float radius;   /* in the scene's unit of length */
    bool fixed;     /* `nominal` at any distance */
    bool adaptive;  /* from the empty space around a body; see levels.h */
    bool kernel;    /* like adaptive, but the radius of a body with a kernel is the kernel's */
    int level;      /* largest size of an adaptive sprite in pixels of its grid; see levels.h */
    uint32_t stars; /* number of stars per body */
    float star;     /* diameter of a star */
    float smallest, largest;
    float fading; /* larger sprites are dimmed so that their light stays constant: a body that the
                   * camera passes through does not flash */
    bool quads;   /* quads, because sprites may exceed the largest point */
    uint32_t margin; /* of the target. A point is drawn only if its centre is in the target, so
                      * points need the radius of the largest one; quads need a margin only for
                      * glow */
};

/* Chooses for the target of the setup. `point_size_max`: the limit of the GL. */
void sprite_size_choose(struct sprite_size *out, const struct sprites_setup *setup,
                        float point_size_max);

/* Factor by which the shader divides by depth: pixels at a depth of one; for fixed sizes the size
 * itself, for adaptive ones the size of a radius of one. */
float sprite_size_at_unit_depth(const struct sprite_size *size, const struct camera_pose *pose);
