#include "render/gl/util.h"

#include "base/memory.h"

#include <string.h>

static enum status compile(GLuint *out, const struct gl_stage *stage, const char *name,
                           const char *defines)
{
    const char *parts[] = {stage->version, defines, "#line 1\n", stage->text[0], stage->text[1]};
    *out = glCreateShader(stage->stage);
    glShaderSource(*out, sizeof parts / sizeof parts[0], parts, NULL);
    glCompileShader(*out);
    GLint good = GL_FALSE;
    glGetShaderiv(*out, GL_COMPILE_STATUS, &good);
    if (good)
        return STATUS_OK;
    char log[512] = "";
    glGetShaderInfoLog(*out, sizeof log, NULL, log);
    return status_fail(STATUS_DEVICE, "shader '%s' does not compile on this GL driver: %s", name,
                       log);
}

static enum status link_program(GLuint program, const char *name)
{
    glLinkProgram(program);
    GLint good = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good)
        return STATUS_OK;
    char log[512] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    return status_fail(STATUS_DEVICE, "program '%s' does not link on this GL driver: %s", name,
                       log);
}

enum status gl_program_of(GLuint *out, const char *name, const struct gl_stage *stages, int count,
                          const char *defines)
{
    return gl_program_capturing(out, name, stages, count, defines, NULL, 0);
}

enum status gl_program_capturing(GLuint *out, const char *name, const struct gl_stage *stages,
                                 int count, const char *defines, const char *const *captured,
                                 int most)
{
    enum status status = STATUS_OK;
    *out = glCreateProgram();
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        GLuint shader;
        status = compile(&shader, &stages[i], name, defines);
        if (status == STATUS_OK)
            glAttachShader(*out, shader);
        glDeleteShader(shader); /* it lives as long as the program */
    }
    int outputs = 0;
    while (outputs < most && captured[outputs])
        outputs++;
    if (outputs > 0)
        glTransformFeedbackVaryings(*out, outputs, captured, GL_INTERLEAVED_ATTRIBS);
    if (status == STATUS_OK)
        status = link_program(*out, name);
    if (status != STATUS_OK) {
        glDeleteProgram(*out);
        *out = 0;
    }
    return status;
}

enum status gl_program(GLuint *out, const char *name, const char *vertex, const char *fragment,
                       const char *defines)
{
    const struct gl_stage stages[] = {
        {GL_VERTEX_SHADER, "#version 330 core\n", {vertex, ""}},
        {GL_FRAGMENT_SHADER, "#version 330 core\n", {fragment, ""}},
    };
    return gl_program_of(out, name, stages, 2, defines);
}

enum status gl_target_create(struct gl_target *out, GLenum internal_format, GLsizei width,
                             GLsizei height)
{
    *out = (struct gl_target){.format = internal_format, .width = width, .height = height};
    glGenTextures(1, &out->texture);
    glBindTexture(GL_TEXTURE_2D, out->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal_format, width, height, 0, GL_RGBA, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glGenFramebuffers(1, &out->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, out->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, out->texture, 0);
    enum status status = STATUS_OK;
    if (glGetError() != GL_NO_ERROR ||
        glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        status = status_fail(
            STATUS_DEVICE, "a %dx%d drawing target (format 0x%x) does not fit this GL driver; %s",
            width, height, internal_format, limits_advice("ask for a smaller --size"));
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    return status;
}

void gl_target_smooth(const struct gl_target *target)
{
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void gl_target_border(const struct gl_target *target)
{
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void gl_target_wrap(const struct gl_target *target)
{
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void gl_target_destroy(struct gl_target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(1, &target->texture);
    memset(target, 0, sizeof *target);
}

void gl_target_bind(const struct gl_target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void gl_target_read(const struct gl_target *target, GLenum format, void *out)
{
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glGetTexImage(GL_TEXTURE_2D, 0, format, GL_FLOAT, out);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void gl_target_write(const struct gl_target *target, GLenum format, const float *from)
{
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, target->width, target->height, format, GL_FLOAT, from);
    glBindTexture(GL_TEXTURE_2D, 0);
}

void gl_target_start_adding(const struct gl_target *target)
{
    gl_target_bind(target);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
}

enum status gl_check(const char *what)
{
    GLenum first = glGetError();
    if (first == GL_NO_ERROR)
        return STATUS_OK;
    /* A lost context reports the same error forever. */
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; i++) {
    }
    return status_fail(STATUS_RUNTIME, "%s failed in the GL driver (error 0x%x)%s", what, first,
                       first == GL_OUT_OF_MEMORY  ? ": out of memory, ask for a smaller --size"
                       : first == GL_CONTEXT_LOST ? ": the device was reset or taken away"
                                                  : "");
}
