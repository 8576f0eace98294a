/* A guard against a fault of Mesa's llvmpipe, seen in 22.3.6, and in the source of later ones.
 *
 * A thread of llvmpipe that has drawn its part of a scene counts itself in the scene's fence and
 * wakes who waits, both under the fence's mutex. The thread that gives out scenes reads the count
 * without the mutex, and then destroys the mutex and frees the fence, possibly before the other
 * thread has given the mutex back: that then writes into freed memory. It takes a machine so busy
 * that the thread loses its processor in between, and ends in "free(): corrupted unsorted chunks",
 * or worse, in anything.
 *
 * Therefore this program has a pthread_mutex_destroy and an mtx_destroy of its own, which its
 * libraries find before the C library's: they wait until nobody holds the mutex. Others do not
 * notice, because POSIX and C forbid to destroy a mutex that is held.
 *
 * A build with -DGRAVREEL_MESA_FENCES=OFF leaves all of this out: for a Mesa without the fault, or
 * a program that never draws by software. */
#pragma once

/* From now on; call it before anything is drawn by software. Thread-safe. */
#ifdef GRAVREEL_MESA_FENCES
void fences_guard(void);
#else
static inline void fences_guard(void)
{
}
#endif
