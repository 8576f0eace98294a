/* Every collective call begins with a meeting: one reduction of a few numbers. It tells all ranks
 * whether they make the same call with the same lengths, whether one of them has failed, and
 * whether one has ended. Data is moved only then, so that no rank waits for data that another does
 * not send, and no buffer is too small. */
#include "base/ranks/ranks.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/launcher.h"
#include "base/ranks/processors.h"
#include "base/ranks/wire.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum call {
    CALL_AGREE = 1,
    CALL_SHARE,
    CALL_LARGEST,
    CALL_SUM,
    CALL_GATHER,
    CALL_COLLECT,
    CALL_DEAL,
    CALL_EXCHANGE,
    CALL_SWAP,
    CALL_CLOSE,
    CALLS
};

static const char *const names[CALLS] = {
    [CALL_AGREE] = "ranks_agree",     [CALL_SHARE] = "ranks_share",
    [CALL_LARGEST] = "ranks_largest", [CALL_SUM] = "ranks_sum",
    [CALL_GATHER] = "ranks_gather",   [CALL_COLLECT] = "ranks_collect",
    [CALL_DEAL] = "ranks_deal",       [CALL_EXCHANGE] = "ranks_exchange",
    [CALL_SWAP] = "ranks_swap",       [CALL_CLOSE] = "ranks_close",
};

/* A rank's host and threads, exchanged at the start. */
struct place {
    char host[60];
    int32_t threads;
};

static struct {
    bool open;
    pid_t process; /* a process forked from this one is not a rank */
    int count, own, local, local_count;
    struct place *places; /* [count] */
    pthread_mutex_t lock; /* guards the members below */
    struct failure lost;  /* returned by every further call */
    bool broken;          /* MPI may only be aborted; its memory is kept */
    bool over;            /* a rank has ended, and every rank knows it */
} ranks = {.count = 1, .local_count = 1, .lock = PTHREAD_MUTEX_INITIALIZER};

/* The numbers that a meeting reduces to their maximum over all ranks. The last three are
 * complements, whose maximum gives the minimum. */
enum { ENDED, FAILED, STOPS, CODE, SIZE, TRACE, CODE_LEAST, SIZE_LEAST, TRACE_LEAST, NUMBERS };

/* A decision that leads to other collective calls. */
struct decision {
    char what[32];
    uint64_t value;
};

enum { DECISIONS = 8, ASKED = 256 /* above all numbers of signals */ };

static const char *const lane_names[RANKS_LANES] = {"main", "simulate", "draw"};

/* Used by one thread at a time. Its memory is kept, because MPI may still have it after a failure.
 */
static struct lane {
    bool taken; /* a thread has entered it with ranks_enter */
    bool asks;  /* this rank wants to end */
    int stops;  /* a rank wanted to end at the last meeting: the number of its signal, or ASKED */
    struct ranks_traffic traffic;
    uint64_t trace;
    struct decision decisions[DECISIONS]; /* since the last meeting */
    uint32_t decided;
    uint64_t numbers[NUMBERS];
    struct failure failure;
} lanes[RANKS_LANES];

static _Thread_local enum ranks_lane own_lane = LANE_MAIN;
static _Thread_local bool entered;
static _Thread_local int apart; /* nested calls of ranks_begin_first that have not ended: rank 0
                                 * works alone */

static struct lane *lane_now(void)
{
    return &lanes[own_lane];
}

/* FNV-1a, continued from `hash`. */
static uint64_t hash_on(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

/* ---- this process and its rank ---- */

int ranks_count(void)
{
    return ranks.count;
}

int ranks_own(void)
{
    return ranks.own;
}

int ranks_local(void)
{
    return ranks.local;
}

int ranks_local_count(void)
{
    return ranks.local_count;
}

const char *ranks_library(void)
{
    return wire_library();
}

static void find_place(struct place *place)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !host[0])
        strcpy(host, "unknown");
    snprintf(place->host, sizeof place->host, "%.*s", (int)sizeof place->host - 1, host);
    place->threads = processors_threads();
}

/* The place of a rank; of this process if there is only one. */
static const struct place *place_of(int rank)
{
    static _Thread_local struct place alone;
    if (ranks.places)
        return &ranks.places[rank];
    find_place(&alone);
    return &alone;
}

const char *ranks_host(int rank)
{
    return place_of(rank)->host;
}

int ranks_threads(int rank)
{
    return place_of(rank)->threads;
}

enum { NAME = 80 };

static const char *name_of(int rank, char out[NAME])
{
    snprintf(out, NAME, "rank %d on %s", rank, ranks_host(rank));
    return out;
}

const char *ranks_name(int rank)
{
    static _Thread_local char text[NAME];
    return ranks.count > 1 ? name_of(rank, text) : "";
}

void ranks_watch(const volatile sig_atomic_t *stop)
{
    wire_watch(stop);
}

/* ---- lanes ---- */

void ranks_enter(enum ranks_lane name)
{
    if (ranks.count == 1)
        return;
    if (__atomic_exchange_n(&lanes[name].taken, true, __ATOMIC_ACQ_REL)) {
        log_error("two threads use the lane '%s' at once", lane_names[name]);
        abort();
    }
    own_lane = name;
    entered = true;
    lanes[name].asks = false;
    lanes[name].stops = 0;
    wire_rest((int)name, false);
}

void ranks_leave(void)
{
    if (ranks.count == 1)
        return;
    wire_rest((int)own_lane, true);
    __atomic_store_n(&lane_now()->taken, false, __ATOMIC_RELEASE);
    own_lane = LANE_MAIN;
    entered = false;
}

bool ranks_are_together(void)
{
    return entered;
}

bool ranks_lead(void)
{
    return !ranks_are_together() || ranks_own() == 0;
}

void ranks_rest(bool rests)
{
    if (entered)
        wire_rest((int)own_lane, rests);
}

int ranks_stop(const volatile sig_atomic_t *own)
{
    if (!own)
        return 0;
    return entered ? lane_now()->stops : __atomic_load_n(own, __ATOMIC_RELAXED);
}

void ranks_ask_end(void)
{
    lane_now()->asks = true;
}

bool ranks_end_is_asked(void)
{
    return entered && lane_now()->stops == ASKED;
}

void ranks_decide(const char *what, uint64_t value)
{
    struct lane *lane = lane_now();
    if (!entered)
        return;
    struct decision *decision = &lane->decisions[lane->decided++ % DECISIONS];
    snprintf(decision->what, sizeof decision->what, "%s", what);
    decision->value = value;
    lane->trace = hash_on(hash_on(lane->trace, what, strlen(what)), &value, sizeof value) + 1;
}

struct ranks_traffic ranks_traffic(void)
{
    return lane_now()->traffic;
}

/* Counts what this rank sends to `receivers` others. */
static void count_sent(size_t bytes, size_t receivers)
{
    if (bytes == 0)
        return;
    lane_now()->traffic.bytes += (uint64_t)bytes * receivers;
    lane_now()->traffic.messages += receivers;
}

/* The number of rounds of a reduction over all ranks: log2, rounded up. */
static size_t rounds(void)
{
    size_t n = 0;
    for (int reached = 1; reached < ranks.count; reached *= 2)
        n++;
    return n;
}

/* ---- meetings ---- */

/* Keeps a failure of MPI: the ranks are no longer in step. */
static enum status wired(enum status status)
{
    if (status != STATUS_OK) {
        pthread_mutex_lock(&ranks.lock);
        failure_keep(&ranks.lost, status);
        ranks.broken = true;
        pthread_mutex_unlock(&ranks.lock);
    }
    return status;
}

/* STATUS_OK, or what ended the calls. */
static enum status lost(void)
{
    pthread_mutex_lock(&ranks.lock);
    const enum status status = failure_report(&ranks.lost);
    pthread_mutex_unlock(&ranks.lock);
    return status;
}

struct call_size {
    uint64_t call, size;
};

/* Packs a call and the rank that it concerns. */
static uint64_t call_code(enum call call, int root)
{
    return (uint64_t)call * RANKS_MOST + (uint64_t)root;
}

static const char *call_name(uint64_t code)
{
    const uint64_t call = code / RANKS_MOST;
    return call > 0 && call < CALLS ? names[call] : "nothing known";
}

/* Finds the first rank whose call differs from that of rank 0, and reports the difference. */
static enum status explain(struct call_size own)
{
    struct call_size *all = memory_new((size_t)ranks.count, sizeof *all);
    enum status status = wired(wire_gather((int)own_lane, &own, sizeof own, all));
    int other = 1;
    while (status == STATUS_OK && other < ranks.count - 1 && all[other].call == all[0].call &&
           all[other].size == all[0].size)
        other++;
    char first[NAME], second[NAME];
    name_of(other, first);
    name_of(0, second);
    const enum call call = (enum call)(all[0].call / RANKS_MOST);
    if (status != STATUS_OK)
        ;
    else if (all[other].call / RANKS_MOST != all[0].call / RANKS_MOST)
        status = status_fail(STATUS_RUNTIME, "the ranks disagree: %s calls %s, %s calls %s", first,
                             call_name(all[other].call), second, call_name(all[0].call));
    else if (all[other].call != all[0].call)
        status =
            status_fail(STATUS_RUNTIME, "the ranks disagree in %s: %s names rank %d, %s rank %d",
                        call_name(all[0].call), first, (int)(all[other].call % RANKS_MOST), second,
                        (int)(all[0].call % RANKS_MOST));
    else if (call == CALL_GATHER)
        status =
            status_fail(STATUS_RUNTIME, "the ranks disagree in %s: %s has other lengths than %s",
                        call_name(all[0].call), first, second);
    else
        status = status_fail(STATUS_RUNTIME, "the ranks disagree in %s: %s has %llu %s, %s %llu",
                             call_name(all[0].call), first, (unsigned long long)all[other].size,
                             call == CALL_SHARE ? "bytes" : "numbers", second,
                             (unsigned long long)all[0].size);
    if (!ranks.broken)
        free(all);
    return status;
}

/* The decisions of a rank since the last meeting. */
struct decided {
    uint64_t trace;
    struct decision decisions[DECISIONS];
    uint32_t count, spare;
};

/* The first of the decisions still kept in which the two ranks differ. */
static uint32_t first_difference(const struct decided *one, const struct decided *other)
{
    const uint32_t most = one->count > other->count ? one->count : other->count;
    for (uint32_t k = most > DECISIONS ? most - DECISIONS : 0; k < most; k++) {
        const struct decision *a = &one->decisions[k % DECISIONS],
                              *b = &other->decisions[k % DECISIONS];
        if (k >= one->count || k >= other->count || a->value != b->value ||
            strncmp(a->what, b->what, sizeof a->what) != 0)
            return k;
    }
    return 0;
}

static void describe(const struct decided *decided, uint32_t k, int rank, char *out, size_t size)
{
    const struct decision *decision = &decided->decisions[k % DECISIONS];
    char name[NAME];
    name_of(rank, name);
    if (k >= decided->count)
        snprintf(out, size, "%s nothing", name);
    else
        snprintf(out, size, "%s %.*s %llu", name, (int)sizeof decision->what, decision->what,
                 (unsigned long long)decision->value);
}

/* Finds the first rank whose decisions differ from those of rank 0, and reports the difference. */
static enum status explain_decisions(struct lane *lane)
{
    struct decided *all = memory_new((size_t)ranks.count + 1, sizeof *all);
    struct decided *own = &all[ranks.count];
    own->trace = lane->trace;
    own->count = lane->decided;
    memcpy(own->decisions, lane->decisions, sizeof own->decisions);
    enum status status = wired(wire_gather((int)own_lane, own, sizeof *own, all));
    if (status != STATUS_OK)
        return status;
    int other = 1;
    while (other < ranks.count - 1 && all[other].trace == all[0].trace)
        other++;
    char first[NAME + 64], second[NAME + 64];
    const uint32_t k = first_difference(&all[0], &all[other]);
    describe(&all[other], k, other, first, sizeof first);
    describe(&all[0], k, 0, second, sizeof second);
    lane->trace = 0; /* so that the ranks are in step again */
    lane->decided = 0;
    free(all);
    return status_fail(STATUS_RUNTIME, "the ranks decide differently: %s, %s", first, second);
}

/* Gives the failure of rank `from` to all ranks. */
static enum status spread(struct lane *lane, int from, enum status own)
{
    struct failure *failure = &lane->failure;
    *failure = (struct failure){STATUS_OK, ""};
    if (ranks.own == from)
        failure_keep(failure, own);
    const enum status status = wired(wire_share((int)own_lane, failure, sizeof *failure, from));
    if (status != STATUS_OK)
        return status;
    failure->sentence[sizeof failure->sentence - 1] = '\0';
    failure_report(failure);
    if (ranks.own != from && failure->sentence[0])
        status_prefix(failure->status, "%s", ranks_name(from));
    return failure->status;
}

static enum status rank_ended(int rank)
{
    if (rank == 0)
        return status_fail(STATUS_STOPPED, "rank 0 has ended");
    return status_fail(STATUS_RUNTIME, "%s has ended", ranks_name(rank));
}

/* Records that a rank has ended, for every further call. */
static enum status end_with(int rank, enum call call)
{
    pthread_mutex_lock(&ranks.lock);
    ranks.over = true;
    failure_keep(&ranks.lost, rank_ended(rank));
    pthread_mutex_unlock(&ranks.lock);
    return call == CALL_CLOSE ? STATUS_OK : lost();
}

/* STATUS_OK: every rank calls `call` about rank `root` with the same size, has decided the same
 * before, and none has failed with `own`. A real failure goes before STATUS_STOPPED, a lower rank
 * before a higher one. */
static enum status meet(enum call call, int root, uint64_t size, enum status own)
{
    struct lane *lane = lane_now();
    uint64_t *numbers = lane->numbers;
    char sentence[STATUS_TEXT_MAX];
    snprintf(sentence, sizeof sentence, "%s", status_text());
    enum status status = lost();
    if (status != STATUS_OK)
        return status;
    const uint64_t count = (uint64_t)ranks.count, rank = count - (uint64_t)ranks.own;
    const uint64_t code = call_code(call, root);
    numbers[ENDED] = call == CALL_CLOSE ? rank : 0;
    numbers[FAILED] = own == STATUS_OK ? 0 : own == STATUS_STOPPED ? rank : count + rank;
    const int signal = wire_stops();
    numbers[STOPS] = lane->asks ? (uint64_t)ASKED : (uint64_t)signal;
    numbers[CODE] = code;
    numbers[SIZE] = size;
    numbers[TRACE] = lane->trace;
    for (int k = 0; k < 3; k++)
        numbers[CODE_LEAST + k] = ~numbers[CODE + k];
    status = wired(wire_largest((int)own_lane, numbers, NUMBERS));
    count_sent(sizeof lane->numbers, rounds());
    lane->traffic.meetings++;
    if (status != STATUS_OK)
        return status;
    lane->stops = (int)numbers[STOPS];
    if (numbers[ENDED] > 0)
        return end_with(ranks.count - (int)numbers[ENDED], call);
    if (numbers[FAILED] > 0) {
        const uint64_t first = numbers[FAILED] > count ? numbers[FAILED] - count : numbers[FAILED];
        if (own != STATUS_OK)
            status_fail(own, "%s", sentence);
        return spread(lane, ranks.count - (int)first, own);
    }
    if (numbers[TRACE] != ~numbers[TRACE_LEAST])
        return explain_decisions(lane);
    lane->decided = 0;
    if (numbers[CODE] != ~numbers[CODE_LEAST] || numbers[SIZE] != ~numbers[SIZE_LEAST])
        return explain((struct call_size){code, size});
    return STATUS_OK;
}

/* Ends a call that began at `began`. */
static enum status leave(double began, enum status status)
{
    lane_now()->traffic.waiting += clock_seconds() - began;
    return status;
}

enum status ranks_agree(enum status own)
{
    if (ranks.count == 1)
        return own;
    const double began = clock_seconds();
    return leave(began, meet(CALL_AGREE, 0, 0, own));
}

/* A rank that has failed on its own arrives before the others, which get its failure from their
 * present or next call. */
enum status ranks_scope(enum status own)
{
    enum { TRIES = 8 };
    struct failure first = {0};
    if (ranks.count == 1)
        return own;
    if (failure_keep(&first, own))
        (void)ranks_agree(own);
    for (int tries = 0; tries < TRIES; tries++) {
        uint64_t here = 1;
        const enum status status = ranks_sum(&here, 1);
        failure_keep(&first, status);
        if (status == STATUS_OK || lost() != STATUS_OK)
            break;
    }
    return failure_report(&first);
}

bool ranks_begin_first(void)
{
    if (entered && ranks.own > 0)
        return false;
    apart += entered || apart > 0;
    entered = false;
    return true;
}

enum status ranks_end_first(enum status status)
{
    if (apart > 0 && --apart == 0)
        entered = true;
    return entered ? ranks_agree(status) : status;
}

enum status ranks_first(void *answer, size_t bytes)
{
    return entered ? ranks_share(answer, bytes, 0) : STATUS_OK;
}

enum status ranks_first_text(char **text)
{
    uint64_t bytes = *text ? strlen(*text) + 1 : 0;
    if (!entered)
        return STATUS_OK;
    enum status status = ranks_first(&bytes, sizeof bytes);
    if (status != STATUS_OK)
        return status;
    if (ranks.own > 0) {
        free(*text);
        *text = bytes > 0 ? memory_new(bytes, 1) : NULL;
    }
    return bytes > 0 ? ranks_first(*text, bytes) : STATUS_OK;
}

/* ---- all alike ---- */

enum status ranks_share(void *data, size_t bytes, int from)
{
    if (ranks.count == 1)
        return STATUS_OK;
    const double began = clock_seconds();
    enum status status = meet(CALL_SHARE, from, bytes, STATUS_OK);
    if (status == STATUS_OK)
        status = wired(wire_share((int)own_lane, data, bytes, from));
    if (ranks.own == from)
        count_sent(bytes, (size_t)ranks.count - 1);
    return leave(began, status);
}

/* Maps numbers to integers in the same order; NaN, whatever its bits, is the largest. */
static uint64_t ordered(double value)
{
    uint64_t bits;
    if (isnan(value))
        return UINT64_MAX;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double from_ordered(uint64_t key)
{
    double value;
    if (key == UINT64_MAX)
        return NAN;
    key = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    memcpy(&value, &key, sizeof value);
    return value;
}

enum status ranks_largest(double *values, size_t count)
{
    if (ranks.count == 1)
        return STATUS_OK;
    const double began = clock_seconds();
    enum status status = meet(CALL_LARGEST, 0, count, STATUS_OK);
    if (status == STATUS_OK) {
        uint64_t *keys = memory_new(count, sizeof *keys);
        for (size_t i = 0; i < count; i++)
            keys[i] = ordered(values[i]);
        status = wired(wire_largest((int)own_lane, keys, count));
        for (size_t i = 0; i < count && status == STATUS_OK; i++)
            values[i] = from_ordered(keys[i]);
        if (!ranks.broken)
            free(keys);
        count_sent(count * sizeof *keys, rounds());
    }
    return leave(began, status);
}

enum status ranks_sum(uint64_t *values, size_t count)
{
    if (ranks.count == 1)
        return STATUS_OK;
    const double began = clock_seconds();
    enum status status = meet(CALL_SUM, 0, count, STATUS_OK);
    if (status == STATUS_OK) {
        status = wired(wire_sum((int)own_lane, values, count));
        count_sent(count * sizeof *values, rounds());
    }
    return leave(began, status);
}

/* ---- parts ---- */

static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
}

/* Moves the only part of the only rank. */
static enum status copy_alone(void *to, size_t to_bytes, const void *from, size_t from_bytes)
{
    if (to_bytes != from_bytes)
        return status_fail(STATUS_RUNTIME, "%zu bytes are sent, not %zu", from_bytes, to_bytes);
    if (to != from)
        copy(to, from, from_bytes);
    return STATUS_OK;
}

/* The offset of each part, and the end of the last. */
static size_t *offsets(const size_t *bytes_of)
{
    size_t *at = memory_new((size_t)ranks.count + 1, sizeof *at);
    for (int i = 0; i < ranks.count; i++)
        at[i + 1] = at[i] + bytes_of[i];
    return at;
}

static uint64_t hash_of(const size_t *bytes_of)
{
    return hash_on(0xcbf29ce484222325u, bytes_of, (size_t)ranks.count * sizeof *bytes_of);
}

static enum status move(const struct wire_part *out, size_t out_count, const struct wire_part *in,
                        size_t in_count)
{
    for (size_t i = 0; i < out_count; i++)
        count_sent(out[i].bytes, 1);
    return wired(wire_move((int)own_lane, out, out_count, in, in_count));
}

enum status ranks_gather(const void *own, void *all, const size_t *bytes_of)
{
    /* Up to this size each rank sends its part to all others at once. Larger ones go round a ring,
     * so that each link carries each byte once and no rank is flooded. */
    enum { DIRECT = 1 << 18 };
    const int count = ranks.count, rank = ranks.own;
    if (count == 1)
        return copy_alone(all, bytes_of[0], own, bytes_of[0]);
    const double began = clock_seconds();
    enum status status = meet(CALL_GATHER, 0, hash_of(bytes_of), STATUS_OK);
    if (status != STATUS_OK)
        return leave(began, status);
    size_t *at = offsets(bytes_of);
    char *const bytes = all;
    if (own != bytes + at[rank])
        copy(bytes + at[rank], own, bytes_of[rank]);
    struct wire_part *out = memory_new((size_t)count, sizeof *out);
    struct wire_part *in = memory_new((size_t)count, sizeof *in);
    const bool direct = at[count] <= DIRECT;
    for (int i = 1; i < count && status == STATUS_OK; i++) {
        /* direct: exchange with each other rank; ring: pass on the part received last */
        const int to = (rank + i) % count, from = (rank + count - i) % count;
        const int last = (from + 1) % count;
        out[i - 1] = direct
                         ? (struct wire_part){bytes + at[rank], bytes_of[rank], to}
                         : (struct wire_part){bytes + at[last], bytes_of[last], (rank + 1) % count};
        in[i - 1] = (struct wire_part){bytes + at[from], bytes_of[from],
                                       direct ? from : (rank + count - 1) % count};
        if (!direct)
            status = move(out + i - 1, 1, in + i - 1, 1);
    }
    if (direct)
        status = move(out, (size_t)count - 1, in, (size_t)count - 1);
    free(in);
    free(out);
    free(at);
    return leave(began, status);
}

enum status ranks_gather_each(const void *own, void *all, size_t bytes)
{
    size_t *bytes_of = memory_new((size_t)ranks.count, sizeof *bytes_of);
    for (int i = 0; i < ranks.count; i++)
        bytes_of[i] = bytes;
    enum status status = ranks_gather(own, all, bytes_of);
    free(bytes_of);
    return status;
}

/* Checks that the length on each rank is the one that rank `root` expects of it. `does`: what the
 * rank does with the bytes, for the message. */
static enum status check_lengths(size_t bytes, const size_t *bytes_of, int root, const char *does)
{
    const uint64_t own = bytes;
    uint64_t *lengths = memory_new((size_t)ranks.count, sizeof *lengths);
    enum status status = wired(wire_gather((int)own_lane, &own, sizeof own, lengths));
    count_sent(sizeof own, rounds());
    for (int i = 0; i < ranks.count && status == STATUS_OK && ranks.own == root; i++)
        if (lengths[i] != bytes_of[i])
            status = status_fail(STATUS_RUNTIME, "%s %s %llu bytes, not %zu", ranks_name(i), does,
                                 (unsigned long long)lengths[i], bytes_of[i]);
    if (ranks.broken)
        return status;
    free(lengths);
    return meet(CALL_AGREE, root, 0, status);
}

/* Lists the parts of all other ranks in `all`; returns the place of this rank's own part. */
static char *parts_of_others(void *all, const size_t *bytes_of, struct wire_part *parts)
{
    size_t *at = offsets(bytes_of), n = 0;
    char *const bytes = all, *const own = at[ranks.own] > 0 ? bytes + at[ranks.own] : bytes;
    for (int i = 1; i < ranks.count; i++) {
        const int rank = (ranks.own + i) % ranks.count;
        parts[n++] =
            (struct wire_part){bytes_of[rank] ? bytes + at[rank] : NULL, bytes_of[rank], rank};
    }
    free(at);
    return own;
}

enum status ranks_collect(const void *own, size_t bytes, void *all, const size_t *bytes_of, int to)
{
    if (ranks.count == 1)
        return copy_alone(all, bytes_of[0], own, bytes);
    const double began = clock_seconds();
    enum status status = meet(CALL_COLLECT, to, 0, STATUS_OK);
    if (status == STATUS_OK)
        status = check_lengths(bytes, bytes_of, to, "sends");
    if (status == STATUS_OK && ranks.own != to) {
        /* the cast drops const, but data that is sent is not changed */
        status = move(&(struct wire_part){(void *)(uintptr_t)own, bytes, to}, 1, NULL, 0);
    } else if (status == STATUS_OK) {
        struct wire_part *parts = memory_new((size_t)ranks.count, sizeof *parts);
        char *const place = parts_of_others(all, bytes_of, parts);
        if (own != place)
            copy(place, own, bytes);
        status = move(NULL, 0, parts, (size_t)ranks.count - 1);
        free(parts);
    }
    return leave(began, status);
}

enum status ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes, int from)
{
    if (ranks.count == 1)
        return copy_alone(own, bytes, all, bytes_of[0]);
    const double began = clock_seconds();
    enum status status = meet(CALL_DEAL, from, 0, STATUS_OK);
    if (status == STATUS_OK)
        status = check_lengths(bytes, bytes_of, from, "expects");
    if (status == STATUS_OK && ranks.own != from) {
        status = move(NULL, 0, &(struct wire_part){own, bytes, from}, 1);
    } else if (status == STATUS_OK) {
        struct wire_part *parts = memory_new((size_t)ranks.count, sizeof *parts);
        const char *const place = parts_of_others((void *)(uintptr_t)all, bytes_of, parts);
        if (own != place)
            copy(own, place, bytes);
        status = move(parts, (size_t)ranks.count - 1, NULL, 0);
        free(parts);
    }
    return leave(began, status);
}

enum status ranks_swap(const uint64_t *out, uint64_t *in)
{
    if (ranks.count == 1) {
        *in = *out;
        return STATUS_OK;
    }
    const double began = clock_seconds();
    enum status status = meet(CALL_SWAP, 0, 0, STATUS_OK);
    if (status == STATUS_OK) {
        status = wired(wire_swap((int)own_lane, out, in));
        count_sent(sizeof *out, (size_t)ranks.count - 1);
    }
    return leave(began, status);
}

/* Checks that every rank sends to every other rank what that rank expects. */
static enum status check_exchange(const size_t *out_bytes, const size_t *in_bytes)
{
    const size_t count = (size_t)ranks.count;
    uint64_t *out = memory_new(2 * count, sizeof *out), *in = out + count;
    for (size_t i = 0; i < count; i++)
        out[i] = out_bytes[i];
    enum status status = wired(wire_swap((int)own_lane, out, in));
    count_sent(sizeof *out, count - 1);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (in[i] != in_bytes[i])
            status = status_fail(STATUS_RUNTIME, "%s sends %llu bytes, not %zu", ranks_name((int)i),
                                 (unsigned long long)in[i], in_bytes[i]);
    if (ranks.broken)
        return status;
    free(out);
    return meet(CALL_AGREE, 0, 0, status);
}

enum status ranks_exchange(const void *out, const size_t *out_bytes, void *in,
                           const size_t *in_bytes)
{
    const size_t others = (size_t)ranks.count - 1;
    if (others == 0)
        return copy_alone(in, in_bytes[0], out, out_bytes[0]);
    const double began = clock_seconds();
    enum status status = meet(CALL_EXCHANGE, 0, 0, STATUS_OK);
    if (status == STATUS_OK)
        status = check_exchange(out_bytes, in_bytes);
    if (status == STATUS_OK) {
        struct wire_part *parts = memory_new(2 * others, sizeof *parts);
        const char *const from = parts_of_others((void *)(uintptr_t)out, out_bytes, parts);
        char *const to = parts_of_others(in, in_bytes, parts + others);
        copy(to, from, out_bytes[ranks.own]);
        status = move(parts, others, parts + others, others);
        free(parts);
    }
    return leave(began, status);
}

/* ---- begin and end ---- */

static void on_signal(int number)
{
    wire_ask_to_end(number);
}

static void close_at_exit(void)
{
    ranks_close();
}

/* Gathers the hosts of all ranks, and counts the ranks of this host. */
static enum status meet_places(void)
{
    struct place own = {0};
    find_place(&own);
    struct place *places = memory_new((size_t)ranks.count, sizeof *places);
    const enum status status = wired(wire_gather((int)own_lane, &own, sizeof own, places));
    if (status != STATUS_OK)
        return status;
    ranks.places = places;
    ranks.local = ranks.local_count = 0;
    for (int i = 0; i < ranks.count; i++) {
        places[i].host[sizeof places[i].host - 1] = '\0';
        if (strcmp(places[i].host, own.host) != 0)
            continue;
        ranks.local += i < ranks.own;
        ranks.local_count++;
    }
    return STATUS_OK;
}

/* Reports a failure that all ranks find alike: only rank 0 has a sentence. */
static enum status refuse(const struct launch *launch, const char *sentence)
{
    return status_fail(STATUS_DEVICE, "%s", launch->own == 0 ? sentence : "");
}

enum status ranks_open(void)
{
    struct launch launch;
    char sentence[STATUS_TEXT_MAX];
    launch_find(&launch);
    if (launch.count == 1)
        return STATUS_OK;
    if (!*wire_library()) {
        snprintf(sentence, sizeof sentence,
                 "gravreel was started %d times by %s, but built without MPI; start it once, or "
                 "install libopenmpi-dev or libmpich-dev and build it with -DGRAVREEL_MPI=ON",
                 launch.count, launch.by);
        return refuse(&launch, sentence);
    }
    snprintf(sentence, sizeof sentence,
             "%s started gravreel %d times, but %s finds no connection between them; use the "
             "mpirun of that library, or srun --mpi=pmix or --mpi=pmi2 (srun --mpi=list shows "
             "what it has)",
             launch.by, launch.count, wire_library());
    if (!launch.connected)
        return refuse(&launch, sentence);
    processors_limit(&launch);
    int count, own;
    enum status status = wire_open(&count, &own);
    if (status != STATUS_OK)
        return status;
    if (count == 1) {
        wire_close();
        return refuse(&launch, sentence);
    }
    ranks.open = true;
    ranks.process = getpid();
    ranks.count = count;
    ranks.own = own;
    atexit(close_at_exit);
    if (count > RANKS_MOST) {
        snprintf(sentence, sizeof sentence, "%d ranks were started, but at most %d are possible",
                 count, RANKS_MOST);
        return refuse(&launch, sentence);
    }
    if (own > 0) {
        const struct sigaction action = {.sa_handler = on_signal};
        sigaction(SIGINT, &action, NULL);
        sigaction(SIGTERM, &action, NULL);
    }
    return meet_places();
}

void ranks_close(void)
{
    if (!ranks.open || getpid() != ranks.process)
        return;
    ranks.open = false;
    /* Rank 0 decides how long to wait, because it may still close a film. */
    const bool decides = ranks.own == 0;
    wire_limit(decides ? RANKS_PATIENCE : 0);
    if (!ranks.broken && !ranks.over)
        (void)meet(CALL_CLOSE, 0, 0, STATUS_OK);
    if (!ranks.broken)
        (void)wired(wire_barrier((int)own_lane));
    if (ranks.broken) {
        if (!decides) /* so that rank 0 has time to end them itself */
            sleep(RANKS_PATIENCE);
        log_error("%s; ending all ranks", ranks.lost.sentence);
        fflush(NULL);
        wire_abort(STATUS_RUNTIME);
    }
    wire_close();
    free(ranks.places);
    ranks.places = NULL;
    ranks.count = ranks.local_count = 1;
    ranks.own = ranks.local = 0;
}
