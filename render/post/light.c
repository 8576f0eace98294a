#include "render/post/light.h"

#include <math.h>

static size_t bytes_of(const struct gl_target *target)
{
    return (size_t)target->width * (size_t)target->height * sizeof(float[3]);
}

void light_tap_destroy(struct light_tap *tap)
{
    glDeleteBuffers(TRANSFER_SLOTS, tap->buffers);
    *tap = (struct light_tap){0};
}

static void make_room(struct light_tap *tap, int slot, size_t size)
{
    if (!tap->buffers[slot])
        glGenBuffers(1, &tap->buffers[slot]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, tap->buffers[slot]);
    if (tap->size[slot] != size)
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    tap->size[slot] = size;
}

enum status light_tap_start(struct light_tap *tap, int slot, const struct gl_target *const *targets,
                            int count)
{
    size_t size = 0, offset = 0;
    for (int i = 0; i < count; i++)
        size += bytes_of(targets[i]);
    make_room(tap, slot, size);
    for (int i = 0; i < count; i++) {
        gl_target_read(targets[i], GL_RGB, (void *)offset);
        offset += bytes_of(targets[i]);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return gl_check("reading the light back");
}

/* In the order of the pixels. The product of 0 with an infinite or NaN channel is NaN. */
static void add_up(const float *pixels, size_t count, struct picture_light *out)
{
    for (size_t i = 0; i < count; i++) {
        const float *rgb = pixels + 3 * i;
        if (isnan(0 * rgb[0] + 0 * rgb[1] + 0 * rgb[2])) {
            out->broken++;
            continue;
        }
        for (int c = 0; c < 3; c++)
            out->sum[c] += rgb[c];
    }
}

enum status light_tap_wait(struct light_tap *tap, int slot, struct picture_light *out)
{
    const size_t size = tap->size[slot];
    *out = (struct picture_light){0};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, tap->buffers[slot]);
    const void *pixels =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (pixels) {
        hash_parts(&(struct hash_part){pixels, size}, 1, out->hash);
        add_up(pixels, size / sizeof(float[3]), out);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    enum status status = gl_check("reading the light back");
    if (status == STATUS_OK && !pixels)
        status = status_fail(STATUS_RUNTIME,
                             "reading the light back failed: the GL driver returned no memory");
    return status;
}
