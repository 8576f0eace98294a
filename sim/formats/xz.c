#include "sim/formats/unpack.h"

#include "base/memory.h"

#include <lzma.h>
#include <stdlib.h>

enum { MEMORY_MAX = 1 << 28 }; /* of a dictionary; level 9 has 64 MiB */

struct xz {
    lzma_stream stream;
    bool ended;
};

static void *begin(void)
{
    static const lzma_stream fresh = LZMA_STREAM_INIT;
    struct xz *xz = memory_new(1, sizeof *xz);
    xz->stream = fresh;
    if (lzma_stream_decoder(&xz->stream, MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
        memory_exhausted();
    return xz;
}

static void end(void *state)
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

static const char *run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
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

const struct unpacker unpacker_xz = {
    .name = "xz",
    .extension = ".xz",
    .magic = "\xfd"
             "7zXZ",
    .magic_size = 6,
    .open = begin,
    .close = end,
    .run = run,
};
