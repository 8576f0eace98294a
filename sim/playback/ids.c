#include "sim/playback/ids.h"

#include <stdlib.h>
#include <string.h>

/* The finalizer of splitmix64. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The slot that has the id, or where it would go. */
static size_t seat(const struct ids *ids, uint64_t id)
{
    size_t at = (size_t)mixed(id) & ids->mask;
    while (ids->place[at] && ids->id[ids->place[at] - 1] != id)
        at = (at + 1) & ids->mask;
    return at;
}

/* Keeps the table at most half full. */
static enum status make_room(struct ids *ids, size_t room)
{
    size_t seats = 64;
    while (seats < 2 * room)
        seats *= 2;
    uint64_t *id = realloc(ids->id, room * sizeof *id);
    if (id)
        ids->id = id;
    uint32_t *place = calloc(seats, sizeof *place);
    if (!id || !place || room > IDS_MOST) {
        free(place);
        return status_fail(STATUS_RUNTIME, "no memory left for the ids of %zu bodies, %zu bytes",
                           room, room * sizeof *id + seats * sizeof *place);
    }
    free(ids->place);
    ids->place = place;
    ids->mask = seats - 1;
    ids->room = room;
    for (size_t i = 0; i < ids->count; i++)
        place[seat(ids, ids->id[i])] = (uint32_t)i + 1;
    return STATUS_OK;
}

enum status ids_open(struct ids *ids, size_t expected)
{
    *ids = (struct ids){.count = 0};
    enum status status = make_room(ids, expected > 16 ? expected : 16);
    if (status != STATUS_OK)
        ids_close(ids);
    return status;
}

void ids_close(struct ids *ids)
{
    free(ids->id);
    free(ids->place);
    *ids = (struct ids){.count = 0};
}

size_t ids_find(const struct ids *ids, uint64_t id, size_t guess)
{
    if (guess < ids->count && ids->id[guess] == id)
        return guess;
    const size_t at = seat(ids, id);
    return ids->place[at] ? ids->place[at] - 1 : SIZE_MAX;
}

enum status ids_add(struct ids *ids, uint64_t id)
{
    if (ids->count == ids->room) {
        enum status status = make_room(ids, 2 * ids->room);
        if (status != STATUS_OK)
            return status;
    }
    const size_t at = seat(ids, id);
    ids->id[ids->count++] = id;
    ids->place[at] = (uint32_t)ids->count;
    return STATUS_OK;
}
