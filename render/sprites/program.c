#include "render/sprites/program.h"

#include "render/gl/util.h"
#include "render/sprites/weight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_sprite_vert[], shader_sprite_frag[], shader_sprite_place_glsl[],
    shader_colour_map_glsl[], shader_colour_common_glsl[];

static enum status check(const struct sprite_look *out, const struct sprites_setup *setup)
{
    if (out->by_mass && setup->group_count > 0 && !(setup->found.mean_mass > 0))
        return status_fail(STATUS_USAGE, "look.weight is mass, and the bodies that are drawn have "
                                         "none; let it be component");
    if (out->mode->counts && setup->whole_sphere)
        return status_fail(STATUS_USAGE,
                           "look.mode is %s, which has no cells around the whole sphere; choose "
                           "another camera.projection than equirect",
                           out->mode->name);
    if (out->mode->counts && setup->reference)
        return status_fail(STATUS_USAGE,
                           "a panel of the mode %s counts bodies and cannot show their difference; "
                           "give it another mode",
                           out->mode->name);
    return STATUS_OK;
}

enum status sprite_look_choose(struct sprite_look *out, const struct sprites_setup *setup)
{
    const struct look_params *look = &setup->look;
    *out = (struct sprite_look){.mode = look->mode,
                                .colour = look->color,
                                .map = look->map,
                                .profile = look->profile,
                                .by_mass = look->weight->by_mass};
    if (setup->reference)
        out->colour = &colour_difference;
    else if (out->mode->plain)
        out->colour = &colour_plain;
    return check(out, setup);
}

char *sprite_program_join(const char *const *texts)
{
    size_t size = 1;
    for (size_t i = 0; texts[i]; i++)
        size += strlen(texts[i]);
    char *joined = malloc(size), *at = joined;
    for (size_t i = 0; joined && texts[i]; i++) {
        const size_t length = strlen(texts[i]);
        memcpy(at, texts[i], length);
        at += length;
    }
    if (joined)
        *at = '\0';
    return joined;
}

static enum status compile(GLuint *out, const struct sprite_look *look, bool quads)
{
    const char *const texts[] = {shader_colour_map_glsl, shader_colour_common_glsl,
                                 look->colour->glsl,     shader_sprite_place_glsl,
                                 shader_sprite_vert,     NULL};
    char *vertex = sprite_program_join(texts), defines[128];
    if (!vertex)
        return status_fail(STATUS_RUNTIME, "no memory left for a shader");
    snprintf(defines, sizeof defines, "%s%s%s", quads ? "#define QUADS\n" : "",
             look->mode->square ? "#define SQUARE\n#define FIXED\n" : "",
             look->by_mass ? "#define BY_MASS\n" : "");
    const struct gl_stage stages[] = {
        {GL_VERTEX_SHADER, "#version 330 core\n", {vertex, ""}},
        {GL_FRAGMENT_SHADER, "#version 330 core\n", {look->profile->glsl, shader_sprite_frag}},
    };
    enum status status = gl_program_of(out, "sprite", stages, 2, defines);
    free(vertex);
    return status;
}

void sprite_program_set_map(GLuint program, const struct colour_map *map, double saturation)
{
    float stops[COLOUR_MAP_STOPS][3];
    for (int i = 0; i < COLOUR_MAP_STOPS; i++)
        colour_map_at(map, (float)i / (COLOUR_MAP_STOPS - 1), stops[i]);
    glUniform3fv(glGetUniformLocation(program, "map"), COLOUR_MAP_STOPS, stops[0]);
    glUniform1f(glGetUniformLocation(program, "saturation"), (float)saturation);
}

static void set_scales(GLuint program, const struct sprites_setup *setup)
{
    const struct look_params *look = &setup->look;
    const struct look_found *found = &setup->found;
    const double speed = look->speed > 0 ? look->speed : found->speed;
    const double acceleration = look->acceleration > 0 ? look->acceleration : found->acceleration;
    glUniform1f(glGetUniformLocation(program, "speed"), (float)speed);
    glUniform1f(glGetUniformLocation(program, "acceleration"), (float)acceleration);
    glUniform1f(glGetUniformLocation(program, "densest"), (float)fmax(found->densest, 2));
    glUniform1f(glGetUniformLocation(program, "extent"), (float)found->extent);
}

enum status sprite_program_create(struct sprite_program *out, const struct sprite_look *look,
                                  const struct sprites_setup *setup, const struct sprite_size *size,
                                  GLsizei width, GLsizei height)
{
    *out = (struct sprite_program){0};
    enum status status = compile(&out->program, look, size->quads);
    if (status != STATUS_OK)
        return status;
    const GLuint program = out->program;
    out->view_projection = glGetUniformLocation(program, "view_projection");
    out->eye = glGetUniformLocation(program, "eye");
    out->shift = glGetUniformLocation(program, "shift");
    out->moment = glGetUniformLocation(program, "moment");
    out->size_at_unit_depth = glGetUniformLocation(program, "size_at_unit_depth");
    out->light = glGetUniformLocation(program, "light");
    out->tint = glGetUniformLocation(program, "tint");
    out->to_map = glGetUniformLocation(program, "to_map");
    glUseProgram(program);
    set_scales(program, setup);
    sprite_program_set_map(program, look->map, setup->look.saturation);
    glUniform1i(glGetUniformLocation(program, "density"), 0);
    glUniform3f(glGetUniformLocation(program, "size_limits"), size->smallest, size->largest,
                size->fading);
    glUniform2f(glGetUniformLocation(program, "target_size"), (GLfloat)width, (GLfloat)height);
    return STATUS_OK;
}

void sprite_program_destroy(struct sprite_program *program)
{
    glDeleteProgram(program->program);
    *program = (struct sprite_program){0};
}
