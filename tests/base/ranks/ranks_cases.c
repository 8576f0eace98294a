/* What several ranks do together: test_mpi.sh starts this under mpirun. Usage: ranks_cases CASE
 * Rank 0 ends with "done"; what fails says so and ends the job. */
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define check(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            give_up(__LINE__, #condition);                                                         \
    } while (0)

#define check_ok(call) check((call) == STATUS_OK)

static void give_up(int line, const char *what)
{
    fprintf(stderr, "rank %d, line %d: %s: %s\n", ranks_own(), line, what, status_text());
    fflush(NULL);
    _exit(1);
}

/* Whether the sentence has all these words, separated by '|'. */
static void check_says(const char *words)
{
    char text[256], *rest = text;
    snprintf(text, sizeof text, "%s", words);
    for (char *word; (word = strtok_r(rest, "|", &rest));)
        if (!strstr(status_text(), word))
            give_up(0, word);
}

/* ---- data ---- */

static uint64_t seed = 1; /* the same on all ranks */

static uint32_t random_number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33);
}

/* Often 0, often odd. */
static size_t random_length(size_t most)
{
    return random_number() % 4 == 0 ? 0 : random_number() % most;
}

/* The bytes of part `salt`, different at each place. */
static unsigned char byte_of(uint32_t salt, size_t at)
{
    return (unsigned char)((at * 2654435761u ^ salt * 40503u) >> 7);
}

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

/* Memory with guards before and behind. */
static unsigned char *guarded(size_t bytes)
{
    unsigned char *block = malloc(bytes + 2 * GUARD);
    check(block);
    memset(block, GUARD_BYTE, bytes + 2 * GUARD);
    return block + GUARD;
}

static void check_guards(unsigned char *data, size_t bytes)
{
    for (size_t i = 0; i < GUARD; i++)
        check(data[-1 - (ptrdiff_t)i] == GUARD_BYTE && data[bytes + i] == GUARD_BYTE);
    free(data - GUARD);
}

static void fill(unsigned char *data, size_t bytes, uint32_t salt)
{
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_of(salt, i);
}

static void check_filled(const unsigned char *data, size_t bytes, uint32_t salt)
{
    for (size_t i = 0; i < bytes; i++)
        check(data[i] == byte_of(salt, i));
}

/* ---- every collective ---- */

static void share(int count, int own, size_t most)
{
    const size_t bytes = random_length(most);
    const int from = (int)(random_number() % (uint32_t)count);
    unsigned char *data = guarded(bytes);
    if (own == from)
        fill(data, bytes, 1);
    check_ok(ranks_share(data, bytes, from));
    check_filled(data, bytes, 1);
    check_guards(data, bytes);
}

static void numbers(int count, int own)
{
    double values[] = {own, -own, own == count - 1 ? NAN : 1, own ? 0.0 : -0.0, -INFINITY};
    check_ok(ranks_largest(values, 5));
    check(values[0] == count - 1 && values[1] == 0 && isnan(values[2]));
    check(signbit(values[3]) == (count == 1) && values[4] == -INFINITY);
    uint64_t sums[] = {1, (uint64_t)own, UINT64_MAX};
    check_ok(ranks_sum(sums, 3));
    check(sums[0] == (uint64_t)count && sums[1] == (uint64_t)count * (uint64_t)(count - 1) / 2);
    check(sums[2] == (uint64_t)0 - (uint64_t)count);
    check_ok(ranks_largest(NULL, 0));
    check_ok(ranks_sum(NULL, 0));
}

/* Gather, collect and deal with one table of lengths. */
static void parts(int count, int own, size_t most)
{
    size_t *bytes_of = memory_new((size_t)count, sizeof *bytes_of), sum = 0, at = 0;
    for (int i = 0; i < count; i++) {
        bytes_of[i] = random_length(most);
        at = i == own ? sum : at;
        sum += bytes_of[i];
    }
    const int root = (int)(random_number() % (uint32_t)count);
    const size_t bytes = bytes_of[own];
    unsigned char *mine = guarded(bytes), *all = guarded(sum), *back = guarded(bytes);
    fill(mine, bytes, (uint32_t)own);
    check_ok(ranks_gather(mine, all, bytes_of));
    unsigned char *part = all;
    for (int i = 0; i < count; part += bytes_of[i++])
        check_filled(part, bytes_of[i], (uint32_t)i);
    check_ok(ranks_gather(all + at, all, bytes_of)); /* in place */
    memset(all, 0, sum);
    check_ok(
        ranks_collect(mine, bytes, own == root ? all : NULL, own == root ? bytes_of : NULL, root));
    part = all;
    for (int i = 0; i < count; part += bytes_of[i++])
        for (size_t k = 0; k < bytes_of[i]; k++)
            check(part[k] == (own == root ? byte_of((uint32_t)i, k) : 0));
    check_ok(
        ranks_deal(own == root ? all : NULL, own == root ? bytes_of : NULL, back, bytes, root));
    check_filled(back, bytes, (uint32_t)own);
    check_guards(back, bytes);
    check_guards(all, sum);
    check_guards(mine, bytes);
    free(bytes_of);
}

static void exchange(int count, int own, size_t most)
{
    const size_t n = (size_t)count;
    size_t *lengths = memory_new(n * n, sizeof *lengths),
           *in_bytes = memory_new(n, sizeof *in_bytes);
    uint64_t *told = memory_new(n, sizeof *told), *heard = memory_new(n, sizeof *heard);
    for (size_t i = 0; i < n * n; i++)
        lengths[i] = random_length(most);
    const size_t *out_bytes = lengths + (size_t)own * n;
    size_t out_sum = 0, in_sum = 0;
    for (size_t i = 0; i < n; i++) {
        told[i] = out_bytes[i];
        in_bytes[i] = lengths[i * n + (size_t)own];
        out_sum += out_bytes[i];
        in_sum += in_bytes[i];
    }
    check_ok(ranks_swap(told, heard));
    for (size_t i = 0; i < n; i++)
        check(heard[i] == in_bytes[i]);
    unsigned char *out = guarded(out_sum), *in = guarded(in_sum), *part = out;
    for (int i = 0; i < count; part += out_bytes[i++])
        fill(part, out_bytes[i], (uint32_t)(own * count + i));
    check_ok(ranks_exchange(out, out_bytes, in, in_bytes));
    part = in;
    for (int i = 0; i < count; part += in_bytes[i++])
        check_filled(part, in_bytes[i], (uint32_t)(i * count + own));
    check_guards(in, in_sum);
    check_guards(out, out_sum);
    free(heard);
    free(told);
    free(in_bytes);
    free(lengths);
}

static void every_call(int count, int own)
{
    static const size_t most[] = {3, 100, 5000, 300000};
    for (int round = 0; round < 24; round++) {
        share(count, own, most[round % 4]);
        numbers(count, own);
        parts(count, own, most[round % 4]);
        exchange(count, own, most[round % 4]);
        check_ok(ranks_agree(STATUS_OK));
    }
    check(count == 1 || (ranks_traffic().bytes > 0 && ranks_traffic().messages > 0));
    check(ranks_local_count() == count && ranks_local() == own);
    check(count == 1 || strstr(ranks_name(own), ranks_host(own)));
}

/* 70 MB to each neighbour, and as much to all. */
static void large(int count, int own)
{
    const size_t n = (size_t)count, bytes = 70000001, next = (size_t)(own + 1) % n,
                 last = ((size_t)own + n - 1) % n;
    size_t *out_bytes = memory_new(n, sizeof *out_bytes),
           *in_bytes = memory_new(n, sizeof *in_bytes);
    out_bytes[next] = in_bytes[last] = bytes;
    unsigned char *out = guarded(bytes), *in = guarded(bytes);
    fill(out, bytes, (uint32_t)own);
    check_ok(ranks_exchange(out, out_bytes, in, in_bytes));
    check_filled(in, bytes, (uint32_t)last);
    check_ok(ranks_share(in, bytes, 0));
    check_filled(in, bytes, (uint32_t)(n - 1));
    check_guards(in, bytes);
    check_guards(out, bytes);
    free(in_bytes);
    free(out_bytes);
}

/* ---- what does not agree ---- */

static void disagree(int count, int own)
{
    const bool odd = own == count - 1;
    const size_t n = (size_t)count;
    char rank[32];
    unsigned char *data = guarded(1000), *other = guarded(1000);
    snprintf(rank, sizeof rank, "rank %d on", count - 1);
    memset(data, 7, 1000);
    check(ranks_share(data, odd ? 8 : 1000, 0) == STATUS_RUNTIME);
    check_says(rank);
    check_says("ranks_share|has 8 bytes|rank 0|1000");
    check(ranks_share(data, 8, odd ? 1 : 0) == STATUS_RUNTIME);
    check_says("ranks_share|names rank 1|rank 0");
    uint64_t sums[4] = {1, 2, 3, 4};
    double values[4] = {1, 2, 3, 4};
    check(ranks_sum(sums, odd ? 3 : 4) == STATUS_RUNTIME);
    check_says("ranks_sum|3 numbers|4");
    check((odd ? ranks_sum(sums, 4) : ranks_largest(values, 4)) == STATUS_RUNTIME);
    check_says("calls ranks_sum|calls ranks_largest");
    check(sums[3] == 4 && values[3] == 4);
    /* too long and too short */
    for (size_t length = 99; length <= 101; length += 2) {
        size_t *bytes_of = memory_new(n, sizeof *bytes_of),
               *in_bytes = memory_new(n, sizeof *bytes_of);
        for (size_t i = 0; i < n; i++)
            bytes_of[i] = in_bytes[i] = 100;
        const size_t bytes = odd ? length : bytes_of[own];
        check(ranks_collect(data, bytes, other, bytes_of, 0) == STATUS_RUNTIME);
        check_says(rank);
        check_says(length == 99 ? "sends 99 bytes, not 100" : "sends 101 bytes, not 100");
        check(ranks_deal(data, bytes_of, other, bytes, 0) == STATUS_RUNTIME);
        check_says(rank);
        check_says(length == 99 ? "expects 99 bytes, not 100" : "expects 101 bytes, not 100");
        if (odd)
            bytes_of[0] = length; /* the first of them finds it */
        check(ranks_exchange(data, bytes_of, other, in_bytes) == STATUS_RUNTIME);
        check_says(rank);
        check_says(length == 99 ? "sends 99 bytes, not 100" : "sends 101 bytes, not 100");
        check(strncmp(status_text(), "rank 0 on", 9) == 0 || own == 0);
        check(ranks_gather(data, other, bytes_of) == STATUS_RUNTIME);
        check_says("ranks_gather|lengths");
        free(in_bytes);
        free(bytes_of);
    }
    for (int i = 0; i < 1000; i++)
        check(data[i] == 7 && other[i] == GUARD_BYTE);
    check_guards(data, 1000);
    check_guards(other, 1000);
    every_call(count, own); /* still in step */
}

static void agree(int count, int own)
{
    const int last = count - 1;
    char sentence[64];
    /* the lowest rank first, and failures before a stop */
    const enum status each = own == 0      ? STATUS_OK
                             : own == last ? status_fail(STATUS_IO, "no disk %d", own)
                                           : status_fail(STATUS_STOPPED, "asked to");
    check(ranks_agree(each) == STATUS_IO);
    snprintf(sentence, sizeof sentence, "no disk %d", last);
    check(own == last ? strcmp(status_text(), sentence) == 0
                      : strstr(status_text(), sentence) && strncmp(status_text(), "rank ", 5) == 0);
    check(ranks_agree(own > 0 ? status_fail(STATUS_USAGE, "bad %d", own) : STATUS_OK) ==
          STATUS_USAGE);
    check_says("bad 1");
    check(ranks_agree(own == last ? status_fail(STATUS_STOPPED, "%s", "") : STATUS_OK) ==
          STATUS_STOPPED);
    /* from whatever the others do */
    double values[2] = {0};
    check((own == last ? ranks_agree(status_fail(STATUS_DEVICE, "no memory"))
                       : ranks_largest(values, 2)) == STATUS_DEVICE);
    check_says("no memory");
    every_call(count, own);
}

/* ---- lanes ---- */

/* Numbers one by one on a lane, beside large sums on another. */
static void *small_sums(void *user)
{
    const int count = ranks_count();
    (void)user;
    ranks_enter(LANE_SIMULATE);
    for (uint64_t k = 0; k < 400; k++) {
        uint64_t sum = k;
        check_ok(ranks_sum(&sum, 1));
        check(sum == k * (uint64_t)count);
    }
    check(count == 1 || ranks_traffic().meetings == 400);
    ranks_leave();
    return NULL;
}

static void *large_sums(void *user)
{
    enum { NUMBERS = 100000 };
    const int count = ranks_count();
    uint64_t *sums = memory_new(NUMBERS, sizeof *sums);
    (void)user;
    ranks_enter(LANE_DRAW);
    for (uint64_t k = 0; k < 10; k++) {
        for (uint64_t i = 0; i < NUMBERS; i++)
            sums[i] = i + k;
        check_ok(ranks_sum(sums, NUMBERS));
        for (uint64_t i = 0; i < NUMBERS; i++)
            check(sums[i] == (i + k) * (uint64_t)count);
    }
    ranks_leave();
    free(sums);
    return NULL;
}

/* A failure on one lane, here the main one, is met there alone. */
static void failing_sums(int count, int own)
{
    if (count > 1) {
        const enum status status = own == 1 ? status_fail(STATUS_IO, "no disk") : STATUS_OK;
        check(ranks_scope(status) == STATUS_IO);
        check_says("no disk");
    }
    uint64_t sum = 1;
    check_ok(ranks_sum(&sum, 1));
}

static void lanes(int count, int own)
{
    void *(*const bodies[])(void *) = {small_sums, large_sums};
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        check(pthread_create(&threads[(k + own) % 2], NULL, bodies[(k + own) % 2], NULL) == 0);
    failing_sums(count, own);
    every_call(count, own);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
}

static void decisions(int count, int own)
{
    const bool odd = own == count - 1;
    uint64_t sum = 1;
    ranks_enter(LANE_MAIN);
    ranks_decide("stand-ins", 1);
    check_ok(ranks_sum(&sum, 1));
    ranks_decide("camera", 5);
    ranks_decide("stand-ins", odd ? 0 : 1);
    check(ranks_sum(&sum, 1) == STATUS_RUNTIME);
    check_says("the ranks decide differently: rank|stand-ins 0, rank 0 on|stand-ins 1");
    if (odd)
        ranks_decide("one more", 7);
    check(ranks_agree(STATUS_OK) == STATUS_RUNTIME);
    check_says("one more 7, rank 0 on|nothing");
    every_call(count, own); /* in step again */
    ranks_leave();
}

/* All see at the same call that one of them is to end. */
static void stops(int count, int own)
{
    static const volatile sig_atomic_t asked = 0;
    uint64_t sum = 1;
    ranks_enter(LANE_MAIN);
    check_ok(ranks_agree(STATUS_OK));
    check(ranks_stop(&asked) == 0);
    if (own == count - 1)
        raise(SIGTERM);
    check(ranks_stop(&asked) == 0);
    check_ok(ranks_sum(&sum, 1));
    check(ranks_stop(&asked) == SIGTERM && ranks_stop(NULL) == 0);
    check(sum == (uint64_t)count);
    ranks_leave();
    ranks_enter(LANE_DRAW);
    if (own == 0)
        ranks_ask_end();
    check(ranks_stop(&asked) == 0 && !ranks_end_is_asked());
    check_ok(ranks_sum(&sum, 1));
    check(ranks_stop(&asked) != 0 && ranks_end_is_asked());
    ranks_leave();
}

/* ---- the end ---- */

static volatile sig_atomic_t stop;

/* Rank 0 has left: exit() or ranks_close. */
static void serve(int own)
{
    char command[8];
    if (own == 0)
        return;
    check_ok(ranks_share(command, sizeof command, 0));
    check(ranks_share(command, sizeof command, 0) == STATUS_STOPPED);
    check_says("rank 0 has ended");
    check(ranks_agree(STATUS_OK) == STATUS_STOPPED);
    ranks_close();
    exit(0);
}

static void command_then_end(int own)
{
    char command[8] = "step";
    serve(own);
    check_ok(ranks_share(command, sizeof command, 0));
}

static void by_exit(int own)
{
    command_then_end(own);
    puts("done");
    exit(0);
}

static void by_rank_1(int count, int own)
{
    uint64_t sum = 1;
    check_ok(ranks_sum(&sum, 1));
    if (own == 1)
        exit(0);
    check(ranks_sum(&sum, 1) == STATUS_RUNTIME);
    check_says("rank 1 on|has ended");
    check(sum == (uint64_t)count);
}

/* Rank 2 dies, or falls asleep for ever. */
static void lost(int own, int number)
{
    uint64_t sum = 1;
    check_ok(ranks_sum(&sum, 1));
    if (own == 2)
        raise(number);
    if (own == 0) {
        stop = 1;
        ranks_watch(&stop);
    }
    const enum status status = ranks_sum(&sum, 1);
    check(status == STATUS_RUNTIME);
    check(own != 0 || strstr(status_text(), "no answer from rank 2 on "));
    check(own != 0 || !strstr(status_text(), "rank 1"));
    check(ranks_agree(STATUS_OK) == STATUS_RUNTIME);
    fprintf(stderr, "rank %d: %s\n", own, status_text());
}

/* Rank 1 never comes to the end, and rank 0 is asked to end. */
static void late(int own)
{
    static const volatile sig_atomic_t asked = 1;
    if (own == 0)
        ranks_watch(&asked);
    if (own == 1)
        for (;;)
            pause();
}

/* A signal for the ranks from 1 on does not end them while rank 0 works. */
static void signalled(int own)
{
    uint64_t sum = 1;
    if (own > 0)
        raise(SIGTERM);
    if (own == 0)
        sleep(RANKS_GRACE + 2);
    check_ok(ranks_sum(&sum, 1));
}

static void threads(int own)
{
    printf("rank %d: %d threads, %d processors\n", own, ranks_threads(own), omp_get_num_procs());
    check(omp_get_max_threads() == ranks_threads(own));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const enum status status = ranks_open();
    if (status != STATUS_OK) {
        if (*status_text())
            log_error("%s", status_text());
        return (int)status;
    }
    const int count = ranks_count(), own = ranks_own();
    if (strcmp(name, "every") == 0)
        every_call(count, own);
    else if (strcmp(name, "large") == 0)
        large(count, own);
    else if (strcmp(name, "lanes") == 0)
        lanes(count, own);
    else if (strcmp(name, "decisions") == 0)
        decisions(count, own);
    else if (strcmp(name, "stops") == 0)
        stops(count, own);
    else if (strcmp(name, "disagree") == 0)
        disagree(count, own);
    else if (strcmp(name, "agree") == 0)
        agree(count, own);
    else if (strcmp(name, "end") == 0)
        command_then_end(own);
    else if (strcmp(name, "exit") == 0)
        by_exit(own);
    else if (strcmp(name, "end-1") == 0)
        by_rank_1(count, own);
    else if (strcmp(name, "killed") == 0)
        lost(own, SIGKILL);
    else if (strcmp(name, "asleep") == 0)
        lost(own, SIGSTOP);
    else if (strcmp(name, "late") == 0)
        late(own);
    else if (strcmp(name, "signal") == 0)
        signalled(own);
    else if (strcmp(name, "threads") == 0)
        threads(own);
    else
        give_up(__LINE__, "no such case");
    ranks_close();
    if (own == 0)
        puts("done");
    return 0;
}
