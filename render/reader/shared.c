#include "render/reader/shared.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* order[d]: the frame whose packet is decoded at position d. */
static size_t *decoding_order(const struct stream *stream)
{
    size_t *order = memory_new(stream->count, sizeof *order);
    for (size_t i = 0; i < stream->count; i++)
        order[stream->packets[i].decoded] = i;
    return order;
}

static bool is_equal(const struct stream_packet *a, const struct stream_packet *b)
{
    return a->plain && b->plain && a->key == b->key && a->bytes == b->bytes &&
           strcmp(a->hash, b->hash) == 0;
}

struct walk {
    size_t equal_since; /* the first packet of the current run of equal packets */
    size_t key[2];      /* packets of the last two key frames, SIZE_MAX: none */
    size_t key_frame[2];
};

/* Frames that are shown before the last key frame but decoded after it may need the key frame
 * before that. */
static bool follows_key(const struct walk *walk, size_t frame)
{
    for (int i = 0; i < 2; i++)
        if (walk->key[i] != SIZE_MAX && walk->key_frame[i] <= frame)
            return walk->key[i] >= walk->equal_since;
    return false;
}

static void pass_key(struct walk *walk, size_t packet, size_t frame)
{
    walk->key[1] = walk->key[0];
    walk->key_frame[1] = walk->key_frame[0];
    walk->key[0] = packet;
    walk->key_frame[0] = frame;
}

uint64_t shared_find(const struct stream *a, const struct stream *b, uint64_t count, uint8_t *same)
{
    memset(same, 0, count);
    if (a->count == 0 || b->count == 0 || strcmp(a->setup, b->setup) != 0)
        return 0;
    size_t *of_a = decoding_order(a), *of_b = decoding_order(b);
    struct walk walk = {.key = {SIZE_MAX, SIZE_MAX}};
    uint64_t found = 0;
    for (size_t d = 0; d < a->count && d < b->count; d++) {
        const struct stream_packet *packet = &a->packets[of_a[d]];
        if (of_a[d] != of_b[d] || !is_equal(packet, &b->packets[of_b[d]]))
            walk.equal_since = d + 1;
        if (packet->key)
            pass_key(&walk, d, of_a[d]);
        if (walk.equal_since <= d && of_a[d] < count && follows_key(&walk, of_a[d])) {
            same[of_a[d]] = 1;
            found++;
        }
    }
    free(of_a);
    free(of_b);
    return found;
}
