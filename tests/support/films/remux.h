/* Films changed packet by packet, without encoding, to test what is detected. For tests only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Packets are counted from 1, in the order of decoding; 0: none. */
struct remux {
    int drop;    /* left out; those after it are shown a frame earlier */
    int repeat;  /* written twice; those after it are shown a frame later */
    int swap;    /* its data and that of the next change places */
    int replace; /* its data is that of the same packet of `from` */
    const char *from;
    int late; /* shown `ticks` later */
    int64_t ticks;
    int flip; /* flips one bit of this byte, counted from the packet's end */
    int flip_at;
    const char *tag, *value; /* replaces a tag of the film; "" removes it */
    const char *filter;      /* libav's bitstream filter, with its options; NULL: none */
    bool without_colours;    /* the container does not state the colours */
    bool full_range;         /* the container says that black is 0 and white the largest code */
    int64_t longer;          /* ticks by which the last packet lasts longer */
};

/* Leaves out all streams but the first. Fails the test when the film cannot be read or written. */
void remux(const char *in, const char *out, const struct remux *change);

/* Overwrites the first occurrence of `what` in a file by `with`, both `size` bytes long, or instead
 * the bytes `skip` after it, if that is not 0. Fails the test if there is none. */
void patch_file(const char *path, const char *what, int skip, const char *with, int size);

/* Keeps the first `keep` of 100 parts of a file's bytes. */
void cut_file(const char *in, const char *out, int keep);
