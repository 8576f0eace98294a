#include "render/picture/pdf_file.h"

#include "base/output.h"
#include "base/tag.h"

#include <cairo-pdf.h>
#include <stdio.h>
#include <string.h>

enum status pdf_file_check(enum picture_alpha alpha)
{
    if (alpha == ALPHA_NONE)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "a PDF page is opaque; leave out output.alpha, or write a PNG");
}

static cairo_status_t put(void *closure, const unsigned char *data, unsigned size)
{
    return output_write(closure, data, size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* A copy in cairo's pixel format: red, green and blue from the highest byte of a word down. */
static cairo_surface_t *image_of(const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)layout->width, (int)layout->height);
    unsigned char *data = cairo_image_surface_get_data(image);
    const size_t stride = (size_t)cairo_image_surface_get_stride(image);
    for (uint32_t y = 0; data && y < layout->height; y++) {
        const uint8_t *from =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        uint32_t *to = (uint32_t *)(void *)(data + y * stride);
        for (uint32_t x = 0; x < layout->width; x++, from += 4)
            to[x] = (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void describe(cairo_surface_t *page, const struct tags *tags)
{
    static const struct {
        const char *tag;
        cairo_pdf_metadata_t as;
    } kept[] = {{"title", CAIRO_PDF_METADATA_TITLE},
                {"creation_time", CAIRO_PDF_METADATA_CREATE_DATE},
                {PACKED_TAG, CAIRO_PDF_METADATA_KEYWORDS}};
    cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATE_DATE, ""); /* no date */
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        const char *value = tags_find(tags, kept[i].tag);
        if (value)
            cairo_pdf_surface_set_metadata(page, kept[i].as, value);
    }
    /* "made with gravreel 0.1.0", without the part about files that gravreel reads. */
    char maker[64];
    const char *comment = tags_find(tags, "comment");
    snprintf(maker, sizeof maker, "%.*s", comment ? (int)strcspn(comment, ";") : 0,
             comment ? comment : "");
    if (*maker)
        cairo_pdf_surface_set_metadata(page, CAIRO_PDF_METADATA_CREATOR, maker);
}

static cairo_status_t draw(struct output *output, const struct picture *picture,
                           const struct tags *tags)
{
    const double points = 72.0 / PDF_PIXELS_PER_INCH;
    cairo_surface_t *image = image_of(picture);
    cairo_surface_t *page = cairo_pdf_surface_create_for_stream(
        put, output, points * picture->layout.width, points * picture->layout.height);
    describe(page, tags);
    cairo_t *cairo = cairo_create(page);
    cairo_scale(cairo, points, points);
    cairo_set_source_surface(cairo, image, 0, 0);
    cairo_paint(cairo);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    cairo_surface_finish(page);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(page);
    cairo_surface_destroy(page);
    cairo_surface_destroy(image);
    return status;
}

enum status pdf_file_write(const char *name, const struct picture *picture, const struct tags *tags,
                           uint64_t *bytes)
{
    struct output output;
    enum status status = output_open(&output, name);
    if (status == STATUS_OK) {
        const cairo_status_t drawn = draw(&output, picture, tags);
        const bool good = drawn == CAIRO_STATUS_SUCCESS;
        if (!output_close(&output, good, false) && (good || output.error))
            status = output_failed(&output, 0);
        else if (!good)
            status = status_fail(STATUS_RUNTIME, "cannot write '%s': %s", name,
                                 cairo_status_to_string(drawn));
        *bytes = output.bytes;
        output_release(&output);
    }
    return status;
}
