/* Waiting for a number that other threads increase. */
#include "tests/support/test.h"

#include "kernels/pairs/force_cpu.h"
#include "tests/support/programs/asleep.h"

#include <pthread.h>

enum { WAITERS = 3, ROUNDS = 2000 };

static struct tally tally;
static atomic_uint arrived;

static void *wait_for_five(void *ignored)
{
    (void)ignored;
    tally_wait(&tally, 5);
    atomic_fetch_add(&arrived, 1);
    return NULL;
}

/* The threads sleep, and a smaller number does not release them. */
TEST(those_who_wait_sleep_and_are_woken)
{
    pthread_t threads[WAITERS];
    tally = (struct tally){0};
    for (int i = 0; i < WAITERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, wait_for_five, NULL), 0);
    for (unsigned value = 1; value < 5; value++) {
        while (atomic_load(&tally.sleepers) < WAITERS)
            sched_yield();
        let_others_wait();
        tally_raise(&tally, value);
    }
    let_others_wait();
    assert_int_equal(atomic_load(&arrived), 0);
    tally_raise(&tally, 5);
    for (int i = 0; i < WAITERS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(atomic_load(&arrived), WAITERS);
    assert_int_equal(atomic_load(&tally.sleepers), 0);
    tally_wait(&tally, 5); /* at once */
    tally_wait(&tally, 4);
}

struct side {
    struct tally *own, *other;
    unsigned first;
    unsigned long sum; /* of what the other side has left */
    unsigned *slot;
};

/* Each waits for the other's number before it writes its own: a lost wake-up would hang. */
static void *play(void *given)
{
    struct side *side = given;
    for (unsigned round = 1; round <= ROUNDS; round++) {
        tally_wait(side->other, side->first ? round - 1 : round);
        side->sum += *side->slot;
        *side->slot = round;
        tally_raise(side->own, round);
    }
    return NULL;
}

TEST(what_was_written_before_is_seen)
{
    struct tally one = {0}, two = {0};
    unsigned slot = 0;
    struct side first = {&one, &two, 1, 0, &slot}, second = {&two, &one, 0, 0, &slot};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, play, &second), 0);
    play(&first);
    pthread_join(thread, NULL);
    assert_int_equal(first.sum, (unsigned long)ROUNDS * (ROUNDS - 1) / 2);
    assert_int_equal(second.sum, (unsigned long)ROUNDS * (ROUNDS + 1) / 2);
}

TESTS(NULL, NULL)
