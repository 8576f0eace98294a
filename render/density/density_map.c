#include "render/density/density_map.h"

#include <stdio.h>
#include <string.h>

extern const char shader_sprite_place_glsl[], shader_cells_vert[], shader_cells_frag[];

static enum status create_program(struct density_map *map, bool spread, bool absences, bool quads)
{
    char defines[96];
    snprintf(defines, sizeof defines, "%s#define SIZE %d.0\n%s%s", quads ? "#define QUADS\n" : "",
             spread ? CELL_SPLAT : 1, spread ? "#define SPREAD\n" : "",
             absences ? "#define ABSENCES\n" : "");
    const struct gl_stage stages[] = {
        {GL_VERTEX_SHADER, "#version 330 core\n", {shader_sprite_place_glsl, shader_cells_vert}},
        {GL_FRAGMENT_SHADER, "#version 330 core\n", {shader_cells_frag, ""}},
    };
    return gl_program_of(&map->program, "cells", stages, 2, defines);
}

enum status density_map_create(struct density_map *map, const struct cell_grid *grid, bool spread,
                               bool absences, bool quads)
{
    map->grid = *grid;
    enum status status = gl_target_create(&map->target, GL_R32F, grid->columns, grid->rows);
    if (status == STATUS_OK)
        status = create_program(map, spread, absences, quads);
    if (status != STATUS_OK)
        return status;
    if (spread)
        gl_target_smooth(&map->target);
    glUseProgram(map->program);
    glUniform2f(glGetUniformLocation(map->program, "target_size"), (GLfloat)grid->columns,
                (GLfloat)grid->rows);
    map->view_projection = glGetUniformLocation(map->program, "view_projection");
    map->slab = glGetUniformLocation(map->program, "slab");
    map->to_map = glGetUniformLocation(map->program, "to_map");
    return STATUS_OK;
}

void density_map_destroy(struct density_map *map)
{
    gl_target_destroy(&map->target);
    glDeleteProgram(map->program);
    memset(map, 0, sizeof *map);
}

static void find_place(struct density_map *map, const struct camera_pose *pose, GLsizei width,
                       GLsizei height)
{
    const double size[2] = {width, height};
    const double cells[2] = {map->grid.columns, map->grid.rows};
    for (int i = 0; i < 2; i++) {
        map->place[i] = (float)(size[i] / 2 / map->grid.side / cells[i]);
        map->place[2 + i] =
            (float)(((pose->corner[i] + size[i] / 2) / map->grid.side + map->grid.border) /
                    cells[i]);
    }
}

void density_map_begin(struct density_map *map, const struct camera_pose *pose, GLsizei width,
                       GLsizei height)
{
    find_place(map, pose, width, height);
    gl_target_start_adding(&map->target);
}

void density_map_add(struct density_map *map, const struct camera_pose *pose,
                     struct body_array *bodies, const struct draw_group *groups, int group_count)
{
    glUseProgram(map->program);
    glUniformMatrix4fv(map->view_projection, 1, GL_FALSE, pose->view_projection);
    glUniform4fv(map->slab, 1, pose->slab);
    glUniform4fv(map->to_map, 1, map->place);
    for (int g = 0; g < group_count; g++)
        body_array_draw(bodies, groups[g].first, groups[g].count, 1);
}
