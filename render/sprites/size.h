/* How large sprites are drawn, and by what. Only for the renderer; pure. */
#ifndef RENDER_SPRITES_SIZE_H
#define RENDER_SPRITES_SIZE_H

#include "render/camera/project.h"
#include "render/sprites/setup.h"

#include <stdbool.h>
#include <stdint.h>

/* Diameters in pixels of the target. */
struct sprite_size {
    float nominal;  /* at the target's distance; 0: by the radius */
    float radius;   /* in the scene's unit of length */
    bool fixed;     /* nominal at any distance */
    bool adaptive;  /* by how empty it is around a body; see levels.h */
    bool kernel;    /* but of a body that has a kernel by its radius */
    int level;      /* pixels of its grid that an adaptive sprite has at most; see levels.h */
    uint32_t stars; /* that a body's light is resolved into */
    float star;     /* one of them */
    float smallest, largest;
    float fading; /* above it a sprite is dimmed so that its light grows no more: a body that the
                     camera passes through does not flash */
    bool quads;   /* pairs of triangles, because points cannot be as large as sprites may become */
    uint32_t margin; /* of the target. A point is drawn as long as its centre lies in the target, so
                        that points need the largest one's radius; quads only keep some for glow */
};

/* For the target of the setup. `point_size_max`: of the GL. */
void sprite_size_choose(struct sprite_size *out, const struct sprites_setup *setup,
                        float point_size_max);

/* What a depth of one unit of length gives; of fixed sizes the size itself, of adaptive ones that
 * of a radius of one. */
float sprite_size_at_unit_depth(const struct sprite_size *size, const struct camera_pose *pose);

#endif
