#include "kernels/pairs/tally.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Number of polls before sleeping: some tens of microseconds, about as long as a meeting of two
 * small blocks. */
enum { LOOKS = 1000 };

static void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* The system compares the value once more before the thread sleeps, and a thread that raises it
 * checks for sleepers afterwards, so no wake-up is lost. */
void tally_wait(struct tally *tally, unsigned value)
{
    for (int look = 0; look < LOOKS; look++) {
        if (atomic_load_explicit(&tally->value, memory_order_acquire) >= value)
            return;
        pause_shortly();
    }
    atomic_fetch_add(&tally->sleepers, 1);
    for (unsigned found; (found = atomic_load(&tally->value)) < value;)
        syscall(SYS_futex, &tally->value, FUTEX_WAIT_PRIVATE, found, NULL, NULL, 0);
    atomic_fetch_sub(&tally->sleepers, 1);
}

void tally_raise(struct tally *tally, unsigned value)
{
    atomic_store(&tally->value, value);
    if (atomic_load(&tally->sleepers) > 0)
        syscall(SYS_futex, &tally->value, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
