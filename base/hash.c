#include "base/hash.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_STATIC_LINKING_ONLY /* a state on the stack */
#include <xxhash.h>

enum { PIECE = 1 << 18 };

struct hash_stream {
    XXH3_state_t *state;
    char piece[PIECE];
};

static void digits(XXH128_hash_t hash, char out[HASH_TEXT])
{
    snprintf(out, HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
}

struct hash_stream *hash_open(void)
{
    struct hash_stream *stream = memory_new(1, sizeof *stream);
    stream->state = XXH3_createState();
    if (!stream->state)
        memory_exhausted();
    XXH3_128bits_reset(stream->state);
    return stream;
}

void hash_add(struct hash_stream *stream, const void *data, size_t size)
{
    XXH3_128bits_update(stream->state, data, size);
}

void hash_end(struct hash_stream **stream, char *out)
{
    if (!*stream)
        return;
    if (out)
        digits(XXH3_128bits_digest((*stream)->state), out);
    XXH3_freeState((*stream)->state);
    free(*stream);
    *stream = NULL;
}

uint64_t hash_word(const char *word)
{
    return XXH3_64bits(word, strlen(word));
}

void hash_parts(const struct hash_part *parts, size_t count, char out[HASH_TEXT])
{
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    for (size_t p = 0; p < count; p++)
        XXH3_128bits_update(&state, parts[p].data, parts[p].size);
    digits(XXH3_128bits_digest(&state), out);
}

enum status hash_add_file(struct hash_stream *stream, const char *path, uint64_t from,
                          uint64_t *bytes)
{
    struct stat found;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int reason = file < 0 || fstat(file, &found) != 0 ? errno : 0;
    if (reason == 0 && !S_ISREG(found.st_mode))
        reason = S_ISDIR(found.st_mode) ? EISDIR : ESPIPE;
    if (reason == 0 && lseek(file, (off_t)from, SEEK_SET) < 0)
        reason = errno;
    uint64_t size = 0;
    for (ssize_t got = 1; reason == 0 && got != 0;) {
        got = read(file, stream->piece, PIECE);
        if (got < 0 && errno != EINTR)
            reason = errno;
        if (got > 0) {
            XXH3_128bits_update(stream->state, stream->piece, (size_t)got);
            size += (uint64_t)got;
        }
    }
    if (file >= 0)
        close(file);
    if (bytes)
        *bytes += size;
    return reason ? status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(reason))
                  : STATUS_OK;
}
