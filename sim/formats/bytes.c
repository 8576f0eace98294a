#include "sim/formats/bytes.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"

#include <errno.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
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

/* The unpacker for a file that begins with these bytes; NULL: none. */
static const struct unpacker *unpacker_of(const unsigned char *head, size_t size)
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

/* ---- input ---- */

static enum status copy(int from, int to)
{
    char bytes[1 << 16];
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0
                       ? STATUS_OK
                       : status_fail(STATUS_IO, "cannot read the bodies from standard input: %s",
                                     strerror(errno));
        for (ssize_t at = 0; at < got;) {
            const ssize_t put = write(to, bytes + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR)
                return status_fail(STATUS_IO,
                                   "cannot keep the bodies from standard input in a temporary "
                                   "file: %s; write them to a file and name that",
                                   strerror(errno));
            at += put > 0 ? put : 0;
        }
    }
}

static enum status keep_standard_input(void)
{
    struct stat found;
    if (fstat(STDIN_FILENO, &found) != 0)
        return status_fail(STATUS_IO, "there is no standard input to read bodies from: %s",
                           strerror(errno));
    if (S_ISREG(found.st_mode))
        return STATUS_OK;
    if (isatty(STDIN_FILENO))
        return status_fail(STATUS_USAGE, "the bodies come from standard input (-), which is a "
                                         "terminal; pipe them in or name a file");
    FILE *file = tmpfile();
    if (!file)
        return status_fail(STATUS_IO, "cannot make a temporary file for standard input: %s",
                           strerror(errno));
    enum status status = copy(STDIN_FILENO, fileno(file));
    if (status == STATUS_OK && dup2(fileno(file), STDIN_FILENO) < 0)
        status = status_fail(STATUS_IO, "cannot keep standard input: %s", strerror(errno));
    fclose(file);
    return status;
}

enum status body_input_path(const char *path, const char **out)
{
    *out = path;
    if (strcmp(path, "-") != 0)
        return STATUS_OK;
    *out = "/dev/stdin"; /* opened anew, from its beginning */
    return keep_standard_input();
}

enum { BUFFER = 1 << 18 };

struct body_input {
    const char *path;
    int file;
    uint64_t size; /* of the file; UINT64_MAX: unknown */
    uint64_t left; /* bytes of the file not yet in `raw`; UINT64_MAX: unknown */
    uint64_t given;
    const struct unpacker *unpacker; /* NULL: the file is not packed */
    void *state;
    bool inside, at_end; /* at_end: of the file; `raw` may hold more */
    size_t begin, end;   /* unused range of `raw` */
    size_t next, filled; /* the same for `plain` */
    unsigned char raw[BUFFER], plain[BUFFER];
};

static enum status cannot_open(const char *path)
{
    return status_fail(STATUS_IO, "cannot open the bodies file '%s': %s", path, strerror(errno));
}

/* Reads the file's bytes as they are; fewer at its end. */
static enum status read_raw(struct body_input *input, unsigned char *to, size_t size, size_t *got)
{
    for (*got = 0; *got < size && !input->at_end;) {
        const ssize_t count = read(input->file, to + *got, size - *got);
        if (count < 0 && errno != EINTR)
            return status_fail(STATUS_IO, "cannot read the bodies file '%s': %s", input->path,
                               strerror(errno));
        input->at_end = count == 0;
        *got += count > 0 ? (size_t)count : 0;
    }
    if (input->left != UINT64_MAX)
        input->left -= *got < input->left ? *got : input->left;
    return STATUS_OK;
}

static enum status refill(struct body_input *input)
{
    input->begin = 0;
    return read_raw(input, input->raw, sizeof input->raw, &input->end);
}

enum status body_input_open(struct body_input **out, const char *path)
{
    struct stat found;
    *out = NULL;
    const int file = file_open_to_read(path);
    if (file < 0)
        return cannot_open(path);
    struct body_input *input = memory_new(1, sizeof *input);
    *input =
        (struct body_input){.path = path, .file = file, .size = UINT64_MAX, .left = UINT64_MAX};
    if (fstat(file, &found) == 0 && S_ISREG(found.st_mode))
        input->size = input->left = (uint64_t)found.st_size;
    enum status status = refill(input);
    input->unpacker = status == STATUS_OK ? unpacker_of(input->raw, input->end) : NULL;
    if (input->unpacker)
        input->state = input->unpacker->open();
    *out = input;
    if (status != STATUS_OK)
        body_input_close(out);
    return status;
}

void body_input_close(struct body_input **input)
{
    if (!*input)
        return;
    if ((*input)->unpacker)
        (*input)->unpacker->close((*input)->state);
    close((*input)->file);
    free(*input);
    *input = NULL;
}

static enum status damaged(const struct body_input *input, size_t got, const char *why)
{
    return status_fail(STATUS_IO,
                       "%s holds damaged %s data after %llu bytes of what it unpacks to (%s); copy "
                       "or download it again",
                       input->path, input->unpacker->name, (unsigned long long)(input->given + got),
                       why);
}

static enum status cut_short(const struct body_input *input)
{
    return status_fail(STATUS_IO, "%s ends in the middle of its %s data; copy or download it again",
                       input->path, input->unpacker->name);
}

static enum status unpack(struct body_input *input, unsigned char *to, size_t size, size_t *got)
{
    struct unpack_buffers buffers = {.out = to, .out_size = size};
    enum status status = STATUS_OK;
    for (;;) {
        if (input->begin == input->end && !input->at_end)
            status = refill(input);
        if (status != STATUS_OK)
            return status;
        const size_t room = buffers.out_size;
        buffers.in = input->raw + input->begin;
        buffers.in_size = input->end - input->begin;
        const char *why =
            input->unpacker->run(input->state, &buffers, input->at_end, &input->inside);
        *got = size - buffers.out_size;
        const bool used = input->end - input->begin > buffers.in_size;
        input->begin = input->end - buffers.in_size;
        if (why)
            return damaged(input, *got, why);
        if (buffers.out_size == 0)
            return STATUS_OK;
        if (input->begin == input->end && input->at_end && buffers.out_size == room)
            return input->inside ? cut_short(input) : STATUS_OK;
        if (!used && buffers.out_size == room && input->begin < input->end)
            return damaged(input, *got, "what follows its end is not packed");
    }
}

/* Reads the file unpacked; bytes that were read to detect packing come first. */
static enum status copy_raw(struct body_input *input, unsigned char *to, size_t size, size_t *got)
{
    const size_t ready = input->end - input->begin;
    if (ready == 0)
        return read_raw(input, to, size, got);
    *got = ready < size ? ready : size;
    memcpy(to, input->raw + input->begin, *got);
    input->begin += *got;
    return STATUS_OK;
}

/* Warns that a small file may unpack to more than anybody would wait for. */
static void tell_size(const struct body_input *input)
{
    static const uint64_t much = (uint64_t)1 << 30;
    enum { USUAL = 32 }; /* far above the ratio at which tables of numbers are packed */
    if (input->given > much && input->given / USUAL > input->size)
        log_warning("'%s' has %.3g MB and unpacks to more than %llu MB; reading it may take long, "
                    "and its bodies need memory",
                    input->path, 1e-6 * (double)input->size, (unsigned long long)(much / 1000000));
}

static enum status produce(struct body_input *input, unsigned char *to, size_t size, size_t *got)
{
    enum status status =
        input->unpacker ? unpack(input, to, size, got) : copy_raw(input, to, size, got);
    input->given += *got;
    if (input->unpacker)
        tell_size(input);
    return status;
}

/* Large reads go directly to their destination, others through a buffer. */
enum status body_input_read(struct body_input *input, void *to, size_t size, size_t *got)
{
    enum status status = STATUS_OK;
    for (*got = 0; *got < size && status == STATUS_OK;) {
        unsigned char *at = (unsigned char *)to + *got;
        size_t count = input->filled - input->next;
        if (count > 0) {
            count = count < size - *got ? count : size - *got;
            memcpy(at, input->plain + input->next, count);
            input->next += count;
        } else if (size - *got >= sizeof input->plain) {
            status = produce(input, at, size - *got, &count);
        } else {
            input->next = 0;
            status = produce(input, input->plain, sizeof input->plain, &input->filled);
            if (input->filled > 0)
                continue;
        }
        if (count == 0)
            break;
        *got += count;
    }
    return status;
}

static enum status ends_within(const struct body_input *input, const char *what)
{
    return status_fail(STATUS_USAGE, "%s ends within %s; copy or save it again", input->path, what);
}

enum status body_input_take(struct body_input *input, void *to, size_t size, const char *what)
{
    size_t got;
    enum status status = body_input_read(input, to, size, &got);
    return status == STATUS_OK && got < size ? ends_within(input, what) : status;
}

enum status body_input_skip(struct body_input *input, uint64_t size, const char *what)
{
    unsigned char bytes[1 << 14];
    enum status status = body_input_promise(input, size, 1, what);
    const size_t buffered = (input->end - input->begin) + (input->filled - input->next);
    if (status == STATUS_OK && body_input_left(input) != UINT64_MAX && size > buffered &&
        lseek(input->file, (off_t)(size - buffered), SEEK_CUR) >= 0) {
        input->given += size - (input->filled - input->next);
        input->left -= size - buffered;
        input->begin = input->end = input->next = input->filled = 0;
        return STATUS_OK;
    }
    while (status == STATUS_OK && size > 0) {
        const size_t part = size < sizeof bytes ? (size_t)size : sizeof bytes;
        status = body_input_take(input, bytes, part, what);
        size -= part;
    }
    return status;
}

uint64_t body_input_left(const struct body_input *input)
{
    if (input->unpacker || input->left == UINT64_MAX)
        return UINT64_MAX;
    return input->left + (input->end - input->begin) + (input->filled - input->next);
}

enum status body_input_promise(const struct body_input *input, uint64_t count, uint64_t size,
                               const char *what)
{
    const uint64_t left = body_input_left(input);
    return left != UINT64_MAX && size > 0 && count > left / size ? ends_within(input, what)
                                                                 : STATUS_OK;
}

enum status body_input_end(struct body_input *input)
{
    unsigned char byte;
    size_t got;
    enum status status = body_input_read(input, &byte, 1, &got);
    if (status == STATUS_OK && got > 0)
        return status_fail(STATUS_USAGE,
                           "%s has more data after the %llu bytes that it should have; copy or "
                           "save it again",
                           input->path,
                           (unsigned long long)(input->given - (input->filled - input->next) - 1));
    return status;
}

enum status body_input_head(const char *path, void *head, size_t size, size_t *got, uint64_t *whole)
{
    struct stat found;
    struct body_input *input;
    *got = 0;
    *whole = UINT64_MAX;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
        return STATUS_OK; /* a pipe can be read only once */
    enum status status = body_input_open(&input, path);
    if (status != STATUS_OK)
        return status;
    *whole = body_input_left(input);
    body_input_read(input, head, size, got); /* damage is reported by the later reader */
    body_input_close(&input);
    return STATUS_OK;
}

/* ---- output ---- */

enum { OUTPUT_BUFFER = 1 << 18, LINE_BYTES = 512 };

struct body_output {
    struct output file;
    size_t used;
    char buffer[OUTPUT_BUFFER];
};

enum status body_output_open(struct body_output **out, const char *path)
{
    struct body_output *output = *out = memory_new(1, sizeof *output);
    enum status status = output_open(&output->file, path);
    if (status == STATUS_OK)
        return status;
    output_release(&output->file);
    free(output);
    *out = NULL;
    return status;
}

void body_output_put(struct body_output *output, const void *data, size_t size)
{
    if (output->used + size > OUTPUT_BUFFER) {
        output_write(&output->file, output->buffer, output->used);
        output->used = 0;
    }
    if (size > OUTPUT_BUFFER) {
        output_write(&output->file, data, size);
        return;
    }
    memcpy(output->buffer + output->used, data, size);
    output->used += size;
}

void body_output_print(struct body_output *output, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length >= 0 && length < LINE_BYTES)
        body_output_put(output, text, (size_t)length);
    else if (output->file.error == 0)
        output->file.error = EOVERFLOW;
}

enum status body_output_close(struct body_output **out, enum status status)
{
    struct body_output *output = *out;
    if (!output)
        return status;
    *out = NULL;
    if (status == STATUS_OK)
        output_write(&output->file, output->buffer, output->used);
    if (!output_close(&output->file, status == STATUS_OK, true) && status == STATUS_OK)
        status = status_fail(STATUS_IO, "cannot write '%s': %s", output->file.name,
                             strerror(output->file.error));
    output_release(&output->file);
    free(output);
    return status;
}
