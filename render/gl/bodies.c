#include "render/gl/bodies.h"

#include <string.h>

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

void body_buffers_create(struct body_buffers *out, size_t count, const struct column_names *names)
{
    out->count = count;
    out->position = create_buffer(4 * count);
    out->velocity = create_buffer(4 * count);
    out->names = *names;
    for (int k = 0; k < names->count; k++)
        out->columns[k] = create_buffer(count);
}

void body_buffers_destroy(struct body_buffers *buffers)
{
    glDeleteBuffers(1, &buffers->position);
    glDeleteBuffers(1, &buffers->velocity);
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
                               .quads = quads};
    for (int k = 0; k < names->count; k++)
        out->buffers[BODY_COLUMNS + k] = find(bodies, names->list[k]);
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
