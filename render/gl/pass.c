#include "render/gl/pass.h"

#include <stdio.h>
#include <string.h>

extern const char shader_fullscreen_vert[], shader_pass_fragment_glsl[], shader_pass_compute_glsl[];

enum { GROUP_WIDTH = 32, GROUP_HEIGHT = 8 };

static enum status create_drawn(struct gl_pass *pass, const char *name, const char *shade,
                                const char *defines)
{
    const struct gl_stage stages[] = {
        {GL_VERTEX_SHADER, "#version 330 core\n", {shader_fullscreen_vert, ""}},
        {GL_FRAGMENT_SHADER, "#version 330 core\n", {shade, shader_pass_fragment_glsl}},
    };
    return gl_program_of(&pass->program, name, stages, 2, defines);
}

static enum status create_computed(struct gl_pass *pass, const char *name, const char *shade,
                                   const char *defines)
{
    const struct gl_stage stage = {
        GL_COMPUTE_SHADER, "#version 430 core\n", {shade, shader_pass_compute_glsl}};
    char all[512], keeps[64] = "";
    if (pass->keeps > 0)
        snprintf(keeps, sizeof keeps, "#define KEEPS %.9f\n", (double)pass->keeps);
    const int length =
        snprintf(all, sizeof all, "%s%s#define GROUP_WIDTH %d\n#define GROUP_HEIGHT %d\n", defines,
                 keeps, (int)GROUP_WIDTH, (int)GROUP_HEIGHT);
    if (length < 0 || (size_t)length >= sizeof all)
        return status_fail(STATUS_RUNTIME, "shader '%s' has too many defines (%d characters)", name,
                           length);
    return gl_program_of(&pass->program, name, &stage, 1, all);
}

enum status gl_pass_create(struct gl_pass *out, const struct gl_context *context, const char *name,
                           const char *shade, const char *defines, float keeps)
{
    *out = (struct gl_pass){.compute = context->compute_passes, .keeps = keeps};
    enum status status = out->compute ? create_computed(out, name, shade, defines)
                                      : create_drawn(out, name, shade, defines);
    if (status != STATUS_OK)
        return status;
    out->corner = glGetUniformLocation(out->program, "corner");
    out->extent = glGetUniformLocation(out->program, "extent");
    return STATUS_OK;
}

void gl_pass_destroy(struct gl_pass *pass)
{
    glDeleteProgram(pass->program);
    memset(pass, 0, sizeof *pass);
}

GLint gl_pass_uniform(const struct gl_pass *pass, const char *name)
{
    return glGetUniformLocation(pass->program, name);
}

void gl_pass_use(const struct gl_pass *pass)
{
    glUseProgram(pass->program);
}

static void draw(const struct gl_pass *pass, const struct gl_target *target, GLint x, GLint y,
                 GLsizei width, GLsizei height)
{
    gl_target_bind(target);
    glViewport(x, y, width, height);
    if (pass->keeps > 0) {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_CONSTANT_ALPHA);
        glBlendColor(0, 0, 0, pass->keeps);
    } else {
        glDisable(GL_BLEND);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisable(GL_BLEND);
}

static void compute(const struct gl_pass *pass, const struct gl_target *target, GLsizei width,
                    GLsizei height)
{
    glUniform2i(pass->extent, width, height);
    glBindImageTexture(0, target->texture, 0, GL_FALSE, 0,
                       pass->keeps > 0 ? GL_READ_WRITE : GL_WRITE_ONLY, target->format);
    glDispatchCompute(((GLuint)width + GROUP_WIDTH - 1) / GROUP_WIDTH,
                      ((GLuint)height + GROUP_HEIGHT - 1) / GROUP_HEIGHT, 1);
    /* Covers everything that may come next: a texture fetch, another pass's image (whose stores
     * must also wait for this pass's reads), blending onto the target or reading it back, a texture
     * mapped by CUDA. */
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT |
                    GL_FRAMEBUFFER_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
}

void gl_pass_draw_part(const struct gl_pass *pass, const struct gl_target *target, GLint x, GLint y,
                       GLsizei width, GLsizei height)
{
    glUniform2i(pass->corner, x, y);
    if (pass->compute)
        compute(pass, target, width, height);
    else
        draw(pass, target, x, y, width, height);
}

void gl_pass_draw(const struct gl_pass *pass, const struct gl_target *target)
{
    gl_pass_draw_part(pass, target, 0, 0, target->width, target->height);
}
