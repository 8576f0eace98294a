#include "render/sprites.h"

#include "base/text.h"

#include "render/colour.h"
#include "render/colour_map.h"
#include "render/draw_mode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_sprite_vert[], shader_sprite_frag[], shader_colour_common_glsl[],
    shader_colour_tint_glsl[];

/* Below this diameter a round profile can fall between pixel centres. */
static const float smallest_sprite = 3.0f;
/* Bodies near the camera grow up to this many times the nominal size. */
static const float largest_growth = 6.0f;

struct sprites {
    struct gl_target target;
    uint32_t margin;
    const struct draw_mode *mode;
    const struct colour *colour;
    const struct colour_map *map;
    float nominal_size, largest_size;
    float plain[3]; /* tint of every group in a plain mode */
    GLuint program, vertex_array;
    GLint view_projection, size_at_unit_depth, light, tint, eye;
    int group_count;
    struct draw_group *groups;
};

static const char *colour_name(size_t i)
{
    return colours[i] ? colours[i]->name : NULL;
}

static const char *map_name(size_t i)
{
    return colour_maps[i] ? colour_maps[i]->name : NULL;
}

static const char *mode_name(size_t i)
{
    return draw_modes[i] ? draw_modes[i]->name : NULL;
}

static enum status no_such(const char *what, const char *name, const char *(*known)(size_t i))
{
    char names[256] = "";
    for (size_t i = 0; known(i); i++)
        text_list(names, sizeof names, known(i));
    return status_fail(STATUS_USAGE, "there is no %s '%s'; choose one of %s", what, name, names);
}

static enum status choose(struct sprites *sprites, const struct look_params *look)
{
    sprites->mode = draw_mode_find(look->mode);
    sprites->colour = colour_find(look->color);
    sprites->map = colour_map_find(look->map);
    if (!sprites->mode)
        return no_such("draw mode", look->mode, mode_name);
    if (!sprites->colour)
        return no_such("colour mode", look->color, colour_name);
    if (!sprites->map)
        return no_such("colour map", look->map, map_name);
    return STATUS_OK;
}

static void set_scales(struct sprites *sprites, const struct look_params *look)
{
    GLuint program = sprites->program;
    glUseProgram(program);
    glUniform2f(glGetUniformLocation(program, "size_limits"), smallest_sprite,
                sprites->largest_size);
    glUniform1f(glGetUniformLocation(program, "speed"), (float)look->speed);
    glUniform1f(glGetUniformLocation(program, "acceleration"), (float)look->acceleration);
    glUniform1f(glGetUniformLocation(program, "saturation"), (float)look->saturation);
    float stops[COLOUR_MAP_STOPS][3];
    for (int i = 0; i < COLOUR_MAP_STOPS; i++)
        colour_map_at(sprites->map, (float)i / (COLOUR_MAP_STOPS - 1), stops[i]);
    glUniform3fv(glGetUniformLocation(program, "map"), COLOUR_MAP_STOPS, stops[0]);
}

static enum status create_program(struct sprites *sprites, const struct look_params *look)
{
    const char *colour = sprites->mode->plain ? shader_colour_tint_glsl : sprites->colour->glsl;
    size_t size = strlen(shader_colour_common_glsl) + strlen(colour) + strlen(shader_sprite_vert);
    char *vertex = malloc(size + 1);
    if (!vertex)
        return status_fail(STATUS_RUNTIME, "no memory left for a shader");
    snprintf(vertex, size + 1, "%s%s%s", shader_colour_common_glsl, colour, shader_sprite_vert);
    enum status status = gl_program(&sprites->program, "sprite", vertex, shader_sprite_frag,
                                    sprites->mode->square ? "#define SQUARE\n" : "");
    free(vertex);
    if (status != STATUS_OK)
        return status;
    sprites->view_projection = glGetUniformLocation(sprites->program, "view_projection");
    sprites->size_at_unit_depth = glGetUniformLocation(sprites->program, "size_at_unit_depth");
    sprites->light = glGetUniformLocation(sprites->program, "light");
    sprites->tint = glGetUniformLocation(sprites->program, "tint");
    sprites->eye = glGetUniformLocation(sprites->program, "eye");
    set_scales(sprites, look);
    return STATUS_OK;
}

static void create_attributes(struct sprites *sprites, const struct body_buffers *bodies)
{
    glGenVertexArrays(1, &sprites->vertex_array);
    glBindVertexArray(sprites->vertex_array);
    const GLuint buffers[2] = {bodies->position, bodies->velocity};
    for (GLuint i = 0; i < 2; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
}

static void choose_size(struct sprites *sprites, const struct panel_setup *setup,
                        const struct gl_context *context)
{
    double size = setup->look.point_size > 0 ? setup->look.point_size : sprites->mode->point_size;
    sprites->nominal_size = (float)(size * setup->whole_height / 1080.0);
    sprites->largest_size = fmaxf(sprites->nominal_size, smallest_sprite) * largest_growth;
    if (sprites->mode->square) /* whole pixels, or a square would flicker as it moves */
        sprites->nominal_size = sprites->largest_size = fmaxf(roundf(sprites->nominal_size), 1);
    sprites->largest_size = fminf(sprites->largest_size, context->point_size_max);
}

static enum status fill(struct sprites *sprites, const struct panel_setup *setup,
                        const struct gl_context *context)
{
    enum status status = choose(sprites, &setup->look);
    if (status != STATUS_OK)
        return status;
    choose_size(sprites, setup, context);
    for (int c = 0; c < 3; c++)
        sprites->plain[c] = (float)setup->look.plain[c];
    sprites->margin = (uint32_t)ceilf(sprites->largest_size / 2);
    if (setup->width + 2 * sprites->margin > (uint32_t)context->texture_size_max ||
        setup->height + 2 * sprites->margin > (uint32_t)context->texture_size_max)
        return status_fail(STATUS_USAGE,
                           "a picture of %ux%u is larger than this GL can draw (%d with a margin "
                           "of %u); ask for a smaller --size",
                           setup->width, setup->height, context->texture_size_max, sprites->margin);
    sprites->group_count = setup->group_count;
    sprites->groups = malloc((size_t)setup->group_count * sizeof *sprites->groups);
    if (!sprites->groups && setup->group_count)
        return status_fail(STATUS_RUNTIME, "no memory left for %d groups of bodies",
                           setup->group_count);
    if (setup->group_count)
        memcpy(sprites->groups, setup->groups,
               (size_t)setup->group_count * sizeof *sprites->groups);
    status = create_program(sprites, &setup->look);
    if (status != STATUS_OK)
        return status;
    create_attributes(sprites, &setup->bodies);
    status = gl_target_create(&sprites->target, GL_RGBA16F,
                              (GLsizei)(setup->width + 2 * sprites->margin),
                              (GLsizei)(setup->height + 2 * sprites->margin));
    gl_target_smooth(&sprites->target);
    return status;
}

enum status sprites_create(struct sprites **out, const struct panel_setup *setup,
                           const struct gl_context *context)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return status_fail(STATUS_RUNTIME, "no memory left for sprites");
    enum status status = fill(*out, setup, context);
    if (status != STATUS_OK)
        sprites_destroy(out);
    return status;
}

void sprites_destroy(struct sprites **sprites)
{
    struct sprites *self = *sprites;
    if (!self)
        return;
    glDeleteProgram(self->program);
    glDeleteVertexArrays(1, &self->vertex_array);
    gl_target_destroy(&self->target);
    free(self->groups);
    free(self);
    *sprites = NULL;
}

void sprites_draw(struct sprites *sprites, const struct camera_pose *pose)
{
    gl_target_bind(&sprites->target);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glUseProgram(sprites->program);
    glUniformMatrix4fv(sprites->view_projection, 1, GL_FALSE, pose->view_projection);
    glUniform3fv(sprites->eye, 1, pose->position);
    glUniform1f(sprites->size_at_unit_depth, sprites->mode->square
                                                 ? sprites->largest_size
                                                 : sprites->nominal_size * pose->distance);
    glBindVertexArray(sprites->vertex_array);
    for (int g = 0; g < sprites->group_count; g++) {
        const struct draw_group *group = &sprites->groups[g];
        glUniform1f(sprites->light, group->light);
        glUniform3fv(sprites->tint, 1, sprites->mode->plain ? sprites->plain : group->tint);
        glDrawArrays(GL_POINTS, (GLint)group->first, (GLsizei)group->count);
    }
    glBindVertexArray(0);
}

const struct gl_target *sprites_target(const struct sprites *sprites)
{
    return &sprites->target;
}

uint32_t sprites_margin(const struct sprites *sprites)
{
    return sprites->margin;
}
