#include "tests/support/test.h"

#include "base/queue.h"

#include "tests/support/programs/asleep.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { ITEMS = 10000 };

static void *produce(void *argument)
{
    struct queue *queue = argument;
    for (uintptr_t i = 1; i <= ITEMS; i++)
        if (queue_push(queue, (void *)i) != STATUS_OK)
            return (void *)i;
    queue_finish(queue);
    return NULL;
}

TEST(keeps_order_and_drains)
{
    struct queue *queue = queue_create(3);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, produce, queue), 0);
    uintptr_t expected = 0;
    void *item;
    while (queue_pop(queue, &item) == STATUS_OK)
        assert_int_equal((uintptr_t)item, ++expected);
    pthread_join(thread, NULL);
    assert_int_equal(expected, ITEMS);
    assert_int_equal(queue_pop(queue, &item), STATUS_STOPPED);
    assert_int_equal(queue_push(queue, queue), STATUS_STOPPED);
    queue_destroy(&queue);
    assert_null(queue);
}

TEST(abort_releases_a_waiting_writer)
{
    struct queue *queue = queue_create(2);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, produce, queue), 0);
    while (queue_length(queue) < 2)
        sched_yield();
    queue_abort(queue);
    void *refused;
    pthread_join(thread, &refused);
    assert_int_equal((uintptr_t)refused, 3);
    void *item;
    assert_int_equal(queue_pop(queue, &item), STATUS_STOPPED);
    queue_destroy(&queue);
}

static atomic_int consumer;

static void *consume_one(void *argument)
{
    void *item;
    consumer = gettid();
    return (void *)(uintptr_t)queue_pop(argument, &item);
}

TEST(abort_releases_a_waiting_reader)
{
    struct queue *queue = queue_create(2);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, consume_one, queue), 0);
    while (!consumer || !is_asleep(consumer))
        sched_yield();
    queue_abort(queue);
    void *status;
    pthread_join(thread, &status);
    assert_int_equal((uintptr_t)status, STATUS_STOPPED);
    queue_destroy(&queue);
}

static atomic_int ended;

static void *count_when_released(void *argument)
{
    void *item;
    const enum status status = queue_pop(argument, &item);
    ended++;
    return (void *)(uintptr_t)status;
}

/* A thread that is not released sleeps forever; the time limit distinguishes it from a slow one. */
TEST(the_end_releases_all_readers)
{
    enum { READERS = 4 };
    static void (*const ends[])(struct queue *) = {queue_finish, queue_abort};
    for (int k = 0; k < 2; k++) {
        struct queue *queue = queue_create(2);
        pthread_t threads[READERS];
        ended = 0;
        for (int i = 0; i < READERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, count_when_released, queue), 0);
        let_others_wait();
        assert_int_equal(ended, 0);
        ends[k](queue);
        let_others_wait();
        assert_int_equal(ended, READERS);
        for (int i = 0; i < READERS; i++) {
            void *status;
            pthread_join(threads[i], &status);
            assert_int_equal((uintptr_t)status, STATUS_STOPPED);
        }
        queue_destroy(&queue);
    }
}

TESTS(NULL, NULL)
