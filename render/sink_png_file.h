/* One PNG file, written whole or not at all. Thread-safe. */
#ifndef RENDER_SINK_PNG_FILE_H
#define RENDER_SINK_PNG_FILE_H

#include "render/sink.h"

struct png_settings {
    int level;                   /* zlib's, 0 to 9 */
    const struct sink_tag *tags; /* compressed text chunks */
    int tag_count;
};

/* Writes an RGBA8 or RGBA16 picture as RGB with 8 or 16 bits, marked sRGB. `frames` counts those
 * written before, for the sentence. *bytes is the file's size. */
enum status png_file_write(const char *name, const struct picture *picture,
                           const struct png_settings *settings, uint64_t frames, uint64_t *bytes);

/* "libpng 1.6.39": what writes them. */
void png_file_libraries(char *out, size_t size);

#endif
