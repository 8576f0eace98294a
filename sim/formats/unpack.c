#include "sim/formats/unpack.h"

#include "base/memory.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include <zstd.h>

/* ---- gzip ---- */

enum { GZIP = 16 + MAX_WBITS };

struct gzip {
    z_stream stream;
    bool inside, padded; /* padded: zeros followed a member, as when tapes fill their blocks */
};

static void *gzip_begin(void)
{
    struct gzip *gzip = memory_new(1, sizeof *gzip);
    if (inflateInit2(&gzip->stream, GZIP) != Z_OK)
        memory_exhausted();
    return gzip;
}

static void gzip_end(void *state)
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

static const char *gzip_run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
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

static const struct unpacker unpacker_gzip = {
    .name = "gzip",
    .extension = ".gz",
    .magic = "\x1f\x8b",
    .magic_size = 2,
    .open = gzip_begin,
    .close = gzip_end,
    .run = gzip_run,
};

/* ---- xz ---- */

enum { MEMORY_MAX = 1 << 28 }; /* of a dictionary; level 9 has 64 MiB */

struct xz {
    lzma_stream stream;
    bool ended;
};

static void *xz_begin(void)
{
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    struct xz *xz = memory_new(1, sizeof *xz);
    xz->stream = fresh;
    if (lzma_stream_decoder(&xz->stream, MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
        memory_exhausted();
    return xz;
}

static void xz_end(void *state)
{
    struct xz *xz = state;
    lzma_end(&xz->stream);
    free(xz);
}

static const char *reason(lzma_ret code)
{
    return code == LZMA_MEMLIMIT_ERROR  ? "its dictionary is larger than 256 MiB"
           : code == LZMA_FORMAT_ERROR  ? "its first part is followed by data that is not xz"
           : code == LZMA_OPTIONS_ERROR ? "it uses options that are not known"
           : code == LZMA_MEM_ERROR     ? "its dictionary does not fit in memory"
                                        : "it cannot be unpacked";
}

static const char *xz_run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
{
    struct xz *xz = state;
    lzma_stream *stream = &xz->stream;
    *inside = !xz->ended;
    if (xz->ended)
        return NULL;
    stream->next_in = buffers->in;
    stream->avail_in = buffers->in_size;
    stream->next_out = buffers->out;
    stream->avail_out = buffers->out_size;
    const lzma_ret code = lzma_code(stream, last ? LZMA_FINISH : LZMA_RUN);
    buffers->in = stream->next_in;
    buffers->in_size = stream->avail_in;
    buffers->out = stream->next_out;
    buffers->out_size = stream->avail_out;
    xz->ended = code == LZMA_STREAM_END;
    *inside = !xz->ended;
    return code == LZMA_OK || code == LZMA_STREAM_END || code == LZMA_BUF_ERROR ? NULL
                                                                                : reason(code);
}

static const struct unpacker unpacker_xz = {
    .name = "xz",
    .extension = ".xz",
    .magic = "\xfd"
             "7zXZ",
    .magic_size = 6,
    .open = xz_begin,
    .close = xz_end,
    .run = xz_run,
};

/* ---- zstd ---- */

/* Refuses windows beyond 128 MiB, which is also the library's own limit. */
static void *zstd_begin(void)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream)
        memory_exhausted();
    return stream;
}

static void zstd_end(void *state)
{
    ZSTD_freeDStream(state);
}

static const char *zstd_run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
{
    ZSTD_inBuffer in = {buffers->in, buffers->in_size, 0};
    ZSTD_outBuffer out = {buffers->out, buffers->out_size, 0};
    (void)last;
    const size_t code = ZSTD_decompressStream(state, &out, &in);
    if (ZSTD_isError(code))
        return ZSTD_getErrorName(code);
    if (in.pos > 0 || out.pos > 0)
        *inside = code != 0;
    buffers->in += in.pos;
    buffers->in_size -= in.pos;
    buffers->out += out.pos;
    buffers->out_size -= out.pos;
    return NULL;
}

static const struct unpacker unpacker_zstd = {
    .name = "zstd",
    .extension = ".zst",
    .magic = "\x28\xb5\x2f\xfd",
    .magic_size = 4,
    .open = zstd_begin,
    .close = zstd_end,
    .run = zstd_run,
};

/* ---- unpack ---- */

static const struct unpacker *const unpackers[] = {&unpacker_gzip, &unpacker_xz, &unpacker_zstd};
enum { UNPACKERS = sizeof unpackers / sizeof unpackers[0] };

const struct unpacker *unpacker_of(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < UNPACKERS; i++)
        if (size >= unpackers[i]->magic_size &&
            memcmp(head, unpackers[i]->magic, unpackers[i]->magic_size) == 0)
            return unpackers[i];
    return NULL;
}

size_t unpacker_stem(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < UNPACKERS; i++) {
        const size_t tail = strlen(unpackers[i]->extension);
        if (length > tail && strcasecmp(name + length - tail, unpackers[i]->extension) == 0)
            return length - tail;
    }
    return length;
}
