/* A guard against a fault of Mesa's llvmpipe, seen in 22.3.6, and in the source of later ones.
 *
 * A thread of llvmpipe that has drawn its part of a scene increments the count in the scene's fence
 * and wakes the waiting threads, both under the fence's mutex. The thread that distributes scenes
 * reads the count without the mutex, then destroys the mutex and frees the fence, possibly before
 * the other thread has released the mutex, which then writes into freed memory. This happens if the
 * machine is so busy that the thread is preempted in between, and ends in "free(): corrupted
 * unsorted chunks" or any other corruption.
 *
 * Therefore this program has a pthread_mutex_destroy and an mtx_destroy of its own, which its
 * libraries find before the C library's: they wait until nobody holds the mutex. Correct callers
 * are not affected, because POSIX and C forbid destroying a mutex that is held.
 *
 * A build with -DGRAVREEL_MESA_FENCES=OFF leaves all of this out: for a Mesa without the fault, or
 * a program that never draws by software. */
#pragma once

/* Enables the guard; call it before anything is drawn by software. Thread-safe. */
#ifdef GRAVREEL_MESA_FENCES
void fences_guard(void);
#else
static inline void fences_guard(void)
{
}
#endif
