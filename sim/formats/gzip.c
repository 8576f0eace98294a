#include "sim/formats/unpack.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zlib.h>

enum { GZIP = 16 + MAX_WBITS };

struct gzip {
    z_stream stream;
    bool inside, padded; /* padded: zeros followed a member, as when tapes fill their blocks */
};

static void *begin(void)
{
    struct gzip *gzip = memory_new(1, sizeof *gzip);
    if (inflateInit2(&gzip->stream, GZIP) != Z_OK)
        memory_exhausted();
    return gzip;
}

static void end(void *state)
{
    struct gzip *gzip = state;
    inflateEnd(&gzip->stream);
    free(gzip);
}

static const char *skip_zeros(struct unpack_buffers *buffers)
{
    for (; buffers->in_size > 0; buffers->in_size--)
        if (*buffers->in++ != 0)
            return "its first part is followed by data that is not gzip";
    return NULL;
}

static const char *run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
{
    struct gzip *gzip = state;
    z_stream *stream = &gzip->stream;
    (void)last;
    if (!gzip->inside && buffers->in_size > 0 && *buffers->in == 0)
        gzip->padded = true;
    *inside = gzip->inside;
    if (gzip->padded)
        return skip_zeros(buffers);
    if (buffers->in_size == 0)
        return NULL;
    stream->next_in = (unsigned char *)(size_t)buffers->in;
    stream->avail_in = (uInt)buffers->in_size;
    stream->next_out = buffers->out;
    stream->avail_out = (uInt)buffers->out_size;
    gzip->inside = true;
    const int code = inflate(stream, Z_NO_FLUSH);
    buffers->in = stream->next_in;
    buffers->in_size = stream->avail_in;
    buffers->out = stream->next_out;
    buffers->out_size = stream->avail_out;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return stream->msg ? stream->msg : "it cannot be unpacked";
    if (code == Z_STREAM_END) {
        gzip->inside = false;
        if (inflateReset(stream) != Z_OK)
            return "it cannot be unpacked";
    }
    *inside = gzip->inside;
    return NULL;
}

const struct unpacker unpacker_gzip = {
    .name = "gzip",
    .extension = ".gz",
    .magic = "\x1f\x8b",
    .magic_size = 2,
    .open = begin,
    .close = end,
    .run = run,
};
