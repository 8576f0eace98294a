#include "render/gl/bodies.h"

#include <string.h>

enum { BODY_BYTES = 4 * sizeof(float) };

static GLuint create_buffer(size_t count)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * BODY_BYTES), NULL, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return buffer;
}

void body_buffers_create(struct body_buffers *out, size_t count)
{
    out->position = create_buffer(count);
    out->velocity = create_buffer(count);
}

void body_buffers_destroy(struct body_buffers *buffers)
{
    glDeleteBuffers(1, &buffers->position);
    glDeleteBuffers(1, &buffers->velocity);
    memset(buffers, 0, sizeof *buffers);
}

static void point_at(const struct body_array *array, size_t first)
{
    for (int i = 0; i < array->attributes; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, array->buffers[i]);
        glVertexAttribPointer((GLuint)i, 4, GL_FLOAT, GL_FALSE, 0,
                              (const char *)NULL + first * BODY_BYTES);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       bool quads)
{
    *out = (struct body_array){.buffers = {bodies->position, bodies->velocity, reference},
                               .attributes = reference ? 3 : 2,
                               .quads = quads};
    glGenVertexArrays(1, &out->vertex_array);
    glBindVertexArray(out->vertex_array);
    for (int i = 0; i < out->attributes; i++) {
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
