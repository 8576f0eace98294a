/* Counts bodies in the cells of a picture, on the GPU. Only for the renderer; a GL context must be
 * current. */
#pragma once

#include "render/camera/project.h"
#include "render/density/density.h"
#include "render/draw.h"
#include "render/gl/gl.h"

#include <stdbool.h>

struct density_map {
    struct cell_grid grid;
    struct gl_target target; /* one texel per cell, red: the count */
    GLuint program;
    GLint view_projection, slab, to_map;
    float place[4]; /* set by density_map_begin: clip coordinates of the pose, divided by w, times
                     * xy plus zw are texture coordinates of the target */
};

/* `spread`: bodies are spread, and shaders may interpolate between cells. `absences`: the array's
 * first column is COLUMN_ABSENT. *map must be all zero. */
enum status density_map_create(struct density_map *map, const struct cell_grid *grid, bool spread,
                               bool absences, bool quads);
void density_map_destroy(struct density_map *map); /* accepts all zero */

/* Clears the map for a target of width x height pixels that the pose sees. */
void density_map_begin(struct density_map *map, const struct camera_pose *pose, GLsizei width,
                       GLsizei height);
/* Counts the groups' bodies as a pose with the same target sees them. */
void density_map_add(struct density_map *map, const struct camera_pose *pose,
                     struct body_array *bodies, const struct draw_group *groups, int group_count);
