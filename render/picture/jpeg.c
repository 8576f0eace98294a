#include "render/picture/jpeg.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

/* Everything that must survive libjpeg's longjmp. */
struct encoding {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    unsigned char *bytes;
    unsigned long size;
};

static void on_jpeg_error(j_common_ptr jpeg)
{
    struct encoding *encoding = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    status_fail(STATUS_RUNTIME, "the picture could not be encoded as JPEG: %s", message);
    longjmp(encoding->failed, 1);
}

static void encode(struct encoding *encoding, const uint8_t *pixels, size_t stride, int quality)
{
    enum { FULL_CHROMA = 90 };
    struct jpeg_compress_struct *jpeg = &encoding->jpeg;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg->input_components = 4;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, quality, TRUE);
    if (quality >= FULL_CHROMA)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + jpeg->next_scanline * stride);
        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

enum status jpeg_encode(const uint8_t *pixels, uint32_t width, uint32_t height, size_t stride,
                        int quality, uint8_t **out, size_t *size)
{
    struct encoding encoding = {0};
    *out = NULL;
    encoding.jpeg.err = jpeg_std_error(&encoding.errors);
    encoding.errors.error_exit = on_jpeg_error;
    encoding.jpeg.client_data = &encoding;
    if (setjmp(encoding.failed)) {
        jpeg_destroy_compress(&encoding.jpeg);
        free(encoding.bytes);
        return STATUS_RUNTIME;
    }
    jpeg_create_compress(&encoding.jpeg);
    jpeg_mem_dest(&encoding.jpeg, &encoding.bytes, &encoding.size);
    encoding.jpeg.image_width = width;
    encoding.jpeg.image_height = height;
    encode(&encoding, pixels, stride, quality);
    jpeg_destroy_compress(&encoding.jpeg);
    *out = encoding.bytes;
    *size = encoding.size;
    return STATUS_OK;
}

void jpeg_library(char *out, size_t size)
{
#ifdef LIBJPEG_TURBO_VERSION
#define QUOTE(text)  #text
#define QUOTED(text) QUOTE(text)
    snprintf(out, size, "libjpeg-turbo %s", QUOTED(LIBJPEG_TURBO_VERSION));
#else
    snprintf(out, size, "libjpeg %d", JPEG_LIB_VERSION);
#endif
}
