#include "cmd/library/sender.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* AT_ONCE: so that the caller need not wait for all of a large frame to find room. PACKED: bytes.
 */
enum { AT_ONCE = 1 << 20, PACKED = 1 << 16 };

static int send_all(int stream, const char *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t sent = write(stream, data + done, size - done);
        if (sent < 0 && errno != EINTR)
            return errno;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int send_packed(int stream, const struct raw *raw)
{
    char packed[PACKED];
    const size_t row = raw->rows.each * raw->rows.size, most = row > 0 ? sizeof packed / row : 1;
    struct rows rows = raw->rows;
    int reason = 0;
    for (size_t done = 0; done < raw->count && !reason;) {
        const size_t now = least(most, raw->count - done);
        rows_pack(packed, &rows, now);
        reason = send_all(stream, packed, now * row);
        rows = rows_after(&rows, now);
        done += now;
    }
    return reason;
}

/* Sends the next bytes of the ring, and counts them; the lock is held before and after. */
static void send_next(struct sender *sender)
{
    const struct raw *raw = &sender->raw[sender->raw_sent % SENDER_RAW_MOST];
    const bool is_next = sender->raw_sent < sender->raw_filled;
    const bool is_raw = is_next && raw->at == sender->sent;
    const size_t at = sender->sent % SENDER_SIZE;
    const size_t end = is_next && raw->at < sender->complete ? raw->at : sender->complete;
    const size_t size =
        is_raw ? raw->size : least(least(end - sender->sent, SENDER_SIZE - at), AT_ONCE);
    pthread_mutex_unlock(&sender->lock);
    const int reason = is_raw ? send_packed(sender->stream, raw)
                              : send_all(sender->stream, sender->ring + at, size);
    pthread_mutex_lock(&sender->lock);
    sender->reason = reason;
    sender->sent += size;
    sender->raw_sent += is_raw;
    pthread_cond_broadcast(&sender->changed);
}

static void *run_sender(void *user)
{
    struct sender *sender = user;
    pthread_mutex_lock(&sender->lock);
    while (!sender->reason) {
        while (sender->sent == sender->complete && !sender->ends)
            pthread_cond_wait(&sender->changed, &sender->lock);
        if (sender->sent == sender->complete)
            break;
        send_next(sender);
    }
    pthread_mutex_unlock(&sender->lock);
    return NULL;
}

/* The thread blocks all signals, so that they go to the simulation's own threads, and a closed pipe
 * is an error of write(). */
int sender_start(struct sender *sender, int stream)
{
    sigset_t all, before;
    pthread_mutex_init(&sender->lock, NULL);
    pthread_cond_init(&sender->changed, NULL);
    sender->stream = stream;
    sender->ring = aligned_alloc(SENDER_PART, SENDER_SIZE); /* memory is taken where it is filled */
    if (!sender->ring)
        return ENOMEM;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&sender->thread, NULL, run_sender, sender);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    sender->runs = !failed;
    return failed;
}

void sender_stop(struct sender *sender)
{
    if (!sender->runs)
        return;
    pthread_mutex_lock(&sender->lock);
    sender->ends = true;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->lock);
    pthread_join(sender->thread, NULL);
    sender->runs = false;
}

void sender_free(struct sender *sender)
{
    free(sender->ring);
    sender->ring = NULL;
}

void sender_begin(struct sender *sender)
{
    pthread_mutex_lock(&sender->lock);
    if (sender->sent == sender->filled)
        sender->sent = sender->complete = sender->filled = sender->raw_sent = sender->raw_filled =
            0;
    pthread_mutex_unlock(&sender->lock);
}

/* Waits until so many bytes are free, and entries of raw rows. Returns those that are, or 0. */
static size_t wait_for(struct sender *sender, size_t bytes, size_t entries)
{
    pthread_mutex_lock(&sender->lock);
    size_t room;
    for (;;) {
        room = sender->reason ? 0 : SENDER_SIZE - (sender->filled - sender->sent);
        if (sender->reason ||
            (room >= bytes && sender->raw_filled - sender->raw_sent + entries <= SENDER_RAW_MOST))
            break;
        sender->complete = sender->filled; /* a frame that is larger than the ring */
        pthread_cond_broadcast(&sender->changed);
        pthread_cond_wait(&sender->changed, &sender->lock);
    }
    pthread_mutex_unlock(&sender->lock);
    return room;
}

/* The caller's position: its place in the ring; the bytes from there to the end of the part. */
static size_t part_left(const struct sender *sender, char **to)
{
    const size_t at = sender->filled % SENDER_SIZE;
    *to = sender->ring + at;
    return SENDER_PART - at % SENDER_PART;
}

size_t sender_room(struct sender *sender, char **to)
{
    const size_t left = part_left(sender, to);
    return least(wait_for(sender, 1, 0), left);
}

char *sender_raw_room(struct sender *sender, size_t size)
{
    char *to;
    const size_t left = part_left(sender, &to), unused = left < size ? left : 0;
    if (wait_for(sender, unused + size, 2) == 0)
        return NULL;
    if (unused > 0)
        sender_add_raw(sender, unused, &(struct rows){.each = 0}, 0);
    part_left(sender, &to);
    return to;
}

void sender_add_raw(struct sender *sender, size_t size, const struct rows *rows, size_t count)
{
    pthread_mutex_lock(&sender->lock);
    sender->raw[sender->raw_filled % SENDER_RAW_MOST] =
        (struct raw){.at = sender->filled, .size = size, .rows = *rows, .count = count};
    sender->raw_filled++;
    sender->filled += size;
    pthread_mutex_unlock(&sender->lock);
}

int sender_hand_over(struct sender *sender)
{
    pthread_mutex_lock(&sender->lock);
    sender->complete = sender->filled;
    const int reason = sender->reason;
    pthread_cond_broadcast(&sender->changed);
    pthread_mutex_unlock(&sender->lock);
    return reason;
}
