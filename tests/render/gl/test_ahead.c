/* Contexts that are opened on another thread. */
#include "tests/support/test.h"

#include "render/gl/ahead.h"
#include "render/gl/util.h"
#include "tests/support/outcome.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct use {
    struct gl_context *context;
    enum status status;
};

static void *bind_elsewhere(void *argument)
{
    struct use *use = argument;
    use->status = gl_context_bind(use->context);
    if (use->status == STATUS_OK)
        gl_context_unbind(use->context);
    return NULL;
}

static void a_context_is_used_where_it_is_taken(void **state)
{
    (void)state;
    struct gl_context *context;
    struct gl_ahead *ahead;
    gl_ahead_begin(&ahead, -1);
    const enum status status = gl_ahead_take(&ahead, &context);
    assert_null(ahead);
    if (status != STATUS_OK)
        outcome_skip(MISSING_GL, status_text());
    struct gl_target target;
    float seen[4] = {0};
    assert_ok(gl_context_bind(context));
    assert_ok(gl_target_create(&target, GL_RGBA32F, 1, 1));
    gl_target_bind(&target);
    glClearColor(0.25f, 0.5f, 1, 2);
    glClear(GL_COLOR_BUFFER_BIT);
    gl_target_read(&target, GL_RGBA, seen);
    assert_ok(gl_check("reading"));
    assert_true(seen[0] == 0.25f && seen[3] == 2);
    gl_target_destroy(&target);
    gl_context_unbind(context);
    pthread_t other;
    struct use use = {context, STATUS_RUNTIME};
    assert_int_equal(pthread_create(&other, NULL, bind_elsewhere, &use), 0);
    pthread_join(other, NULL);
    assert_int_equal(use.status, STATUS_OK);
    gl_context_close(&context);
}

static void one_that_nobody_takes_is_closed(void **state)
{
    (void)state;
    struct gl_ahead *ahead = NULL;
    gl_ahead_end(&ahead);
    gl_ahead_begin(&ahead, -1);
    gl_ahead_end(&ahead);
    assert_null(ahead);
}

static void a_failure_is_reported_where_it_is_taken(void **state)
{
    (void)state;
    const pid_t child = fork(); /* EGL looks for drivers once per process */
    if (child == 0) {
        struct gl_context *context;
        struct gl_ahead *ahead;
        setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nowhere", 1);
        gl_ahead_begin(&ahead, -1);
        const enum status status = gl_ahead_take(&ahead, &context);
        _exit(status == STATUS_DEVICE && !context && strstr(status_text(), "drawing needs") ? 0
                                                                                            : 1);
    }
    int ended;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_is_reported_where_it_is_taken), /* before a driver is loaded */
        cmocka_unit_test(a_context_is_used_where_it_is_taken),
        cmocka_unit_test(one_that_nobody_takes_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
