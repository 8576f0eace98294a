#include "render/sprites.h"

#include "render/colour.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_sprite_vert[], shader_sprite_frag[];

/* Below this diameter a round profile can fall between pixel centres. */
static const float smallest_sprite = 3.0f;
/* Bodies near the camera grow up to this many times the nominal size. */
static const float largest_growth = 6.0f;

struct sprites {
    struct gl_target target;
    uint32_t margin;
    float nominal_size, largest_size;
    GLuint program, vertex_array, position_buffer, velocity_buffer;
    GLint view_projection, size_at_unit_depth, light, tint;
    int group_count;
    struct draw_group *groups;
};

static enum status find_colour(const struct colour **out, const char *name)
{
    *out = colour_find(name);
    if (*out)
        return STATUS_OK;
    char names[256] = "";
    for (const struct colour *const *colour = colours; *colour; colour++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? ", " : "",
                 (*colour)->name);
    return status_fail(STATUS_USAGE, "there is no colour mode '%s'; choose one of %s", name, names);
}

static enum status create_program(struct sprites *sprites, const struct look_params *look)
{
    const struct colour *colour;
    enum status status = find_colour(&colour, look->color);
    if (status != STATUS_OK)
        return status;
    char head[4096];
    snprintf(head, sizeof head,
             "layout(location = 0) in vec4 position;\n" /* x y z mass */
             "layout(location = 1) in vec4 velocity;\n" /* vx vy vz, size of the acceleration */
             "%s",
             colour->glsl);
    char *vertex = malloc(strlen(head) + strlen(shader_sprite_vert) + 1);
    if (!vertex)
        return status_fail(STATUS_RUNTIME, "no memory left for a shader");
    strcpy(vertex, head);
    strcat(vertex, shader_sprite_vert);
    status = gl_program(&sprites->program, "sprite", vertex, shader_sprite_frag, "");
    free(vertex);
    if (status != STATUS_OK)
        return status;
    glUseProgram(sprites->program);
    sprites->view_projection = glGetUniformLocation(sprites->program, "view_projection");
    sprites->size_at_unit_depth = glGetUniformLocation(sprites->program, "size_at_unit_depth");
    sprites->light = glGetUniformLocation(sprites->program, "light");
    sprites->tint = glGetUniformLocation(sprites->program, "tint");
    glUniform2f(glGetUniformLocation(sprites->program, "size_limits"), smallest_sprite,
                sprites->largest_size);
    glUniform1f(glGetUniformLocation(sprites->program, "speed"), (float)look->speed);
    glUniform1f(glGetUniformLocation(sprites->program, "saturation"), (float)look->saturation);
    return STATUS_OK;
}

static void create_buffers(struct sprites *sprites, size_t count)
{
    glGenVertexArrays(1, &sprites->vertex_array);
    glBindVertexArray(sprites->vertex_array);
    GLuint *buffers[2] = {&sprites->position_buffer, &sprites->velocity_buffer};
    for (GLuint i = 0; i < 2; i++) {
        glGenBuffers(1, buffers[i]);
        glBindBuffer(GL_ARRAY_BUFFER, *buffers[i]);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * 4 * sizeof(float)), NULL,
                     GL_STREAM_DRAW);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindVertexArray(0);
}

static enum status fill(struct sprites *sprites, const struct renderer_params *params,
                        const struct gl_context *context)
{
    sprites->nominal_size = (float)(params->look.point_size * params->height / 1080.0);
    sprites->largest_size = fminf(fmaxf(sprites->nominal_size, smallest_sprite) * largest_growth,
                                  context->point_size_max);
    sprites->margin = (uint32_t)ceilf(sprites->largest_size / 2);
    if (params->width + 2 * sprites->margin > (uint32_t)context->texture_size_max ||
        params->height + 2 * sprites->margin > (uint32_t)context->texture_size_max)
        return status_fail(STATUS_USAGE,
                           "a picture of %ux%u is larger than this GL can draw (%d with a margin "
                           "of %u); ask for a smaller --size",
                           params->width, params->height, context->texture_size_max,
                           sprites->margin);
    sprites->group_count = params->group_count;
    sprites->groups = malloc((size_t)params->group_count * sizeof *sprites->groups);
    if (!sprites->groups && params->group_count)
        return status_fail(STATUS_RUNTIME, "no memory left for %d groups of bodies",
                           params->group_count);
    if (params->group_count)
        memcpy(sprites->groups, params->groups,
               (size_t)params->group_count * sizeof *sprites->groups);
    enum status status = create_program(sprites, &params->look);
    if (status != STATUS_OK)
        return status;
    create_buffers(sprites, params->count);
    status = gl_target_create(&sprites->target, GL_RGBA16F,
                              (GLsizei)(params->width + 2 * sprites->margin),
                              (GLsizei)(params->height + 2 * sprites->margin));
    gl_target_smooth(&sprites->target);
    return status;
}

enum status sprites_create(struct sprites **out, const struct renderer_params *params,
                           const struct gl_context *context)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return status_fail(STATUS_RUNTIME, "no memory left for sprites");
    enum status status = fill(*out, params, context);
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
    glDeleteBuffers(1, &self->position_buffer);
    glDeleteBuffers(1, &self->velocity_buffer);
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
    glUniform1f(sprites->size_at_unit_depth, sprites->nominal_size * pose->distance);
    glBindVertexArray(sprites->vertex_array);
    for (int g = 0; g < sprites->group_count; g++) {
        const struct draw_group *group = &sprites->groups[g];
        glUniform1f(sprites->light, group->light);
        glUniform3fv(sprites->tint, 1, group->tint);
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

GLuint sprites_position_buffer(const struct sprites *sprites)
{
    return sprites->position_buffer;
}

GLuint sprites_velocity_buffer(const struct sprites *sprites)
{
    return sprites->velocity_buffer;
}
