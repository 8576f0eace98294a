#include "tests/support/test.h"

#include "base/queue.h"

#include "tests/support/programs/refuse_threads.h"

#include <pthread.h>
#include <stdatomic.h>

struct job {
    atomic_bool may_end;
    int done;
    bool fails;
    pthread_t on;
};

static enum status work(void *user)
{
    struct job *job = user;
    while (!job->may_end)
        ;
    job->on = pthread_self();
    job->done++;
    return job->fails ? status_fail(STATUS_DEVICE, "piece %d failed", job->done) : STATUS_OK;
}

TEST(the_owner_goes_on_and_then_waits)
{
    struct job job = {.done = 0};
    struct worker *worker = worker_open(work, &job, true);
    assert_ok(worker_wait(worker)); /* nothing was begun */
    for (int i = 1; i <= 3; i++) {
        job.may_end = false;
        worker_begin(worker);
        job.may_end = true;
        assert_ok(worker_wait(worker));
        assert_int_equal(job.done, i);
        assert_false(pthread_equal(job.on, pthread_self()));
    }
    worker_close(&worker);
    assert_null(worker);
    worker_close(&worker);
}

TEST(a_failure_comes_with_its_sentence_once)
{
    struct job job = {.may_end = true, .fails = true};
    struct worker *worker = worker_open(work, &job, true);
    worker_begin(worker);
    assert_fails(worker_wait(worker), STATUS_DEVICE, "piece 1 failed");
    assert_ok(worker_wait(worker));
    job.fails = false;
    worker_begin(worker);
    assert_ok(worker_wait(worker));
    worker_close(&worker);
}

TEST(closing_finishes_what_was_begun)
{
    struct job job = {.may_end = true};
    struct worker *worker = worker_open(work, &job, true);
    worker_begin(worker);
    worker_close(&worker);
    assert_int_equal(job.done, 1);
}

static void work_by_the_owner(struct worker *worker, struct job *job)
{
    worker_begin(worker);
    assert_int_equal(job->done, 1);
    assert_true(pthread_equal(job->on, pthread_self()));
    assert_ok(status_fail(STATUS_OK, "another sentence"));
    assert_fails(worker_wait(worker), STATUS_DEVICE, "piece 1 failed");
    worker_close(&worker);
}

TEST(without_a_thread_the_owner_works)
{
    struct job job = {.may_end = true, .fails = true};
    threads_left = 0;
    struct worker *worker = worker_open(work, &job, true);
    threads_left = -1;
    work_by_the_owner(worker, &job);
}

TEST(one_that_is_not_beside_is_the_owner)
{
    struct job job = {.may_end = true, .fails = true};
    work_by_the_owner(worker_open(work, &job, false), &job);
}

TESTS(NULL, NULL)
