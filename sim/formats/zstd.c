#include "sim/formats/unpack.h"

#include "base/memory.h"

#include <stdlib.h>
#include <zstd.h>

/* Refuses windows beyond 128 MiB, which is also the library's own limit. */
static void *begin(void)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream)
        memory_exhausted();
    return stream;
}

static void end(void *state)
{
    ZSTD_freeDStream(state);
}

static const char *run(void *state, struct unpack_buffers *buffers, bool last, bool *inside)
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

const struct unpacker unpacker_zstd = {
    .name = "zstd",
    .extension = ".zst",
    .magic = "\x28\xb5\x2f\xfd",
    .magic_size = 4,
    .open = begin,
    .close = end,
    .run = run,
};
