#include "render/post/bloom.h"

#include "base/memory.h"
#include "render/gl/pass.h"

#include <stdlib.h>

extern const char shader_bloom_down_glsl[], shader_bloom_up_glsl[];

/* The finest level has a quarter of the picture's rows. The coarsest one, which sets the extent of
 * the glow, has about COARSEST_ROWS for any picture size. */
enum { LEVELS_MAX = 12, COARSEST_ROWS = 12 };

/* The share of the glow that each level keeps; the rest goes to coarser levels. */
static const float near_share = 0.4f;

struct bloom {
    struct gl_target level[LEVELS_MAX];
    struct gl_target spare; /* as large as the finest level */
    int levels;
    struct bloom_pass {
        struct gl_pass pass;
        GLint source_texel;
    } quarter, half, smooth, up;
};

static enum status create_pass(struct bloom_pass *out, const struct gl_context *context,
                               const char *name, const char *shade, const char *defines,
                               float keeps)
{
    enum status status = gl_pass_create(&out->pass, context, name, shade, defines, keeps);
    out->source_texel = status == STATUS_OK ? gl_pass_uniform(&out->pass, "source_texel") : -1;
    return status;
}

static enum status create_passes(struct bloom *bloom, const struct gl_context *context)
{
    enum status status = create_pass(&bloom->quarter, context, "bloom_down", shader_bloom_down_glsl,
                                     "#define QUARTER\n", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->half, context, "bloom_down", shader_bloom_down_glsl, "", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->smooth, context, "bloom_up", shader_bloom_up_glsl, "", 0);
    if (status == STATUS_OK)
        status = create_pass(&bloom->up, context, "bloom_up", shader_bloom_up_glsl, "", near_share);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&bloom->smooth.pass);
    glUniform1f(gl_pass_uniform(&bloom->smooth.pass, "step_size"), 1);
    glUniform1f(gl_pass_uniform(&bloom->smooth.pass, "weight"), 1);
    gl_pass_use(&bloom->up.pass);
    glUniform1f(gl_pass_uniform(&bloom->up.pass, "step_size"), 0.5f);
    glUniform1f(gl_pass_uniform(&bloom->up.pass, "weight"), 1.0f - near_share);
    return STATUS_OK;
}

static enum status fill(struct bloom *bloom, const struct gl_context *context, GLsizei width,
                        GLsizei height, bool joined)
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
    return status == STATUS_OK ? create_passes(bloom, context) : status;
}

enum status bloom_create(struct bloom **out, const struct gl_context *context, GLsizei width,
                         GLsizei height, bool joined)
{
    *out = memory_new(1, sizeof **out);
    enum status status = fill(*out, context, width, height, joined);
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
    gl_pass_destroy(&(*bloom)->quarter.pass);
    gl_pass_destroy(&(*bloom)->half.pass);
    gl_pass_destroy(&(*bloom)->smooth.pass);
    gl_pass_destroy(&(*bloom)->up.pass);
    free(*bloom);
    *bloom = NULL;
}

static void draw(const struct bloom_pass *pass, const struct gl_target *from,
                 const struct gl_target *to)
{
    glUniform2f(pass->source_texel, 1.0f / (GLfloat)from->width, 1.0f / (GLfloat)from->height);
    glBindTexture(GL_TEXTURE_2D, from->texture);
    gl_pass_draw(&pass->pass, to);
}

void bloom_make(struct bloom *bloom, const struct gl_target *light)
{
    gl_pass_use(&bloom->quarter.pass);
    draw(&bloom->quarter, light, &bloom->level[0]);
    gl_pass_use(&bloom->half.pass);
    for (int i = 1; i < bloom->levels; i++)
        draw(&bloom->half, &bloom->level[i - 1], &bloom->level[i]);
    /* The finest level is smoothed as well, because its texels would shimmer. */
    gl_pass_use(&bloom->smooth.pass);
    draw(&bloom->smooth, &bloom->level[0], &bloom->spare);
    draw(&bloom->smooth, &bloom->spare, &bloom->level[0]);
    gl_pass_use(&bloom->up.pass);
    for (int i = bloom->levels - 2; i >= 0; i--)
        draw(&bloom->up, &bloom->level[i + 1], &bloom->level[i]);
}

const struct gl_target *bloom_target(const struct bloom *bloom)
{
    return &bloom->level[0];
}
