#include "render/gl/gl.h"

#include "base/memory.h"

#include <stdio.h>
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

/* Numbers in a uniform's type; 0: a sampler or another that has no numbers. */
static size_t numbers_in(GLenum type)
{
    switch (type) {
    case GL_FLOAT:
    case GL_INT:
    case GL_UNSIGNED_INT:
    case GL_BOOL:
        return 1;
    case GL_FLOAT_VEC2:
    case GL_INT_VEC2:
        return 2;
    case GL_FLOAT_VEC3:
        return 3;
    case GL_FLOAT_VEC4:
        return 4;
    case GL_FLOAT_MAT4:
        return 16;
    default:
        return 0;
    }
}

void gl_program_values(GLuint program, struct recipe_program *out)
{
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    out->values = memory_new((size_t)count, sizeof *out->values);
    out->value_count = 0;
    for (GLint i = 0; i < count; i++) {
        struct recipe_value *one = &out->values[out->value_count];
        GLint size = 0;
        GLenum type = 0;
        char name[sizeof one->name], element[sizeof name + 16];
        glGetActiveUniform(program, (GLuint)i, sizeof name, NULL, &size, &type, name);
        const size_t each = numbers_in(type);
        if (each == 0)
            continue;
        name[strcspn(name, "[")] = '\0';
        strcpy(one->name, name);
        one->count = each * (size_t)size;
        one->value = memory_new(one->count, sizeof *one->value);
        for (GLint k = 0; k < size; k++) {
            snprintf(element, sizeof element, size > 1 ? "%s[%d]" : "%s", name, k);
            glGetUniformfv(program, glGetUniformLocation(program, element),
                           one->value + (size_t)k * each);
        }
        out->value_count++;
    }
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

/* ---- pass ---- */

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

/* ---- bodies ---- */

enum { ATTRIBUTES = BODY_VECTORS + VIEW_COLUMNS_MAX };

static GLuint create_buffer(size_t floats)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof(float)), NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return buffer;
}

void body_buffers_create(struct body_buffers *out, size_t count, const struct column_names *names,
                         bool ordered)
{
    out->count = count;
    out->position = create_buffer(4 * count);
    out->velocity = create_buffer(4 * count);
    if (ordered) {
        out->order = create_buffer(count);
        out->along.position = create_buffer(4 * count);
        out->along.velocity = create_buffer(4 * count);
        out->along.distance = create_buffer(count);
    }
    out->names = *names;
    for (int k = 0; k < names->count; k++)
        out->columns[k] = create_buffer(count);
}

static void empty(GLuint buffer)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 0, NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void body_buffers_only_along(struct body_buffers *buffers)
{
    const int distance = column_names_find(&buffers->names, COLUMN_DISTANCE);
    buffers->only_along = true;
    empty(buffers->position);
    empty(buffers->velocity);
    if (distance >= 0)
        empty(buffers->columns[distance]);
}

void body_buffers_destroy(struct body_buffers *buffers)
{
    glDeleteBuffers(1, &buffers->position);
    glDeleteBuffers(1, &buffers->velocity);
    glDeleteBuffers(1, &buffers->order);
    glDeleteBuffers(1, &buffers->along.position);
    glDeleteBuffers(1, &buffers->along.velocity);
    glDeleteBuffers(1, &buffers->along.distance);
    glDeleteBuffers(VIEW_COLUMNS_MAX, buffers->columns);
    memset(buffers, 0, sizeof *buffers);
}

static void point_at(const struct body_array *array, size_t first)
{
    for (int i = 0; i < ATTRIBUTES; i++) {
        const GLint floats = i < BODY_VECTORS ? 4 : 1;
        if (!array->buffers[i])
            continue;
        glBindBuffer(GL_ARRAY_BUFFER, array->buffers[i]);
        glVertexAttribPointer((GLuint)i, floats, GL_FLOAT, GL_FALSE, 0,
                              (const char *)NULL + first * (size_t)floats * sizeof(float));
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static GLuint find(const struct body_buffers *bodies, const char *name)
{
    for (int k = 0; k < bodies->names.count; k++)
        if (strcmp(bodies->names.list[k], name) == 0)
            return bodies->columns[k];
    return 0;
}

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       const struct column_names *names, bool quads)
{
    *out = (struct body_array){.buffers = {bodies->position, bodies->velocity, reference},
                               .order = bodies->order,
                               .quads = quads};
    for (int k = 0; k < names->count; k++)
        out->buffers[BODY_COLUMNS + k] = find(bodies, names->list[k]);
    if (bodies->order) {
        const int distance = column_names_find(names, COLUMN_DISTANCE);
        memcpy(out->along, out->buffers, sizeof out->along);
        out->along[0] = bodies->along.position;
        out->along[1] = bodies->along.velocity;
        if (distance >= 0)
            out->along[BODY_COLUMNS + distance] = bodies->along.distance;
    }
    glGenVertexArrays(1, &out->vertex_array);
    glBindVertexArray(out->vertex_array);
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (!out->buffers[i])
            continue;
        glEnableVertexAttribArray((GLuint)i);
        glVertexAttribDivisor((GLuint)i, quads ? 1 : 0);
    }
    point_at(out, 0);
    glBindVertexArray(0);
}

void body_array_destroy(struct body_array *array)
{
    glDeleteVertexArrays(1, &array->vertex_array);
    memset(array, 0, sizeof *array);
}

void body_array_draw(const struct body_array *array, size_t first, size_t count, unsigned times)
{
    glBindVertexArray(array->vertex_array);
    if (array->quads) { /* GL 3.3 has no base instance */
        for (GLuint i = 0; i < ATTRIBUTES; i++)
            glVertexAttribDivisor(i, times);
        point_at(array, first);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)(count * times));
    } else {
        glEnable(GL_PROGRAM_POINT_SIZE);
        glDrawArraysInstanced(GL_POINTS, (GLint)first, (GLsizei)count, (GLsizei)times);
    }
    glBindVertexArray(0);
}
