#include "render/bloom.h"

#include <stdlib.h>

extern const char shader_fullscreen_vert[], shader_bloom_down_frag[], shader_bloom_up_frag[];

/* The finest level is a quarter of the picture; the coarsest one, the reach of the glow, is so many
 * texels high whatever the picture's size. */
enum { LEVELS_MAX = 12, COARSEST_ROWS = 12 };

/* How much of the glow each level keeps; the rest is left to the coarser ones. */
static const float near_share = 0.4f;

struct bloom {
    struct gl_target level[LEVELS_MAX];
    struct gl_target spare; /* as large as the finest level */
    int levels;
    GLuint quarter, half, up;
    GLint quarter_texel, half_texel, up_texel, up_step, up_weight;
};

static enum status fill(struct bloom *bloom, GLsizei width, GLsizei height, bool joined)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < LEVELS_MAX && status == STATUS_OK && (i == 0 || height > COARSEST_ROWS);
         i++) {
        const int factor = i == 0 ? BLOOM_FACTOR : 2;
        width = (width + factor - 1) / factor;
        height = (height + factor - 1) / factor;
        status = gl_target_create(&bloom->level[i], GL_RGBA16F, width, height);
        bloom->levels = i + 1;
    }
    if (status == STATUS_OK)
        status = gl_target_create(&bloom->spare, GL_RGBA16F, bloom->level[0].width,
                                  bloom->level[0].height);
    for (int i = 0; i <= bloom->levels && status == STATUS_OK; i++) {
        const struct gl_target *target = i < bloom->levels ? &bloom->level[i] : &bloom->spare;
        gl_target_smooth(target);
        if (joined)
            gl_target_wrap(target);
    }
    if (status == STATUS_OK)
        status = gl_program(&bloom->quarter, "bloom_down", shader_fullscreen_vert,
                            shader_bloom_down_frag, "#define QUARTER\n");
    if (status == STATUS_OK)
        status = gl_program(&bloom->half, "bloom_down", shader_fullscreen_vert,
                            shader_bloom_down_frag, "");
    if (status == STATUS_OK)
        status =
            gl_program(&bloom->up, "bloom_up", shader_fullscreen_vert, shader_bloom_up_frag, "");
    if (status != STATUS_OK)
        return status;
    bloom->quarter_texel = glGetUniformLocation(bloom->quarter, "source_texel");
    bloom->half_texel = glGetUniformLocation(bloom->half, "source_texel");
    bloom->up_texel = glGetUniformLocation(bloom->up, "source_texel");
    bloom->up_step = glGetUniformLocation(bloom->up, "step_size");
    bloom->up_weight = glGetUniformLocation(bloom->up, "weight");
    return STATUS_OK;
}

enum status bloom_create(struct bloom **out, GLsizei width, GLsizei height, bool joined)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return status_fail(STATUS_RUNTIME, "no memory left for the glow");
    enum status status = fill(*out, width, height, joined);
    if (status != STATUS_OK)
        bloom_destroy(out);
    return status;
}

void bloom_destroy(struct bloom **bloom)
{
    if (!*bloom)
        return;
    for (int i = 0; i < LEVELS_MAX; i++)
        gl_target_destroy(&(*bloom)->level[i]);
    gl_target_destroy(&(*bloom)->spare);
    glDeleteProgram((*bloom)->quarter);
    glDeleteProgram((*bloom)->half);
    glDeleteProgram((*bloom)->up);
    free(*bloom);
    *bloom = NULL;
}

static void pass(const struct gl_target *from, const struct gl_target *to, GLint texel)
{
    glUniform2f(texel, 1.0f / (GLfloat)from->width, 1.0f / (GLfloat)from->height);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    gl_target_bind(to);
    gl_draw_fullscreen();
}

void bloom_make(struct bloom *bloom, const struct gl_target *light)
{
    glDisable(GL_BLEND);
    glUseProgram(bloom->quarter);
    pass(light, &bloom->level[0], bloom->quarter_texel);
    glUseProgram(bloom->half);
    for (int i = 1; i < bloom->levels; i++)
        pass(&bloom->level[i - 1], &bloom->level[i], bloom->half_texel);
    /* The finest level is smoothed as well: what is left of its texels would shimmer. */
    glUseProgram(bloom->up);
    glUniform1f(bloom->up_step, 1);
    glUniform1f(bloom->up_weight, 1);
    pass(&bloom->level[0], &bloom->spare, bloom->up_texel);
    pass(&bloom->spare, &bloom->level[0], bloom->up_texel);
    glUniform1f(bloom->up_step, 0.5f);
    glUniform1f(bloom->up_weight, 1.0f - near_share);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_CONSTANT_ALPHA);
    glBlendColor(0, 0, 0, near_share);
    for (int i = bloom->levels - 2; i >= 0; i--)
        pass(&bloom->level[i + 1], &bloom->level[i], bloom->up_texel);
    glDisable(GL_BLEND);
}

const struct gl_target *bloom_target(const struct bloom *bloom)
{
    return &bloom->level[0];
}
