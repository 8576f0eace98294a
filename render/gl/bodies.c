#include "render/gl/bodies.h"

#include <string.h>

enum {
    BODY_BYTES = 4 * sizeof(float),
    NEAR = 3,
    ATTRIBUTES = 4,
    DISPERSION = 4,
    QUANTITY = 5,
    KERNEL = 6
};

static GLuint create_buffer(size_t bytes)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return buffer;
}

void body_buffers_create(struct body_buffers *out, size_t count, unsigned near_floats)
{
    out->count = count;
    out->position = create_buffer(count * BODY_BYTES);
    out->velocity = create_buffer(count * BODY_BYTES);
    out->near_floats = near_floats;
    if (near_floats > 0)
        out->near = create_buffer(count * near_floats * sizeof(float));
}

void body_buffers_destroy(struct body_buffers *buffers)
{
    glDeleteBuffers(1, &buffers->position);
    glDeleteBuffers(1, &buffers->velocity);
    glDeleteBuffers(1, &buffers->near);
    memset(buffers, 0, sizeof *buffers);
}

GLuint body_numbers_create(const float *numbers, size_t count)
{
    const GLuint buffer = create_buffer(count * sizeof *numbers);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * sizeof *numbers), numbers, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return buffer;
}

/* One of each body, in a buffer of its own. */
static void point_at_numbers(GLuint buffer, GLuint attribute, size_t first)
{
    if (!buffer)
        return;
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(attribute, 1, GL_FLOAT, GL_FALSE, 0,
                          (const char *)NULL + first * sizeof(float));
}

static void point_at(const struct body_array *array, size_t first)
{
    for (int i = 0; i < ATTRIBUTES; i++) {
        const GLint floats = i == NEAR ? 1 : 4;
        if (!array->buffers[i])
            continue;
        glBindBuffer(GL_ARRAY_BUFFER, array->buffers[i]);
        glVertexAttribPointer((GLuint)i, floats, GL_FLOAT, GL_FALSE, 0,
                              (const char *)NULL + first * (size_t)floats * sizeof(float));
    }
    if (array->dispersion > 0) { /* of the buffer of near, which is bound */
        glVertexAttribPointer(DISPERSION, 1, GL_FLOAT, GL_FALSE, 0,
                              (const char *)NULL + array->dispersion + first * sizeof(float));
    }
    point_at_numbers(array->quantity, QUANTITY, first);
    point_at_numbers(array->kernel, KERNEL, first);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void enable_numbers(GLuint buffer, GLuint attribute, bool quads)
{
    if (!buffer)
        return;
    glEnableVertexAttribArray(attribute);
    glVertexAttribDivisor(attribute, quads ? 1 : 0);
}

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       bool near, bool quads)
{
    *out = (struct body_array){
        .buffers = {bodies->position, bodies->velocity, reference, near ? bodies->near : 0},
        .quantity = bodies->quantity,
        .kernel = bodies->kernel,
        .quads = quads};
    glGenVertexArrays(1, &out->vertex_array);
    glBindVertexArray(out->vertex_array);
    for (int i = 0; i < ATTRIBUTES; i++) {
        if (!out->buffers[i])
            continue;
        glEnableVertexAttribArray((GLuint)i);
        glVertexAttribDivisor((GLuint)i, quads ? 1 : 0);
    }
    if (near && bodies->near_floats > 1) {
        out->dispersion = bodies->count * sizeof(float);
        glEnableVertexAttribArray(DISPERSION);
        glVertexAttribDivisor(DISPERSION, quads ? 1 : 0);
    }
    enable_numbers(out->quantity, QUANTITY, quads);
    enable_numbers(out->kernel, KERNEL, quads);
    point_at(out, 0);
    glBindVertexArray(0);
}

void body_array_destroy(struct body_array *array)
{
    glDeleteVertexArrays(1, &array->vertex_array);
    memset(array, 0, sizeof *array);
}

void body_array_draw(const struct body_array *array, size_t first, size_t count)
{
    glBindVertexArray(array->vertex_array);
    if (array->quads) { /* GL 3.3 has no first instance */
        point_at(array, first);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)count);
    } else {
        glEnable(GL_PROGRAM_POINT_SIZE);
        glDrawArrays(GL_POINTS, (GLint)first, (GLsizei)count);
    }
    glBindVertexArray(0);
}
