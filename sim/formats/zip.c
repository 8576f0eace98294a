#include "sim/formats/zip.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The signatures of the parts of a zip file, and their fixed sizes including these four bytes. */
enum {
    LOCAL = 0x04034b50,
    LOCAL_BYTES = 30,
    CENTRAL = 0x02014b50,
    CENTRAL_BYTES = 46,
    END_64 = 0x06064b50,
    END_64_BYTES = 56,
    LOCATOR = 0x07064b50,
    LOCATOR_BYTES = 20,
    END = 0x06054b50,
    END_BYTES = 22,
    DESCRIPTOR = 0x08074b50,
};
enum { ENCRYPTED = 1, SIZE_FOLLOWS = 8, STORED = 0, DEFLATED = 8, EXTRA_64 = 1 };
enum { VERSION = 45, BUFFER = 1 << 16, EXTRA_MAX = 1 << 16 };

static uint32_t u16(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t u32(const unsigned char *at)
{
    return bytes_u32(at, false);
}

struct zip {
    const char *path;
    struct body_input *input;
    char name[ZIP_NAME];
    bool inside;                  /* a member has begun */
    bool deflated, ended;         /* ended: its deflated data has ended */
    bool size_follows;            /* the size comes after the data, not before */
    uint64_t packed, size, given; /* remaining packed bytes; size; bytes returned so far */
    uint32_t sum, wanted;
    uint64_t members;
    z_stream stream;
    size_t begin, end; /* unused range of the buffer */
    unsigned char buffer[BUFFER];
};

struct zip *zip_open(struct body_input *input, const char *path)
{
    struct zip *zip = memory_new(1, sizeof *zip);
    zip->path = path;
    zip->input = input;
    if (inflateInit2(&zip->stream, -MAX_WBITS) != Z_OK)
        memory_exhausted();
    return zip;
}

void zip_close(struct zip **zip)
{
    if (!*zip)
        return;
    inflateEnd(&(*zip)->stream);
    free(*zip);
    *zip = NULL;
}

static enum status damaged(const struct zip *zip, const char *why)
{
    return status_fail(STATUS_USAGE, "%s is a damaged zip file at %s (%s); copy or save it again",
                       zip->path, zip->name[0] ? zip->name : "its beginning", why);
}

/* ---- bytes of the file ---- */

static enum status refill(struct zip *zip)
{
    zip->begin = zip->end = 0;
    enum status status = body_input_read(zip->input, zip->buffer, BUFFER, &zip->end);
    if (status == STATUS_OK && zip->end == 0)
        status = status_fail(STATUS_USAGE, "%s ends within %s; copy or save it again", zip->path,
                             zip->inside ? zip->name : "its list of members");
    return status;
}

static enum status raw(struct zip *zip, void *to, size_t size)
{
    enum status status = STATUS_OK;
    for (size_t got = 0; got < size && status == STATUS_OK;) {
        const size_t ready = zip->end - zip->begin, some = ready < size - got ? ready : size - got;
        memcpy((char *)to + got, zip->buffer + zip->begin, some);
        zip->begin += some;
        got += some;
        if (got < size)
            status = refill(zip);
    }
    return status;
}

static enum status skip(struct zip *zip, uint64_t size)
{
    unsigned char bytes[512];
    enum status status = STATUS_OK;
    while (size > 0 && status == STATUS_OK) {
        const size_t some = size < sizeof bytes ? (size_t)size : sizeof bytes;
        status = raw(zip, bytes, some);
        size -= some;
    }
    return status;
}

/* ---- the content of a member ---- */

static enum status inflate_some(struct zip *zip, unsigned char *to, size_t size, size_t *got)
{
    z_stream *stream = &zip->stream;
    *got = 0;
    while (*got == 0 && !zip->ended) {
        enum status status = zip->begin == zip->end ? refill(zip) : STATUS_OK;
        if (status != STATUS_OK)
            return status;
        const size_t ready = zip->end - zip->begin;
        stream->next_in = zip->buffer + zip->begin;
        stream->avail_in = (uInt)(zip->size_follows || ready < zip->packed ? ready : zip->packed);
        stream->next_out = to;
        stream->avail_out = (uInt)(size < BUFFER ? size : BUFFER);
        const size_t in = stream->avail_in, out = stream->avail_out;
        const int code = inflate(stream, Z_NO_FLUSH);
        const size_t used = in - stream->avail_in;
        *got = out - stream->avail_out;
        zip->begin += used;
        zip->packed -= zip->size_follows ? 0 : used;
        zip->ended = code == Z_STREAM_END;
        if ((code != Z_OK && code != Z_STREAM_END) || (used == 0 && *got == 0 && !zip->ended))
            return damaged(zip, stream->msg ? stream->msg : "it cannot be unpacked");
    }
    return STATUS_OK;
}

/* Returns at least one byte of the member, or none at its end. */
static enum status content(struct zip *zip, unsigned char *to, size_t size, size_t *got)
{
    enum status status = STATUS_OK;
    if (zip->deflated)
        status = inflate_some(zip, to, size, got);
    else {
        *got = size < zip->packed ? size : (size_t)zip->packed;
        status = raw(zip, to, *got);
        zip->packed -= *got;
    }
    if (status != STATUS_OK)
        return status;
    zip->sum = zip_sum(zip->sum, to, *got);
    zip->given += *got;
    return status;
}

enum status zip_take(struct zip *zip, void *to, size_t size)
{
    for (size_t got = 0, some; got < size; got += some) {
        const enum status status = content(zip, (unsigned char *)to + got, size - got, &some);
        if (status != STATUS_OK)
            return status;
        if (some == 0)
            return damaged(zip, "it is shorter than its header says");
    }
    return STATUS_OK;
}

bool zip_holds(const struct zip *zip, uint64_t size)
{
    const uint64_t left = body_input_left(zip->input);
    return !zip->deflated && size <= zip->packed && left != UINT64_MAX &&
           size <= left + (zip->end - zip->begin);
}

/* Reads its size and checksum, with or without a signature, in 32 bits, or in 64 if it is large. */
static enum status read_descriptor(struct zip *zip)
{
    unsigned char bytes[24];
    size_t at = 0;
    enum status status = raw(zip, bytes, 12);
    if (status == STATUS_OK && u32(bytes) == DESCRIPTOR) {
        at = 4;
        status = raw(zip, bytes + 12, 4);
    }
    if (status != STATUS_OK)
        return status;
    zip->wanted = u32(bytes + at);
    zip->size = u32(bytes + at + 8);
    if (zip->size == zip->given)
        return status;
    status = raw(zip, bytes + at + 12, 8);
    zip->size = bytes_u64(bytes + at + 12, false);
    return status;
}

static enum status finish(struct zip *zip)
{
    unsigned char bytes[1 << 12];
    enum status status = STATUS_OK;
    for (size_t got = 1; got > 0 && status == STATUS_OK;)
        status = content(zip, bytes, sizeof bytes, &got);
    if (status == STATUS_OK && zip->size_follows)
        status = read_descriptor(zip);
    if (status == STATUS_OK && !zip->size_follows && zip->packed > 0)
        status = damaged(zip, "its packed data end early");
    if (status == STATUS_OK && (zip->given != zip->size || zip->sum != zip->wanted))
        status = damaged(zip, "its size or checksum does not match");
    zip->inside = false;
    return status;
}

/* ---- headers ---- */

/* Sizes above 4 GiB are in a separate field. */
static enum status read_extra(struct zip *zip, size_t length)
{
    unsigned char *extra = memory_new(EXTRA_MAX, 1);
    enum status status = raw(zip, extra, length);
    for (size_t at = 0; status == STATUS_OK && length - at >= 4;) {
        const size_t size = u16(extra + at + 2);
        if (size > length - at - 4)
            break;
        if (u16(extra + at) == EXTRA_64 && size >= 16 && zip->size == UINT32_MAX) {
            zip->size = bytes_u64(extra + at + 4, false);
            zip->packed = bytes_u64(extra + at + 12, false);
        }
        at += 4 + size;
    }
    free(extra);
    return status;
}

static enum status check_member(const struct zip *zip, uint32_t flags, uint32_t method)
{
    if (flags & ENCRYPTED)
        return status_fail(STATUS_USAGE, "%s: %s is encrypted; save it without a password",
                           zip->path, zip->name);
    if (method != STORED && method != DEFLATED)
        return status_fail(STATUS_USAGE,
                           "%s: %s is packed with the method %u of zip files, and only deflate can "
                           "be read; save it with numpy.savez_compressed",
                           zip->path, zip->name, method);
    if (method == STORED && (zip->size_follows || zip->packed != zip->size))
        return damaged(zip, "its size is not known");
    return STATUS_OK;
}

static enum status begin_member(struct zip *zip)
{
    unsigned char head[LOCAL_BYTES];
    enum status status = raw(zip, head + 4, LOCAL_BYTES - 4);
    if (status != STATUS_OK)
        return status;
    const uint32_t flags = u16(head + 6), method = u16(head + 8), name = u16(head + 26);
    zip->inside = true;
    zip->deflated = method == DEFLATED;
    zip->size_follows = flags & SIZE_FOLLOWS;
    zip->ended = false;
    zip->given = zip->sum = 0;
    zip->wanted = u32(head + 14);
    zip->packed = u32(head + 18);
    zip->size = u32(head + 22);
    zip->members++;
    if (name == 0 || name >= ZIP_NAME)
        return damaged(zip, "a name has no letters, or too many");
    status = raw(zip, zip->name, name);
    zip->name[name] = '\0';
    if (status == STATUS_OK)
        status = read_extra(zip, u16(head + 28));
    if (status == STATUS_OK && inflateReset(&zip->stream) != Z_OK)
        status = damaged(zip, "it cannot be unpacked");
    return status == STATUS_OK ? check_member(zip, flags, method) : status;
}

/* Skips the 64-bit end record and its locator. */
static enum status skip_end_64(struct zip *zip, uint32_t *mark)
{
    unsigned char bytes[8];
    enum status status = raw(zip, bytes, sizeof bytes);
    if (status == STATUS_OK)
        status = skip(zip, bytes_u64(bytes, false));
    if (status == STATUS_OK)
        status = raw(zip, bytes, 4);
    if (status == STATUS_OK && u32(bytes) == LOCATOR) {
        status = skip(zip, LOCATOR_BYTES - 4);
        if (status == STATUS_OK)
            status = raw(zip, bytes, 4);
    }
    *mark = u32(bytes);
    return status;
}

/* The central directory repeats the members' headers. */
static enum status read_list(struct zip *zip, uint32_t mark)
{
    unsigned char bytes[CENTRAL_BYTES];
    uint64_t listed = 0;
    enum status status = STATUS_OK;
    for (; mark == CENTRAL && status == STATUS_OK; listed++) {
        status = raw(zip, bytes + 4, CENTRAL_BYTES - 4);
        if (status == STATUS_OK)
            status = skip(zip, u16(bytes + 28) + u16(bytes + 30) + u16(bytes + 32));
        if (status == STATUS_OK)
            status = raw(zip, bytes, 4);
        mark = u32(bytes);
    }
    if (status == STATUS_OK && mark == END_64)
        status = skip_end_64(zip, &mark);
    if (status == STATUS_OK && (mark != END || listed != zip->members))
        return damaged(zip, "its directory does not match its members");
    if (status == STATUS_OK)
        status = raw(zip, bytes + 4, END_BYTES - 4);
    if (status == STATUS_OK)
        status = skip(zip, u16(bytes + 20)); /* a comment */
    if (status == STATUS_OK && zip->begin < zip->end)
        return status_fail(STATUS_USAGE, "%s has more data after its end; copy or save it again",
                           zip->path);
    return status == STATUS_OK ? body_input_end(zip->input) : status;
}

enum status zip_next(struct zip *zip, char name[ZIP_NAME])
{
    unsigned char bytes[4];
    enum status status = zip->inside ? finish(zip) : STATUS_OK;
    *name = '\0';
    if (status == STATUS_OK)
        status = raw(zip, bytes, sizeof bytes);
    if (status != STATUS_OK)
        return status;
    const uint32_t mark = u32(bytes);
    if (mark == CENTRAL || mark == END_64 || mark == END)
        return read_list(zip, mark);
    if (mark != LOCAL)
        return damaged(zip, "no member follows");
    status = begin_member(zip);
    if (status == STATUS_OK)
        memcpy(name, zip->name, ZIP_NAME);
    return status;
}

uint32_t zip_sum(uint32_t sum, const void *bytes, size_t size)
{
    return (uint32_t)crc32_z(sum, bytes, size);
}

/* ---- writing ---- */

struct listed {
    char *name;
    uint64_t size, place;
    uint32_t sum;
};

struct zip_writer {
    struct body_output *output;
    uint64_t place;
    size_t count;
    struct listed *members;
};

struct zip_writer *zip_begin(struct body_output *output)
{
    struct zip_writer *writer = memory_new(1, sizeof *writer);
    writer->output = output;
    return writer;
}

static void put(struct zip_writer *writer, const void *bytes, size_t size)
{
    body_output_put(writer->output, bytes, size);
    writer->place += size;
}

static void put_u16(unsigned char *at, size_t value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
}

/* Writes the fields shared by both headers of a member, from its version on. Sizes always have 64
 * bits, so that there is only one way to write them. The date is the earliest possible. */
static void fill_common(unsigned char *at, const struct listed *member, size_t extra)
{
    put_u16(at, VERSION);
    put_u16(at + 8, 0x21);
    bytes_put_u32(at + 10, member->sum, false);
    bytes_put_u32(at + 14, UINT32_MAX, false);
    bytes_put_u32(at + 18, UINT32_MAX, false);
    put_u16(at + 22, strlen(member->name));
    put_u16(at + 24, extra);
}

static void put_extra(struct zip_writer *writer, const struct listed *member, size_t numbers)
{
    unsigned char extra[4 + 24];
    put_u16(extra, EXTRA_64);
    put_u16(extra + 2, 8 * numbers);
    bytes_put_u64(extra + 4, member->size, false);
    bytes_put_u64(extra + 12, member->size, false);
    bytes_put_u64(extra + 20, member->place, false);
    put(writer, extra, 4 + 8 * numbers);
}

void zip_member(struct zip_writer *writer, const char *name, uint64_t size, uint32_t sum)
{
    unsigned char head[LOCAL_BYTES] = {0};
    struct listed *member = MEMORY_ADD(writer->members, writer->count);
    *member = (struct listed){memory_text(name), size, writer->place, sum};
    bytes_put_u32(head, LOCAL, false);
    fill_common(head + 4, member, 4 + 16);
    put(writer, head, sizeof head);
    put(writer, name, strlen(name));
    put_extra(writer, member, 2);
    writer->place += size;
}

static void put_list(struct zip_writer *writer)
{
    for (size_t i = 0; i < writer->count; i++) {
        const struct listed *member = &writer->members[i];
        unsigned char head[CENTRAL_BYTES] = {0};
        bytes_put_u32(head, CENTRAL, false);
        put_u16(head + 4, VERSION);
        fill_common(head + 6, member, 4 + 24);
        bytes_put_u32(head + 42, UINT32_MAX, false);
        put(writer, head, sizeof head);
        put(writer, member->name, strlen(member->name));
        put_extra(writer, member, 3);
    }
}

void zip_end(struct zip_writer **out)
{
    struct zip_writer *writer = *out;
    const uint64_t list = writer->place;
    unsigned char end[END_64_BYTES + LOCATOR_BYTES + END_BYTES] = {0}, *at = end;
    put_list(writer);
    const uint64_t after = writer->place;
    bytes_put_u32(at, END_64, false);
    bytes_put_u64(at + 4, END_64_BYTES - 12, false);
    put_u16(at + 12, VERSION);
    put_u16(at + 14, VERSION);
    bytes_put_u64(at + 24, writer->count, false);
    bytes_put_u64(at + 32, writer->count, false);
    bytes_put_u64(at + 40, after - list, false);
    bytes_put_u64(at + 48, list, false);
    at += END_64_BYTES;
    bytes_put_u32(at, LOCATOR, false);
    bytes_put_u64(at + 8, after, false);
    bytes_put_u32(at + 16, 1, false);
    at += LOCATOR_BYTES;
    bytes_put_u32(at, END, false);
    put_u16(at + 8, writer->count);
    put_u16(at + 10, writer->count);
    bytes_put_u32(at + 12, UINT32_MAX, false);
    bytes_put_u32(at + 16, UINT32_MAX, false);
    put(writer, end, sizeof end);
    for (size_t i = 0; i < writer->count; i++)
        free(writer->members[i].name);
    free(writer->members);
    free(writer);
    *out = NULL;
}
