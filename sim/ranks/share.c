#include "sim/ranks/share.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

enum status share_room(struct share *share, size_t count)
{
    if (count <= share->room)
        return STATUS_OK;
    const size_t room = count + count / 16 + 64;
    struct share_body *body = realloc(share->body, room * sizeof *body);
    if (!body)
        return status_fail(STATUS_RUNTIME,
                           "no memory for the state of %zu bodies, %zu bytes; use more ranks", room,
                           room * sizeof *body);
    share->body = body;
    share->room = room;
    return STATUS_OK;
}

void share_close(struct share *share)
{
    free(share->body);
    *share = (struct share){0};
}

enum status share_copy(struct share *to, const struct share *from)
{
    enum status status = share_room(to, from->count);
    if (status != STATUS_OK)
        return status;
    if (from->count > 0)
        memcpy(to->body, from->body, from->count * sizeof *to->body);
    to->count = from->count;
    return STATUS_OK;
}

size_t share_begin(size_t total, size_t block, int rank)
{
    const size_t blocks = (total + block - 1) / block;
    const size_t begin = blocks * (size_t)rank / (size_t)ranks_count() * block;
    return begin < total ? begin : total;
}

enum status share_announce(const size_t *out, size_t *in, size_t *all)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t *to = memory_new(ranks, sizeof *to), *from = memory_new(ranks, sizeof *from);
    for (size_t r = 0; r < ranks; r++)
        to[r] = out[r];
    enum status status = ranks_swap(to, from);
    *all = 0;
    for (size_t r = 0; r < ranks; r++) {
        in[r] = from[r];
        *all += in[r];
    }
    free(to);
    free(from);
    return status;
}
