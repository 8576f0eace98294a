/* A guard against a race in Mesa's llvmpipe, seen in 22.3.6, and present in the source of later
 * versions.
 *
 * A worker thread of llvmpipe that finishes its part of a scene increments the counter of the
 * scene's fence and signals, both under the fence's mutex. The thread that hands out scenes reads
 * the counter without the mutex, then destroys the mutex and frees the fence, possibly before the
 * worker has unlocked the mutex. The unlock then writes to freed memory. This happens only when the
 * machine is so busy that the worker is preempted in between; it ends in "free(): corrupted
 * unsorted chunks" or in arbitrary corruption.
 *
 * The program therefore defines pthread_mutex_destroy and mtx_destroy itself, which its libraries
 * find before the C library's: they wait until nobody holds the mutex. Other callers see no
 * difference, because POSIX and C forbid destroying a locked mutex. */
#ifndef RENDER_GL_FENCES_H
#define RENDER_GL_FENCES_H

/* Switches the guard on for the rest of the process; call it before drawing in software.
 * Thread-safe. */
void fences_guard(void);

#endif
