#include "sim/playback/directory.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"

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

/* ---- directory ---- */

struct directory {
    struct ids ids;
    struct whereabouts *where; /* [ids.count] */
    size_t room;
};

/* A body to be added, as its rank sends it. */
struct entry {
    uint64_t id;
    uint32_t place, spare;
};

/* For each rank: the bytes that go out to it and come in from it, and the place of the next item
 * for it among those sent. */
struct parcels {
    size_t *out, *in;
    size_t *next;
};

_Static_assert((int)RANKS_MOST <= (int)DIRECTORY_NOWHERE, "a rank needs more bits");

static uint32_t keeper(uint64_t id)
{
    return (uint32_t)((id * 0x9e3779b97f4a7c15u >> 32) % (uint32_t)ranks_count());
}

static enum status no_room(size_t count)
{
    return status_fail(STATUS_RUNTIME, "no memory to exchange %zu bodies between ranks", count);
}

static void free_parcels(struct parcels *parcels)
{
    free(parcels->out);
    free(parcels->in);
    free(parcels->next);
}

/* Collective: finds how much goes to each rank and comes from it. */
static enum status plan(struct parcels *parcels, size_t bytes, const struct whereabouts *to,
                        size_t count)
{
    const size_t ranks = (size_t)ranks_count();
    uint64_t *out = memory_new(ranks, sizeof *out), *in = memory_new(ranks, sizeof *in);
    *parcels = (struct parcels){.out = memory_new(ranks, sizeof *parcels->out),
                                .in = memory_new(ranks, sizeof *parcels->in),
                                .next = memory_new(ranks, sizeof *parcels->next)};
    for (size_t i = 0; i < count; i++)
        if (to[i].rank != DIRECTORY_NOWHERE)
            out[to[i].rank]++;
    enum status status = ranks_swap(out, in);
    for (size_t r = 0, first = 0; r < ranks; first += out[r++]) {
        parcels->next[r] = first;
        parcels->out[r] = out[r] * bytes;
        parcels->in[r] = in[r] * bytes;
    }
    free(out);
    free(in);
    return status;
}

static size_t sum(const size_t *numbers)
{
    size_t all = 0;
    for (int r = 0; r < ranks_count(); r++)
        all += numbers[r];
    return all;
}

/* Collective. at[count]: where each item was put among those sent; may be NULL. */
static enum status send(struct parcels *parcels, const void *items, size_t bytes,
                        const struct whereabouts *to, size_t count, size_t *at, void **in)
{
    enum status status = plan(parcels, bytes, to, count);
    uint8_t *out = status == STATUS_OK ? malloc(sum(parcels->out) + 1) : NULL;
    *in = status == STATUS_OK ? malloc(sum(parcels->in) + 1) : NULL;
    if (status == STATUS_OK && !(out && *in))
        status = no_room(count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (to[i].rank == DIRECTORY_NOWHERE)
            continue;
        const size_t next = parcels->next[to[i].rank]++;
        memcpy(out + next * bytes, (const uint8_t *)items + i * bytes, bytes);
        if (at)
            at[i] = next;
    }
    if (status == STATUS_OK)
        status = ranks_exchange(out, parcels->out, *in, parcels->in);
    free(out);
    if (status != STATUS_OK) {
        free(*in);
        *in = NULL;
    }
    return status;
}

enum status directory_send(const void *items, size_t bytes, const struct whereabouts *to,
                           size_t count, void **in, size_t *got)
{
    struct parcels parcels;
    const enum status status = send(&parcels, items, bytes, to, count, NULL, in);
    *got = sum(parcels.in) / bytes;
    free_parcels(&parcels);
    return status;
}

static enum status keep(struct directory *directory, const struct entry *entry, uint32_t rank,
                        struct directory_twice *twice)
{
    const size_t at = directory->ids.count;
    if (ids_find(&directory->ids, entry->id, SIZE_MAX) != SIZE_MAX) {
        *twice = (struct directory_twice){1, entry->id};
        return STATUS_OK;
    }
    if (at == directory->room) {
        directory->room = 2 * at + 1024;
        directory->where = memory_grow(directory->where, directory->room, sizeof *directory->where);
    }
    directory->where[at] = (struct whereabouts){rank, entry->place};
    return ids_add(&directory->ids, entry->id);
}

/* Collective: tells all ranks an id that any of them has found twice. */
static enum status share_twice(struct directory_twice *twice)
{
    const size_t ranks = (size_t)ranks_count();
    struct directory_twice *all = memory_new(ranks, sizeof *all);
    const enum status status = ranks_gather_each(twice, all, sizeof *twice);
    for (size_t r = 0; r < ranks && status == STATUS_OK; r++)
        *twice = all[r].found ? all[r] : *twice;
    free(all);
    return status;
}

enum status directory_add(struct directory *directory, const uint64_t *id, size_t count,
                          size_t first, struct directory_twice *twice)
{
    struct entry *own = malloc((count + 1) * sizeof *own), *got = NULL;
    struct whereabouts *to = malloc((count + 1) * sizeof *to);
    struct parcels parcels = {0};
    *twice = (struct directory_twice){0};
    enum status status = own && to ? STATUS_OK : no_room(count);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        own[i] = (struct entry){.id = id[i], .place = (uint32_t)(first + i)};
        to[i].rank = keeper(id[i]);
    }
    if (status == STATUS_OK)
        status = send(&parcels, own, sizeof *own, to, count, NULL, (void **)&got);
    free(own);
    free(to);
    if (status == STATUS_OK) {
        const struct entry *next = got;
        for (int r = 0; r < ranks_count(); r++)
            for (size_t k = 0; k < parcels.in[r] / sizeof *got && status == STATUS_OK; k++)
                status = keep(directory, next++, (uint32_t)r, twice);
    }
    free(got);
    free_parcels(&parcels);
    return status == STATUS_OK ? share_twice(twice) : status;
}

enum status directory_open(struct directory **out, const uint64_t *id, size_t count,
                           struct directory_twice *twice)
{
    *out = memory_new(1, sizeof **out);
    (*out)->room = count + 1024;
    (*out)->where = memory_new((*out)->room, sizeof *(*out)->where);
    enum status status = ids_open(&(*out)->ids, count);
    if (status == STATUS_OK)
        status = directory_add(*out, id, count, 0, twice);
    if (status != STATUS_OK)
        directory_close(out);
    return status;
}

static void answer(const struct directory *directory, const uint64_t *id, size_t count,
                   struct whereabouts *out)
{
    for (size_t k = 0, guess = 0; k < count; k++) {
        const size_t at = ids_find(&directory->ids, id[k], guess);
        out[k] = at == SIZE_MAX ? (struct whereabouts){DIRECTORY_NOWHERE, 0} : directory->where[at];
        guess = at == SIZE_MAX ? guess : at + 1;
    }
}

/* Checks the answers of other ranks, which are trusted no more than a file. */
static enum status check_answers(const struct whereabouts *answers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (answers[i].rank != DIRECTORY_NOWHERE && answers[i].rank >= (uint32_t)ranks_count())
            return status_fail(STATUS_RUNTIME,
                               "a rank sent a place on rank %u, but there are %d ranks",
                               answers[i].rank, ranks_count());
    return STATUS_OK;
}

enum status directory_find(const struct directory *directory, const uint64_t *id, size_t count,
                           struct whereabouts *out)
{
    struct parcels parcels = {0};
    uint64_t *asked = NULL;
    struct whereabouts *answers = NULL, *got = NULL;
    size_t *at = malloc((count + 1) * sizeof *at), in = 0, sent = 0;
    enum status status = at ? STATUS_OK : no_room(count);
    for (size_t i = 0; i < count; i++)
        out[i].rank = keeper(id[i]);
    if (status == STATUS_OK)
        status = send(&parcels, id, sizeof *id, out, count, at, (void **)&asked);
    if (status == STATUS_OK) {
        _Static_assert(sizeof *answers == sizeof *id, "answers are as long as questions");
        in = sum(parcels.in) / sizeof *id;
        sent = sum(parcels.out) / sizeof *id;
        answers = malloc((in + 1) * sizeof *answers);
        got = malloc((sent + 1) * sizeof *got);
        status = answers && got ? STATUS_OK : no_room(count);
    }
    if (status == STATUS_OK) {
        answer(directory, asked, in, answers);
        status = ranks_exchange(answers, parcels.in, got, parcels.out);
    }
    if (status == STATUS_OK)
        status = check_answers(got, sent);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        out[i] = got[at[i]];
    free(asked);
    free(answers);
    free(got);
    free(at);
    free_parcels(&parcels);
    return status;
}

void directory_close(struct directory **directory)
{
    if (!*directory)
        return;
    ids_close(&(*directory)->ids);
    free((*directory)->where);
    free(*directory);
    *directory = NULL;
}
