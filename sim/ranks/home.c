#include "sim/ranks/home.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rank sends at most this many bodies at a time; all ranks together may send this many to one
 * rank. */
enum { PIECE_MOST = 1 << 18, PIECE_LEAST = 1 << 12 };

enum status home_open(struct home *home, const struct bodies *bodies)
{
    const size_t ranks = (size_t)ranks_count();
    const uint64_t components = bodies->component_count;
    *home = (struct home){0};
    uint64_t *own = memory_new(2 * components, sizeof *own), *row = own + components;
    uint64_t *all = memory_new(2 * components * ranks, sizeof *all);
    for (size_t c = 0; c < components; c++) {
        own[c] = bodies->components[c].count;
        row[c] = bodies->components[c].first;
    }
    const enum status status = ranks_gather_each(own, all, 2 * components * sizeof *own);
    home->blocks = components * ranks;
    home->first = memory_new(home->blocks + 1, sizeof *home->first);
    home->row = memory_new(home->blocks, sizeof *home->row);
    for (size_t k = 0; status == STATUS_OK && k < home->blocks; k++) {
        const uint64_t *of = all + (k % ranks) * 2 * components;
        home->first[k + 1] = home->first[k] + of[k / ranks];
        home->row[k] = of[components + k / ranks];
    }
    free(own);
    free(all);
    return status;
}

void home_close(struct home *home)
{
    free(home->first);
    free(home->row);
    *home = (struct home){0};
}

/* Returns the last k with start[k] <= number; start[count] must be larger. */
static size_t place_in(const uint64_t *start, size_t count, uint64_t number)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (start[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- pieces ---- */

/* A piece of the items on their way, sorted by the rank to which they go. */
struct post {
    size_t width; /* bytes of an item */
    size_t most;  /* items at once */
    uint32_t *rank;
    size_t *out, *in, *next;
    char *items, *sorted, *got;
    size_t room; /* of `got`, in bytes */
};

static enum status open_post(struct post *post, size_t width, size_t count)
{
    const size_t ranks = (size_t)ranks_count();
    const size_t most = PIECE_MOST / ranks > PIECE_LEAST ? PIECE_MOST / ranks : PIECE_LEAST;
    *post = (struct post){.width = width, .most = most < count ? most : count};
    post->rank = malloc((post->most + 1) * sizeof *post->rank);
    post->items = malloc(post->most * width + 1);
    post->sorted = malloc(post->most * width + 1);
    post->out = memory_new(ranks, sizeof *post->out);
    post->in = memory_new(ranks, sizeof *post->in);
    post->next = memory_new(ranks, sizeof *post->next);
    if (!post->rank || !post->items || !post->sorted)
        return status_fail(STATUS_RUNTIME, "no memory to send %zu bodies, %zu bytes", post->most,
                           2 * post->most * width);
    return STATUS_OK;
}

static void close_post(struct post *post)
{
    free(post->rank);
    free(post->items);
    free(post->sorted);
    free(post->got);
    free(post->out);
    free(post->in);
    free(post->next);
}

/* Collective: finds how many pieces are sent. */
static enum status count_rounds(const struct post *post, size_t count, size_t *rounds)
{
    double most = post->most > 0 ? ceil((double)count / (double)post->most) : 0;
    const enum status status = ranks_largest(&most, 1);
    *rounds = (size_t)most;
    return status;
}

/* Collective: sends `count` items, each to its rank. *here: how many have arrived. */
static enum status send_items(struct post *post, size_t count, size_t *here)
{
    const size_t ranks = (size_t)ranks_count();
    size_t all;
    memset(post->out, 0, ranks * sizeof *post->out);
    for (size_t i = 0; i < count; i++)
        post->out[post->rank[i]] += post->width;
    for (size_t r = 0, at = 0; r < ranks; at += post->out[r++])
        post->next[r] = at;
    for (size_t i = 0; i < count; i++) {
        memcpy(post->sorted + post->next[post->rank[i]], post->items + i * post->width,
               post->width);
        post->next[post->rank[i]] += post->width;
    }
    enum status status = share_announce(post->out, post->in, &all);
    if (status == STATUS_OK && all > post->room) {
        free(post->got);
        post->got = malloc(all);
        post->room = post->got ? all : 0;
        if (!post->got)
            status = status_fail(STATUS_RUNTIME, "no memory to receive bodies, %zu bytes", all);
    }
    status = ranks_agree(status);
    *here = all / post->width;
    return status == STATUS_OK ? ranks_exchange(post->sorted, post->out, post->got, post->in)
                               : status;
}

/* ---- to their homes ---- */

static size_t pack(const struct share_body *body, unsigned parts, const double *value, double *out)
{
    double *at = out;
    const double *const rows[] = {body->position, body->velocity, body->acceleration};
    for (unsigned p = 0; p < 3; p++)
        if (parts & 1u << p) {
            memcpy(at, rows[p], 3 * sizeof *at);
            at += 3;
        }
    if (parts & HOME_VALUE)
        *at++ = *value;
    return (size_t)(at - out);
}

enum status home_bring(const struct home *home, const struct share *share, unsigned parts,
                       const double *value, home_put put, void *user)
{
    const size_t ranks = (size_t)ranks_count();
    double numbers[10];
    const size_t width =
        sizeof(uint64_t) + sizeof *numbers * pack(&(struct share_body){0}, parts, numbers, numbers);
    struct post post;
    size_t rounds = 0, here;
    enum status status = ranks_agree(open_post(&post, width, share->count));
    if (status == STATUS_OK)
        status = count_rounds(&post, share->count, &rounds);
    for (size_t k = 0, begin = 0; status == STATUS_OK && k < rounds; k++) {
        const size_t rest = share->count - begin, count = rest < post.most ? rest : post.most;
        for (size_t i = 0; i < count; i++) {
            const struct share_body *body = share->body + begin + i;
            const size_t block = place_in(home->first, home->blocks, body->number);
            const uint64_t row = home->row[block] + (body->number - home->first[block]);
            char *item = post.items + i * width;
            post.rank[i] = (uint32_t)(block % ranks);
            memcpy(item, &row, sizeof row);
            pack(body, parts, value ? value + begin + i : NULL, numbers);
            memcpy(item + sizeof row, numbers, width - sizeof row);
        }
        begin += count;
        status = send_items(&post, count, &here);
        for (size_t i = 0; status == STATUS_OK && i < here; i++) {
            uint64_t row;
            memcpy(&row, post.got + i * width, sizeof row);
            memcpy(numbers, post.got + i * width + sizeof row, width - sizeof row);
            put(user, (size_t)row, numbers);
        }
    }
    close_post(&post);
    return status;
}

/* ---- to the ranks that move them ---- */

/* The state of a deal. */
struct dealing {
    const struct home *home;
    uint32_t *place;  /* [total] place at which each number is dealt; NULL: the number itself */
    uint64_t *starts; /* [ranks + 1] */
};

static enum status open_dealing(struct dealing *dealing, const struct home *home,
                                const uint32_t *order, size_t block)
{
    const size_t ranks = (size_t)ranks_count(), total = home_total(home);
    *dealing = (struct dealing){.home = home};
    dealing->starts = memory_new(ranks + 1, sizeof *dealing->starts);
    for (size_t r = 0; r <= ranks; r++)
        dealing->starts[r] = share_begin(total, block, (int)r);
    if (!order)
        return STATUS_OK;
    dealing->place = malloc(total * sizeof *dealing->place);
    if (!dealing->place)
        return status_fail(STATUS_RUNTIME, "no memory to share out %zu bodies", total);
    for (size_t k = 0; k < total; k++)
        dealing->place[order[k]] = (uint32_t)k;
    return STATUS_OK;
}

static size_t place_of(const struct dealing *dealing, uint32_t number)
{
    return dealing->place ? dealing->place[number] : number;
}

/* Finds the next bodies of this home from (*block, *begin) on; returns how many. */
static size_t next_items(const struct dealing *dealing, home_get get, const void *user,
                         struct post *post, size_t *block, uint64_t *begin)
{
    const struct home *home = dealing->home;
    const size_t ranks = (size_t)ranks_count();
    size_t count = 0;
    for (; *block < home->blocks && count < post->most; *block += ranks, *begin = 0) {
        const uint64_t all = home->first[*block + 1] - home->first[*block];
        for (; *begin < all && count < post->most; ++*begin) {
            struct share_body body = {.number = (uint32_t)(home->first[*block] + *begin)};
            get(user, home->row[*block] + (size_t)*begin, &body);
            post->rank[count] =
                (uint32_t)place_in(dealing->starts, ranks, place_of(dealing, body.number));
            memcpy(post->items + count++ * post->width, &body, sizeof body);
        }
        if (*begin < all)
            break;
    }
    return count;
}

static size_t own_bodies(const struct home *home)
{
    const size_t ranks = (size_t)ranks_count();
    size_t count = 0;
    for (size_t k = (size_t)ranks_own(); k < home->blocks; k += ranks)
        count += (size_t)(home->first[k + 1] - home->first[k]);
    return count;
}

/* Collective. */
static enum status deal_all(const struct dealing *dealing, home_get get, const void *user,
                            struct share *share)
{
    const size_t own = (size_t)ranks_own(), count = own_bodies(dealing->home);
    const uint64_t first = dealing->starts[own];
    struct post post;
    size_t rounds = 0, here, block = own;
    uint64_t begin = 0;
    enum status status = ranks_agree(open_post(&post, sizeof(struct share_body), count));
    if (status == STATUS_OK)
        status = count_rounds(&post, count, &rounds);
    for (size_t k = 0; status == STATUS_OK && k < rounds; k++) {
        const size_t items = next_items(dealing, get, user, &post, &block, &begin);
        status = send_items(&post, items, &here);
        for (size_t i = 0; status == STATUS_OK && i < here; i++) {
            struct share_body body;
            memcpy(&body, post.got + i * sizeof body, sizeof body);
            share->body[place_of(dealing, body.number) - first] = body;
        }
    }
    close_post(&post);
    return status;
}

enum status home_deal(const struct home *home, home_get get, const void *user,
                      const uint32_t *order, size_t block, struct share *share)
{
    struct dealing dealing;
    enum status status = open_dealing(&dealing, home, order, block);
    const size_t own = (size_t)ranks_own();
    share->count = (size_t)(dealing.starts[own + 1] - dealing.starts[own]);
    if (status == STATUS_OK)
        status = share_room(share, share->count);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = deal_all(&dealing, get, user, share);
    free(dealing.place);
    free(dealing.starts);
    return status;
}

enum status home_sum(const struct home *home, const double *a, const double *b, double *sum)
{
    const int ranks = ranks_count();
    enum status status = STATUS_OK;
    *sum = 0;
    for (size_t k = 0; k < home->blocks && status == STATUS_OK; k++) {
        const size_t count = (size_t)(home->first[k + 1] - home->first[k]);
        const int rank = (int)(k % (size_t)ranks);
        if (count == 0)
            continue;
        for (size_t i = home->row[k]; rank == ranks_own() && i < home->row[k] + count; i++)
            *sum += a[i] * b[i];
        status = ranks_share(sum, sizeof *sum, rank);
    }
    return status;
}
