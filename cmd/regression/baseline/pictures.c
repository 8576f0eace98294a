#include "cmd/regression/baseline/pictures.h"

#include "base/memory.h"
#include "cmd/regression/baseline/pack.h"

#include <stdlib.h>
#include <string.h>

static const char magic[20] = "gravreel picture 1\n";
enum { SIDE_MOST = 32768, PIXELS_MOST = 1 << 26 };

/* Returns how many colours alternate in a row of the plane. */
static size_t interleaved(enum picture_format format, int plane)
{
    if (picture_format_is_rgb(format))
        return 4;
    return format == PICTURE_NV12 && plane == 1 ? 2 : 1;
}

static uint32_t median(uint32_t left, uint32_t upper, uint32_t corner)
{
    const uint32_t low = left < upper ? left : upper, high = left < upper ? upper : left;
    return corner >= high ? low : corner <= low ? high : left + upper - corner;
}

/* One plane: samples of 1 or 2 bytes in rows without gaps. */
struct plane {
    size_t width, rows, step, bytes; /* samples per row; to the next of a colour; per sample */
    uint8_t *data;
    size_t stride;
};

static uint32_t sample(const struct plane *plane, size_t row, size_t column)
{
    const uint8_t *at = plane->data + row * plane->stride + column * plane->bytes;
    return plane->bytes == 1 ? *at : (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t expected(const struct plane *plane, size_t row, size_t column)
{
    const bool first = column < plane->step;
    const uint32_t left = first ? 0 : sample(plane, row, column - plane->step),
                   upper = row ? sample(plane, row - 1, column) : 0;
    if (first || row == 0)
        return first ? upper : left;
    return median(left, upper, sample(plane, row - 1, column - plane->step));
}

static struct plane plane_of(const struct picture *picture, int p)
{
    const struct picture_layout *layout = &picture->layout;
    const size_t bytes = picture_format_bits(layout->format) > 8 ? 2 : 1;
    return (struct plane){
        .width = layout->plane[p].bytes / bytes,
        .rows = layout->plane[p].rows,
        .step = interleaved(layout->format, p),
        .bytes = bytes,
        .data = picture->data + layout->plane[p].offset,
        .stride = layout->plane[p].stride,
    };
}

static void put_sample(uint8_t *at, size_t bytes, uint32_t value)
{
    at[0] = (uint8_t)value;
    if (bytes == 2)
        at[1] = (uint8_t)(value >> 8);
}

static enum status pack_plane(struct pack *pack, const struct plane *plane)
{
    const size_t count = plane->width * plane->rows;
    uint8_t *differences = malloc(count * plane->bytes), *at = differences;
    if (!differences)
        return status_fail(STATUS_RUNTIME, "no memory for a picture's plane of %zu bytes",
                           count * plane->bytes);
    for (size_t row = 0; row < plane->rows; row++)
        for (size_t column = 0; column < plane->width; column++, at += plane->bytes)
            put_sample(at, plane->bytes, sample(plane, row, column) - expected(plane, row, column));
    pack_put_block(pack, differences, count, plane->bytes);
    free(differences);
    return STATUS_OK;
}

static enum status unpack_plane(struct pack *pack, struct plane *plane)
{
    const size_t count = plane->width * plane->rows;
    uint8_t *differences = malloc(count * plane->bytes), *at = differences;
    if (!differences)
        return status_fail(STATUS_RUNTIME, "no memory for a picture's plane of %zu bytes",
                           count * plane->bytes);
    pack_get_block(pack, differences, count, plane->bytes);
    for (size_t row = 0; row < plane->rows; row++)
        for (size_t column = 0; column < plane->width; column++, at += plane->bytes) {
            const uint32_t difference = plane->bytes == 1 ? *at : (uint32_t)(at[0] | at[1] << 8);
            put_sample(plane->data + row * plane->stride + column * plane->bytes, plane->bytes,
                       difference + expected(plane, row, column));
        }
    free(differences);
    return STATUS_OK;
}

enum status picture_pack(const struct picture *picture, void **data, size_t *size)
{
    struct pack pack = {0};
    pack_put(&pack, magic, sizeof magic);
    pack_put_count(&pack, picture->layout.format);
    pack_put_count(&pack, picture->layout.width);
    pack_put_count(&pack, picture->layout.height);
    pack_put_count(&pack, picture->frame);
    pack_put_number(&pack, picture->time);
    enum status status = STATUS_OK;
    for (int p = 0; p < picture->layout.planes && status == STATUS_OK; p++) {
        const struct plane plane = plane_of(picture, p);
        status = pack_plane(&pack, &plane);
    }
    *data = pack.data;
    *size = pack.size;
    return status;
}

static enum status create(struct picture **out, enum picture_format format, uint32_t width,
                          uint32_t height)
{
    struct picture *picture = memory_new(1, sizeof *picture);
    picture_layout(&picture->layout, format, width, height);
    picture->data = calloc(1, picture->layout.size);
    *out = picture;
    if (picture->data)
        return STATUS_OK;
    const size_t bytes = picture->layout.size;
    picture_free(out);
    return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
}

void picture_free(struct picture **picture)
{
    if (*picture)
        free((*picture)->data);
    free(*picture);
    *picture = NULL;
}

enum status picture_copy(const struct picture *picture, struct picture **out)
{
    const struct picture_layout *layout = &picture->layout;
    enum status status = create(out, layout->format, layout->width, layout->height);
    if (status != STATUS_OK)
        return status;
    for (int p = 0; p < layout->planes; p++)
        for (size_t row = 0; row < layout->plane[p].rows; row++)
            memcpy((*out)->data + (*out)->layout.plane[p].offset +
                       row * (*out)->layout.plane[p].stride,
                   picture->data + layout->plane[p].offset + row * layout->plane[p].stride,
                   layout->plane[p].bytes);
    (*out)->frame = picture->frame;
    (*out)->time = picture->time;
    return STATUS_OK;
}

enum status picture_unpack(const void *data, size_t size, struct picture **out)
{
    struct pack pack = {.data = (uint8_t *)data, .size = size};
    char begins[sizeof magic];
    *out = NULL;
    pack_get(&pack, begins, sizeof begins);
    const uint64_t format = pack_get_count(&pack), width = pack_get_count(&pack),
                   height = pack_get_count(&pack), frame = pack_get_count(&pack);
    const double time = pack_get_number(&pack);
    if (pack.broken || memcmp(begins, magic, sizeof magic) != 0 || format >= PICTURE_FORMATS ||
        width < 1 || width > SIDE_MOST || height < 1 || height > SIDE_MOST ||
        width * height > PIXELS_MOST)
        return status_fail(STATUS_IO, "an object of the baseline is not a picture");
    enum status status =
        create(out, (enum picture_format)format, (uint32_t)width, (uint32_t)height);
    if (status != STATUS_OK)
        return status;
    (*out)->frame = frame;
    (*out)->time = time;
    for (int p = 0; p < (*out)->layout.planes && status == STATUS_OK; p++) {
        struct plane plane = plane_of(*out, p);
        status = unpack_plane(&pack, &plane);
    }
    if (status == STATUS_OK && !pack_is_read(&pack))
        status =
            status_fail(STATUS_IO, "a picture of the baseline is truncated or followed by extra "
                                   "data; restore the file, or record the baseline again");
    if (status != STATUS_OK)
        picture_free(out);
    return status;
}
