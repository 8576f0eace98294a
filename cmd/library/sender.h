/* Sends what a simulation hands over, on a thread of its own, from a ring of 128 MiB: the
 * simulation waits only if the ring is full. Only for the library's own files. */
#pragma once

#include "cmd/library/rows.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A part is filled without a break, and pinned for copies from a GPU. */
enum { SENDER_SIZE = 1 << 27, SENDER_PART = 1 << 22, SENDER_RAW_MOST = 1 << 10 };

/* Positions count all bytes since the ring was last empty. */
struct sender {
    pthread_t thread;
    bool runs;            /* the thread */
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t changed;
    int stream;
    char *ring;
    size_t sent, complete; /* the thread sends up to `complete` */
    /* What lies in the ring with gaps, and is packed as it is sent; a ring, too. */
    struct raw {
        size_t at, size; /* position, and bytes up to what follows */
        struct rows rows;
        size_t count;
    } raw[SENDER_RAW_MOST];
    size_t raw_sent, raw_filled;
    bool ends;
    int reason;    /* errno of a failure to send; 0: none */
    size_t filled; /* the caller's own */
};

/* `stream` stays the caller's. Returns 0 or errno. */
int sender_start(struct sender *sender, int stream);

/* Waits until everything has been sent, or cannot be. */
void sender_stop(struct sender *sender);
void sender_free(struct sender *sender);

/* Begins a frame. An empty ring is filled from its beginning, so that no more memory is used than
 * the receiver is behind. */
void sender_begin(struct sender *sender);

/* Waits for room: so many bytes at *to, of one part. The caller fills them and adds to `filled`. 0:
 * the receiver is gone, see `reason`. */
size_t sender_room(struct sender *sender, char **to);

/* Waits for `size` bytes in a piece, at most a part, for rows with gaps. NULL: the receiver is
 * gone. */
char *sender_raw_room(struct sender *sender, size_t size);
/* Adds these bytes to `filled`: rows that the thread packs. */
void sender_add_raw(struct sender *sender, size_t size, const struct rows *rows, size_t count);

/* Lets the thread send what has been filled. Returns `reason`. */
int sender_hand_over(struct sender *sender);
