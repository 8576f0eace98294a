#include "render/overlay/plates.h"

#include "base/memory.h"

#include <stdlib.h>

extern const char shader_overlay_vert[], shader_overlay_frag[];

struct plates {
    int count;
    uint64_t stored;
    GLuint program, texture;
    GLint size, place, first_row, opacity;
    struct {
        struct plate plate;
        int first_row; /* first row of its area in the texture */
    } entry[];
};

static enum status create_gl(struct plates *plates, int columns, int rows, double white)
{
    GLint limit = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    if (rows > limit || columns > limit)
        return status_fail(STATUS_USAGE,
                           "the overlay needs a texture of %dx%d, and this GL driver has at most "
                           "%d; ask for a smaller overlay.size",
                           columns, rows, limit);
    enum status status =
        gl_program(&plates->program, "overlay", shader_overlay_vert, shader_overlay_frag, "");
    if (status != STATUS_OK)
        return status;
    glUseProgram(plates->program);
    glUniform1i(glGetUniformLocation(plates->program, "ink"), 0);
    glUniform1f(glGetUniformLocation(plates->program, "white"), (GLfloat)white);
    plates->size = glGetUniformLocation(plates->program, "size");
    plates->place = glGetUniformLocation(plates->program, "place");
    plates->opacity = glGetUniformLocation(plates->program, "opacity");
    plates->first_row = glGetUniformLocation(plates->program, "first_row");
    glGenTextures(1, &plates->texture);
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindTexture(GL_TEXTURE_2D, 0);
    return gl_check("setting up the overlay");
}

enum status plates_create(struct plates **out, const struct plate_room *rooms, int count,
                          double white)
{
    struct plates *plates = *out =
        memory_new(1, sizeof *plates + (size_t)count * sizeof plates->entry[0]);
    plates->count = count;
    int columns = 1, rows = 0;
    for (int i = 0; i < count; i++) {
        plates->entry[i].plate.opacity = 1;
        plates->entry[i].first_row = rows;
        rows += rooms[i].height;
        columns = rooms[i].width > columns ? rooms[i].width : columns;
    }
    enum status status = create_gl(plates, columns, rows > 0 ? rows : 1, white);
    if (status != STATUS_OK)
        plates_destroy(out);
    return status;
}

void plates_destroy(struct plates **plates)
{
    struct plates *self = *plates;
    if (!self)
        return;
    glDeleteTextures(1, &self->texture);
    glDeleteProgram(self->program);
    free(self);
    *plates = NULL;
}

struct plate *plates_at(struct plates *plates, int index)
{
    return &plates->entry[index].plate;
}

enum status plates_store(struct plates *plates, int index, struct ink *ink)
{
    struct plate *plate = &plates->entry[index].plate;
    const uint8_t *pixels;
    enum status status = ink_end(ink, &pixels, &plate->width, &plate->height);
    if (status != STATUS_OK)
        return status;
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, plates->entry[index].first_row, plate->width,
                    plate->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    plates->stored++;
    return STATUS_OK;
}

uint64_t plates_stored(const struct plates *plates)
{
    return plates->stored;
}

void plates_draw(struct plates *plates, const struct gl_target *display, int x, int y)
{
    glBindTexture(GL_TEXTURE_2D, plates->texture);
    gl_target_bind(display);
    glUseProgram(plates->program);
    glUniform2i(plates->size, display->width, display->height);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < plates->count; i++) {
        const struct plate *plate = &plates->entry[i].plate;
        if (plate->width == 0 || plate->opacity == 0)
            continue;
        glUniform4i(plates->place, plate->x + x, plate->y + y, plate->width, plate->height);
        glUniform1f(plates->opacity, (GLfloat)plate->opacity);
        glUniform1i(plates->first_row, plates->entry[i].first_row);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_BLEND);
}
