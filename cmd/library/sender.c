#include "cmd/library/sender.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* So that the caller need not wait for all of a large frame to find room. */
enum { AT_ONCE = 1 << 20 };

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

static void *run_sender(void *user)
{
    struct sender *sender = user;
    pthread_mutex_lock(&sender->lock);
    while (!sender->reason) {
        while (sender->sent == sender->complete && !sender->ends)
            pthread_cond_wait(&sender->changed, &sender->lock);
        const size_t at = sender->sent % SENDER_SIZE;
        const size_t size =
            least(least(sender->complete - sender->sent, SENDER_SIZE - at), AT_ONCE);
        if (size == 0)
            break;
        pthread_mutex_unlock(&sender->lock);
        const int reason = send_all(sender->stream, sender->ring + at, size);
        pthread_mutex_lock(&sender->lock);
        sender->reason = reason;
        sender->sent += size;
        pthread_cond_broadcast(&sender->changed);
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
        sender->sent = sender->complete = sender->filled = 0;
    pthread_mutex_unlock(&sender->lock);
}

size_t sender_room(struct sender *sender, char **to)
{
    const size_t at = sender->filled % SENDER_SIZE;
    pthread_mutex_lock(&sender->lock);
    while (sender->filled - sender->sent == SENDER_SIZE && !sender->reason) {
        sender->complete = sender->filled; /* a frame that is larger than the ring */
        pthread_cond_broadcast(&sender->changed);
        pthread_cond_wait(&sender->changed, &sender->lock);
    }
    const size_t room = sender->reason ? 0 : SENDER_SIZE - (sender->filled - sender->sent);
    pthread_mutex_unlock(&sender->lock);
    *to = sender->ring + at;
    return least(room, SENDER_PART - at % SENDER_PART);
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
