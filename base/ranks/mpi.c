/* MPI-3, of any library. Nothing waits inside of it: every transfer is begun, then tested again and
 * again, with more and more sleep, so that a wait can end when another rank does not answer.
 *
 * Whether it answers is asked by pings, messages without content that every rank answers whenever
 * it waits itself; their tag is a serial number. They have a communicator of their own. */
#include "base/queue.h"
#include "base/ranks/wire.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/status.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NUMBERS_AT_ONCE = 1 << 27, /* of a reduction */
    NAP_LEAST = 20,            /* microseconds */
    NAP_MOST = 1000,
    NAP_PART = 32,   /* of the time waited so far, so that a rank comes late by little */
    SERIALS = 16000, /* twice as many tags are allowed everywhere */
};
static const size_t PIECE = (size_t)1 << 30; /* bytes of a message at most */
static const double SPIN = 2e-3;  /* seconds without sleep, as long as an evaluation's small
                                   * messages take together */
static const double RATE = 2.5e8; /* bytes per second; data moves only while its ends look after it,
                                   * so that a wait for much of it may take so long without sleep */
static const double ANSWER = 0.5; /* seconds that a ping is given */

static MPI_Comm data_comm = MPI_COMM_NULL, ping_comm = MPI_COMM_NULL;
static int count = 1, own;
static const volatile sig_atomic_t *watched;
static volatile sig_atomic_t asked;
static double limit;
static int serial;
static bool *answered; /* the ping `serial`, by rank */

const char *wire_library(void)
{
    static char name[64];
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    if (name[0] || MPI_Get_library_version(text, &length) != MPI_SUCCESS)
        return name;
    /* "Open MPI v4.1.4, package: ...", "MPICH Version:\t4.0.2\nMPICH Release date: ..." */
    text[strcspn(text, ",\n")] = '\0';
    char *rest = text;
    for (char *word; (word = strtok_r(rest, " \t", &rest));) {
        if (strcmp(word, "Version:") == 0)
            continue;
        if (word[0] == 'v' && word[1] >= '0' && word[1] <= '9')
            word++;
        const size_t used = strlen(name);
        snprintf(name + used, sizeof name - used, "%s%s", used ? " " : "", word);
    }
    return name;
}

/* ---- failures ---- */

static enum status failed(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        snprintf(text, sizeof text, "error %d", code);
    text[strcspn(text, "\n")] = '\0';
    const char *name = ranks_name(own);
    return status_fail(STATUS_RUNTIME, "%s cannot %s: %s", *name ? name : "MPI", what, text);
}

/* ---- pings ---- */

static void send_ping(int to, int tag)
{
    MPI_Request request;
    if (MPI_Isend(NULL, 0, MPI_BYTE, to, tag, ping_comm, &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
}

/* Answers the pings that have arrived, and notes answers. */
static void answer_pings(void)
{
    int there;
    MPI_Status status;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, ping_comm, &there, &status) == MPI_SUCCESS &&
           there) {
        const int from = status.MPI_SOURCE, tag = status.MPI_TAG;
        if (MPI_Recv(NULL, 0, MPI_BYTE, from, tag, ping_comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return;
        if (tag % 2 == 0)
            send_ping(from, tag + 1);
        else if (tag / 2 == serial)
            answered[from] = true;
    }
}

static void nap(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

/* Asks all ranks for an answer. Returns how many do not give it. */
static int ping_all(void)
{
    serial = (serial + 1) % SERIALS;
    for (int i = 0; i < count; i++)
        answered[i] = i == own;
    for (int i = 0; i < count; i++)
        if (i != own)
            send_ping(i, 2 * serial);
    const double began = clock_seconds();
    int silent;
    do {
        nap(NAP_MOST);
        answer_pings();
        silent = 0;
        for (int i = 0; i < count; i++)
            silent += !answered[i];
    } while (silent > 0 && clock_seconds() - began < ANSWER);
    return silent;
}

static enum status name_silent(int silent)
{
    char text[512] = "";
    size_t used = 0;
    int named = 0;
    for (int i = 0; i < count && used < sizeof text - 128; i++) {
        if (answered[i])
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", named ? ", " : "",
                                 ranks_name(i));
        named++;
    }
    if (named < silent)
        snprintf(text + used, sizeof text - used, " and %d more", silent - named);
    return status_fail(STATUS_RUNTIME, "no answer from %s", text);
}

/* ---- waiting ---- */

/* Whether the wait is given up, `seconds` after this process was asked to end. Rank 0 decides: the
 * others wait for it, because it may be closing a film, and give up only rank 0 itself. */
static enum status judge(double seconds)
{
    if (seconds < (own == 0 ? RANKS_GRACE : RANKS_PATIENCE))
        return STATUS_OK;
    const int silent = ping_all();
    if (own == 0 && silent > 0)
        return name_silent(silent);
    if (own != 0 && !answered[0])
        return status_fail(STATUS_RUNTIME, "no answer from %s", ranks_name(0));
    return STATUS_OK;
}

static enum status too_late(void)
{
    const int silent = ping_all();
    return silent > 0 ? name_silent(silent)
                      : status_fail(STATUS_RUNTIME, "the ranks have not ended in time");
}

static int first_error(int code, const MPI_Status *statuses, int n)
{
    if (code != MPI_ERR_IN_STATUS)
        return code;
    for (int i = 0; i < n; i++)
        if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING)
            return statuses[i].MPI_ERROR;
    return code;
}

/* Waits for all requests, which move so many bytes; `what` they do is for the sentence. */
static enum status finish(MPI_Request *requests, MPI_Status *statuses, int n, size_t bytes,
                          const char *what)
{
    const double spin = SPIN + (double)bytes / RATE;
    const double began = clock_seconds();
    double stopping = 0, judged = 0; /* since when, 0: not */
    enum status status = STATUS_OK;
    for (;;) {
        int done = 0;
        const int code = MPI_Testall(n, requests, &done, statuses);
        if (code != MPI_SUCCESS)
            return failed(first_error(code, statuses, n), what);
        if (done)
            return STATUS_OK;
        if (status != STATUS_OK)
            return status;
        const double now = clock_seconds();
        if (now - began < spin) {
            sched_yield();
            continue;
        }
        answer_pings();
        const bool stop = stop_asked(&asked) || stop_asked(watched);
        stopping = !stop ? 0 : stopping > 0 ? stopping : now;
        /* afterwards what was waited for is looked at once more */
        if (limit > 0 && now - began > limit) {
            status = too_late();
        } else if (stop && now - judged > 1) {
            status = judge(now - stopping);
            judged = now;
        }
        const double part = (now - began) * 1e6 / NAP_PART;
        nap(part < NAP_LEAST ? NAP_LEAST : part < NAP_MOST ? (long)part : NAP_MOST);
    }
}

static enum status finish_one(int code, MPI_Request *request, const char *what)
{
    MPI_Status status = {.MPI_ERROR = MPI_SUCCESS};
    return code != MPI_SUCCESS ? failed(code, what) : finish(request, &status, 1, 0, what);
}

void wire_watch(const volatile sig_atomic_t *stop)
{
    watched = stop;
}

void wire_ask_to_end(void)
{
    __atomic_store_n(&asked, 1, __ATOMIC_RELAXED);
}

void wire_limit(double seconds)
{
    limit = seconds;
}

/* ---- open and close ---- */

enum status wire_open(int *job_count, int *job_own)
{
    int level;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(MPI_COMM_WORLD, &count);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm *const comms[] = {&data_comm, &ping_comm};
    for (int i = 0; i < 2 && code == MPI_SUCCESS; i++) {
        code = MPI_Comm_dup(MPI_COMM_WORLD, comms[i]);
        if (code == MPI_SUCCESS)
            code = MPI_Comm_set_errhandler(*comms[i], MPI_ERRORS_RETURN);
    }
    if (code != MPI_SUCCESS)
        return failed(code, "start MPI");
    *job_count = count;
    *job_own = own;
    answered = memory_new((size_t)count, sizeof *answered);
    if (level < MPI_THREAD_SERIALIZED)
        return status_fail(STATUS_RUNTIME, "%s is built without support for threads",
                           wire_library());
    return STATUS_OK;
}

void wire_close(void)
{
    answer_pings();
    free(answered);
    answered = NULL;
    MPI_Comm_free(&ping_comm);
    MPI_Comm_free(&data_comm);
    MPI_Finalize();
}

void wire_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

/* ---- collectives ---- */

static enum status reduce(void *values, size_t amount, MPI_Datatype type, MPI_Op operation,
                          const char *what)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; at < amount && status == STATUS_OK; at += NUMBERS_AT_ONCE) {
        MPI_Request request;
        const size_t rest = amount - at;
        status = finish_one(MPI_Iallreduce(MPI_IN_PLACE, (char *)values + at * sizeof(uint64_t),
                                           rest < NUMBERS_AT_ONCE ? (int)rest : NUMBERS_AT_ONCE,
                                           type, operation, data_comm, &request),
                            &request, what);
    }
    return status;
}

/* MPI_MAX compares unsigned numbers as if they were signed in Open MPI 4.1.2 and MPICH 4.0.2 (their
 * issues 10276 and 6083). With the first bit inverted, signed numbers have the order of unsigned
 * ones. */
static void swap_signs(uint64_t *values, size_t amount)
{
    for (size_t i = 0; i < amount; i++)
        values[i] ^= (uint64_t)1 << 63;
}

enum status wire_largest(uint64_t *values, size_t amount)
{
    swap_signs(values, amount);
    const enum status status =
        reduce(values, amount, MPI_INT64_T, MPI_MAX, "find the largest number");
    swap_signs(values, amount);
    return status;
}

enum status wire_sum(uint64_t *values, size_t amount)
{
    return reduce(values, amount, MPI_UINT64_T, MPI_SUM, "add numbers");
}

enum status wire_share(void *data, size_t bytes, int from)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; at < bytes && status == STATUS_OK; at += PIECE) {
        MPI_Request request;
        const size_t rest = bytes - at;
        status = finish_one(MPI_Ibcast((char *)data + at, (int)(rest < PIECE ? rest : PIECE),
                                       MPI_BYTE, from, data_comm, &request),
                            &request, "share data");
    }
    return status;
}

enum status wire_gather(const void *mine, size_t bytes, void *all)
{
    MPI_Request request;
    return finish_one(
        MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, data_comm, &request),
        &request, "gather data");
}

enum status wire_swap(const uint64_t *out, uint64_t *in)
{
    MPI_Request request;
    return finish_one(MPI_Ialltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, data_comm, &request),
                      &request, "exchange numbers");
}

enum status wire_barrier(void)
{
    MPI_Request request;
    return finish_one(MPI_Ibarrier(data_comm, &request), &request, "wait for the other ranks");
}

/* ---- parts ---- */

static size_t pieces(const struct wire_part *parts, size_t amount)
{
    size_t sum = 0;
    for (size_t i = 0; i < amount; i++)
        sum += parts[i].bytes / PIECE + (parts[i].bytes % PIECE > 0);
    return sum;
}

/* Begins to send or receive a part in pieces; *requests goes on behind them, and so do the sizes.
 */
static int begin(const struct wire_part *part, bool send, MPI_Request **requests, int **sizes)
{
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < part->bytes && code == MPI_SUCCESS; at += PIECE) {
        const size_t rest = part->bytes - at;
        const int size = (int)(rest < PIECE ? rest : PIECE);
        char *const data = (char *)part->data + at;
        code = send ? MPI_Isend(data, size, MPI_BYTE, part->rank, 0, data_comm, *requests)
                    : MPI_Irecv(data, size, MPI_BYTE, part->rank, 0, data_comm, *requests);
        ++*requests;
        *(*sizes)++ = size;
    }
    return code;
}

enum status wire_move(const struct wire_part *out, size_t out_count, const struct wire_part *in,
                      size_t in_count)
{
    const size_t received = pieces(in, in_count), all = received + pieces(out, out_count);
    if (all > INT_MAX)
        return status_fail(STATUS_RUNTIME, "too much data for one exchange");
    MPI_Request *requests = memory_new(all, sizeof *requests), *request = requests;
    MPI_Status *statuses = memory_new(all, sizeof *statuses);
    int *sizes = memory_new(all, sizeof *sizes), *size = sizes;
    size_t bytes = 0;
    for (size_t i = 0; i < in_count; i++)
        bytes += in[i].bytes;
    for (size_t i = 0; i < out_count; i++)
        bytes += out[i].bytes;
    for (size_t i = 0; i < all; i++)
        requests[i] = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    for (size_t i = 0; i < in_count && code == MPI_SUCCESS; i++)
        code = begin(&in[i], false, &request, &size);
    for (size_t i = 0; i < out_count && code == MPI_SUCCESS; i++)
        code = begin(&out[i], true, &request, &size);
    enum status status = code == MPI_SUCCESS
                             ? finish(requests, statuses, (int)all, bytes, "exchange data")
                             : failed(code, "exchange data");
    for (size_t i = 0; i < received && status == STATUS_OK; i++) {
        int got = 0;
        code = MPI_Get_count(&statuses[i], MPI_BYTE, &got);
        if (code != MPI_SUCCESS || got != sizes[i])
            status = status_fail(STATUS_RUNTIME, "%d bytes arrived from %s instead of %d", got,
                                 ranks_name(statuses[i].MPI_SOURCE), sizes[i]);
    }
    free(sizes);
    free(statuses);
    free(requests);
    return status;
}
