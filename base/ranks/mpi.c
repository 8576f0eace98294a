/* The MPI-3 transport, for any library. Nothing waits inside the library: every transfer is begun,
 * then tested again and again with ever longer sleeps, so that a wait can end when another rank
 * does not answer. A mutex is held around each MPI call and released between tests. Threads
 * therefore take turns, and the library needs no locks of its own, for which some libraries turn
 * fast transports off.
 *
 * A ping asks whether a rank answers: a message without content, whose tag is a serial number and a
 * lane. A rank answers pings on the lanes on which it waits, and on the lanes that rest while it
 * waits on another: a thread that computes vouches for nothing. Pings have a communicator of their
 * own. */
#include "base/ranks/wire.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "base/status.h"

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    NAP_LEAST = 20, /* microseconds */
    NAP_MOST = 1000,
    NAP_PART = 32, /* fraction of the time waited so far, so that a rank is only a little late */
    SERIALS = 32000 / (2 * RANKS_LANES), /* MPI guarantees 32,768 tags */
};
/* Largest message, in bytes: one test may copy all of it with the mutex held. */
static const size_t PIECE = (size_t)1 << 24;
static const double SPIN = 2e-3;  /* seconds before the first sleep: as long as the small messages
                                   * of an evaluation take together */
static const double RATE = 2.5e8; /* bytes per second: data moves only while both ends test for it,
                                   * so a wait for much data may last this long without sleep */
static const double ANSWER = 0.5; /* seconds within which a ping must be answered */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards MPI and `wires` */
static MPI_Comm ping_comm = MPI_COMM_NULL;
static int count = 1, own;
static struct {
    MPI_Comm comm;
    enum { RESTS, WORKS, WAITS } state;
    int serial;
    bool *answered; /* [count]: ranks that have answered the ping `serial` */
    int *owed;      /* [count]: the tag that answers the last ping of each rank; 0: none is due */
} wires[RANKS_LANES];
static const volatile sig_atomic_t *watched;
static volatile sig_atomic_t asked;
static double limit;
static double late; /* $GRAVREEL_RANKS_LATE: the longest wait in seconds; 0: no limit */

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

/* ---- pings, with the mutex held ---- */

static void send_ping(int to, int tag)
{
    MPI_Request request;
    if (MPI_Isend(NULL, 0, MPI_BYTE, to, tag, ping_comm, &request) == MPI_SUCCESS)
        MPI_Request_free(&request);
}

/* Takes a ping that has arrived. MPI_Improbe, because two threads would race for a ping that
 * MPI_Iprobe has seen. */
static bool take_ping(int *from, int *tag)
{
    int there = 0;
    MPI_Message message;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, ping_comm, &there, &message, &status) !=
            MPI_SUCCESS ||
        !there)
        return false;
    *from = status.MPI_SOURCE;
    *tag = status.MPI_TAG;
    return MPI_Mrecv(NULL, 0, MPI_BYTE, &message, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void answer_lane(int lane)
{
    for (int i = 0; i < count; i++) {
        if (wires[lane].owed[i])
            send_ping(i, wires[lane].owed[i]);
        wires[lane].owed[i] = 0;
    }
}

/* Notes the pings and answers that have arrived, and answers the pings that this rank may answer.
 */
static void answer_pings(void)
{
    int from, tag;
    while (take_ping(&from, &tag)) {
        const int lane = tag / 2 % RANKS_LANES;
        if (tag % 2 == 0)
            wires[lane].owed[from] = tag + 1;
        else if (tag / 2 / RANKS_LANES == wires[lane].serial)
            wires[lane].answered[from] = true;
    }
    bool waits = false;
    for (int k = 0; k < RANKS_LANES; k++)
        waits |= wires[k].state == WAITS;
    for (int k = 0; k < RANKS_LANES && waits; k++)
        if (wires[k].state != WORKS)
            answer_lane(k);
}

static void nap(long microseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

/* Asks all ranks for an answer on a lane. Returns how many do not answer. */
static int ping_all(int lane)
{
    bool *const answered = wires[lane].answered;
    pthread_mutex_lock(&lock);
    const int serial = wires[lane].serial = (wires[lane].serial + 1) % SERIALS;
    for (int i = 0; i < count; i++)
        answered[i] = i == own;
    for (int i = 0; i < count; i++)
        if (i != own)
            send_ping(i, 2 * (serial * RANKS_LANES + lane));
    pthread_mutex_unlock(&lock);
    const double began = clock_seconds();
    int silent;
    do {
        nap(NAP_MOST);
        pthread_mutex_lock(&lock);
        answer_pings();
        silent = 0;
        for (int i = 0; i < count; i++)
            silent += !answered[i];
        pthread_mutex_unlock(&lock);
    } while (silent > 0 && clock_seconds() - began < ANSWER);
    return silent;
}

static enum status name_silent(int lane, int silent)
{
    char text[512] = "";
    size_t used = 0;
    int named = 0;
    for (int i = 0; i < count && used < sizeof text - 128; i++) {
        if (wires[lane].answered[i])
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
static enum status judge(int lane, double seconds)
{
    if (seconds < (own == 0 ? RANKS_GRACE : RANKS_PATIENCE))
        return STATUS_OK;
    const int silent = ping_all(lane);
    if (own == 0 && silent > 0)
        return name_silent(lane, silent);
    if (own != 0 && !wires[lane].answered[0])
        return status_fail(STATUS_RUNTIME, "no answer from %s", ranks_name(0));
    return STATUS_OK;
}

static enum status too_late(int lane)
{
    const int silent = ping_all(lane);
    return silent > 0 ? name_silent(lane, silent)
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

/* Tests all requests; *done: all have ended. */
static int test(int lane, MPI_Request *requests, MPI_Status *statuses, int n, bool answers,
                int *done)
{
    pthread_mutex_lock(&lock);
    const int code = MPI_Testall(n, requests, done, statuses);
    wires[lane].state = code == MPI_SUCCESS && !*done ? WAITS : WORKS;
    if (answers && code == MPI_SUCCESS && !*done)
        answer_pings();
    pthread_mutex_unlock(&lock);
    return code;
}

/* Waits for all requests, which move `bytes` bytes together. `what`: what they do, for the message.
 */
static enum status finish(int lane, MPI_Request *requests, MPI_Status *statuses, int n,
                          size_t bytes, const char *what)
{
    const double spin = SPIN + (double)bytes / RATE;
    const double began = clock_seconds();
    double stopping = 0, judged = 0, now = began; /* time of the signal to end, and of the last
                                                   * judgement; 0: none */
    enum status status = STATUS_OK;
    for (;;) {
        int done = 0;
        const int code = test(lane, requests, statuses, n, now - began >= spin, &done);
        if (code != MPI_SUCCESS)
            return failed(first_error(code, statuses, n), what);
        if (done)
            return STATUS_OK;
        if (status != STATUS_OK) {
            wire_rest(lane, false);
            return status;
        }
        now = clock_seconds();
        if (now - began < spin) {
            sched_yield();
            continue;
        }
        const bool stop = wire_stops() > 0;
        stopping = !stop ? 0 : stopping > 0 ? stopping : now;
        /* after a failure here, the requests are tested once more */
        if (limit > 0 && now - began > limit) {
            status = too_late(lane);
        } else if (late > 0 && now - began > late) {
            status = status_fail(STATUS_RUNTIME, "%s waits for more than %g s to %s on lane %d",
                                 ranks_name(own), late, what, lane);
        } else if (stop && now - judged > 1) {
            status = judge(lane, now - stopping);
            judged = now;
        }
        const double part = (now - began) * 1e6 / NAP_PART;
        nap(part < NAP_LEAST ? NAP_LEAST : part < NAP_MOST ? (long)part : NAP_MOST);
    }
}

static enum status finish_one(int lane, int code, MPI_Request *request, const char *what)
{
    MPI_Status status = {.MPI_ERROR = MPI_SUCCESS};
    return code != MPI_SUCCESS ? failed(code, what) : finish(lane, request, &status, 1, 0, what);
}

void wire_rest(int lane, bool rests)
{
    pthread_mutex_lock(&lock);
    wires[lane].state = rests ? RESTS : WORKS;
    pthread_mutex_unlock(&lock);
}

int wire_stops(void)
{
    return stop_asked(watched) ? *watched : asked;
}

void wire_watch(const volatile sig_atomic_t *stop)
{
    watched = stop;
}

void wire_ask_to_end(int number)
{
    __atomic_store_n(&asked, number, __ATOMIC_RELAXED);
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
    for (int k = 0; k <= RANKS_LANES && code == MPI_SUCCESS; k++) {
        MPI_Comm *comm = k < RANKS_LANES ? &wires[k].comm : &ping_comm;
        code = MPI_Comm_dup(MPI_COMM_WORLD, comm);
        if (code == MPI_SUCCESS)
            code = MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    }
    if (code != MPI_SUCCESS)
        return failed(code, "start MPI");
    *job_count = count;
    *job_own = own;
    for (int k = 0; k < RANKS_LANES; k++) {
        wires[k].answered = memory_new((size_t)count, sizeof *wires[k].answered);
        wires[k].owed = memory_new((size_t)count, sizeof *wires[k].owed);
    }
    const char *seconds = getenv("GRAVREEL_RANKS_LATE");
    late = seconds ? strtod(seconds, NULL) : 0;
    if (level < MPI_THREAD_SERIALIZED)
        return status_fail(STATUS_RUNTIME, "%s is built without support for threads",
                           wire_library());
    return STATUS_OK;
}

void wire_close(void)
{
    answer_pings();
    for (int k = 0; k < RANKS_LANES; k++) {
        free(wires[k].answered);
        free(wires[k].owed);
        MPI_Comm_free(&wires[k].comm);
    }
    MPI_Comm_free(&ping_comm);
    MPI_Finalize();
}

void wire_abort(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
    _Exit(code);
}

/* ---- collectives ---- */

static enum status reduce(int lane, void *values, size_t amount, MPI_Datatype type,
                          MPI_Op operation, const char *what)
{
    const size_t most = PIECE / sizeof(uint64_t);
    enum status status = STATUS_OK;
    for (size_t at = 0; at < amount && status == STATUS_OK; at += most) {
        MPI_Request request;
        const size_t rest = amount - at;
        char *const part = (char *)values + at * sizeof(uint64_t);
        pthread_mutex_lock(&lock);
        const int code = MPI_Iallreduce(MPI_IN_PLACE, part, (int)(rest < most ? rest : most), type,
                                        operation, wires[lane].comm, &request);
        pthread_mutex_unlock(&lock);
        status = finish_one(lane, code, &request, what);
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

enum status wire_largest(int lane, uint64_t *values, size_t amount)
{
    swap_signs(values, amount);
    const enum status status =
        reduce(lane, values, amount, MPI_INT64_T, MPI_MAX, "find the largest number");
    swap_signs(values, amount);
    return status;
}

enum status wire_sum(int lane, uint64_t *values, size_t amount)
{
    return reduce(lane, values, amount, MPI_UINT64_T, MPI_SUM, "add numbers");
}

enum status wire_share(int lane, void *data, size_t bytes, int from)
{
    enum status status = STATUS_OK;
    for (size_t at = 0; at < bytes && status == STATUS_OK; at += PIECE) {
        MPI_Request request;
        const size_t rest = bytes - at;
        pthread_mutex_lock(&lock);
        const int code = MPI_Ibcast((char *)data + at, (int)(rest < PIECE ? rest : PIECE), MPI_BYTE,
                                    from, wires[lane].comm, &request);
        pthread_mutex_unlock(&lock);
        status = finish_one(lane, code, &request, "share data");
    }
    return status;
}

enum status wire_gather(int lane, const void *mine, size_t bytes, void *all)
{
    MPI_Request request;
    pthread_mutex_lock(&lock);
    const int code = MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE,
                                    wires[lane].comm, &request);
    pthread_mutex_unlock(&lock);
    return finish_one(lane, code, &request, "gather data");
}

enum status wire_swap(int lane, const uint64_t *out, uint64_t *in)
{
    MPI_Request request;
    pthread_mutex_lock(&lock);
    const int code =
        MPI_Ialltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, wires[lane].comm, &request);
    pthread_mutex_unlock(&lock);
    return finish_one(lane, code, &request, "exchange numbers");
}

enum status wire_barrier(int lane)
{
    MPI_Request request;
    pthread_mutex_lock(&lock);
    const int code = MPI_Ibarrier(wires[lane].comm, &request);
    pthread_mutex_unlock(&lock);
    return finish_one(lane, code, &request, "wait for the other ranks");
}

/* ---- parts ---- */

static size_t pieces(const struct wire_part *parts, size_t amount)
{
    size_t sum = 0;
    for (size_t i = 0; i < amount; i++)
        sum += parts[i].bytes / PIECE + (parts[i].bytes % PIECE > 0);
    return sum;
}

/* Begins to send or receive a part in pieces. Advances *requests and *sizes past those of the
 * pieces. */
static int begin(int lane, const struct wire_part *part, bool send, MPI_Request **requests,
                 int **sizes)
{
    const MPI_Comm comm = wires[lane].comm;
    int code = MPI_SUCCESS;
    for (size_t at = 0; at < part->bytes && code == MPI_SUCCESS; at += PIECE) {
        const size_t rest = part->bytes - at;
        const int size = (int)(rest < PIECE ? rest : PIECE);
        char *const data = (char *)part->data + at;
        pthread_mutex_lock(&lock);
        code = send ? MPI_Isend(data, size, MPI_BYTE, part->rank, 0, comm, *requests)
                    : MPI_Irecv(data, size, MPI_BYTE, part->rank, 0, comm, *requests);
        pthread_mutex_unlock(&lock);
        ++*requests;
        *(*sizes)++ = size;
    }
    return code;
}

enum status wire_move(int lane, const struct wire_part *out, size_t out_count,
                      const struct wire_part *in, size_t in_count)
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
        code = begin(lane, &in[i], false, &request, &size);
    for (size_t i = 0; i < out_count && code == MPI_SUCCESS; i++)
        code = begin(lane, &out[i], true, &request, &size);
    enum status status = code == MPI_SUCCESS
                             ? finish(lane, requests, statuses, (int)all, bytes, "exchange data")
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
